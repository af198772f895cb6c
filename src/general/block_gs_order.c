/* Memory, order and local blocks of the general Gauss-Seidel method.
 *
 *     order      contacts by color: first fit, contacts that share a body have different colors. A
 *                sweep from color to color passes errors on as a red-black sweep does
 *     blocks     of each contact what its local solver wants: Coulomb's equations (cone/coulomb.h);
 *                numbers of two spheres, where W_cc has their form up to rounding; else W_cc^-1,
 *                for the test whether it sticks
 *     bodies     M^-1 H of each end, where visits through bodies need less than block rows */
#include "base/memory.h"
#include "base/vec3.h"
#include "general/block_gs.h"
#include "local/contact.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double rounding = 1e-14;

/* Tolerance of a local method that iterates, over the tolerance of the whole solve. */
static const double local_share = 0.1;

void plu_block_gs_color(const plu_contact_problem *problem, int *order, int *work)
{
    const plu_block_rows *w = &problem->w;
    const int contacts = problem->contacts;
    int *color = order, *taken_by = work, *start = work + contacts, colors = 0;
    for (int c = 0; c < contacts; c++)
        taken_by[c] = -1;
    for (int c = 0; c < contacts; c++) {
        for (int b = w->start[c]; w->column[b] < c; b++)
            taken_by[color[w->column[b]]] = c;
        color[c] = 0;
        while (taken_by[color[c]] == c)
            color[c]++;
        colors = color[c] + 1 > colors ? color[c] + 1 : colors;
    }
    memset(start, 0, (size_t)(colors + 1) * sizeof *start);
    for (int c = 0; c < contacts; c++)
        start[color[c] + 1]++;
    for (int k = 0; k < colors; k++)
        start[k + 1] += start[k];
    int *sorted = taken_by;
    for (int c = 0; c < contacts; c++)
        sorted[start[color[c]]++] = c;
    memcpy(order, sorted, (size_t)contacts * sizeof *order);
}

/* The block of two spheres in the frame of their contact, of five or seven rows, or wn = 0 when it
 * is not one: of bodies of other shape, or with numbers that are off by more than rounding. */
static plu_local spheres_of(int d, const double *w, const double *mu)
{
    const double *t1 = w + d, *t2 = t1 + d, *r1 = t2 + d, *r2 = r1 + d;
    plu_local block = {.normal = {1.0, 0.0, 0.0},
                       .wn = w[0],
                       .wt = 0.5 * (t1[1] + t2[2]),
                       .wr = 0.5 * (r1[3] + r2[4]),
                       .wc = 0.25 * (t1[4] - t2[3] - r1[2] + r2[1]),
                       .mu = mu[0],
                       .mu_r = mu[1],
                       .mu_p = mu[2],
                       .length = 1.0};
    if (fabs(block.wc) <= rounding * sqrt(block.wt * block.wr))
        block.wc = 0.0; /* equal spheres: the two disks fall apart */
    const double t = block.wt, r = block.wr, k = block.wc;
    const double diagonal[PLU_ROWS_MAX] = {w[0], t, t, r, r, r, r};
    for (int i = 0; i < d; i++)
        for (int j = 0; j < d; j++) {
            const bool pair = i + j == 5 && i > 0 && i < 5;
            const double coupled = !pair ? 0.0 : i == 1 || i == 4 ? k : -k;
            const double model = i == j ? diagonal[i] : coupled;
            if (fabs(w[i * d + j] - model) > rounding * sqrt(diagonal[i] * diagonal[j]))
                return (plu_local){.wn = 0.0};
        }
    return block;
}

/* x = w^-1, d x d, by Gauss and Jordan; zero where pivots on the diagonal would lose half of the
 * digits. */
static void invert(int d, const double *w, double *x)
{
    const size_t size = (size_t)(d * d) * sizeof *x;
    memcpy(x, w, size);
    for (int k = 0; k < d; k++) {
        const double pivot = x[(d + 1) * k];
        if (!(pivot > 1e-8 * w[(d + 1) * k])) {
            memset(x, 0, size);
            return;
        }
        x[(d + 1) * k] = 1.0;
        for (int j = 0; j < d; j++)
            x[d * k + j] /= pivot;
        for (int i = 0; i < d; i++) {
            const double factor = x[d * i + k];
            if (i == k)
                continue;
            x[d * i + k] = 0.0;
            for (int j = 0; j < d; j++)
                x[d * i + j] -= factor * x[d * k + j];
        }
    }
}

