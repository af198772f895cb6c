/* h5_running.h: whether a run is writing a trajectory. */
#ifndef IO_H5_H5_RUNNING_H
#define IO_H5_H5_RUNNING_H

#include <stdbool.h>

/* Whether a process holds the lock of the result `path` (lock.c): by the locks of the system, or
 * where these are not used by the process that the lock file names. Nothing is locked or changed.
 */
bool plu_h5_is_written(const char *path);

#endif
