/* Memory and the pure functions of a general contact problem (contact_problem.h): y = W p + q by
 * block rows, and the cone of a contact with one to three disks.
 *
 *       contact c   | r_N | r_T1 r_T2 | m_R1 m_R2 | m_P idle |      3, 5 or 7 rows, moments over L
 *                           disk mu     disk mu_r   disk mu_p
 *
 * All arrays belong to the problem and are freed with it; a problem has W, or bodies from which W
 * is made (contact_assemble.c), or both. */
#include "problem/contact_problem.h"
#include "base/memory.h"
#include "problem/contact_unsolvable.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool take(void **array, size_t count, size_t size, plu_error *err)
{
    *array = plu_alloc(count ? count : 1, size, err);
    return *array != NULL;
}

static bool take_bodies(plu_body_form *b, int contacts, int bodies, size_t n, plu_error *err)
{
    b->bodies = bodies;
    const size_t count = (size_t)bodies, c = (size_t)contacts;
    return take((void **)&b->mass, count, sizeof *b->mass, err) &&
           take((void **)&b->inverse_mass, count, sizeof *b->inverse_mass, err) &&
           take((void **)&b->v_free, count, sizeof *b->v_free, err) &&
           take((void **)&b->pairs, c, sizeof *b->pairs, err) &&
           take((void **)&b->h, c, sizeof *b->h, err) && take((void **)&b->w, n, sizeof *b->w, err);
}

static bool take_blocks(plu_block_rows *w, int rows, int contacts, int blocks, plu_error *err)
{
    const size_t c = (size_t)contacts, b = (size_t)blocks;
    return take((void **)&w->start, c + 1, sizeof *w->start, err) &&
           take((void **)&w->column, b, sizeof *w->column, err) &&
           take((void **)&w->diagonal, c, sizeof *w->diagonal, err) &&
           take((void **)&w->block, b * (size_t)(rows * rows), sizeof *w->block, err);
}

plu_status plu_contact_problem_create(plu_contact_problem **problem, int rows, int contacts,
                                      int blocks, int bodies, plu_error *err)
{
    *problem = NULL;
    plu_contact_problem *p = plu_alloc(1, sizeof *p, err);
    if (!p)
        return PLU_IO;
    p->rows = rows;
    p->contacts = contacts;
    const size_t c = (size_t)contacts, n = c * (size_t)rows;
    bool ok = take((void **)&p->q, n, sizeof *p->q, err) &&
              take((void **)&p->guess, n, sizeof *p->guess, err) &&
              take((void **)&p->mu, c, sizeof *p->mu, err) &&
              take((void **)&p->mu_r, c, sizeof *p->mu_r, err) &&
              take((void **)&p->mu_p, c, sizeof *p->mu_p, err) &&
              take((void **)&p->length, c, sizeof *p->length, err);
    if (ok && blocks > 0)
        ok = take_blocks(&p->w, rows, contacts, blocks, err);
    if (ok && bodies > 0)
        ok = take_bodies(&p->body, contacts, bodies, n, err);
    if (!ok) {
        plu_contact_problem_destroy(p);
        return PLU_IO;
    }
    for (int k = 0; k < contacts; k++)
        p->length[k] = 1.0;
    *problem = p;
    return PLU_OK;
}

void plu_contact_problem_destroy(plu_contact_problem *p)
{
    if (!p)
        return;
    void *arrays[] = {p->q,           p->guess,      p->mu,        p->mu_r,
                      p->length,      p->solution,   p->w.start,   p->w.column,
                      p->w.diagonal,  p->w.block,    p->body.mass, p->body.inverse_mass,
                      p->body.v_free, p->body.pairs, p->body.h,    p->body.w,
                      p->mu_p};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
    free(p);
}

/* y = W p + q by rows of d x d blocks; inlined, so that the compiler specializes it for each d. */
static inline __attribute__((always_inline)) void multiply(const plu_contact_problem *problem,
                                                           int d, const double *p, double *y)
{
    const plu_block_rows *w = &problem->w;
    for (int c = 0; c < problem->contacts; c++) {
        double sum[PLU_ROWS_MAX];
        memcpy(sum, problem->q + (size_t)c * (size_t)d, (size_t)d * sizeof *sum);
        for (int b = w->start[c]; b < w->start[c + 1]; b++) {
            const double *block = w->block + (size_t)b * (size_t)(d * d);
            const double *x = p + (size_t)w->column[b] * (size_t)d;
            for (int i = 0; i < d; i++) {
                double row = block[i * d] * x[0];
                for (int j = 1; j < d; j++)
                    row += block[i * d + j] * x[j];
                sum[i] += row;
            }
        }
        memcpy(y + (size_t)c * (size_t)d, sum, (size_t)d * sizeof *sum);
    }
}

