/* Lets only one run at a time write a result, by the lock file NAME.h5md.lock, which names its
 * holder.
 *
 * Normally the lock is an flock of the operating system. It ends with its process, however that
 * ends, and on NFS it holds for all machines. If the file system has no locks, or with
 * HDF5_USE_FILE_LOCKING=FALSE, the text in the file decides: the lock is held while a process of
 * that number exists on this machine; a lock of another machine always counts as held.
 *
 *    flock:  open or create --> flock --> does the name still lead to this file?
 *                                 |         yes: write the text, TAKEN
 *                                 |         no: the holder removed it just before, AGAIN
 *                                 '--> refused: HELD       not supported: by the text
 *
 *    text:   create, O_EXCL --> new: write the text, TAKEN
 *                           '-> there: does its process exist? yes: HELD
 *                                 no: rename it aside. Is that the file that was read?
 *                                   yes: remove it, AGAIN
 *                                   no: another run took the lock meanwhile; link it back, AGAIN */
#include "base/memory.h"
#include "io/h5/system_file.h"
#include "io/trajectory/place.h"
#include "pluvia/trajectory.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { HOST = PLU_LOCK_HOST, WORDS = HOST + 64, TRIES = 100 };

struct plu_run_lock {
    char path[PLU_PATH + 8], folder[PLU_PATH]; /* the folder if it was made for it */
    int file;
    bool words_decide;
};

typedef struct holder {
    long pid; /* 0: not in the file */
    char host[HOST];
} holder;

/* The outcome of an attempt to take the lock. AGAIN: another run interfered; try again. FOREIGN:
 * what stands there is no lock file. */
typedef enum outcome { TAKEN, HELD, AGAIN, NO_LOCKS, FAILED, FOREIGN } outcome;

static const char first_word[] = "process ";

static void host_name(char host[HOST])
{
    if (gethostname(host, HOST) != 0)
        strcpy(host, "?");
    host[HOST - 1] = '\0';
}

/* Reads which process holds the lock. Waits a little if the file is empty: the holder may be about
 * to write.
 */
static holder read_holder(int file)
{
    const struct timespec moment = {0, 20000000};
    holder h = {0};
    for (int k = 0; k < 3; k++) {
        h.pid = plu_lock_process(file, h.host);
        if (h.pid > 0)
            return h;
        nanosleep(&moment, NULL);
    }
    return (holder){0};
}

static outcome sign(const plu_run_lock *lock)
{
    char host[HOST], words[WORDS];
    host_name(host);
    const int length =
        snprintf(words, sizeof words, "%s%ld on %s\n", first_word, (long)getpid(), host);
    const bool fine =
        ftruncate(lock->file, 0) == 0 && pwrite(lock->file, words, (size_t)length, 0) == length;
    return fine ? TAKEN : FAILED;
}

static bool is_named(const char *path, int file)
{
    struct stat named, open;
    return lstat(path, &named) == 0 && fstat(file, &open) == 0 && named.st_dev == open.st_dev &&
           named.st_ino == open.st_ino;
}

static void drop(plu_run_lock *lock)
{
    if (lock->file >= 0)
        close(lock->file);
    lock->file = -1;
}

/* Opens the lock file, but not what a link leads to. */
static int open_lock(const plu_run_lock *lock, int flags)
{
    return open(lock->path, flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0666);
}

/* Whether the open file is one that a run has made or has just begun to make: it has one name only
 * (a second one is a sign that somebody keeps it), and it begins as the text of a lock does. */
static bool is_lock(int file)
{
    struct stat about;
    char words[sizeof first_word] = "";
    if (fstat(file, &about) != 0 || !S_ISREG(about.st_mode) || about.st_nlink > 1)
        return false;
    const ssize_t length = pread(file, words, sizeof first_word - 1, 0);
    return length >= 0 && memcmp(words, first_word, (size_t)length) == 0;
}

/* The lock file cannot be opened for writing. If the folder is read-only, no run can begin, but
 * that a run is complete can be found out without a lock. A lock file of another user may still be
 * read for its holder. */
