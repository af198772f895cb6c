/* Cholesky factors L L^T through CHOLMOD (Y. Chen, T. A. Davis, W. W. Hager, S. Rajamanickam,
 * Algorithm 887, ACM TOMS 35, 2008): supernodal or simplicial by CHOLMOD's count of operations. */
#include "base/memory.h"
#include "sparse/blas.h"
#include "sparse/sparse.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <suitesparse/cholmod.h>

struct plu_cholesky {
    cholmod_common common;
    cholmod_factor *factor;
    cholmod_dense *x, *y, *e; /* solution and workspace of cholmod_solve2, kept */
    bool ready;
};

static plu_status failure(const plu_cholesky *c, plu_error *err)
{
    if (c->common.status == CHOLMOD_OUT_OF_MEMORY || c->common.status == CHOLMOD_TOO_LARGE)
        return plu_fail(err, PLU_IO, "out of memory for the factor of a sparse matrix");
    return plu_fail(err, PLU_IO, "CHOLMOD does not accept a sparse matrix (its error %d)",
                    c->common.status);
}

/* The matrix as CHOLMOD wants it; nothing is copied. */
static cholmod_sparse view(const plu_sparse *a)
{
    const size_t n = (size_t)a->n;
    return (cholmod_sparse){.nrow = n,
                            .ncol = n,
                            .nzmax = (size_t)a->start[a->n],
                            .p = a->start,
                            .i = a->row,
                            .x = a->x,
                            .stype = -1,
                            .itype = CHOLMOD_INT,
                            .xtype = CHOLMOD_REAL,
                            .dtype = CHOLMOD_DOUBLE,
                            .sorted = 1,
                            .packed = 1};
}

plu_status plu_cholesky_create(plu_cholesky **out, const plu_sparse *a, plu_error *err)
{
    *out = NULL;
    plu_cholesky *c = plu_alloc(1, sizeof *c, err);
    if (!c)
        return PLU_IO;
    plu_blas_is_own();
    cholmod_start(&c->common);
    c->common.print = 0;
    c->common.final_ll = 1; /* the LDL^T of the simplicial form would let indefinite ones pass */
    c->common.quick_return_if_not_posdef = 1;
    cholmod_sparse matrix = view(a);
#pragma omp critical(plu_ordering) /* METIS, see sparse_umfpack.c */
    c->factor = cholmod_analyze(&matrix, &c->common);
    if (!c->factor) {
        const plu_status status = failure(c, err);
        plu_cholesky_destroy(c);
        return status;
    }
    *out = c;
    return PLU_OK;
}

plu_status plu_cholesky_factorize(plu_cholesky *c, const plu_sparse *a, plu_error *err)
{
    cholmod_sparse matrix = view(a);
    c->ready = false;
    if (!cholmod_factorize(&matrix, c->factor, &c->common))
        return failure(c, err);
    if (c->common.status == CHOLMOD_NOT_POSDEF)
        return plu_fail(err, PLU_BREAKDOWN,
                        "a sparse matrix of order %d is not positive definite (pivot %d)", a->n,
                        (int)c->factor->minor);
    if (c->common.status < CHOLMOD_OK)
        return failure(c, err);
    c->ready = true;
    return PLU_OK;
}

plu_status plu_cholesky_solve(plu_cholesky *c, const double *b, double *x, plu_error *err)
{
    if (!c->ready)
        return plu_fail(err, PLU_BREAKDOWN, "a sparse matrix has no factor yet to solve with");
    const size_t n = c->factor->n;
    double *const right = (double *)(size_t)b; /* CHOLMOD does not write to it */
    cholmod_dense side = {.nrow = n,
                          .ncol = 1,
                          .nzmax = n,
                          .d = n,
                          .x = right,
                          .xtype = CHOLMOD_REAL,
                          .dtype = CHOLMOD_DOUBLE};
    if (!cholmod_solve2(CHOLMOD_A, c->factor, &side, NULL, &c->x, NULL, &c->y, &c->e, &c->common))
        return failure(c, err);
    memcpy(x, c->x->x, n * sizeof *x);
    return PLU_OK;
}

void plu_cholesky_destroy(plu_cholesky *c)
{
    if (!c)
        return;
    cholmod_free_dense(&c->x, &c->common);
    cholmod_free_dense(&c->y, &c->common);
    cholmod_free_dense(&c->e, &c->common);
    cholmod_free_factor(&c->factor, &c->common);
    cholmod_finish(&c->common);
    free(c);
}
