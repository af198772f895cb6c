/* LU factors of small matrices of blocks, row by row: pattern and places. (Matrices with much fill
 * go by fronts, block_lu_tree.c.)
 *
 *     row i:   | k < i: L, from start[i] | i, at diagonal[i] | k > i: U, up to start[i + 1] |
 *
 * The pattern is symmetric, so that L's is U's transposed: the walk up the elimination tree (Liu
 * 1990) meets row i at each k of its pattern, in rising order of i, which puts i into U's row k;
 * then each i of U's row k puts k into L's row i. */
#include "sparse/block_lu_rows.h"
#include "base/memory.h"
#include "sparse/block_lu.h"
#include <stdlib.h>
#include <string.h>

static size_t numbers_of(const plu_block_rows_lu *a)
{
    return (size_t)a->start[a->n] * (size_t)(a->size * PLU_BLOCK_STRIDE);
}

typedef struct layout {
    plu_block_rows_lu *rows;
    int *count; /* blocks that stand already: of row k of U; of row i of L */
} layout;

/* Rows come in rising order, so that the blocks of U stand in theirs. */
static void place_right(void *context, int i, int k)
{
    const layout *l = context;
    l->rows->column[l->rows->diagonal[k] + 1 + l->count[k]++] = i;
}

/* L's pattern is U's transposed. */
static void place_below(const layout *l)
{
    const plu_block_rows_lu *a = l->rows;
    memset(l->count, 0, (size_t)a->n * sizeof *l->count);
    for (int k = 0; k < a->n; k++)
        for (int b = a->diagonal[k] + 1; b < a->start[k + 1]; b++) {
            const int i = a->column[b];
            a->column[a->start[i] + l->count[i]++] = k;
        }
}

static plu_status lay_out(plu_block_rows_lu *a, plu_block_order *order, plu_error *err)
{
    for (int i = 0; i < a->n; i++) {
        a->diagonal[i] = a->start[i] + order->below[i];
        a->start[i + 1] = a->diagonal[i] + 1 + order->right[i];
    }
    size_t room = 0;
    a->column = plu_alloc((size_t)a->start[a->n], sizeof *a->column, err);
    if (!a->column || plu_reserve(&a->block, &room, numbers_of(a), sizeof *a->block, 0, err))
        return PLU_IO;
    for (int i = 0; i < a->n; i++)
        a->column[a->diagonal[i]] = i;
    layout l = {a, a->place};
    plu_block_order_walk(order, place_right, &l);
    place_below(&l);
    return PLU_OK;
}

plu_status plu_block_rows_lu_create(plu_block_rows_lu *a, int size, plu_block_order *order,
                                    plu_error *err)
{
    const size_t count = (size_t)order->n;
    *a = (plu_block_rows_lu){.size = size, .n = order->n};
    a->start = plu_alloc(count + 1, sizeof *a->start, err);
    a->diagonal = plu_alloc(count, sizeof *a->diagonal, err);
    a->rank = plu_alloc(count, sizeof *a->rank, err);
    a->place = plu_alloc(count, sizeof *a->place, err);
    a->right = plu_alloc(count * PLU_BLOCK_STRIDE, sizeof *a->right, err);
    if (!a->start || !a->diagonal || !a->rank || !a->place || !a->right)
        return PLU_IO;
    memcpy(a->rank, order->rank, count * sizeof *a->rank);
    return lay_out(a, order, err);
}

void plu_block_rows_lu_free(plu_block_rows_lu *a)
{
    void *arrays[] = {a->rank, a->start, a->diagonal, a->column, a->block, a->place, a->right};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
}

double *plu_block_rows_lu_at(const plu_block_rows_lu *a, int i, int j)
{
    const int r = a->rank[i], s = a->rank[j];
    int low = a->start[r], high = a->start[r + 1];
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (a->column[middle] < s)
            low = middle + 1;
        else
            high = middle;
    }
    const bool found = low < a->start[r + 1] && a->column[low] == s;
    return found ? a->block + (size_t)low * (size_t)(a->size * PLU_BLOCK_STRIDE) : NULL;
}

void plu_block_rows_lu_clear(const plu_block_rows_lu *a)
{
    memset(a->block, 0, numbers_of(a) * sizeof *a->block);
}

void plu_block_rows_lu_solve(const plu_block_rows_lu *a, const double *b, double *x)
{
    const size_t stride = PLU_BLOCK_STRIDE;
    for (int i = 0; i < a->n; i++)
        memcpy(a->right + (size_t)a->rank[i] * stride, b + (size_t)i * stride, stride * sizeof *b);
    PLU_ISA_BEST(plu_block_rows_lu_substitute)(a);
    for (int i = 0; i < a->n; i++)
        memcpy(x + (size_t)i * stride, a->right + (size_t)a->rank[i] * stride, stride * sizeof *x);
}
