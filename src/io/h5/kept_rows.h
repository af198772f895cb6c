/* kept_rows.h: copies of the rows of a frame, which are appended to the file later. */
#ifndef IO_H5_KEPT_ROWS_H
#define IO_H5_KEPT_ROWS_H

#include "io/h5/h5.h"

typedef struct plu_kept {
    plu_series *series; /* borrowed */
    hid_t type;
    hsize_t rows;
    size_t at; /* where its numbers begin in `bytes` */
    bool summed;
    uint64_t sum; /* where `summed` */
} plu_kept;

/* All zero: nothing is kept. */
typedef struct plu_kept_rows {
    plu_kept *list;
    size_t count, capacity;
    unsigned char *bytes;
    size_t size, room;
} plu_kept_rows;

/* Copies rows as of plu_series_append (`sum` NULL) or plu_series_append_summed. PLU_OK or PLU_IO.
 */
plu_status plu_kept_rows_add(plu_kept_rows *kept, plu_series *series, hid_t type, hsize_t rows,
                             const void *data, const uint64_t *sum, plu_error *err);

/* Keeps none of them, but the memory. */
void plu_kept_rows_forget(plu_kept_rows *kept);

void plu_kept_rows_free(plu_kept_rows *kept);

#endif
