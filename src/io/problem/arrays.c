/* Contact problems from arrays, and what they hold as arrays: in the units of files (moments not
 * over L), rows 2, 3 or 5 a contact. From Python and C they go the way of files: entries are put
 * into the parts of a problem (build.c), which check them alike.
 *
 *   by blocks   start[contacts + 1], column[blocks], block[blocks][d d]    W row by row of blocks
 *   by bodies   mass[bodies][36], force[bodies][6],
 *               pairs[contacts][2], h[contacts][2][6][d]                   W = H^T M^-1 H, made
 * here
 *
 * Exactly one of the two is given. d = rows: 2 in the plane, 3 (Coulomb), 5 (rolling friction). */
#include "base/memory.h"
#include "io/problem/file_parts.h"
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NAME "the arrays of the problem"

/* NULL: not given, which is right for what is optional. */
static plu_status copy(double **to, const double *from, size_t count, plu_error *err)
{
    if (!from)
        return PLU_OK;
    *to = plu_alloc(count, sizeof **to, err);
    if (*to)
        memcpy(*to, from, count * sizeof **to);
    return *to ? PLU_OK : PLU_IO;
}

/* All but W and the bodies. */
static plu_status take_common(plu_problem_parts *p, const plu_problem_arrays *a, plu_error *err)
{
    *p = (plu_problem_parts){.name = NAME, .bytes = LLONG_MAX, .rows = a->rows};
    if (a->rows != 2 && a->rows != 3 && a->rows != 5)
        return plu_fail(err, PLU_BAD_INPUT,
                        NAME ": %d rows per contact; the number must be 2, 3 or 5", a->rows);
    /* Rows of contacts are counted in ints, up to seven each. */
    if (a->contacts < 1 || a->contacts > INT_MAX / 8)
        return plu_fail(err, PLU_BAD_INPUT,
                        NAME ": %d contacts; the number must be positive and not too large",
                        a->contacts);
    if (!a->q || !a->mu || a->rows == (a->mu_r ? 2 : 5))
        return plu_fail(err, PLU_BAD_INPUT,
                        NAME ": q and mu are needed, with 5 rows mu_r, and with 2 none");
    p->contacts = a->contacts;
    const size_t contacts = (size_t)a->contacts, n = contacts * (size_t)a->rows;
    plu_status status = copy(&p->q, a->q, n, err);
    if (status == PLU_OK)
        status = copy(&p->mu, a->mu, contacts, err);
    if (status == PLU_OK)
        status = copy(&p->mu_r, a->mu_r, contacts, err);
    if (status == PLU_OK)
        status = copy(&p->length, a->length, contacts, err);
    return status == PLU_OK ? copy(&p->guess, a->guess, n, err) : status;
}

/* The matrix entry (i, j), unless it is zero; NaN is kept, to be refused with all else. */
static plu_status put(plu_matrix *m, int i, int j, double x, plu_error *err)
{
    return x != 0.0 ? plu_matrix_add(m, i, j, x, err) : PLU_OK;
}

/* `start` and `column` come from outside: each index is checked before it is used. */
static plu_status take_blocks(plu_problem_parts *p, const plu_problem_arrays *a, plu_error *err)
{
    const int d = a->rows, n = d * a->contacts;
    p->format = PLU_FCLIB_LOCAL;
    p->w = (plu_matrix){.rows = n, .columns = n};
    if (a->start[0] != 0)
        return plu_fail(err, PLU_BAD_INPUT, NAME ": start[0] is %d, not 0", a->start[0]);
    plu_status status = PLU_OK;
    for (int c = 0; c < a->contacts && status == PLU_OK; c++) {
        if (a->start[c + 1] < a->start[c])
            return plu_fail(err, PLU_BAD_INPUT, NAME ": start[%d] is less than start[%d]", c + 1,
                            c);
        for (int b = a->start[c]; b < a->start[c + 1] && status == PLU_OK; b++) {
            if (a->column[b] < 0 || a->column[b] >= a->contacts)
                return plu_fail(err, PLU_BAD_INPUT,
                                NAME ": column[%d] is %d, but there are %d contacts", b,
                                a->column[b], a->contacts);
            const double *block = a->block + (size_t)b * (size_t)(d * d);
            for (int k = 0; k < d * d && status == PLU_OK; k++)
                status = put(&p->w, d * c + k / d, d * a->column[b] + k % d, block[k], err);
        }
    }
    return status;
}

