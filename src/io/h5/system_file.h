/* system_file.h: files of the operating system: read and written whole, locked, made anew. */
#ifndef IO_H5_SYSTEM_FILE_H
#define IO_H5_SYSTEM_FILE_H

#include "pluvia/status.h"
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* --- reads and writes of files that the operating system may do in pieces --- */

/* Writes all bytes at `at`; fails with errno. */
bool plu_write_whole(int file, const void *bytes, size_t size, off_t at);

/* Reads the bytes at `at`, zeros beyond the end of the file; fails with errno. */
bool plu_read_whole(int file, void *bytes, size_t size, off_t at);

/* --- locks of the operating system on HDF5 files, as HDF5's own drivers take them --- */

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

/* Files that are made anew under a name of their own (NAME.part) and get the name of the
 * result when they are complete. A part that a killed run has left goes; nobody else's file of that
 * name does, and nothing is written through a link. */

/* Removes what is left of an earlier attempt at `path`. PLU_IO where something else stands there: a
 * link, a folder, or a file that is not empty, no HDF5 file (also one of which nothing but room was
 * written) and begins with none of the texts in `begins` (ends with NULL; may be NULL). */
plu_status plu_fresh_clear(const char *path, const char *const *begins, plu_error *err);

/* --- the kind of a file by its content, because a user can give a file any name --- */

typedef enum plu_file_kind {
    PLU_KIND_OTHER,      /* also what cannot be read */
    PLU_KIND_SCENE,      /* a scene, a campaign, a part of one */
    PLU_KIND_TRAJECTORY, /* also of other programs (H5MD) */
    PLU_KIND_CHECKPOINT,
    PLU_KIND_PROBLEM,
    PLU_KIND_CAMPAIGN, /* its table in HDF5 */
    PLU_KIND_HDF5,     /* another file in HDF5, or one that HDF5 cannot open */
    PLU_FILE_KINDS     /* how many there are */
} plu_file_kind;

/* The kind of a regular file. */
plu_file_kind plu_file_kind_of(const char *path);

/* A name for messages, such as "a scene"; NULL for PLU_KIND_OTHER. */
const char *plu_file_kind_name(plu_file_kind kind);

#endif
