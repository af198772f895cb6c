/* The numbers of a matrix and of its factors, front by front. */
#include "sparse/block_lu_fronts.h"
#include "base/memory.h"
#include "sparse/block_lu.h"
#include <stdlib.h>
#include <string.h>

static size_t matrix_numbers(const plu_block_lu_tree *t)
{
    return (size_t)t->start[t->n] * (size_t)(t->size * PLU_BLOCK_STRIDE);
}

/* Not cleared: all is written before it is read. */
static plu_status take_numbers(plu_block_fronts *f, plu_error *err)
{
    const plu_block_lu_tree *t = &f->tree;
    const size_t rows = (size_t)t->n * (size_t)t->size;
    double **array[] = {&f->block, &f->inverse, &f->factor, &f->update, &f->right, &f->local};
    const size_t count[] = {
        matrix_numbers(t),      rows * PLU_BLOCK_STRIDE, t->factors, t->updates, rows,
        (size_t)t->most_columns};
    for (size_t k = 0; k < sizeof count / sizeof *count; k++) {
        size_t room = 0;
        if (plu_reserve(array[k], &room, count[k], sizeof **array[k], 0, err) != PLU_OK)
            return PLU_IO;
    }
    return PLU_OK;
}

plu_status plu_block_fronts_create(plu_block_fronts *f, int size, int n, const int *start,
                                   const int *column, const plu_block_order *order, plu_error *err)
{
    *f = (plu_block_fronts){0};
    const plu_status status =
        plu_block_lu_tree_create(&f->tree, size, n, start, column, order, err);
    return status == PLU_OK ? take_numbers(f, err) : status;
}

void plu_block_fronts_free(plu_block_fronts *f)
{
    double *arrays[] = {f->block, f->inverse, f->factor, f->update, f->right, f->local};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
    plu_block_lu_tree_free(&f->tree);
}

double *plu_block_fronts_at(const plu_block_fronts *f, int i, int j)
{
    const plu_block_lu_tree *t = &f->tree;
    const int b = plu_block_lu_tree_find(t, t->rank[i], t->rank[j]);
    return b < 0 ? NULL : f->block + (size_t)b * (size_t)(t->size * PLU_BLOCK_STRIDE);
}

void plu_block_fronts_clear(const plu_block_fronts *f)
{
    memset(f->block, 0, matrix_numbers(&f->tree) * sizeof *f->block);
}

void plu_block_fronts_solve(const plu_block_fronts *f, const double *b, double *x)
{
    const plu_block_lu_tree *t = &f->tree;
    const size_t size = (size_t)t->size, stride = PLU_BLOCK_STRIDE;
    for (int i = 0; i < t->n; i++)
        memcpy(f->right + (size_t)t->rank[i] * size, b + (size_t)i * stride, size * sizeof *b);
    PLU_ISA_BEST(plu_block_fronts_substitute)(f);
    for (int i = 0; i < t->n; i++) {
        memcpy(x + (size_t)i * stride, f->right + (size_t)t->rank[i] * size, size * sizeof *x);
        memset(x + (size_t)i * stride + size, 0, (stride - size) * sizeof *x);
    }
}
