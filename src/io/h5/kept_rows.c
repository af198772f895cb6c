#include "io/h5/kept_rows.h"
#include "base/memory.h"
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 16 }; /* bytes: of any number */

plu_status plu_kept_rows_add(plu_kept_rows *k, plu_series *series, hid_t type, hsize_t rows,
                             const void *data, const uint64_t *sum, plu_error *err)
{
    size_t bytes = H5Tget_size(type) * (size_t)rows;
    for (int d = 1; d < series->rank; d++)
        bytes *= (size_t)series->size[d];
    const size_t begin = (k->size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    plu_status status = plu_reserve(&k->bytes, &k->room, begin + bytes, 1, 1, err);
    if (status == PLU_OK)
        status = plu_reserve(&k->list, &k->capacity, k->count + 1, sizeof *k->list, 1, err);
    if (status != PLU_OK)
        return status;
    if (bytes > 0)
        memcpy(k->bytes + begin, data, bytes);
    k->size = begin + bytes;
    k->list[k->count++] = (plu_kept){.series = series,
                                     .type = type,
                                     .rows = rows,
                                     .at = begin,
                                     .summed = sum != NULL,
                                     .sum = sum ? *sum : 0};
    return PLU_OK;
}

void plu_kept_rows_forget(plu_kept_rows *k)
{
    k->count = k->size = 0;
}

void plu_kept_rows_free(plu_kept_rows *k)
{
    free(k->list);
    free(k->bytes);
    *k = (plu_kept_rows){0};
}