void plu_contact_problem_velocity(const plu_contact_problem *problem, const double *p, double *y)
{
    if (problem->rows == 3)
        multiply(problem, 3, p, y);
    else if (problem->rows == 5)
        multiply(problem, 5, p, y);
    else
        multiply(problem, 7, p, y);
}

void plu_contact_cone_project(const plu_contact_problem *problem, int c, double *p)
{
    const size_t size = (size_t)problem->rows * sizeof *p;
    const double a = plu_contact_slope(problem, c, 0), b = plu_contact_slope(problem, c, 1);
    double x[PLU_ROWS_MAX] = {0};
    memcpy(x, p, size);
    if (problem->rows == 7)
        plu_pivoting_cone_project(x, a, b, plu_contact_slope(problem, c, 2));
    else
        plu_rolling_cone_project(x, a, b);
    memcpy(p, x, size);
}

static bool all_finite(const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(x[i]))
            return false;
    return true;
}

/* The block of W at the transposed position of block b in row c; NULL: there is none. */
static const double *mirrored(const plu_contact_problem *problem, int c, int b)
{
    const plu_block_rows *w = &problem->w;
    const int row = w->column[b];
    int low = w->start[row], high = w->start[row + 1];
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (w->column[middle] < c)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == w->start[row + 1] || w->column[low] != c)
        return NULL;
    return w->block + (size_t)low * (size_t)(problem->rows * problem->rows);
}

static bool is_symmetric(const plu_contact_problem *problem)
{
    const plu_block_rows *w = &problem->w;
    const int d = problem->rows;
    double largest = 0.0, difference = 0.0;
    for (int c = 0; c < problem->contacts; c++)
        for (int b = w->start[c]; b < w->start[c + 1]; b++) {
            const double *block = w->block + (size_t)b * (size_t)(d * d);
            const double *other = mirrored(problem, c, b);
            for (int i = 0; i < d; i++)
                for (int j = 0; j < d; j++) {
                    const double mirror = other ? other[j * d + i] : 0.0;
                    largest = fmax(largest, fabs(block[i * d + j]));
                    difference = fmax(difference, fabs(block[i * d + j] - mirror));
                }
        }
    return difference <= 1e-12 * largest;
}

static plu_status check_contact(const plu_contact_problem *p, int c, const char *name,
                                plu_error *err)
{
    const int d = p->rows;
    if (!(p->mu[c] >= 0.0) || !(p->mu_r[c] >= 0.0) || !isfinite(p->mu[c]) || !isfinite(p->mu_r[c]))
        return plu_fail(
            err, PLU_BAD_INPUT,
            "%s: contact %d: friction %g and rolling friction %g must be finite and not "
            "negative",
            name, c, p->mu[c], p->mu_r[c] * p->length[c]);
    const double *block = p->w.block + (size_t)p->w.diagonal[c] * (size_t)(d * d);
    for (int i = 0; i < d; i++)
        if (!(block[i * d + i] > 0.0) && !(i == 0 && plu_contact_is_unmoved(p, c)))
            return plu_fail(
                err, PLU_BAD_INPUT,
                "%s: contact %d: the diagonal of W is %g in row %d; it must be positive", name, c,
                block[i * d + i], i);
    return PLU_OK;
}

plu_status plu_contact_problem_check(plu_contact_problem *p, const char *name, plu_error *err)
{
    const size_t d = (size_t)p->rows, n = d * (size_t)p->contacts;
    if (!all_finite(p->q, n) || !all_finite(p->guess, n) ||
        !all_finite(p->w.block, d * d * (size_t)p->w.start[p->contacts]))
        return plu_fail(err, PLU_BAD_INPUT, "%s: W or q contains a number that is not finite",
                        name);
    for (int c = 0; c < p->contacts; c++) {
        const plu_status status = check_contact(p, c, name, err);
        if (status != PLU_OK)
            return status;
    }
    p->symmetric = is_symmetric(p);
    return PLU_OK;
}