static outcome cannot_open(plu_run_lock *lock)
{
    const int reason = errno;
    if (reason == ELOOP)
        return FOREIGN;
    if (reason != EACCES && reason != EROFS)
        return FAILED;
    lock->file = open_lock(lock, O_RDONLY);
    if (lock->file < 0 && errno == ENOENT)
        return TAKEN;
    if (lock->file >= 0 && flock(lock->file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return HELD;
    drop(lock);
    errno = reason;
    return FAILED;
}

static outcome take_by_lock(plu_run_lock *lock)
{
    lock->file = open_lock(lock, O_RDWR | O_CREAT);
    if (lock->file < 0)
        return cannot_open(lock);
    if (!is_lock(lock->file))
        return FOREIGN;
    if (flock(lock->file, LOCK_EX | LOCK_NB) != 0)
        return errno == EWOULDBLOCK ? HELD : errno == EINTR ? AGAIN : NO_LOCKS;
    return is_named(lock->path, lock->file) ? sign(lock) : AGAIN; /* its holder has just ended */
}

static bool lives(const holder *h)
{
    char here[HOST];
    host_name(here);
    return h->pid > 0 &&
           (strcmp(h->host, here) != 0 || kill((pid_t)h->pid, 0) == 0 || errno == EPERM);
}

/* Moves the lock file of a dead process away; puts it back if it turns out to be another run's. */
static outcome clear_away(const plu_run_lock *lock)
{
    char aside[PLU_PATH + 64];
    snprintf(aside, sizeof aside, "%s.%ld", lock->path, (long)getpid());
    if (rename(lock->path, aside) != 0)
        return errno == ENOENT ? AGAIN : FAILED;
    if (!is_named(aside, lock->file) && link(aside, lock->path) != 0 && errno != EEXIST)
        return FAILED;
    unlink(aside);
    return AGAIN;
}

static outcome take_by_words(plu_run_lock *lock)
{
    lock->words_decide = true;
    lock->file = open_lock(lock, O_RDWR | O_CREAT | O_EXCL);
    if (lock->file >= 0)
        return sign(lock);
    if (errno != EEXIST)
        return cannot_open(lock);
    lock->file = open_lock(lock, O_RDWR);
    if (lock->file < 0)
        return errno == ENOENT ? AGAIN : errno == ELOOP ? FOREIGN : FAILED;
    if (!is_lock(lock->file))
        return is_named(lock->path, lock->file) ? FOREIGN : AGAIN; /* gone, or put back just now */
    const holder h = read_holder(lock->file);
    return lives(&h) ? HELD : clear_away(lock);
}

static plu_status report(const plu_run_lock *lock, outcome result, const char *path, plu_error *err)
{
    if (result == FOREIGN)
        return plu_fail(err, PLU_IO,
                        "%s is not a lock file of pluvia (a link, a file with several names, or of "
                        "another content); move it, or use -o to write elsewhere",
                        lock->path);
    if (result != HELD)
        return plu_fail(err, PLU_IO, "cannot write %s: %s", lock->path, strerror(errno));
    const holder h = read_holder(lock->file);
    if (h.pid == 0)
        return plu_fail(err, PLU_HELD, "%s is being written by another run; wait until it ends",
                        path);
    if (lock->words_decide)
        return plu_fail(err, PLU_HELD,
                        "%s is being written by process %ld on %s; wait until it ends (remove %s "
                        "if that process is not a run of pluvia any more)",
                        path, h.pid, h.host, lock->path);
    return plu_fail(err, PLU_HELD, "%s is being written by process %ld on %s; wait until it ends",
                    path, h.pid, h.host);
}

plu_status plu_run_lock_take(plu_run_lock **taken, const char *path, plu_error *err)
{
    plu_files files;
    *taken = NULL;
    plu_run_lock *lock = plu_alloc(1, sizeof *lock, err);
    if (!lock)
        return PLU_IO;
    lock->file = -1;
    plu_status status = plu_files_names(&files, path, err);
    if (status == PLU_OK)
        status = plu_files_make_folder(&files, err);
    outcome result = AGAIN;
    bool words = !plu_h5_wants_locks();
    snprintf(lock->path, sizeof lock->path, "%s.lock", files.path[PLU_DATA]);
    strcpy(lock->folder, files.folder);
    for (int k = 0; status == PLU_OK && result == AGAIN && k < TRIES; k++) {
        drop(lock);
        result = words ? take_by_words(lock) : take_by_lock(lock);
        if (result == NO_LOCKS) {
            words = true;
            result = AGAIN;
        }
    }
    if (status == PLU_OK && result == TAKEN) {
        *taken = lock;
        return PLU_OK;
    }
    if (status == PLU_OK)
        status = report(lock, result == AGAIN ? HELD : result, path, err);
    if (result == FAILED && is_named(lock->path, lock->file))
        unlink(lock->path); /* not signed */
    if (lock->folder[0])
        rmdir(lock->folder);
    drop(lock);
    free(lock);
    return status;
}

void plu_run_lock_release(plu_run_lock *lock)
{
    if (!lock)
        return;
    if (is_named(lock->path, lock->file))
        unlink(lock->path);
    if (lock->folder[0])
        rmdir(lock->folder); /* stays where there is a result */
    drop(lock);
    free(lock);
}
