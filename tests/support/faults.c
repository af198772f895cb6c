/* Loaded before the other libraries (LD_PRELOAD), lets a call that changes files go wrong: how a
 * run dies, or what it does on a full disk, at a moment that can be chosen and repeated.
 *
 *   FAULT=kill   the process is killed (SIGKILL) before the call
 *   FAULT=tear   the same, after the first pages of what it writes
 *   FAULT=hang   the call does not return, whatever signals come
 *   FAULT=NUMBER the call and all later ones that take space fail with this errno
 *   FAULT_AT=N   the N-th call, from 1
 *   FAULT_ON=WORD counts only calls of this name or on files whose name holds it
 *   FAULT_LOG=FILE takes a line "NUMBER NAME FILE" for each call
 *
 * fsync does nothing, which saves the time of the disk. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static long calls;

static void name_of(int file, char *path, size_t size)
{
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    const ssize_t length = readlink(link, path, size - 1);
    path[length > 0 ? length : 0] = '\0';
}

/* True where the call counts and its number is reached; `exact`: now for the first time. */
static int due(const char *name, const char *path, int *exact)
{
    const char *on = getenv("FAULT_ON"), *at = getenv("FAULT_AT"), *log = getenv("FAULT_LOG");
    if (on && strcmp(on, name) != 0 && !strstr(path, on))
        return 0;
    calls++;
    FILE *out = log ? fopen(log, "a") : NULL;
    if (out) {
        fprintf(out, "%ld %s %s\n", calls, name, path);
        fclose(out);
    }
    *exact = at && calls == atol(at);
    return at && calls >= atol(at);
}

static void die(void)
{
    kill(getpid(), SIGKILL);
    for (;;)
        pause();
}

/* The errno with which the call fails, 0: it goes on. `part` writes the first pages of what was
 * asked. */
static int fault(const char *name, const char *path, int takes_space, void (*part)(void *),
                 void *what)
{
    const char *kind = getenv("FAULT");
    int exact = 0;
    if (!kind || !due(name, path, &exact))
        return 0;
    if (exact && strcmp(kind, "tear") == 0 && part)
        part(what);
    while (exact && strcmp(kind, "hang") == 0)
        pause();
    if (exact && (strcmp(kind, "tear") == 0 || strcmp(kind, "kill") == 0))
        die();
    return takes_space ? atoi(kind) : 0;
}

static int fault_of_file(const char *name, int file, int takes_space, void (*part)(void *),
                         void *what)
{
    char path[4096];
    struct stat about;
    if (fstat(file, &about) != 0 || !S_ISREG(about.st_mode))
        return 0;
    name_of(file, path, sizeof path);
    const char *log = getenv("FAULT_LOG");
    return log && strcmp(path, log) == 0 ? 0 : fault(name, path, takes_space, part, what);
}

/* `real` is the function `name` of the C library. */
#define REAL(name)                                                                                 \
    __typeof__(name) *real;                                                                        \
    *(void **)&real = dlsym(RTLD_NEXT, #name)

struct pwrite_args {
    int file;
    const void *bytes;
    size_t count;
    off64_t at;
};

/* What a kill can leave of a write: whole pages. */
static void write_part(void *what)
{
    const struct pwrite_args *a = what;
    const off64_t page = 4096, end = (a->at + (off64_t)a->count - 1) / page * page;
    REAL(pwrite64);
    if (end > a->at && real(a->file, a->bytes, (size_t)(end - a->at), a->at) < 0)
        die();
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t at)
{
    struct pwrite_args args = {file, bytes, count, at};
    REAL(pwrite64);
    errno = fault_of_file("pwrite", file, 1, write_part, &args);
    return errno ? -1 : real(file, bytes, count, at);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t at)
{
    return pwrite64(file, bytes, count, at);
}

int posix_fallocate64(int file, off64_t at, off64_t bytes)
{
    REAL(posix_fallocate64);
    const int why = fault_of_file("fallocate", file, 1, NULL, NULL);
    return why ? why : real(file, at, bytes);
}

int posix_fallocate(int file, off_t at, off_t bytes)
{
    return posix_fallocate64(file, at, bytes);
}

int fallocate64(int file, int mode, off64_t at, off64_t bytes)
{
    REAL(fallocate64);
    errno = fault_of_file("fallocate", file, 1, NULL, NULL);
    return errno ? -1 : real(file, mode, at, bytes);
}

int fallocate(int file, int mode, off_t at, off_t bytes)
{
    return fallocate64(file, mode, at, bytes);
}

int ftruncate64(int file, off64_t bytes)
{
    REAL(ftruncate64);
    fault_of_file("ftruncate", file, 0, NULL, NULL);
    return real(file, bytes);
}

int ftruncate(int file, off_t bytes)
{
    return ftruncate64(file, bytes);
}

int fsync(int file)
{
    fault_of_file("fsync", file, 0, NULL, NULL);
    return 0; /* no power fails here */
}

int rename(const char *from, const char *to)
{
    REAL(rename);
    errno = fault("rename", from, 0, NULL, NULL);
    return real(from, to);
}

int unlink(const char *path)
{
    REAL(unlink);
    fault("unlink", path, 0, NULL, NULL);
    return real(path);
}
