#include "sparse/sparse.h"
#include "base/memory.h"
#include <stdlib.h>

plu_status plu_sparse_create(plu_sparse *a, int n, int entries, plu_error *err)
{
    a->n = n;
    a->start = plu_alloc((size_t)n + 1, sizeof *a->start, err);
    a->row = plu_alloc((size_t)entries, sizeof *a->row, err);
    a->x = plu_alloc((size_t)entries, sizeof *a->x, err);
    if (a->start && a->row && a->x)
        return PLU_OK;
    plu_sparse_free(a);
    return PLU_IO;
}

void plu_sparse_free(plu_sparse *a)
{
    free(a->start);
    free(a->row);
    free(a->x);
    *a = (plu_sparse){0};
}
