/* A contact problem from the numbers of a file: rows of problems in the plane (2 or 3 a contact)
 * get their places among three or five, moments are scaled by the contact's length, and what
 * cannot be worked with is refused.
 *
 *   parts of a file --> W given:   blocks.c
 *                       M, H, f:   body_form.c where M falls into bodies, else condense.c, blocks.c
 *                   --> mu, mu_r, guess, solution (fill_vectors)
 *                   --> moments over L (plu_contact_problem_scale), check
 *
 *   rows in the file    2: N T        3: N T1 T2    3 with mu_r: N T R      5: N T1 T2 R1 R2
 *   rows in the problem 3: N T 0                    5: N T 0 R 0
 *
 * Below: the way back, for writers. Dividing by L and multiplying again loses a bit now and then,
 * so the number whose scaled value is exactly ours is searched among the neighbors: a problem that
 * is written and read is the same to the last bit. */
#include "base/memory.h"
#include "io/problem/file_parts.h"
#include <math.h>
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

/* --- units of files --- */

/* x with x * s = y */
static double divided(double y, double s)
{
    const double x = y / s, up = nextafter(x, INFINITY), down = nextafter(x, -INFINITY);
    return x * s == y ? x : up * s == y ? up : down * s == y ? down : x;
}

/* x with x / s = y */
static double multiplied(double y, double s)
{
    const double x = y * s, up = nextafter(x, INFINITY), down = nextafter(x, -INFINITY);
    return x / s == y ? x : up / s == y ? up : down / s == y ? down : x;
}

double *plu_file_vector(const plu_contact_problem *p, const double *x, plu_kind kind,
                        plu_error *err)
{
    const int d = plu_outer_rows(p);
    double *y = plu_alloc((size_t)d * (size_t)p->contacts, sizeof *y, err);
    for (int c = 0; y && c < p->contacts; c++)
        for (int i = 0; i < d; i++) {
            const double l = p->length[c], s = kind == PLU_OF_VELOCITY ? l : 1.0 / l;
            const int row = plu_inner_row(p->planar, i);
            const double z = x[p->rows * c + row];
            y[d * c + i] = row < 3 ? z : divided(z, s);
        }
    return y;
}

double plu_file_mu_r(const plu_contact_problem *p, int c)
{
    return multiplied(p->mu_r[c], p->length[c]);
}

double plu_file_w(const plu_contact_problem *p, int c, int b, int i, int j)
{
    const int in = plu_inner_row(p->planar, i), jn = plu_inner_row(p->planar, j);
    const double row = in < 3 ? 1.0 : p->length[c];
    const double column = jn < 3 ? 1.0 : p->length[p->w.column[b]];
    return divided(
        p->w.block[(size_t)b * (size_t)(p->rows * p->rows) + (size_t)(in * p->rows + jn)],
        row * column);
}

double plu_file_h(const plu_contact_problem *p, int c, int e, int i, int j)
{
    return divided(p->body.h[c][e][i * p->rows + j], j < 3 ? 1.0 : p->length[c]);
}

void plu_file_force(const plu_contact_problem *p, int k, double f[6])
{
    const double *v = p->body.v_free[k], *mass = p->body.mass[k];
    const double *inverse = p->body.inverse_mass[k];
    for (int i = 0; i < 6; i++) {
        bool alone = true; /* the only entry of its row */
        f[i] = 0.0;
        for (int j = 0; j < 6; j++) {
            f[i] += mass[6 * i + j] * v[j];
            alone = alone && (i == j || inverse[6 * i + j] == 0.0);
        }
        if (alone && inverse[7 * i] != 0.0) /* 0: a body that sleeps, which no contact names */
            f[i] = divided(v[i], inverse[7 * i]);
    }
}
