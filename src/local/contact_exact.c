/* Local solver "exact". Three rows: the bracketed root of cone/coulomb.h, and where a block without
 * full rank has none, all roots of cone/quartic.h. Five and seven rows: take-off, sticking, Newton
 * with line search, a hundred projected steps and Newton again, and if all of these fail the nested
 * method, which cannot. */
#include "cone/coulomb.h"
#include "local/contact.h"
#include <string.h>

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
    const double nested = plu_contact_nested_run(c, x);
    if (nested < error) {
        memcpy(p, x, (size_t)c->rows * sizeof *p);
        error = nested;
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
