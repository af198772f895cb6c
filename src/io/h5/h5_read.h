/* h5_read.h: reading from a file that cannot be trusted: everything is checked before it is used.
 * Errors are kept in the plu_h5 (h5.h). */
#ifndef IO_H5_H5_READ_H
#define IO_H5_H5_READ_H

#include "io/h5/h5.h"

/* Opens the file for reading; fails with PLU_IO where it cannot be opened and with PLU_BAD_INPUT
 * where it is no whole HDF5 file. `bytes` (may be NULL): its size. */
hid_t plu_h5_open(plu_h5 *h5, long long *bytes);

/* As plu_h5_open, where `seal` bytes stand before the HDF5 file. */
hid_t plu_h5_open_sealed(plu_h5 *h5, long long seal, long long *bytes);

/* As plu_h5_open, for a file that will be changed; no other process may have it open. */
hid_t plu_h5_open_to_write(plu_h5 *h5, long long *bytes);

/* An object below `parent`, of the kind H5I_GROUP or H5I_DATASET, that lies in this file. */
hid_t plu_h5_find(plu_h5 *h5, hid_t parent, const char *name, H5I_type_t kind);
bool plu_h5_has(hid_t parent, const char *name); /* one name, no path */

/* Scalar attributes: a text, cut to `size` - 1 bytes, and a number of `type` (in memory). */
void plu_h5_read_text(plu_h5 *h5, hid_t object, const char *name, char *text, size_t size);
void plu_h5_read_number(plu_h5 *h5, hid_t object, const char *name, hid_t type, void *value);

/* Attributes with `count` entries: numbers, and words of up to 15 letters. */
void plu_h5_read_numbers(plu_h5 *h5, hid_t object, const char *name, int count, double *values);
void plu_h5_read_words(plu_h5 *h5, hid_t object, const char *name, int count, char (*words)[16]);

/* A dataset that is one text of at most `most` bytes; the caller frees it. NULL on failure. */
char *plu_h5_read_whole_text(plu_h5 *h5, hid_t parent, const char *name, long long most);

/* Sizes of a dataset of numbers of dimension `rank`. */
void plu_h5_shape(plu_h5 *h5, hid_t dataset, const char *name, int rank, hsize_t *size);

/* `count` numbers (each dimension) from `start` on. */
void plu_h5_read_part(plu_h5 *h5, hid_t dataset, const char *name, hid_t type, int rank,
                      const hsize_t *start, const hsize_t *count, void *out);

/* Fails with PLU_BAD_INPUT and the message "PATH: WHAT"; WHAT is the formatted text. */
void plu_h5_damaged(plu_h5 *h5, const char *format, ...) PLU_PRINTF(2, 3);

#endif
