/* block_lu_front.h: a front among the numbers, for the arithmetic of block_lu_fronts.c by lanes. */
#ifndef SPARSE_BLOCK_LU_FRONT_H
#define SPARSE_BLOCK_LU_FRONT_H

#include "sparse/block_lu_fronts.h"
#include "sparse/block_lu_inverse.h"

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
