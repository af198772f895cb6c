/* A contact problem from the numbers of a file. */
#include "base/memory.h"
#include "io/problem/file_parts.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

void plu_problem_parts_free(plu_problem_parts *p)
{
    plu_matrix_free(&p->w);
    plu_matrix_free(&p->m);
    plu_matrix_free(&p->h);
    double *arrays[] = {p->f, p->q, p->mu, p->mu_r, p->length, p->guess, p->best};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
}

/* d rows a contact to as many as the problem has; some of a problem in the plane stay zero. */
static void build_spread(double *to, int rows, const double *from, const plu_problem_parts *p)
{
    for (int k = 0; k < p->rows * p->contacts; k++)
        to[k / p->rows * rows + plu_inner_row(p->planar, k % p->rows)] = from[k];
}

/* All that is not W, q or bodies. */
static plu_status fill_vectors(plu_contact_problem *made, const plu_problem_parts *p,
                               plu_error *err)
{
    const size_t contacts = (size_t)p->contacts;
    memcpy(made->mu, p->mu, contacts * sizeof *made->mu);
    if (p->mu_r)
        memcpy(made->mu_r, p->mu_r, contacts * sizeof *made->mu_r);
    if (p->guess)
        build_spread(made->guess, made->rows, p->guess, p);
    made->has_guess = p->guess != NULL;
    if (p->best) {
        made->solution = plu_alloc(contacts * (size_t)made->rows, sizeof *made->solution, err);
        if (!made->solution)
            return PLU_IO;
        build_spread(made->solution, made->rows, p->best, p);
    }
    made->freedom = p->freedom;
    made->format = p->format;
    memcpy(made->title, p->title, sizeof made->title);
    return PLU_OK;
}

/* Scales moments and sees to it that what comes of it can be worked with. */
static plu_status scale_and_check(plu_contact_problem *made, const plu_problem_parts *p,
                                  plu_error *err)
{
    plu_contact_problem_scale(made, p->length);
    for (int c = 0; c < made->contacts; c++)
        if (!(made->length[c] > 1e-60 && made->length[c] < 1e60))
            return plu_fail(
                err, PLU_BAD_INPUT,
                "%s: contact %d: a length of %g m is not a meaningful scale of its rolling moments",
                p->name, c, made->length[c]);
    return plu_contact_problem_check(made, p->name, err);
}

static plu_status build_global(plu_contact_problem **problem, plu_problem_parts *p, plu_error *err)
{
    bool fits = false;
    plu_status status = plu_matrix_sort(&p->m, err);
    if (status == PLU_OK)
        status = plu_matrix_sort(&p->h, err);
    if (status == PLU_OK)
        status = plu_problem_of_bodies(problem, p, &fits, err);
    if (status == PLU_OK && !fits)
        status = plu_problem_condense(p, err);
    if (status == PLU_OK && !fits)
        status = plu_problem_of_blocks(problem, p, err);
    return status;
}

plu_status plu_problem_build(plu_contact_problem **problem, plu_problem_parts *p, plu_error *err)
{
    *problem = NULL;
    p->planar = p->rows == 2 || (p->rows == 3 && p->mu_r);
    plu_status status =
        p->freedom ? build_global(problem, p, err) : plu_problem_of_blocks(problem, p, err);
    if (status == PLU_OK)
        status = fill_vectors(*problem, p, err);
    if (status == PLU_OK)
        status = scale_and_check(*problem, p, err);
    if (status != PLU_OK) {
        plu_contact_problem_destroy(*problem);
        *problem = NULL;
    }
    return status;
}

/* --- W of a local problem by blocks, and q --- */

plu_status plu_problem_check_blocks(const plu_problem_parts *p, double blocks, plu_error *err)
{
    const double d = p->rows, bytes = blocks * d * d * sizeof(double);
    if (blocks < INT_MAX / 2 && (bytes <= PLU_PROBLEM_MEMORY || bytes <= 100.0 * (double)p->bytes))
        return PLU_OK;
    return plu_fail(err, PLU_BAD_INPUT,
                    "%s: W would take at least %.3g GB, too much for a file of %.3g MB", p->name,
                    1e-9 * bytes, 1e-6 * (double)p->bytes);
}

