/* The body form of a global problem, where M falls into bodies of at most six rows and each contact
 * touches at most two of them. Files have M and H as matrices of single entries:
 *
 *     M  | x x .  . |     rows that entries of M join are a body (here 1, 2 and 3); a contact
 *        | x x .  . |     touches the bodies in whose rows its columns of H have entries. Where a
 *        | . . x  . |     body has more than six rows, or a contact a third body, the problem is
 *        | . . . .. |     condensed to W instead (condense.c) */
#include "base/memory.h"
#include "io/problem/file_parts.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Which rows of M make a body. */
typedef struct grouping {
    int bodies;
    int *body;       /* [freedom]: of each row */
    int *place;      /* [freedom]: 0 to 5, of the row in its body */
    int (*pairs)[2]; /* [contacts]: bodies that the contact touches, -1: none */
} grouping;

static void grouping_free(grouping *g)
{
    free(g->body);
    free(g->place);
    free(g->pairs);
}

static plu_status grouping_create(grouping *g, const plu_problem_parts *p, plu_error *err)
{
    g->body = plu_alloc((size_t)p->freedom, sizeof *g->body, err);
    g->place = plu_alloc((size_t)p->freedom, sizeof *g->place, err);
    g->pairs = plu_alloc((size_t)p->contacts, sizeof *g->pairs, err);
    return g->body && g->place && g->pairs ? PLU_OK : PLU_IO;
}

/* Entries that are stored but zero join nothing. */
static bool within_bodies(const grouping *g, const plu_matrix *m)
{
    for (size_t e = 0; e < m->count; e++)
        if (m->entry[e].x != 0.0 && g->body[m->entry[e].i] != g->body[m->entry[e].j])
            return false;
    return true;
}

/* Fills `ends`; false when a contact touches a third body. A single body is the second end. */
static bool find_ends(const grouping *g, const plu_problem_parts *p)
{
    for (int c = 0; c < p->contacts; c++)
        g->pairs[c][0] = g->pairs[c][1] = -1;
    for (size_t e = 0; e < p->h.count; e++) {
        const int b = g->body[p->h.entry[e].i];
        int *ends = g->pairs[p->h.entry[e].j / p->rows];
        if (p->h.entry[e].x == 0.0 || b == ends[0] || b == ends[1])
            continue;
        if (ends[0] >= 0)
            return false;
        ends[0] = ends[1];
        ends[1] = b;
    }
    return true;
}

/* Six rows after each other, in the plane three, as most programs number them. */
static bool by_count(grouping *g, const plu_problem_parts *p)
{
    const int count = p->planar ? 3 : PLU_BODY_ROWS;
    g->bodies = (p->freedom - 1) / count + 1;
    for (int i = 0; i < p->freedom; i++) {
        g->body[i] = i / count;
        g->place[i] = i % count;
    }
    return within_bodies(g, &p->m) && find_ends(g, p);
}

