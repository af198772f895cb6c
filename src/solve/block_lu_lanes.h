/* block_lu_lanes.h: the arithmetic of block_lu.c, compiled for each instruction set. */
#ifndef SOLVE_BLOCK_LU_LANES_H
#define SOLVE_BLOCK_LU_LANES_H

#include "base/cpu.h"
#include "solve/block_lu.h"
#include <stdbool.h>
#include <stddef.h>

/* Rows of blocks in the order of elimination. Row i has the blocks start[i] to start[i + 1], their
 * columns rising: first those of L, then at diagonal[i] that of the diagonal, then those of U.
 * Block b stands at block + b * size * PLU_BLOCK_STRIDE, row by row. After the factorization
 * diagonal blocks hold their inverse. */
typedef struct plu_block_rows_lu {
    int size, n;
    int *start, *diagonal, *column;
    double *block;
    int *place;    /* [n]: work: where the row at hand has the block of a column */
    double *right; /* [n * PLU_BLOCK_STRIDE]: work: the vector of a solve */
} plu_block_rows_lu;

/* False when a diagonal block is singular. */
typedef bool plu_block_lu_factorize_function(const plu_block_rows_lu *a);
PLU_ISA_DECLARE(plu_block_lu_factorize_function, plu_block_lu_factorize_rows);

/* In place in a->right, whose spare numbers are zero. */
typedef void plu_block_lu_solve_function(const plu_block_rows_lu *a);
PLU_ISA_DECLARE(plu_block_lu_solve_function, plu_block_lu_solve_rows);

#endif
