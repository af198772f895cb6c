/* block_lu.h: LU of sparse matrices of small square blocks whose pattern is symmetric and whose
 * numbers are not: those of Newton's method on contact problems, by bodies or by contacts.
 *
 * The order is a minimum-degree one (SuiteSparse's AMD), or where that fills much the better of it
 * and of nested dissection (block_lu_order.h), found once; pivots are sought inside the diagonal
 * blocks only. Rows of blocks are eliminated one after the other, so that a row stays in
 * cache while it is worked on (block_lu_rows.h); where factors are large, those of like pattern
 * together (block_lu_fronts.h). Which is a matter of the operations, not of the machine: the same
 * bits on every processor (base/cpu.h). */
#ifndef SPARSE_BLOCK_LU_H
#define SPARSE_BLOCK_LU_H

#include "base/stop.h"
#include "pluvia/status.h"
#include <stdbool.h>

typedef struct plu_block_lu plu_block_lu;

/* Matrix of n x n blocks of `size` (3, 5, 6 or 7) rows, with blocks at (i, column[start[i] ...]);
 * the transposed and the diagonal places are added where they are missing. `stop`, which outlives
 * it, gives up a factorization; NULL: none. PLU_OK or PLU_IO. */
plu_status plu_block_lu_create(plu_block_lu **lu, int size, int n, const int *start,
                               const int *column, plu_stop *stop, plu_error *err);
void plu_block_lu_destroy(plu_block_lu *lu); /* accepts NULL */

/* Numbers from one row of a block to the next, and from one part of a vector to the next. Those
 * beyond `size` are zero. */
enum { PLU_BLOCK_STRIDE = 8 };

/* Where block (i, j) of the matrix is to be written before it is factorized; its place does not
 * change. NULL outside the pattern. */
double *plu_block_lu_at(plu_block_lu *lu, int i, int j);

/* All blocks zero; to be called before the first is written. */
void plu_block_lu_clear(plu_block_lu *lu);

/* Factorizes what was written, in its place. False when a diagonal block became singular, or
 * when it was given up. */
bool plu_block_lu_factorize(plu_block_lu *lu);

/* x = A^-1 b, [n * PLU_BLOCK_STRIDE]; b and x may be the same. */
void plu_block_lu_solve(plu_block_lu *lu, const double *b, double *x);

/* Blocks of L and U together, without the diagonal and without what fronts are filled up with;
 * multiplications and additions that a factorization takes. */
long plu_block_lu_fill(const plu_block_lu *lu);
double plu_block_lu_work(const plu_block_lu *lu);

#endif
