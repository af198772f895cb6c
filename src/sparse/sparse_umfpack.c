/* LU factors through UMFPACK (T. A. Davis, Algorithm 832, ACM TOMS 30, 2004). */
#include "base/memory.h"
#include "sparse/blas.h"
#include "sparse/sparse.h"
#include <float.h>
#include <stdbool.h>
#include <stdlib.h>
#include <suitesparse/umfpack.h>

struct plu_lu {
    plu_lu_kind kind;
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

static plu_status singular(const plu_lu *lu, const plu_sparse *a, plu_error *err)
{
    return plu_fail(err, PLU_BREAKDOWN,
                    "a sparse matrix of order %d is singular to rounding (smallest over "
                    "largest pivot %.1e)",
                    a->n, lu->info[UMFPACK_RCOND]);
}

/* Nearly symmetric matrices keep the pivots of the diagonal; iterative refinement makes up for the
 * looser choice. */
static void choose_pivots(plu_lu *lu)
{
    umfpack_di_defaults(lu->control);
    if (lu->kind == PLU_LU_GENERAL)
        return;
    lu->control[UMFPACK_STRATEGY] = UMFPACK_STRATEGY_SYMMETRIC;
    lu->control[UMFPACK_ORDERING] = UMFPACK_ORDERING_CHOLMOD;
    lu->control[UMFPACK_PIVOT_TOLERANCE] = 0.01;
}

plu_status plu_lu_create(plu_lu **out, const plu_sparse *a, plu_lu_kind kind, plu_error *err)
{
    *out = NULL;
    plu_lu *lu = plu_alloc(1, sizeof *lu, err);
    if (!lu)
        return PLU_IO;
    plu_blas_is_own();
    lu->kind = kind;
    choose_pivots(lu);
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
        if (code == UMFPACK_WARNING_singular_matrix)
            status = singular(lu, a, err);
        else if (code != UMFPACK_OK)
            status = failure(code, err);
    }
    if (status != PLU_OK) {
        plu_lu_destroy(lu);
        return status;
    }
    *out = lu;
    return PLU_OK;
}

double plu_lu_bytes(const plu_lu *lu)
{
    return lu->info[UMFPACK_PEAK_MEMORY_ESTIMATE] * lu->info[UMFPACK_SIZE_OF_UNIT];
}

plu_status plu_lu_factorize(plu_lu *lu, const plu_sparse *a, plu_error *err)
{
    umfpack_di_free_numeric(&lu->numeric);
    const int code = umfpack_di_numeric(a->start, a->row, a->x, lu->symbolic, &lu->numeric,
                                        lu->control, lu->info);
    /* A rank that is missing leaves pivots of rounding errors, seldom exact zeros; the negation
     * catches NaN. */
    const bool regular = lu->kind == PLU_LU_GENERAL || lu->info[UMFPACK_RCOND] > DBL_EPSILON;
    if (code == UMFPACK_WARNING_singular_matrix || (code == UMFPACK_OK && !regular))
        return singular(lu, a, err);
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
