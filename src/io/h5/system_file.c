/* Files of the operating system: read and written whole, locked, made anew.
 *
 * Locks are those of flock, as HDF5 takes them, and obey its variable HDF5_USE_FILE_LOCKING (FALSE
 * or 0: none; BEST_EFFORT: none where the file system has none). A run also keeps NAME.lock, with
 * one line
 *
 *   process 12345 on host.example
 *
 * so that readers know a file that is being written, where locks of the file system do not reach,
 * and a message can name the process. A file NAME.part that is left from a run that was killed is
 * removed (plu_fresh_clear), but only if it begins as a file of this program does: zeros (HDF5
 * writes its first block last), the signature of HDF5, or the mark of a checkpoint. */
#include "io/h5/system_file.h"
#include "pluvia/where.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* A signal may interrupt pwrite, and a full disk may take a part: go on until all is written. */
bool plu_write_whole(int file, const void *bytes, size_t size, off_t at)
{
    const unsigned char *from = bytes;
    while (size > 0) {
        const ssize_t done = pwrite(file, from, size, at);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        from += done;
        at += done;
        size -= (size_t)done;
    }
    return true;
}

/* What lies beyond the end of the file reads as zeros. */
bool plu_read_whole(int file, void *bytes, size_t size, off_t at)
{
    unsigned char *to = bytes;
    while (size > 0) {
        const ssize_t done = pread(file, to, size, at);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return false;
        if (done == 0) {
            memset(to, 0, size);
            return true;
        }
        to += done;
        at += done;
        size -= (size_t)done;
    }
    return true;
}

bool plu_h5_wants_locks(void)
{
    const char *setting = getenv("HDF5_USE_FILE_LOCKING");
    return !setting || (strcmp(setting, "FALSE") != 0 && strcmp(setting, "0") != 0);
}

/* File systems without locks say ENOSYS; HDF5 goes on without them only with BEST_EFFORT. */
static bool refuses_locks(void)
{
    const char *setting = getenv("HDF5_USE_FILE_LOCKING");
    return errno == ENOSYS && setting && strcmp(setting, "BEST_EFFORT") == 0;
}

bool plu_h5_take_lock(int file, bool to_write)
{
    return !plu_h5_wants_locks() || flock(file, (to_write ? LOCK_EX : LOCK_SH) | LOCK_NB) == 0 ||
           refuses_locks();
}

bool plu_h5_drop_lock(int file)
{
    return !plu_h5_wants_locks() || flock(file, LOCK_UN) == 0 || refuses_locks();
}

long plu_lock_process(int file, char host[PLU_LOCK_HOST])
{
    char words[PLU_LOCK_HOST + 64];
    long pid;
    const ssize_t length = pread(file, words, sizeof words - 1, 0);
    words[length > 0 ? length : 0] = '\0';
    return sscanf(words, "process %ld on %255s", &pid, host) == 2 && pid > 0 ? pid : 0;
}

/* The process of this machine that the file names; 0: there is none. */
static long named_process(int file)
{
    char host[PLU_LOCK_HOST], here[PLU_LOCK_HOST] = "";
    const long pid = plu_lock_process(file, host);
    if (pid == 0 || gethostname(here, sizeof here) != 0)
        return 0;
    here[sizeof here - 1] = '\0';
    return strcmp(here, host) == 0 ? pid : 0;
}

/* EPERM: it exists, but belongs to another user. */
static bool exists(long pid)
{
    return kill((pid_t)pid, 0) == 0 || errno == EPERM;
}

bool plu_h5_is_written(const char *path)
{
    char name[PLU_PATH + 8];
    if (snprintf(name, sizeof name, "%s.lock", path) >= (int)sizeof name)
        return false;
    const int file = open(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return false;
    const bool free = flock(file, LOCK_SH | LOCK_NB) == 0;
    const bool held = !free && errno == EWOULDBLOCK;
    const long pid = named_process(file);
    close(file);
    if (pid == (long)getpid())
        return false; /* a run that continues holds the lock while it reads */
    return held || (pid > 0 && exists(pid));
}

enum { START = 64 };

static bool begins_with(const char *start, size_t length, const char *text)
{
    return length >= strlen(text) && memcmp(start, text, strlen(text)) == 0;
}

/* HDF5 writes the first block of a file last; what comes before reads as zeros. */
static bool is_made(const char *start, size_t length, const char *const *begins)
{
    static const char zeros[START] = "";
    if (memcmp(start, zeros, length) == 0 || begins_with(start, length, "\211HDF\r\n\032\n") ||
        begins_with(start, length, "pluvia checkpoint\n"))
        return true;
    for (; begins && *begins; begins++)
        if (begins_with(start, length, *begins))
            return true;
    return false;
}

/* NOFOLLOW and NONBLOCK: neither a link nor a pipe that stands there is followed or waited for. */
static bool is_left(const char *path, const char *const *begins)
{
    char start[START] = "";
    struct stat about;
    const int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file < 0)
        return false;
    const ssize_t length = pread(file, start, sizeof start, 0);
    const bool left = fstat(file, &about) == 0 && S_ISREG(about.st_mode) && length >= 0 &&
                      is_made(start, (size_t)length, begins);
    close(file);
    return left;
}

plu_status plu_fresh_clear(const char *path, const char *const *begins, plu_error *err)
{
    struct stat about;
    if (lstat(path, &about) != 0)
        return errno == ENOENT
                   ? PLU_OK
                   : plu_fail(err, PLU_IO, "cannot write %s: %s", path, strerror(errno));
    if (!is_left(path, begins))
        return plu_fail(err, PLU_IO,
                        "%s, under which this command writes first, is there already and is not "
                        "left from an earlier one; move it, or use -o to write elsewhere",
                        path);
    if (unlink(path) == 0 || errno == ENOENT)
        return PLU_OK;
    return plu_fail(err, PLU_IO, "cannot write %s: %s", path, strerror(errno));
}
