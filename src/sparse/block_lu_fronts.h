/* block_lu_fronts.h: LU front by front (block_lu_tree.h): more operations and memory than row by
 * row, but what changes stays in registers. What large problems take (block_lu.c). */
#ifndef SPARSE_BLOCK_LU_FRONTS_H
#define SPARSE_BLOCK_LU_FRONTS_H

#include "base/cpu.h"
#include "base/stop.h"
#include "sparse/block_lu_inverse.h"
#include "sparse/block_lu_tree.h"

/* Block b of the matrix stands at block + b * size * PLU_BLOCK_STRIDE, row by row, and so do the
 * inverse diagonal blocks by pivots. */
typedef struct plu_block_fronts {
    plu_block_lu_tree tree;
    double *block, *inverse;
    double *factor, *update; /* of the nodes, at their places */
    double *right;           /* [n * size]: work: the vector of a solve */
    double *local;           /* [most columns of a node]: work: what of it a node needs */
    plu_stop *stop;          /* NULL: none */
} plu_block_fronts;

/* PLU_OK or PLU_IO; to be freed in either case. */
plu_status plu_block_fronts_create(plu_block_fronts *f, int size, int n, const int *start,
                                   const int *column, const plu_block_order *order, plu_error *err);
void plu_block_fronts_free(plu_block_fronts *f);

/* As in block_lu.h. */
double *plu_block_fronts_at(const plu_block_fronts *f, int i, int j);
void plu_block_fronts_clear(const plu_block_fronts *f);
void plu_block_fronts_solve(const plu_block_fronts *f, const double *b, double *x);

/* False when a diagonal block is singular, or when it is given up. */
typedef bool plu_block_fronts_factorize_function(const plu_block_fronts *f);
PLU_ISA_DECLARE(plu_block_fronts_factorize_function, plu_block_fronts_factorize);

/* In place in `right`. */
typedef void plu_block_fronts_solve_function(const plu_block_fronts *f);
PLU_ISA_DECLARE(plu_block_fronts_solve_function, plu_block_fronts_substitute);

/* --- a front among the numbers, for the arithmetic of block_lu_fronts.c by lanes --- */

typedef struct front {
    const plu_block_lu_node *node;
    double *upper, *lower, *rest; /* U, L, the remainder */
    size_t stride;
} front;

SPECIALISED front front_of(int S, const plu_block_lu_node *node, const plu_block_fronts *x)
{
    double *upper = x->factor + node->factor;
    return (front){node, upper, upper + (size_t)(node->pivots * S) * (size_t)node->stride,
                   x->update + node->update, (size_t)node->stride};
}

#endif
