#include "io/h5/h5_flock.h"
#include "pluvia/where.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

bool plu_h5_wants_locks(void)
{
    const char *setting = getenv("HDF5_USE_FILE_LOCKING");
    return !setting || (strcmp(setting, "FALSE") != 0 && strcmp(setting, "0") != 0);
}

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