/* With path halving: each look shortens the way for later ones. */
static int root_of(int *parent, int i)
{
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

/* Connected components of the pattern of M, numbered in the order of their first rows. */
static bool by_components(grouping *g, const plu_problem_parts *p, int *parent, int *size)
{
    for (int i = 0; i < p->freedom; i++)
        parent[i] = i;
    for (size_t e = 0; e < p->m.count; e++) {
        const int a = root_of(parent, p->m.entry[e].i), b = root_of(parent, p->m.entry[e].j);
        if (p->m.entry[e].x != 0.0)
            parent[a > b ? a : b] = a > b ? b : a;
    }
    g->bodies = 0;
    for (int i = 0; i < p->freedom; i++) { /* the root is the first row of its component */
        const int root = root_of(parent, i);
        g->body[i] = root == i ? g->bodies++ : g->body[root];
        g->place[i] = size[g->body[i]]++;
        if (g->place[i] >= PLU_BODY_ROWS)
            return false;
    }
    return find_ends(g, p);
}

static plu_status group(grouping *g, const plu_problem_parts *p, bool *fits, plu_error *err)
{
    plu_status status = grouping_create(g, p, err);
    if (status != PLU_OK || (*fits = by_count(g, p)))
        return status;
    int *parent = plu_alloc((size_t)p->freedom, sizeof *parent, err);
    int *size = plu_alloc((size_t)p->freedom, sizeof *size, err);
    if (parent && size)
        *fits = by_components(g, p, parent, size);
    else
        status = PLU_IO;
    free(parent);
    free(size);
    return status;
}

/* Gauss-Jordan with row pivots; false when a pivot is zero or not finite. */
static bool invert(const double mass[36], double inverse[36])
{
    double a[36];
    memcpy(a, mass, sizeof a);
    for (int i = 0; i < 36; i++)
        inverse[i] = i % 7 == 0;
    for (int k = 0; k < 6; k++) {
        int pivot = k;
        for (int i = k + 1; i < 6; i++)
            if (fabs(a[6 * i + k]) > fabs(a[6 * pivot + k]))
                pivot = i;
        const double scale = 1.0 / a[6 * pivot + k];
        if (!isfinite(scale))
            return false;
        for (int j = 0; j < 6; j++) {
            const double x = a[6 * pivot + j], y = inverse[6 * pivot + j];
            a[6 * pivot + j] = a[6 * k + j];
            inverse[6 * pivot + j] = inverse[6 * k + j];
            a[6 * k + j] = x * scale;
            inverse[6 * k + j] = y * scale;
        }
        for (int i = 0; i < 6; i++) {
            const double factor = a[6 * i + k];
            for (int j = 0; i != k && factor != 0.0 && j < 6; j++) {
                a[6 * i + j] -= factor * a[6 * k + j];
                inverse[6 * i + j] -= factor * inverse[6 * k + j];
            }
        }
    }
    for (int i = 0; i < 36; i++)
        if (!isfinite(inverse[i]))
            return false;
    return true;
}

static plu_status fill_bodies(plu_body_form *b, const plu_problem_parts *p, const grouping *g,
                              plu_error *err)
{
    for (int k = 0; k < b->bodies; k++)
        for (int i = 0; i < 6; i++)
            /* Rows that a body does not have get 1, so that the 6 x 6 block is regular. */
            b->mass[k][7 * i] = 1.0;
    for (int i = 0; i < p->freedom; i++)
        b->mass[g->body[i]][7 * g->place[i]] = 0.0;
    for (size_t e = 0; e < p->m.count; e++) {
        const plu_entry *m = &p->m.entry[e];
        if (m->x != 0.0)
            b->mass[g->body[m->i]][6 * g->place[m->i] + g->place[m->j]] = m->x;
    }
    for (int k = 0; k < b->bodies; k++)
        if (!invert(b->mass[k], b->inverse_mass[k]))
            return plu_fail(err, PLU_BAD_INPUT, "%s: M is singular in the rows of body %d", p->name,
                            k);
    for (int i = 0; i < p->freedom; i++) {
        double *v = b->v_free[g->body[i]];
        const double *inverse = b->inverse_mass[g->body[i]];
        for (int k = 0; k < 6; k++)
            v[k] += inverse[6 * k + g->place[i]] * p->f[i];
    }
    for (int k = 0; k < b->bodies; k++)
        for (int i = 0; i < 6; i++)
            if (!isfinite(b->v_free[k][i]))
                return plu_fail(err, PLU_BAD_INPUT,
                                "%s: the free velocity M^-1 f of body %d is not finite", p->name,
                                k);
    return PLU_OK;
}

/* In the plane the third row of a contact stays zero. */
static void fill_contacts(plu_contact_problem *made, const plu_problem_parts *p, const grouping *g)
{
    plu_body_form *b = &made->body;
    memcpy(b->pairs, g->pairs, (size_t)p->contacts * sizeof *b->pairs);
    for (int k = 0; k < p->contacts * p->rows; k++)
        b->w[k / p->rows * made->rows + plu_inner_row(p->planar, k % p->rows)] = p->q[k];
    for (size_t e = 0; e < p->h.count; e++) {
        const plu_entry *h = &p->h.entry[e];
        const int c = h->j / p->rows, end = b->pairs[c][1] == g->body[h->i];
        if (h->x != 0.0)
            b->h[c][end][g->place[h->i] * made->rows + plu_inner_row(p->planar, h->j % p->rows)] =
                h->x;
    }
}

/* Blocks of W, counted more than once where contacts share both bodies. */
static plu_status check_size(const plu_problem_parts *p, const grouping *g, plu_error *err)
{
    int *contacts = plu_alloc((size_t)g->bodies, sizeof *contacts, err);
    if (!contacts)
        return PLU_IO;
    for (int c = 0; c < p->contacts; c++)
        for (int e = 0; e < 2; e++)
            if (g->pairs[c][e] >= 0)
                contacts[g->pairs[c][e]]++;
    double blocks = 0.0;
    for (int k = 0; k < g->bodies; k++)
        blocks += (double)contacts[k] * contacts[k];
    free(contacts);
    return plu_problem_check_blocks(p, blocks, err);
}

/* W and q are made; without bodies, whose other velocities are none of the plane. */
static void make_planar(plu_contact_problem *made)
{
    plu_body_form *b = &made->body;
    void *arrays[] = {b->mass, b->inverse_mass, b->v_free, b->pairs, b->h, b->w};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        free(arrays[k]);
    *b = (plu_body_form){0};
    plu_contact_problem_plane(made);
}

plu_status plu_problem_of_bodies(plu_contact_problem **problem, const plu_problem_parts *p,
                                 bool *fits, plu_error *err)
{
    grouping g = {0};
    *fits = false;
    plu_status status = group(&g, p, fits, err);
    if (status == PLU_OK && *fits)
        status = check_size(p, &g, err);
    if (status == PLU_OK && *fits)
        status =
            plu_contact_problem_create(problem, p->mu_r ? 5 : 3, p->contacts, 0, g.bodies, err);
    if (status == PLU_OK && *fits)
        status = fill_bodies(&(*problem)->body, p, &g, err);
    if (status == PLU_OK && *fits) {
        fill_contacts(*problem, p, &g);
        status = plu_contact_problem_assemble(*problem, err);
    }
    if (status == PLU_OK && *fits && p->planar)
        make_planar(*problem);
    grouping_free(&g);
    return status;
}
