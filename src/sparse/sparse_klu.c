/* LU factors of a matrix by columns through KLU (T. A. Davis, E. Palamadai Natarajan, Algorithm
 * 907, ACM TOMS 37, 2010), which calls no BLAS, so that the bits are the same on every processor:
 * pattern once (klu_analyze), numbers each time (klu_factor), and what is solved is refined by its
 * residual,
 *
 *     x += A^-1 (b - A x) ,  up to twice, while each time it falls to half
 *
 * A pivot leaves the diagonal where that has less than a hundredth (or a tenth) of the largest of
 * its column. KLU cannot be asked to end: what takes long is done apart (apart.h), on a copy of the
 * matrix. */
#include "base/memory.h"
#include "sparse/apart.h"
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

/* Operations from which on they are done apart: about 0.05 s; and those of the analysis an entry.
 */
static const double LONG = 5e7, ANALYSIS = 50.0;

typedef struct factors {
    plu_sparse a; /* a copy */
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
} factors;

struct plu_lu {
    plu_lu_kind kind;
    plu_stop *stop;
    factors *factors;    /* NULL: given up */
    double *rest, *step; /* [n] each: residual and correction of the refinement */
};

static void free_factors(void *data)
{
    factors *f = data;
    if (!f)
        return;
    klu_free_numeric(&f->numeric, &f->common);
    klu_free_symbolic(&f->symbolic, &f->common);
    plu_sparse_free(&f->a);
    free(f);
}

static factors *create_factors(const plu_sparse *a, plu_error *err)
{
    factors *f = plu_alloc(1, sizeof *f, err);
    if (!f || plu_sparse_create(&f->a, a->n, a->start[a->n], err) != PLU_OK) {
        free(f);
        return NULL;
    }
    memcpy(f->a.start, a->start, ((size_t)a->n + 1) * sizeof *a->start);
    memcpy(f->a.row, a->row, (size_t)a->start[a->n] * sizeof *a->row);
    klu_defaults(&f->common);
    return f;
}

static void analyze(void *data)
{
    factors *f = data;
    f->symbolic = klu_analyze(f->a.n, f->a.start, f->a.row, &f->common);
}

static void factorize(void *data)
{
    factors *f = data;
    f->numeric = klu_factor(f->a.start, f->a.row, f->a.x, f->symbolic, &f->common);
}

/* False: it was given up, and with it the factors. */
static bool carry_out(plu_lu *lu, plu_apart_work *work, double operations)
{
    if (!lu->stop || !lu->stop->call || operations < LONG) {
        work(lu->factors);
        return true;
    }
    if (plu_apart(work, free_factors, lu->factors, lu->stop))
        return true;
    lu->factors = NULL;
    return false;
}

static plu_status given_up(plu_error *err)
{
    return plu_fail(err, PLU_STOPPED, "the factors of a sparse matrix were given up");
}

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

static plu_status find_pattern(plu_lu *lu, plu_error *err)
{
    const int n = lu->factors->a.n;
    if (!carry_out(lu, analyze, ANALYSIS * lu->factors->a.start[n]))
        return given_up(err);
    return lu->factors->symbolic ? PLU_OK : failure(n, lu->factors->common.status, 0.0, err);
}

plu_status plu_lu_create(plu_lu **out, const plu_sparse *a, plu_lu_kind kind, plu_stop *stop,
                         plu_error *err)
{
    *out = NULL;
    plu_lu *lu = plu_alloc(1, sizeof *lu, err);
    if (!lu)
        return PLU_IO;
    lu->kind = kind;
    lu->stop = stop;
    lu->factors = create_factors(a, err);
    lu->rest = plu_alloc((size_t)a->n, sizeof *lu->rest, err);
    lu->step = plu_alloc((size_t)a->n, sizeof *lu->step, err);
    plu_status status = lu->factors && lu->rest && lu->step ? PLU_OK : PLU_IO;
    if (status == PLU_OK) {
        lu->factors->common.tol = kind == PLU_LU_DIAGONAL ? 0.01 : 0.1;
        status = find_pattern(lu, err);
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
    const klu_symbolic *symbolic = lu->factors->symbolic;
    const double size = sizeof(double) + sizeof(int), counted = symbolic->lnz + symbolic->unz;
    if (symbolic->lnz > 0.0 && symbolic->unz > 0.0)
        return size * counted;
    double entries = 0.0;
    for (int k = 0; k < symbolic->nblocks; k++) {
        const double rows = symbolic->R[k + 1] - symbolic->R[k];
        entries += rows * rows;
    }
    return size * entries;
}

plu_status plu_lu_factorize(plu_lu *lu, const plu_sparse *a, plu_error *err)
{
    factors *f = lu->factors;
    if (!f)
        return given_up(err);
    klu_free_numeric(&f->numeric, &f->common);
    memcpy(f->a.x, a->x, (size_t)a->start[a->n] * sizeof *a->x);
    /* < 0: not known, where the order is not that of A + A^T */
    if (!carry_out(lu, factorize, f->symbolic->est_flops < 0.0 ? LONG : f->symbolic->est_flops))
        return given_up(err);
    if (!f->numeric)
        return failure(a->n, f->common.status, 0.0, err);
    klu_rcond(f->symbolic, f->numeric, &f->common);
    /* A rank that is missing leaves pivots of rounding errors, seldom exact zeros; the negation
     * catches NaN. */
    const double least = lu->kind == PLU_LU_GENERAL ? 0.0 : DBL_EPSILON;
    return f->common.rcond > least ? PLU_OK : failure(a->n, KLU_SINGULAR, f->common.rcond, err);
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
    factors *f = lu->factors;
    return klu_solve(f->symbolic, f->numeric, n, 1, x, &f->common);
}

plu_status plu_lu_solve(plu_lu *lu, const plu_sparse *a, const double *b, double *x, plu_error *err)
{
    const size_t bytes = (size_t)a->n * sizeof *x;
    if (!lu->factors || !lu->factors->numeric)
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
    return solved ? PLU_OK : failure(a->n, lu->factors->common.status, 0.0, err);
}

void plu_lu_destroy(plu_lu *lu)
{
    if (!lu)
        return;
    free_factors(lu->factors);
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
