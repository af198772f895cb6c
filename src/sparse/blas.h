/* blas.h: the dense kernels under UMFPACK and CHOLMOD.
 *
 * Both libraries work in an order that depends on the matrix alone, but call a BLAS, whose results
 * may differ in the last bits: OpenBLAS has kernels for each processor, and splits products by the
 * number of its threads. blas.c therefore defines the seven routines that the two call for real
 * matrices, under their Fortran names; in a program linked with it they take precedence over those
 * of shared libraries. Every sum is made in the order of its index, so that results depend on
 * neither processor nor threads. */
#ifndef SPARSE_BLAS_H
#define SPARSE_BLAS_H

#include <stdbool.h>

/* The libraries find them only where they are exported. */
#pragma GCC visibility push(default)

/* Whether UMFPACK and CHOLMOD get the routines of blas.c; false if the program defines others.
 * Calling this function also makes a linker include blas.c from a static library. */
bool plu_blas_is_own(void);

/* The reference BLAS documents these routines (netlib.org/blas). Matrices are stored by columns; ld
 * is the distance between columns. The hidden string lengths of Fortran are omitted. */
void dgemm_(const char *op_a, const char *op_b, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc);
void dgemv_(const char *op_a, const int *m, const int *n, const double *alpha, const double *a,
            const int *lda, const double *x, const int *incx, const double *beta, double *y,
            const int *incy);
void dger_(const int *m, const int *n, const double *alpha, const double *x, const int *incx,
           const double *y, const int *incy, double *a, const int *lda);
void dsyrk_(const char *part, const char *op_a, const int *n, const int *k, const double *alpha,
            const double *a, const int *lda, const double *beta, double *c, const int *ldc);
void dtrsm_(const char *side, const char *part, const char *op_a, const char *diagonal,
            const int *m, const int *n, const double *alpha, const double *a, const int *lda,
            double *b, const int *ldb);
void dtrsv_(const char *part, const char *op_a, const char *diagonal, const int *n, const double *a,
            const int *lda, double *x, const int *incx);

/* Cholesky, of LAPACK: *info is 0, or the order of the first minor that is not positive. */
void dpotrf_(const char *part, const int *n, double *a, const int *lda, int *info);

#pragma GCC visibility pop

#endif
