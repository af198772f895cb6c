/* h5_flock.h: locks of the operating system on HDF5 files, as HDF5's own drivers take them. */
#ifndef IO_H5_H5_FLOCK_H
#define IO_H5_H5_FLOCK_H

#include <stdbool.h>

/* Whether files are locked. As with HDF5's own drivers, HDF5_USE_FILE_LOCKING switches it off. */
bool plu_h5_wants_locks(void);

/* Both are true where nothing has to be done, and fail with errno. */
bool plu_h5_take_lock(int file, bool to_write);
bool plu_h5_drop_lock(int file);

/* --- Whether a run is writing a trajectory --- */

enum { PLU_LOCK_HOST = 256 };

/* The process that the text of a lock file names, and its machine; 0: it names none. */
long plu_lock_process(int file, char host[PLU_LOCK_HOST]);

/* Whether a process holds the lock of the result `path` (lock.c): by the locks of the system, or
 * where these are not used by the process that the lock file names. Nothing is locked or changed.
 */
bool plu_h5_is_written(const char *path);

#endif
