/* sparse.h: sparse linear systems through SuiteSparse (UMFPACK for general, CHOLMOD for symmetric
 * positive definite matrices). The analysis of the pattern is kept while only the values change. */
#ifndef SOLVE_SPARSE_H
#define SOLVE_SPARSE_H

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

typedef struct plu_lu plu_lu;
/* Analyses the pattern of `a`. PLU_OK or PLU_IO. */
plu_status plu_lu_create(plu_lu **lu, const plu_sparse *a, plu_error *err);
/* Factorizes a matrix of the same pattern. PLU_OK, PLU_BREAKDOWN when it is singular to rounding,
 * PLU_IO. */
plu_status plu_lu_factorize(plu_lu *lu, const plu_sparse *a, plu_error *err);
/* x = A^-1 b with iterative refinement; x and b apart. */
plu_status plu_lu_solve(plu_lu *lu, const plu_sparse *a, const double *b, double *x,
                        plu_error *err);
void plu_lu_destroy(plu_lu *lu); /* accepts NULL */

typedef struct plu_cholesky plu_cholesky;
/* The same for symmetric positive definite matrices; `a` holds the lower triangle only. */
plu_status plu_cholesky_create(plu_cholesky **c, const plu_sparse *a, plu_error *err);
plu_status plu_cholesky_factorize(plu_cholesky *c, const plu_sparse *a, plu_error *err);
plu_status plu_cholesky_solve(plu_cholesky *c, const double *b, double *x, plu_error *err);
void plu_cholesky_destroy(plu_cholesky *c); /* accepts NULL */

#endif
