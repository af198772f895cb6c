/* fclib_h5.h: vectors and matrices of an FCLIB file, which may be anything: each length is
 * checked against the data set before anything is allocated or read. See io/h5/h5.h for how
 * failures go.
 */
#ifndef IO_PROBLEM_FCLIB_H5_H
#define IO_PROBLEM_FCLIB_H5_H

#include "io/h5/h5_read.h"
#include "io/problem/file_parts.h"

typedef struct plu_fclib {
    plu_h5 h5;
    hid_t file;
    long long bytes; /* of the file */
    bool ours;       /* pluvia wrote it, and leaves nothing unwritten */
} plu_fclib;

/* All `path`s begin at the root of the file, "fclib_local/vectors/q". */
bool plu_fclib_has(plu_fclib *f, const char *path);
/* A data set of which something was written; Siconos makes some that it leaves unwritten, which is
 * damage in a file of pluvia. What is there but cannot be opened is a failure. */
bool plu_fclib_has_data(plu_fclib *f, const char *path);

/* Length of a vector of numbers; 0 after a failure. */
int plu_fclib_length(plu_fclib *f, const char *path);
/* A whole number that stands alone. */
int plu_fclib_int(plu_fclib *f, const char *path);
/* A vector of `count` finite numbers; the caller frees it. NULL after a failure. */
double *plu_fclib_reals(plu_fclib *f, const char *path, int count);
/* A text of fixed length, cut to `size` - 1 bytes; empty where there is none of this kind. */
void plu_fclib_text(plu_fclib *f, const char *path, char *text, size_t size);

/* The matrix in the group `path`, which must have these sizes. In triplets the data sets i and p
 * hold rows and columns, but there are files that have them the other way round: `swapped`, if it
 * is not NULL, is set when only that makes sense. When it is true already, they are read so. */
void plu_fclib_matrix(plu_fclib *f, const char *path, int rows, int columns, bool *swapped,
                      plu_matrix *matrix);

#endif
