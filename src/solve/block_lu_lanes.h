/* block_lu_lanes.h: the arithmetic of block_lu.c, compiled for each instruction set. */
#ifndef SOLVE_BLOCK_LU_LANES_H
#define SOLVE_BLOCK_LU_LANES_H

#include "base/cpu.h"
#include "solve/block_lu_tree.h"
#include <stdbool.h>

/* The numbers. Matrix block b stands at block + b * size * PLU_BLOCK_STRIDE, row by row, and so do
 * the inverse diagonal blocks by pivots. */
typedef struct plu_block_lu_numbers {
    double *block, *inverse;
    double *factor, *update; /* of the nodes, at their places */
    double *right;           /* [n * size]: work: the vector of a solve */
    double *local;           /* [most columns of a node]: work: what of it a node needs */
} plu_block_lu_numbers;

/* False when a diagonal block is singular. */
typedef bool plu_block_lu_factorize_function(const plu_block_lu_tree *tree,
                                             const plu_block_lu_numbers *numbers);
PLU_ISA_DECLARE(plu_block_lu_factorize_function, plu_block_lu_factorize_nodes);

/* In place in `right`. */
typedef void plu_block_lu_solve_function(const plu_block_lu_tree *tree,
                                         const plu_block_lu_numbers *numbers);
PLU_ISA_DECLARE(plu_block_lu_solve_function, plu_block_lu_solve_nodes);

#endif
