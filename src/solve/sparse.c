/* Sparse matrices by columns, and LU factors of general ones through UMFPACK (T. A. Davis,
 * Algorithm 832, ACM TOMS 30, 2004). */
#include "solve/sparse.h"
#include "base/memory.h"
#include "solve/blas.h"
#include <float.h>
#include <stdbool.h>
#include <stdlib.h>
#include <suitesparse/umfpack.h>

plu_status plu_sparse_create(plu_sparse *a, int n, int entries, plu_error *err)
{
    a->n = n;
    a->start = plu_alloc((size_t)n + 1, sizeof *a->start, err);
    a->row = plu_alloc((size_t)entries, sizeof *a->row, err);
    a->x = plu_alloc((size_t)entries, sizeof *a->x, err);
    if (a->start && a->row && a->x)
        return PLU_OK;
    plu_sparse_free(a);
    return PLU_IO;
}

void plu_sparse_free(plu_sparse *a)
{
    free(a->start);
    free(a->row);
    free(a->x);
    *a = (plu_sparse){0};
}

struct plu_lu {
    void *symbolic, *numeric;
    double control[UMFPACK_CONTROL], info[UMFPACK_INFO];
    int *index;   /* [n]: workspace of umfpack_di_wsolve */
    double *work; /* [5 n] */
};

static plu_status failure(int status, plu_error *err)
{
    if (status == UMFPACK_ERROR_out_of_memory)
        return plu_fail(err, PLU_IO, "out of memory for the factors of a sparse matrix");
    return plu_fail(err, PLU_IO, "UMFPACK does not accept a sparse matrix (its error %d)", status);
}

plu_status plu_lu_create(plu_lu **out, const plu_sparse *a, plu_error *err)
{
    *out = NULL;
    plu_lu *lu = plu_alloc(1, sizeof *lu, err);
    if (!lu)
        return PLU_IO;
    plu_blas_is_own();
    umfpack_di_defaults(lu->control);
    /* The matrices here have nearly symmetric patterns and a full diagonal; rows hold numbers of
     * one unit, and iterative refinement makes up for the looser choice of pivots. */
    lu->control[UMFPACK_STRATEGY] = UMFPACK_STRATEGY_SYMMETRIC;
    lu->control[UMFPACK_ORDERING] = UMFPACK_ORDERING_CHOLMOD;
    lu->control[UMFPACK_PIVOT_TOLERANCE] = 0.01;
    lu->index = plu_alloc((size_t)a->n, sizeof *lu->index, err);
    lu->work = plu_alloc(5 * (size_t)a->n, sizeof *lu->work, err);
    plu_status status = lu->index && lu->work ? PLU_OK : PLU_IO;
    if (status == PLU_OK) {
        int code;
        /* METIS, which is tried where minimum degree fills much, draws from rand() after a fixed
         * seed: one analysis at a time, or two would disturb each other's draws. */
#pragma omp critical(plu_ordering)
        code = umfpack_di_symbolic(a->n, a->n, a->start, a->row, NULL, &lu->symbolic, lu->control,
                                   lu->info);
        if (code != UMFPACK_OK)
            status = failure(code, err);
    }
    if (status != PLU_OK) {
        plu_lu_destroy(lu);
        return status;
    }
    *out = lu;
    return PLU_OK;
}

plu_status plu_lu_factorize(plu_lu *lu, const plu_sparse *a, plu_error *err)
{
    umfpack_di_free_numeric(&lu->numeric);
    const int code = umfpack_di_numeric(a->start, a->row, a->x, lu->symbolic, &lu->numeric,
                                        lu->control, lu->info);
    /* A rank that is missing leaves pivots of rounding errors, seldom exact zeros; the negation
     * catches NaN. */
    const bool regular = lu->info[UMFPACK_RCOND] > DBL_EPSILON;
    if (code == UMFPACK_WARNING_singular_matrix || (code == UMFPACK_OK && !regular))
        return plu_fail(err, PLU_BREAKDOWN,
                        "a sparse matrix of order %d is singular to rounding (smallest over "
                        "largest pivot %.1e)",
                        a->n, lu->info[UMFPACK_RCOND]);
    return code == UMFPACK_OK ? PLU_OK : failure(code, err);
}

plu_status plu_lu_solve(plu_lu *lu, const plu_sparse *a, const double *b, double *x, plu_error *err)
{
    if (!lu->numeric)
        return plu_fail(err, PLU_BREAKDOWN, "a sparse matrix has no factors yet to solve with");
    const int code = umfpack_di_wsolve(UMFPACK_A, a->start, a->row, a->x, x, b, lu->numeric,
                                       lu->control, lu->info, lu->index, lu->work);
    if (code == UMFPACK_WARNING_singular_matrix)
        return plu_fail(err, PLU_BREAKDOWN, "a sparse matrix of order %d is singular", a->n);
    return code == UMFPACK_OK ? PLU_OK : failure(code, err);
}

void plu_lu_destroy(plu_lu *lu)
{
    if (!lu)
        return;
    umfpack_di_free_symbolic(&lu->symbolic);
    umfpack_di_free_numeric(&lu->numeric);
    free(lu->index);
    free(lu->work);
    free(lu);
}