static int ascending(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* The contacts that contact c's rows of W have entries for, and c, rising; returns how many.
 * `mark` is c + 1 where a contact was found for c. */
static int columns_of(const plu_problem_parts *p, int c, int *mark, int *found)
{
    const int d = p->rows;
    int count = 1;
    found[0] = c;
    mark[c] = c + 1;
    for (size_t e = p->w.start[c * d]; e < p->w.start[(c + 1) * d]; e++) {
        const int k = p->w.entry[e].j / d;
        if (mark[k] != c + 1)
            found[count++] = k;
        mark[k] = c + 1;
    }
    qsort(found, (size_t)count, sizeof *found, ascending);
    return count;
}

/* Block row c and its q; the row begins at block `first`; `place` is room for where each contact's
 * block is. */
static void fill_row(plu_contact_problem *problem, const plu_problem_parts *p, int c, int first,
                     int count, const int *found, int *place)
{
    const int d = p->rows, rows = problem->rows;
    plu_block_rows *w = &problem->w;
    for (int k = 0; k < count; k++) {
        w->column[first + k] = found[k];
        place[found[k]] = first + k;
        if (found[k] == c)
            w->diagonal[c] = first + k;
    }
    for (size_t e = p->w.start[c * d]; e < p->w.start[(c + 1) * d]; e++) {
        const plu_entry *x = &p->w.entry[e];
        const size_t block = (size_t)place[x->j / d] * (size_t)(rows * rows);
        const int i = plu_inner_row(p->planar, x->i % d), j = plu_inner_row(p->planar, x->j % d);
        w->block[block + (size_t)(i * rows + j)] = x->x;
    }
    for (int i = 0; i < d; i++)
        problem->q[c * rows + plu_inner_row(p->planar, i)] = p->q[c * d + i];
}

/* Counts the blocks of all rows. */
static size_t count_blocks(const plu_problem_parts *p, int *mark, int *found)
{
    size_t blocks = 0;
    for (int c = 0; c < p->contacts; c++)
        blocks += (size_t)columns_of(p, c, mark, found);
    memset(mark, 0, (size_t)p->contacts * sizeof *mark);
    return blocks;
}

static plu_status blocks_fill(plu_contact_problem **problem, const plu_problem_parts *p, int *mark,
                              int *found, plu_error *err)
{
    const size_t blocks = count_blocks(p, mark, found);
    if (blocks > INT_MAX)
        return plu_fail(err, PLU_BAD_INPUT, "%s: W has more than %d blocks, which is too many",
                        p->name, INT_MAX);
    int *place = plu_alloc((size_t)p->contacts, sizeof *place, err);
    plu_status status = place ? plu_contact_problem_create(problem, p->mu_r ? 5 : 3, p->contacts,
                                                           (int)blocks, 0, err)
                              : PLU_IO;
    if (status == PLU_OK) {
        plu_contact_problem *made = *problem;
        for (int c = 0; c < p->contacts; c++) {
            const int count = columns_of(p, c, mark, found);
            fill_row(made, p, c, made->w.start[c], count, found, place);
            made->w.start[c + 1] = made->w.start[c] + count;
        }
        if (p->planar)
            plu_contact_problem_plane(made);
    }
    free(place);
    return status;
}

plu_status plu_problem_of_blocks(plu_contact_problem **problem, plu_problem_parts *p,
                                 plu_error *err)
{
    plu_status status = plu_matrix_sort(&p->w, err);
    if (status != PLU_OK)
        return status;
    int *mark = plu_alloc((size_t)p->contacts, sizeof *mark, err);
    int *found = plu_alloc((size_t)p->contacts, sizeof *found, err);
    status = mark && found ? blocks_fill(problem, p, mark, found, err) : PLU_IO;
    free(mark);
    free(found);
    return status;
}
