/* block_lu_rows.h: LU row of blocks by row of blocks, in place: no more memory than the factors
 * have, and no work but theirs. What small problems take (block_lu.c). */
#ifndef SPARSE_BLOCK_LU_ROWS_H
#define SPARSE_BLOCK_LU_ROWS_H

#include "base/cpu.h"
#include "base/stop.h"
#include "sparse/block_lu_order.h"

/* Rows of blocks in the order of elimination. Row i has the blocks start[i] to start[i + 1], their
 * columns rising: first those of L, then at diagonal[i] that of the diagonal, then those of U.
 * Block b stands at block + b * size * PLU_BLOCK_STRIDE, row by row. After the factorization
 * diagonal blocks hold their inverse. */
typedef struct plu_block_rows_lu {
    int size, n;
    int *rank; /* [n]: place of row i of the matrix in that order */
    int *start, *diagonal, *column;
    double *block;
    int *place;     /* [n]: work: where the row at hand has the block of a column */
    double *right;  /* [n * PLU_BLOCK_STRIDE]: work: the vector of a solve */
    plu_stop *stop; /* NULL: none */
} plu_block_rows_lu;

/* PLU_OK or PLU_IO; to be freed in either case. */
plu_status plu_block_rows_lu_create(plu_block_rows_lu *a, int size, plu_block_order *order,
                                    plu_error *err);
void plu_block_rows_lu_free(plu_block_rows_lu *a);

/* As in block_lu.h. */
double *plu_block_rows_lu_at(const plu_block_rows_lu *a, int i, int j);
void plu_block_rows_lu_clear(const plu_block_rows_lu *a);
void plu_block_rows_lu_solve(const plu_block_rows_lu *a, const double *b, double *x);

/* False when a diagonal block is singular, or when it is given up. */
typedef bool plu_block_rows_factorize_function(const plu_block_rows_lu *a);
PLU_ISA_DECLARE(plu_block_rows_factorize_function, plu_block_rows_lu_factorize);

/* In place in a->right, whose spare numbers are zero. */
typedef void plu_block_rows_solve_function(const plu_block_rows_lu *a);
PLU_ISA_DECLARE(plu_block_rows_solve_function, plu_block_rows_lu_substitute);

#endif