/* H of contact c, both of its ends. */
static plu_status put_ends(plu_problem_parts *p, const plu_problem_arrays *a, int c, plu_error *err)
{
    plu_status status = PLU_OK;
    for (int e = 0; e < 2 && status == PLU_OK; e++) {
        const int body = a->pairs[c][e], d = a->rows;
        if (body < -1 || body >= a->bodies)
            return plu_fail(err, PLU_BAD_INPUT,
                            NAME ": contact %d joins body %d, but there are %d bodies", c, body,
                            a->bodies);
        const double *h = a->h + (size_t)(2 * c + e) * 6 * (size_t)d;
        for (int k = 0; body >= 0 && k < 6 * d && status == PLU_OK; k++)
            status = put(&p->h, 6 * body + k / d, d * c + k % d, h[k], err);
    }
    return status;
}

static plu_status take_bodies(plu_problem_parts *p, const plu_problem_arrays *a, plu_error *err)
{
    if (a->bodies > INT_MAX / 64 || !a->mass || !a->force || !a->pairs || !a->h)
        return plu_fail(err, PLU_BAD_INPUT,
                        NAME ": mass, force, pairs and h are needed with bodies");
    p->format = a->rows == 5 ? PLU_FCLIB_GLOBAL_ROLLING : PLU_FCLIB_GLOBAL;
    p->freedom = 6 * a->bodies;
    p->m = (plu_matrix){.rows = p->freedom, .columns = p->freedom};
    p->h = (plu_matrix){.rows = p->freedom, .columns = a->rows * a->contacts};
    plu_status status = copy(&p->f, &a->force[0][0], (size_t)p->freedom, err);
    for (int k = 0; k < a->bodies && status == PLU_OK; k++)
        for (int i = 0; i < 36 && status == PLU_OK; i++)
            status = put(&p->m, 6 * k + i / 6, 6 * k + i % 6, a->mass[k][i], err);
    for (int c = 0; c < a->contacts && status == PLU_OK; c++)
        status = put_ends(p, a, c, err);
    return status;
}

plu_status plu_contact_problem_of_arrays(plu_contact_problem **problem, const plu_problem_arrays *a,
                                         plu_error *err)
{
    plu_problem_parts p;
    *problem = NULL;
    plu_status status = take_common(&p, a, err);
    const bool by_blocks = a->start && a->column && a->block;
    if (status == PLU_OK && by_blocks == (a->bodies > 0))
        status = plu_fail(err, PLU_BAD_INPUT, NAME ": either W by blocks or bodies are needed");
    if (status == PLU_OK)
        status = by_blocks ? take_blocks(&p, a, err) : take_bodies(&p, a, err);
    if (status == PLU_OK)
        status = plu_problem_build(problem, &p, err);
    plu_problem_parts_free(&p);
    return status;
}

void plu_contact_problem_w(const plu_contact_problem *p, int *start, int *column, double *block)
{
    const int d = plu_outer_rows(p), blocks = p->w.start[p->contacts];
    memcpy(start, p->w.start, ((size_t)p->contacts + 1) * sizeof *start);
    memcpy(column, p->w.column, (size_t)blocks * sizeof *column);
    for (int c = 0; c < p->contacts; c++)
        for (int b = p->w.start[c]; b < p->w.start[c + 1]; b++)
            for (int k = 0; k < d * d; k++)
                block[(size_t)b * (size_t)(d * d) + (size_t)k] = plu_file_w(p, c, b, k / d, k % d);
}

plu_status plu_contact_problem_q(const plu_contact_problem *p, double *q, plu_error *err)
{
    double *made = plu_file_vector(p, p->q, PLU_OF_VELOCITY, err);
    if (!made)
        return PLU_IO;
    memcpy(q, made, (size_t)plu_outer_rows(p) * (size_t)p->contacts * sizeof *q);
    free(made);
    return PLU_OK;
}

void plu_contact_problem_friction(const plu_contact_problem *p, double *mu, double *mu_r,
                                  double *mu_p)
{
    for (int c = 0; c < p->contacts; c++) {
        mu[c] = p->mu[c];
        if (mu_r)
            mu_r[c] = plu_file_mu_r(p, c);
        if (mu_p)
            mu_p[c] = p->mu_p[c] * p->length[c];
    }
}
