/* fresh.h: files that are made anew under a name of their own (NAME.part) and get the name of the
 * result when they are complete. A part that a killed run has left goes; nobody else's file of that
 * name does, and nothing is written through a link. */
#ifndef IO_H5_FRESH_H
#define IO_H5_FRESH_H

#include "pluvia/status.h"

/* Removes what is left of an earlier attempt at `path`. PLU_IO where something else stands there: a
 * link, a folder, or a file that is not empty, no HDF5 file (also one of which nothing but room was
 * written) and begins with none of the texts in `begins` (ends with NULL; may be NULL). */
plu_status plu_fresh_clear(const char *path, const char *const *begins, plu_error *err);

#endif
