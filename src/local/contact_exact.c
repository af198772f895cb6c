/* Local solver "exact". Three rows: the bracketed root of cone/coulomb.h, and where a block without
 * full rank has none, all roots of cone/quartic.h. Five and seven rows: take-off, sticking, Newton
 * with line search, a hundred projected steps and Newton again, and if all of these fail the nested
 * method, which cannot.
 *
 * The nested method, which cannot fail on positive definite blocks:
 *
 * Outside a scalar, s = r_N. Inside, with s frozen, r_T, m_R and m_P minimize a strictly convex
 * quadratic over disks of radii mu s, mu_r s and mu_p s; each disk alone is a secular equation
 * (cone/tangent_plane.h), and alternating between them converges. Their u_N(s) = q_N + W_NN s +
 * W_NT z(s) is continuous and negative at 0; u_N(s)/s tends to a value >= p.W p > 0, p = (1, z/s):
 * there is a root. That proves that the problem of one contact has a solution for every mu, mu_r
 * and mu_p. */
#include "base/vec3.h"
#include "cone/coulomb.h"
#include "cone/tangent_plane.h"
#include "local/contact.h"
#include <math.h>
#include <string.h>

enum { ALTERNATIONS = 3000, DOUBLINGS = 200, ROOT_STEPS = 200 };

typedef struct nested {
    const plu_local_contact *c;
    plu_plane plane[PLU_DISKS_MAX]; /* blocks of r_T, m_R and m_P */
    double p[PLU_ROWS_MAX];         /* the last inner solution, where the next one starts */
} nested;

/* Minimizes over the disk of pair e (0: r_T, 1: m_R, 2: m_P), the rest of p held; returns how far
 * it went.
 */
static double minimize_pair(nested *s, int e)
{
    const double *w = s->c->w;
    const int n = s->c->rows, i = 1 + 2 * e;
    double b[2], x[2], v[2];
    for (int k = 0; k < 2; k++) {
        const double *row = w + n * (i + k);
        b[k] = s->c->q[i + k] + row[0] * s->p[0];
        for (int j = 1; j < n; j++)
            if (j != i && j != i + 1)
                b[k] += row[j] * s->p[j];
    }
    plu_plane_turn(&s->plane[e], b, v);
    plu_plane_disk(&s->plane[e], v, s->c->mu[e] * s->p[0], x);
    plu_plane_turn_back(&s->plane[e], x, v);
    const double step[2] = {v[0] - s->p[i], v[1] - s->p[i + 1]};
    s->p[i] = v[0];
    s->p[i + 1] = v[1];
    return plu_plane_length(step);
}

/* u_N with the tangential and rolling impulses that belong to r_N = normal. */
static double normal_velocity(nested *s, double normal)
{
    s->p[0] = normal;
    for (int i = 0; i < ALTERNATIONS; i++) {
        double moved = 0.0;
        for (int e = 0; e < s->c->rows / 2; e++)
            moved += minimize_pair(s, e);
        if (moved <= 1e-16 * normal)
            break;
    }
    return s->c->q[0] + plu_dot_n(s->c->rows, s->c->w, s->p);
}

/* Illinois' regula falsi, and bisection when that shrinks the bracket too slowly. */
static void find_root(nested *s, double low, double u_low, double high, double u_high)
{
    const double scale = fabs(s->c->q[0]);
    int side = 0;
    for (int i = 0; i < ROOT_STEPS && high - low > 2e-16 * high; i++) {
        double x = (low * u_high - high * u_low) / (u_high - u_low);
        if (i % 4 == 3 || !(x > low && x < high))
            x = 0.5 * (low + high);
        const double u = normal_velocity(s, x);
        if (fabs(u) <= 1e-16 * scale)
            return;
        if (u < 0.0) {
            low = x;
            u_low = u;
            u_high *= side == -1 ? 0.5 : 1.0;
            side = -1;
        } else {
            high = x;
            u_high = u;
            u_low *= side == 1 ? 0.5 : 1.0;
            side = 1;
        }
    }
}

