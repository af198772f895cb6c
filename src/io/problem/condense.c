/* From M, H, f, w to W = H^T M^-1 H and q = H^T M^-1 f + w, for any M that UMFPACK can factorize.
 */
#include "base/memory.h"
#include "io/problem/parts.h"
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <suitesparse/umfpack.h>

/* Each row of the contacts costs a solve: ten seconds for this many rows times velocities. */
#define LARGEST 1e9

/* The rows of M are the columns of its transpose A, which is what UMFPACK is given; it solves with
 * A^T = M. */
typedef struct factors {
    int n;
    int *start, *index;
    double *x;
    void *numeric;
    double control[UMFPACK_CONTROL], info[UMFPACK_INFO];
} factors;

static void factors_free(factors *f)
{
    if (f->numeric)
        umfpack_di_free_numeric(&f->numeric);
    free(f->start);
    free(f->index);
    free(f->x);
}

static plu_status transpose(factors *f, const plu_matrix *m, plu_error *err)
{
    f->n = m->rows;
    f->start = plu_alloc((size_t)f->n + 1, sizeof *f->start, err);
    f->index = plu_alloc(m->count, sizeof *f->index, err);
    f->x = plu_alloc(m->count, sizeof *f->x, err);
    if (!f->start || !f->index || !f->x)
        return PLU_IO;
    for (int i = 0; i <= f->n; i++)
        f->start[i] = (int)m->start[i];
    for (size_t e = 0; e < m->count; e++) {
        f->index[e] = m->entry[e].j;
        f->x[e] = m->entry[e].x;
    }
    return PLU_OK;
}

static plu_status refuse(int why, const plu_problem_parts *p, plu_error *err)
{
    if (why == UMFPACK_OK)
        return PLU_OK;
    if (why == UMFPACK_ERROR_out_of_memory)
        return plu_fail(err, PLU_IO, "%s: out of memory while M is factorized", p->name);
    return plu_fail(err, PLU_BAD_INPUT, "%s: M, %d x %d, is singular", p->name, p->freedom,
                    p->freedom);
}

static plu_status factorize(factors *f, const plu_problem_parts *p, plu_error *err)
{
    void *symbolic = NULL;
    plu_status status = transpose(f, &p->m, err);
    if (status != PLU_OK)
        return status;
    umfpack_di_defaults(f->control);
    status = refuse(
        umfpack_di_symbolic(f->n, f->n, f->start, f->index, f->x, &symbolic, f->control, f->info),
        p, err);
    const double bytes = f->info[UMFPACK_PEAK_MEMORY_ESTIMATE] * f->info[UMFPACK_SIZE_OF_UNIT];
    if (status == PLU_OK && bytes > PLU_PROBLEM_MEMORY)
        status = plu_fail(err, PLU_BAD_INPUT, "%s: M would take up to %.3g GB to factorize",
                          p->name, 1e-9 * bytes);
    if (status == PLU_OK)
        status = refuse(umfpack_di_numeric(f->start, f->index, f->x, symbolic, &f->numeric,
                                           f->control, f->info),
                        p, err);
    if (symbolic)
        umfpack_di_free_symbolic(&symbolic);
    return status;
}

/* y = H^T M^-1 b; x and y are room for freedom and n numbers. */
static plu_status condense_project(factors *f, const plu_problem_parts *p, const double *b,
                                   double *x, double *y, plu_error *err)
{
    const plu_status status = refuse(umfpack_di_solve(UMFPACK_At, f->start, f->index, f->x, x, b,
                                                      f->numeric, f->control, f->info),
                                     p, err);
    for (int j = 0; j < p->h.columns; j++)
        y[j] = 0.0;
    for (int i = 0; status == PLU_OK && i < f->n; i++)
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
            "%s: its M does not fall into bodies of six rows that meet two at a contact, "
            "and %d rows of contacts by %d velocities are too many to form W without",
            p->name, n, p->freedom);
    plu_status status =
        p->m.count > INT_MAX ? plu_fail(err, PLU_BAD_INPUT, "%s: M is too large", p->name) : PLU_OK;
    if (status == PLU_OK)
        status = factorize(&f, p, err);
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
