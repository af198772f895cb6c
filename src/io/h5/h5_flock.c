#include "io/h5/h5_flock.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>

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
