/* sparse.h: sparse linear systems. The analysis of the pattern is kept while only the values
 * change.
 *
 * LU of general matrices is KLU's (sparse_klu.c), L L^T of symmetric positive definite ones our own
 * (sparse_cholesky.c). Neither calls a BLAS, whose kernels differ from processor to processor: both
 * give the same bits on each. */
#ifndef SPARSE_SPARSE_H
#define SPARSE_SPARSE_H

#include "base/stop.h"
#include "pluvia/status.h"

/* Compressed columns, rows rising in each column. */
typedef struct plu_sparse {
    int n;
    int *start; /* [n + 1] */
    int *row;   /* [start[n]] */
    double *x;  /* [start[n]] */
} plu_sparse;

plu_status plu_sparse_create(plu_sparse *a, int n, int entries, plu_error *err);
void plu_sparse_free(plu_sparse *a);

/* What is known of the matrices to be factorized. */
typedef enum plu_lu_kind {
    PLU_LU_DIAGONAL, /* pattern nearly symmetric, diagonal full, rows of one unit each: pivots are
                      * taken from the diagonal where that is possible */
    PLU_LU_GENERAL   /* nothing; singular is only what has a pivot of exactly 0 */
} plu_lu_kind;

typedef struct plu_lu plu_lu;
/* Analyses the pattern of `a`. `stop`, which outlives it, gives up what takes long; NULL: never.
 * PLU_OK, PLU_BREAKDOWN (PLU_LU_GENERAL: the pattern alone makes it singular), PLU_STOPPED or
 * PLU_IO. */
plu_status plu_lu_create(plu_lu **lu, const plu_sparse *a, plu_lu_kind kind, plu_stop *stop,
                         plu_error *err);
/* How many bytes the factors will take, about. */
double plu_lu_bytes(const plu_lu *lu);
/* Factorizes a matrix of the same pattern. PLU_OK, PLU_BREAKDOWN when it is singular (to rounding,
 * but for PLU_LU_GENERAL), PLU_STOPPED (and each time again), PLU_IO. */
plu_status plu_lu_factorize(plu_lu *lu, const plu_sparse *a, plu_error *err);
/* x = A^-1 b with iterative refinement; x and b apart. */
plu_status plu_lu_solve(plu_lu *lu, const plu_sparse *a, const double *b, double *x,
                        plu_error *err);
void plu_lu_destroy(plu_lu *lu); /* accepts NULL */

typedef struct plu_cholesky plu_cholesky;
/* As plu_lu_create for symmetric positive definite matrices; `a` holds the lower triangle only. */
plu_status plu_cholesky_create(plu_cholesky **c, const plu_sparse *a, plu_stop *stop,
                               plu_error *err);
plu_status plu_cholesky_factorize(plu_cholesky *c, const plu_sparse *a, plu_error *err);
plu_status plu_cholesky_solve(plu_cholesky *c, const double *b, double *x, plu_error *err);
void plu_cholesky_destroy(plu_cholesky *c); /* accepts NULL */

#endif