double plu_contact_nested_run(const plu_local_contact *c, double *p)
{
    const double *w = c->w;
    const int n = c->rows;
    nested s = {.c = c};
    for (int i = 1; i < n; i += 2) {
        const double *row = w + n * i + i;
        s.plane[i / 2] = plu_plane_of(row[0], row[1], row[n], row[n + 1]);
    }
    if (c->q[0] >= 0.0) {
        memset(p, 0, (size_t)n * sizeof *p);
        return 0.0;
    }
    double low = 0.0, u_low = c->q[0], high = -c->q[0] / w[0], u_high = normal_velocity(&s, high);
    for (int i = 0; i < DOUBLINGS && u_high < 0.0; i++) {
        low = high;
        u_low = u_high;
        high *= 2.0;
        u_high = normal_velocity(&s, high);
    }
    find_root(&s, low, u_low, high, u_high);
    memcpy(p, s.p, (size_t)n * sizeof *p);
    return plu_contact_error(c, p);
}

/* --- the solver --- */

enum { NEWTON = 50, PROJECTIONS = 100 };

/* Tries to improve p by Newton's method from `start`; returns the error of p. */
static double better(const plu_local_contact *c, double error, const double *start, double *p)
{
    double x[PLU_ROWS_MAX];
    const size_t size = (size_t)c->rows * sizeof *x;
    memcpy(x, start, size);
    plu_contact_newton_run(c, NEWTON, 0.0, x);
    const double other = plu_contact_error(c, x);
    if (!(other < error))
        return error;
    memcpy(p, x, size);
    return other;
}

/* Projected steps from p, in units in which the diagonal blocks are alike: with p_i = s_i
 * x_i in pair i the cones keep their shape, their mu becoming mu / s_i. */
static void project_some(const plu_local_contact *c, double *p)
{
    const int n = c->rows;
    double w[PLU_ROWS_MAX * PLU_ROWS_MAX], q[PLU_ROWS_MAX], rho[PLU_DISKS_MAX + 1], s[PLU_ROWS_MAX],
        mu[PLU_DISKS_MAX], step = 0.0;
    plu_contact_steps(c, rho);
    for (int i = 0; i < n; i++)
        s[i] = sqrt(rho[(i + 1) / 2] / rho[0]);
    for (int i = 0; i < n; i++) {
        q[i] = s[i] * c->q[i];
        p[i] /= s[i];
        for (int j = 0; j < n; j++)
            w[n * i + j] = s[i] * c->w[n * i + j] * s[j];
    }
    for (int i = 1; i < n; i += 2)
        mu[i / 2] = c->mu[i / 2] / s[i];
    const plu_local_contact scaled = plu_contact_make(n, w, q, mu);
    plu_contact_fixed_point_run(&scaled, PROJECTIONS, &step, p);
    for (int i = 0; i < n; i++)
        p[i] *= s[i];
}

static bool exact_many(const plu_local_contact *c, double *p)
{
    double start[PLU_ROWS_MAX] = {-c->q[0] / c->w[0]}, x[PLU_ROWS_MAX], error = HUGE_VAL;
    if (c->q[0] >= 0.0)
        return plu_contact_is_simple(c, p);
    if (p[0] > 0.0) /* from the sweep before: as a rule near by */
        error = better(c, error, p, p);
    if (error <= PLU_CONTACT_SOLVED || plu_contact_is_simple(c, p))
        return true;
    error = better(c, error, start, p);
    if (error <= PLU_CONTACT_SOLVED)
        return true;
    project_some(c, start);
    error = better(c, error, start, p);
    if (error <= PLU_CONTACT_SOLVED)
        return true;
    const double missed = plu_contact_nested_run(c, x);
    if (missed < error) {
        memcpy(p, x, (size_t)c->rows * sizeof *p);
        error = missed;
    }
    error = better(c, error, x, p);
    return error <= PLU_CONTACT_SOLVED;
}

bool plu_contact_exact(int rows, const double *w, const double *q, const double *mu, double *p,
                       double *state)
{
    const plu_local_contact c = plu_contact_make(rows, w, q, mu);
    bool solved;
    if (plu_contact_drop_disk(&c, plu_contact_exact, p, state, &solved))
        return solved;
    if (rows >= 5)
        return exact_many(&c, p);
    const plu_coulomb block = plu_coulomb_of(w, mu[0]);
    plu_coulomb_solve(&block, q, 1e-9, state, p);
    if (plu_contact_error(&c, p) <= PLU_CONTACT_SOLVED)
        return true;
    /* A block without full rank may have roots although f is negative at both ends. */
    *state = 0.0;
    return plu_contact_quartic_angle(rows, w, q, mu, p, state);
}
