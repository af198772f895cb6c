/* LU factors of a matrix by columns through KLU (T. A. Davis, E. Palamadai Natarajan, Algorithm
 * 907, ACM TOMS 37, 2010), which calls no BLAS, so that the bits are the same on every processor:
 * pattern once (klu_analyze), numbers each time (klu_factor), and what is solved is refined by its
 * residual,
 *
 *     x += A^-1 (b - A x) ,  up to twice, while each time it falls to half
 *
 * A pivot leaves the diagonal where that has less than a hundredth (or a tenth) of the largest of
 * its column. */
#include "base/memory.h"
#include "sparse/sparse.h"
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <suitesparse/klu.h>

/* Steps of iterative refinement, at most, and how much each must reduce the residual. */
enum { REFINEMENTS = 2 };
#define GAIN 0.5

struct plu_lu {
    plu_lu_kind kind;
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
    double *rest, *step; /* [n] each: residual and correction of the refinement */
};

static plu_status failure(int n, int status, double pivots, plu_error *err)
{
    if (status == KLU_OUT_OF_MEMORY || status == KLU_TOO_LARGE)
        return plu_fail(err, PLU_IO, "out of memory for the factors of a sparse matrix");
    if (status == KLU_SINGULAR)
        return plu_fail(err, PLU_BREAKDOWN,
                        "a sparse matrix of order %d is singular to rounding (smallest over "
                        "largest pivot %.1e)",
                        n, pivots);
    return plu_fail(err, PLU_IO, "KLU does not accept a sparse matrix (its error %d)", status);
}

plu_status plu_lu_create(plu_lu **out, const plu_sparse *a, plu_lu_kind kind, plu_error *err)
{
    *out = NULL;
    plu_lu *lu = plu_alloc(1, sizeof *lu, err);
    if (!lu)
        return PLU_IO;
    lu->kind = kind;
    klu_defaults(&lu->common);
    lu->common.tol = kind == PLU_LU_DIAGONAL ? 0.01 : 0.1;
    lu->rest = plu_alloc((size_t)a->n, sizeof *lu->rest, err);
    lu->step = plu_alloc((size_t)a->n, sizeof *lu->step, err);
    plu_status status = lu->rest && lu->step ? PLU_OK : PLU_IO;
    if (status == PLU_OK) {
        lu->symbolic = klu_analyze(a->n, a->start, a->row, &lu->common);
        if (!lu->symbolic)
            status = failure(a->n, lu->common.status, 0.0, err);
    }
    if (status != PLU_OK) {
        plu_lu_destroy(lu);
        return status;
    }
    *out = lu;
    return PLU_OK;
}

/* The analysis counts the entries of the factors where the order is that of A + A^T; elsewhere the
 * blocks of the triangular form bound them. An entry takes its number and its row. */
double plu_lu_bytes(const plu_lu *lu)
{
    const double size = sizeof(double) + sizeof(int),
                 counted = lu->symbolic->lnz + lu->symbolic->unz;
    if (lu->symbolic->lnz > 0.0 && lu->symbolic->unz > 0.0)
        return size * counted;
    double entries = 0.0;
    for (int k = 0; k < lu->symbolic->nblocks; k++) {
        const double rows = lu->symbolic->R[k + 1] - lu->symbolic->R[k];
        entries += rows * rows;
    }
    return size * entries;
}

plu_status plu_lu_factorize(plu_lu *lu, const plu_sparse *a, plu_error *err)
{
    klu_free_numeric(&lu->numeric, &lu->common);
    lu->numeric = klu_factor(a->start, a->row, a->x, lu->symbolic, &lu->common);
    if (!lu->numeric)
        return failure(a->n, lu->common.status, 0.0, err);
    klu_rcond(lu->symbolic, lu->numeric, &lu->common);
    /* A rank that is missing leaves pivots of rounding errors, seldom exact zeros; the negation
     * catches NaN. */
    const double least = lu->kind == PLU_LU_GENERAL ? 0.0 : DBL_EPSILON;
    return lu->common.rcond > least ? PLU_OK : failure(a->n, KLU_SINGULAR, lu->common.rcond, err);
}

/* rest = b - A x; its largest entry. */
static double residual(const plu_sparse *a, const double *b, const double *x, double *rest)
{
    memcpy(rest, b, (size_t)a->n * sizeof *rest);
    for (int j = 0; j < a->n; j++)
        for (int e = a->start[j]; e < a->start[j + 1]; e++)
            rest[a->row[e]] -= a->x[e] * x[j];
    double most = 0.0;
    for (int i = 0; i < a->n; i++)
        most = fmax(most, fabs(rest[i]));
    return most;
}

static bool solve_in_place(plu_lu *lu, int n, double *x)
{
    return klu_solve(lu->symbolic, lu->numeric, n, 1, x, &lu->common);
}

plu_status plu_lu_solve(plu_lu *lu, const plu_sparse *a, const double *b, double *x, plu_error *err)
{
    const size_t bytes = (size_t)a->n * sizeof *x;
    if (!lu->numeric)
        return plu_fail(err, PLU_BREAKDOWN, "a sparse matrix has no factors yet to solve with");
    memcpy(x, b, bytes);
    bool solved = solve_in_place(lu, a->n, x);
    double before = solved ? residual(a, b, x, lu->rest) : 0.0;
    for (int k = 0; solved && k < REFINEMENTS && before > 0.0; k++) {
        memcpy(lu->step, lu->rest, bytes);
        solved = solve_in_place(lu, a->n, lu->step);
        for (int i = 0; i < a->n; i++)
            lu->step[i] += x[i];
        const double now = residual(a, b, lu->step, lu->rest);
        if (!(now < GAIN * before))
            break;
        memcpy(x, lu->step, bytes);
        before = now;
    }
    return solved ? PLU_OK : failure(a->n, lu->common.status, 0.0, err);
}

void plu_lu_destroy(plu_lu *lu)
{
    if (!lu)
        return;
    klu_free_numeric(&lu->numeric, &lu->common);
    klu_free_symbolic(&lu->symbolic, &lu->common);
    free(lu->rest);
    free(lu->step);
    free(lu);
}

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
