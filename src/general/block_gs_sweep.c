/* The sweep over the contacts of a general problem. A visit of contact c needs q- = y_c - W_cc p_c,
 * what all others do to it, in one of two forms with the same result:
 *
 *     block rows         q- = q_c + sum over c' != c of W_cc' p_c'
 *     through bodies     q- = H_c^T v + w_c - W_cc p_c ;   after it v += M^-1 H_c (p' - p)
 *
 * and solves the contact alone:
 *
 *     3 rows                        the bracketed root of cone/coulomb.h
 *     two spheres                   closed forms (local/exact_lanes.h)
 *     else      sticks?             p = -W_cc^-1 q-, if that is in the cone
 *               one or two Newton   more would be wasted while other contacts still change
 *               the safe method     where its error does not fall (local/contact_exact.c)
 *
 * The loops are written once for any number of rows and made for 3, 5 and 7 by inlining. */
#include "base/vec3.h"
#include "general/block_gs.h"
#include "general/own_solver.h"
#include "local/contact.h"
#include "local/local.h"
#include <math.h>
#include <string.h>

enum { NEAR_STEPS = 6 };
#define NEAR_REDUCTION 0.1
#define NEAR_ERROR 0.1

#define INLINE static inline __attribute__((always_inline))

/* q += W_cb p_b over the blocks from `begin` to `end`. */
INLINE void add_blocks(const plu_contact_problem *problem, int d, int begin, int end,
                       const double *p, double *q)
{
    for (int b = begin; b < end; b++) {
        const double *block = problem->w.block + (size_t)b * (size_t)(d * d);
        const double *x = p + (size_t)problem->w.column[b] * (size_t)d;
        for (int i = 0; i < d; i++) {
            double sum = block[i * d] * x[0];
            for (int j = 1; j < d; j++)
                sum += block[i * d + j] * x[j];
            q[i] += sum;
        }
    }
}

INLINE void local_q_by_rows(const plu_block_gs *g, int d, int c, double *q)
{
    const plu_contact_problem *problem = g->problem;
    const plu_block_rows *w = &problem->w;
    memcpy(q, problem->q + c * d, (size_t)d * sizeof *q);
    add_blocks(problem, d, w->start[c], w->diagonal[c], g->p, q);
    add_blocks(problem, d, w->diagonal[c] + 1, w->start[c + 1], g->p, q);
}

INLINE void local_q_through_bodies(const plu_block_gs *g, int d, int c, double *q)
{
    const plu_body_form *body = &g->problem->body;
    const double *w = g->problem->w.block + (size_t)g->problem->w.diagonal[c] * (size_t)(d * d);
    const double *p = g->p + c * d;
    for (int i = 0; i < d; i++) {
        q[i] = body->w[c * d + i];
        for (int j = 0; j < d; j++)
            q[i] -= w[i * d + j] * p[j];
    }
    for (int e = 0; e < 2; e++) {
        if (body->pairs[c][e] < 0)
            continue;
        const double *h = body->h[c][e], *v = g->v + (size_t)body->pairs[c][e] * 6;
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < d; j++)
                q[j] += h[i * d + j] * v[i];
    }
}

INLINE void push_bodies(plu_block_gs *g, int d, int c, const double *dp)
{
    const plu_body_form *body = &g->problem->body;
    for (int e = 0; e < 2; e++) {
        if (body->pairs[c][e] < 0)
            continue;
        const double *h = g->inverse_h + (size_t)(2 * c + e) * (size_t)(6 * d);
        double *v = g->v + (size_t)body->pairs[c][e] * 6;
        for (int i = 0; i < 6; i++) {
            double sum = h[i * d] * dp[0];
            for (int j = 1; j < d; j++)
                sum += h[i * d + j] * dp[j];
            v[i] += sum;
        }
    }
}

/* Two spheres in the frame (n, t1, t2) of their contact: normal e_x, so that J is that of the
 * block.
 */
INLINE void solve_spheres(int d, const plu_local *block, const double *q, double *p)
{
    const double pivoting = d == 7 ? q[5] : 0.0;
    const double q7[7] = {q[0], 0.0, q[1], q[2], pivoting, q[3], q[4]};
    double p7[7] = {0};
    plu_local_exact(block, q7, p7);
    p[0] = p7[0];
    p[1] = p7[2];
    p[2] = p7[3];
    p[3] = p7[5];
    p[4] = p7[6];
    if (d == 7) {
        p[5] = p7[4];
        p[6] = 0.0;
    }
}

/* Stick without rolling and pivoting, p = -W_cc^-1 q in K; false when it is not that. */
INLINE bool sticks(int d, const plu_local_contact *contact, const double *inverse, double *p)
{
    double x[PLU_ROWS_MAX] = {0};
    for (int i = 0; i < d; i++)
        x[i] = -plu_dot_n(d, inverse + d * i, contact->q);
    if (!(x[0] > 0.0))
        return false;
    for (int i = 1; i < d; i += 2) {
        const double radius = contact->mu[i / 2] * x[0];
        if (!(x[i] * x[i] + x[i + 1] * x[i + 1] <= radius * radius))
            return false;
    }
    memcpy(p, x, (size_t)d * sizeof *p);
    return true;
}

