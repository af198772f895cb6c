/* Sparse LU by blocks: the matrix and its factors. */
#include "solve/block_lu.h"
#include "base/memory.h"
#include "solve/block_lu_lanes.h"
#include <stdlib.h>
#include <string.h>

struct plu_block_lu {
    plu_block_lu_tree tree;
    plu_block_lu_numbers numbers;
};

static size_t matrix_numbers(const plu_block_lu *lu)
{
    return (size_t)lu->tree.start[lu->tree.n] * (size_t)(lu->tree.size * PLU_BLOCK_STRIDE);
}

static plu_status take_numbers(plu_block_lu *lu, plu_error *err)
{
    const plu_block_lu_tree *t = &lu->tree;
    const size_t rows = (size_t)t->n * (size_t)t->size;
    plu_block_lu_numbers *x = &lu->numbers;
    x->block = plu_alloc(matrix_numbers(lu), sizeof *x->block, err);
    x->inverse = plu_alloc(rows * PLU_BLOCK_STRIDE, sizeof *x->inverse, err);
    x->factor = plu_alloc(t->factors, sizeof *x->factor, err);
    x->update = plu_alloc(t->updates, sizeof *x->update, err);
    x->right = plu_alloc(rows, sizeof *x->right, err);
    x->local = plu_alloc((size_t)t->most_columns, sizeof *x->local, err);
    return x->block && x->inverse && x->factor && x->update && x->right && x->local ? PLU_OK
                                                                                    : PLU_IO;
}

plu_status plu_block_lu_create(plu_block_lu **result, int size, int n, const int *start,
                               const int *column, plu_error *err)
{
    *result = NULL;
    plu_block_lu *lu = plu_alloc(1, sizeof *lu, err);
    if (!lu)
        return PLU_IO;
    plu_status status = plu_block_lu_tree_create(&lu->tree, size, n, start, column, err);
    if (status == PLU_OK)
        status = take_numbers(lu, err);
    if (status != PLU_OK)
        plu_block_lu_destroy(lu);
    else
        *result = lu;
    return status;
}

void plu_block_lu_destroy(plu_block_lu *lu)
{
    if (!lu)
        return;
    plu_block_lu_numbers *x = &lu->numbers;
    double *arrays[] = {x->block, x->inverse, x->factor, x->update, x->right, x->local};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
    plu_block_lu_tree_free(&lu->tree);
    free(lu);
}

double *plu_block_lu_at(plu_block_lu *lu, int i, int j)
{
    const plu_block_lu_tree *t = &lu->tree;
    const int b = plu_block_lu_tree_find(t, t->rank[i], t->rank[j]);
    return b < 0 ? NULL : lu->numbers.block + (size_t)b * (size_t)(t->size * PLU_BLOCK_STRIDE);
}

void plu_block_lu_clear(plu_block_lu *lu)
{
    memset(lu->numbers.block, 0, matrix_numbers(lu) * sizeof *lu->numbers.block);
}

bool plu_block_lu_factorize(plu_block_lu *lu)
{
    return PLU_ISA_BEST(plu_block_lu_factorize_nodes)(&lu->tree, &lu->numbers);
}

void plu_block_lu_solve(plu_block_lu *lu, const double *b, double *x)
{
    const plu_block_lu_tree *t = &lu->tree;
    const size_t size = (size_t)t->size, stride = PLU_BLOCK_STRIDE;
    double *const right = lu->numbers.right;
    for (int i = 0; i < t->n; i++)
        memcpy(right + (size_t)t->rank[i] * size, b + (size_t)i * stride, size * sizeof *b);
    PLU_ISA_BEST(plu_block_lu_solve_nodes)(t, &lu->numbers);
    for (int i = 0; i < t->n; i++) {
        memcpy(x + (size_t)i * stride, right + (size_t)t->rank[i] * size, size * sizeof *x);
        memset(x + (size_t)i * stride + size, 0, (stride - size) * sizeof *x);
    }
}

long plu_block_lu_fill(const plu_block_lu *lu)
{
    long blocks = 0;
    for (int k = 0; k < lu->tree.nodes; k++) {
        const plu_block_lu_node *node = &lu->tree.node[k];
        blocks += (long)node->pivots * (node->pivots - 1 + 2L * node->rest);
    }
    return blocks;
}

double plu_block_lu_work(const plu_block_lu *lu)
{
    const double cube = (double)(lu->tree.size * lu->tree.size * lu->tree.size);
    double products = 0.0;
    for (int k = 0; k < lu->tree.nodes; k++)
        for (int b = 0; b < lu->tree.node[k].pivots; b++) {
            const double later = lu->tree.node[k].pivots - b - 1 + lu->tree.node[k].rest;
            products += 1.0 + later * (later + 1.0);
        }
    return 2.0 * cube * products;
}