static void set_blocks(plu_block_gs *g)
{
    const plu_contact_problem *problem = g->problem;
    const int d = g->rows;
    for (int c = 0; c < g->contacts; c++) {
        const double *w = problem->w.block + (size_t)problem->w.diagonal[c] * (size_t)(d * d);
        double *weight = g->weight + c * d;
        weight[0] = w[0];
        for (int i = 1; i < d; i += 2)
            weight[i] = weight[i + 1] = plu_max(w[i * (d + 1)], w[(i + 1) * (d + 1)]);
        if (g->local)
            continue;
        if (d == 3) {
            g->exact[c].coulomb = plu_coulomb_of(w, plu_contact_slope(problem, c, 0));
            continue;
        }
        const double mu[PLU_DISKS_MAX] = PLU_CONTACT_SLOPES(problem, c);
        g->exact[c].spheres = spheres_of(d, w, mu);
        if (!(g->exact[c].spheres.wn > 0.0))
            invert(d, w, g->inverse + (size_t)c * (size_t)(d * d));
    }
}

/* M^-1 H of each end. */
static void set_bodies(plu_block_gs *g)
{
    const plu_body_form *body = &g->problem->body;
    const int d = g->rows;
    for (int k = 0; k < 2 * g->contacts; k++) {
        const int b = body->pairs[k / 2][k % 2];
        if (b < 0)
            continue;
        const double *h = body->h[k / 2][k % 2], *inverse = body->inverse_mass[b];
        double *x = g->inverse_h + (size_t)k * (size_t)(6 * d);
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < d; j++) {
                x[i * d + j] = 0.0;
                for (int m = 0; m < 6; m++)
                    x[i * d + j] += inverse[6 * i + m] * h[m * d + j];
            }
    }
}

/* Which form needs less arithmetic: d^2 for each block of the row, or 24 d for the bodies. */
static bool bodies_pay(const plu_contact_problem *problem)
{
    const double blocks = problem->contacts > 0 ? problem->w.start[problem->contacts] : 0;
    return problem->body.bodies > 0 && problem->rows * blocks > 26.0 * problem->contacts;
}

plu_status plu_block_gs_create(plu_block_gs *g, const plu_contact_problem *problem,
                               const plu_portfolio_settings *settings, plu_error *err)
{
    const plu_local_method *local = settings->local;
    *g = (plu_block_gs){.problem = problem,
                        .local = local && local->solve != plu_contact_exact ? local : NULL,
                        .tolerance = local_share * settings->tolerance,
                        .contacts = problem->contacts,
                        .rows = problem->rows,
                        .n = problem->contacts * problem->rows,
                        .through_bodies = bodies_pay(problem)};
    const size_t n = (size_t)g->n, c = (size_t)g->contacts;
    const size_t v = g->through_bodies ? 6 * (size_t)problem->body.bodies : 0;
    const size_t exact = g->local ? 0 : c * (sizeof *g->exact / sizeof(double));
    const size_t h = g->through_bodies ? 12 * n : 0;
    const size_t area = (size_t)(g->rows * g->rows);
    const size_t inverse = g->rows >= 5 && !g->local ? area * c : 0;
    const size_t doubles = 3 * n + c + exact + 2 * v + h + inverse, integers = 3 * c + 1;
    g->memory = plu_alloc(doubles + (integers + 1) / 2, sizeof(double), err);
    if (!g->memory)
        return PLU_IO;
    double *at = g->memory;
    g->exact = (plu_exact_block *)g->memory;
    g->p = at += exact;
    g->before = at += n;
    g->weight = at += n;
    g->state = at += n;
    g->v = at += c;
    g->v_before = at += v;
    g->inverse_h = at += v;
    g->inverse = at += h;
    g->order = (int *)(void *)(at + inverse);
    if (!settings->from_zero)
        memcpy(g->p, problem->guess, n * sizeof *g->p);
    memcpy(g->before, g->p, n * sizeof *g->p);
    for (int i = 0; i < g->contacts; i++)
        g->order[i] = i;
    if (!settings->natural_order)
        plu_block_gs_color(problem, g->order, g->order + c);
    set_blocks(g);
    if (g->through_bodies)
        set_bodies(g);
    plu_block_gs_refresh(g);
    memcpy(g->v_before, g->v, v * sizeof *g->v);
    return PLU_OK;
}

void plu_block_gs_free(plu_block_gs *g)
{
    free(g->memory);
    g->memory = NULL;
}
