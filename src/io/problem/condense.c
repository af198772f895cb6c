/* From M, H, f, w to W = H^T M^-1 H and q = H^T M^-1 f + w, for any regular M: M is factorized
 * once (sparse/sparse.h), and each column of H is solved for. That is one solve a row of contacts,
 * so that problems beyond LARGEST are refused rather than begun.
 *
 *   for each column h_j of H:   M x = h_j ,   W[:, j] = H^T x
 *   once:                       M x = f   ,   q = w + H^T x
 *
 * h_j has few entries: they are put into `b`, which is zero otherwise, and taken out again.
 * Entries of W that are exactly zero are not stored; how many there are is compared with the
 * memory after each column, so that a W that fills up is refused in time. */
#include "base/memory.h"
#include "io/problem/file_parts.h"
#include "sparse/sparse.h"
#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* Each row of the contacts costs a solve: ten seconds for this many rows times velocities. */
#define LARGEST 1e9

/* M and its factors. */
typedef struct factors {
    plu_sparse m;
    plu_lu *lu;
} factors;

static void factors_free(factors *f)
{
    plu_lu_destroy(f->lu);
    plu_sparse_free(&f->m);
}

/* The entries come row by row, so that rows rise in each column. */
static plu_status by_columns(plu_sparse *a, const plu_matrix *m, plu_error *err)
{
    if (m->count > INT_MAX)
        return plu_fail(err, PLU_BAD_INPUT, "it is too large");
    const plu_status status = plu_sparse_create(a, m->rows, (int)m->count, err);
    if (status != PLU_OK)
        return status;
    for (size_t e = 0; e < m->count; e++)
        a->start[m->entry[e].j + 1]++;
    for (int j = 0; j < a->n; j++)
        a->start[j + 1] += a->start[j];
    for (size_t e = 0; e < m->count; e++) {
        const int at = a->start[m->entry[e].j]++;
        a->row[at] = m->entry[e].i;
        a->x[at] = m->entry[e].x;
    }
    for (int j = a->n; j > 0; j--)
        a->start[j] = a->start[j - 1];
    a->start[0] = 0;
    return PLU_OK;
}

/* What went wrong with M, `why`, as a sentence that names the file. */
static plu_status refuse(plu_status status, const plu_problem_parts *p, const plu_error *why,
                         plu_error *err)
{
    if (status == PLU_OK)
        return PLU_OK;
    if (status == PLU_BREAKDOWN)
        return plu_fail(err, PLU_BAD_INPUT, "%s: M, %d x %d, is singular", p->name, p->freedom,
                        p->freedom);
    return plu_fail(err, status, "%s: M, %d x %d: %s", p->name, p->freedom, p->freedom, why->text);
}

static plu_status factorize(factors *f, const plu_problem_parts *p, plu_error *err)
{
    plu_error why = {0};
    plu_status status = by_columns(&f->m, &p->m, &why);
    if (status == PLU_OK)
        status = plu_lu_create(&f->lu, &f->m, PLU_LU_GENERAL, NULL, &why);
    if (status == PLU_OK && plu_lu_bytes(f->lu) > PLU_PROBLEM_MEMORY)
        return plu_fail(err, PLU_BAD_INPUT, "%s: M would take up to %.3g GB to factorize", p->name,
                        1e-9 * plu_lu_bytes(f->lu));
    if (status == PLU_OK)
        status = plu_lu_factorize(f->lu, &f->m, &why);
    return refuse(status, p, &why, err);
}

/* y = H^T M^-1 b; x and y are room for freedom and n numbers. */
static plu_status condense_project(factors *f, const plu_problem_parts *p, const double *b,
                                   double *x, double *y, plu_error *err)
{
    plu_error why = {0};
    const plu_status status = refuse(plu_lu_solve(f->lu, &f->m, b, x, &why), p, &why, err);
    for (int j = 0; j < p->h.columns; j++)
        y[j] = 0.0;
    for (int i = 0; status == PLU_OK && i < f->m.n; i++)
        for (size_t e = p->h.start[i]; x[i] != 0.0 && e < p->h.start[i + 1]; e++)
            y[p->h.entry[e].j] += p->h.entry[e].x * x[i];
    return status;
}

typedef struct work {
    double *b, *x, *y;
    plu_matrix columns; /* H^T */
} work;

static plu_status condense_prepare(work *w, const plu_problem_parts *p, plu_error *err)
{
    w->b = plu_alloc((size_t)p->freedom, sizeof *w->b, err);
    w->x = plu_alloc((size_t)p->freedom, sizeof *w->x, err);
    w->y = plu_alloc((size_t)p->h.columns, sizeof *w->y, err);
    if (!w->b || !w->x || !w->y)
        return PLU_IO;
    w->columns = (plu_matrix){.rows = p->h.columns, .columns = p->freedom};
    for (size_t e = 0; e < p->h.count; e++) {
        const plu_entry *h = &p->h.entry[e];
        const plu_status status = plu_matrix_add(&w->columns, h->j, h->i, h->x, err);
        if (status != PLU_OK)
            return status;
    }
    return plu_matrix_sort(&w->columns, err);
}

static plu_status fill_column(factors *f, plu_problem_parts *p, work *w, int j, plu_error *err)
{
    const plu_matrix *h = &w->columns;
    for (size_t e = h->start[j]; e < h->start[j + 1]; e++)
        w->b[h->entry[e].j] = h->entry[e].x;
    plu_status status = condense_project(f, p, w->b, w->x, w->y, err);
    for (size_t e = h->start[j]; e < h->start[j + 1]; e++)
        w->b[h->entry[e].j] = 0.0;
    for (int i = 0; i < p->h.columns && status == PLU_OK; i++)
        if (w->y[i] != 0.0)
            status = plu_matrix_add(&p->w, i, j, w->y[i], err);
    if (status == PLU_OK)
        status = plu_problem_check_blocks(p, (double)p->w.count / (p->rows * p->rows), err);
    return status;
}

plu_status plu_problem_condense(plu_problem_parts *p, plu_error *err)
{
    factors f = {0};
    work w = {0};
    const int n = p->h.columns;
    p->w = (plu_matrix){.rows = n, .columns = n};
    if ((double)n * p->freedom > LARGEST)
        return plu_fail(
            err, PLU_BAD_INPUT,
            "%s: its M does not split into bodies of six rows, two at each contact, and W is too "
            "large to form otherwise (%d rows of contacts by %d velocities)",
            p->name, n, p->freedom);
    plu_status status = factorize(&f, p, err);
    if (status == PLU_OK)
        status = condense_prepare(&w, p, err);
    if (status == PLU_OK)
        status = condense_project(&f, p, p->f, w.x, w.y, err);
    for (int j = 0; j < n && status == PLU_OK; j++)
        p->q[j] += w.y[j];
    for (int j = 0; j < n && status == PLU_OK; j++)
        status = fill_column(&f, p, &w, j, err);
    factors_free(&f);
    plu_matrix_free(&w.columns);
    free(w.b);
    free(w.x);
    free(w.y);
    return status;
}