/* One or two Newton steps from the present impulse. More would be wasted while other contacts still
 * change, and near the solution one step squares the error. If the error does not fall, the full
 * local solver is called. */
static void solve_near(const plu_local_contact *contact, double *p, double *state)
{
    double x[PLU_ROWS_MAX];
    memcpy(x, p, (size_t)contact->rows * sizeof *x);
    if (p[0] > 0.0 && contact->q[0] < 0.0 && contact->mu[0] > 0.0 && contact->mu[1] > 0.0 &&
        plu_contact_newton_run(contact, NEAR_STEPS, NEAR_REDUCTION, x) <= NEAR_ERROR)
        memcpy(p, x, (size_t)contact->rows * sizeof *p);
    else
        plu_contact_exact(contact->rows, contact->w, contact->q, contact->mu, p, state);
}

INLINE void solve_contact(plu_block_gs *g, int d, bool exact, int c, const double *q, double *p)
{
    const plu_contact_problem *problem = g->problem;
    if (exact && d == 3) {
        plu_coulomb_solve(&g->exact[c].coulomb, q, NEAR_REDUCTION, &g->state[c], p);
        return;
    }
    if (exact && g->exact[c].spheres.wn > 0.0) {
        solve_spheres(d, &g->exact[c].spheres, q, p);
        return;
    }
    const double *w = problem->w.block + (size_t)problem->w.diagonal[c] * (size_t)(d * d);
    const plu_local_contact contact = {d, w, q, PLU_CONTACT_SLOPES(problem, c)};
    double x[PLU_ROWS_MAX];
    memcpy(x, p, (size_t)d * sizeof *x);
    if (exact && !sticks(d, &contact, g->inverse + (size_t)c * (size_t)(d * d), x))
        solve_near(&contact, x, &g->state[c]);
    else if (!exact)
        (void)plu_local_call(g->local, d, w, q, contact.mu, g->tolerance, x, &g->state[c]);
    bool finite = true; /* a method that broke down leaves the contact as it was */
    for (int i = 0; i < d; i++)
        finite = finite && isfinite(x[i]);
    if (finite)
        memcpy(p, x, (size_t)d * sizeof *p);
}

INLINE plu_block_sweep sweep_all(plu_block_gs *g, int d, bool bodies, bool exact)
{
    plu_block_sweep s = {0};
    for (int k = 0; k < g->contacts; k++) {
        const int c = g->order[k];
        double q[PLU_ROWS_MAX], x[PLU_ROWS_MAX], dp[PLU_ROWS_MAX], *p = g->p + c * d;
        const double *weight = g->weight + c * d, *before = g->before + c * d;
        (bodies ? local_q_through_bodies : local_q_by_rows)(g, d, c, q);
        memcpy(x, p, (size_t)d * sizeof *x);
        solve_contact(g, d, exact, c, q, p);
        for (int i = 0; i < d; i++) {
            dp[i] = p[i] - x[i];
            s.change += weight[i] * dp[i] * dp[i];
            s.size += weight[i] * p[i] * p[i];
            s.momentum += weight[i] * dp[i] * (x[i] - before[i]);
        }
        if (bodies)
            push_bodies(g, d, c, dp);
    }
    return s;
}

plu_block_sweep plu_block_gs_sweep(plu_block_gs *g)
{
    const bool b = g->through_bodies, exact = !g->local;
    if (g->rows == 3)
        return b ? (exact ? sweep_all(g, 3, true, true) : sweep_all(g, 3, true, false))
                 : (exact ? sweep_all(g, 3, false, true) : sweep_all(g, 3, false, false));
    if (g->rows == 7)
        return b ? (exact ? sweep_all(g, 7, true, true) : sweep_all(g, 7, true, false))
                 : (exact ? sweep_all(g, 7, false, true) : sweep_all(g, 7, false, false));
    return b ? (exact ? sweep_all(g, 5, true, true) : sweep_all(g, 5, true, false))
             : (exact ? sweep_all(g, 5, false, true) : sweep_all(g, 5, false, false));
}

static void move_on(double *x, double *before, int n, double beta)
{
    for (int i = 0; i < n; i++) {
        const double now = x[i];
        x[i] += beta * (now - before[i]);
        before[i] = now;
    }
}

void plu_block_gs_extrapolate(plu_block_gs *g, double beta)
{
    move_on(g->p, g->before, g->n, beta);
    if (g->through_bodies)
        move_on(g->v, g->v_before, 6 * g->problem->body.bodies, beta);
}

void plu_block_gs_refresh(plu_block_gs *g)
{
    if (!g->through_bodies)
        return;
    memcpy(g->v, g->problem->body.v_free, 6 * (size_t)g->problem->body.bodies * sizeof *g->v);
    for (int c = 0; c < g->contacts; c++)
        push_bodies(g, g->rows, c, g->p + c * g->rows);
}
