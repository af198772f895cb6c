/* Local solver "exact". Three rows: the bracketed root of cone/coulomb.h. Five rows: take-off,
 * stick, Newton with line search, thirty projected steps and Newton again, and behind them the
 * method that cannot fail. */
#include "cone/coulomb.h"
#include "solve/contact.h"
#include <string.h>

enum { NEWTON = 50, PROJECTIONS = 30 };

/* Tries to better p from `start`; returns the error of p. */
static double better(const plu_contact *c, double error, const double start[5], double p[5])
{
    double x[5];
    memcpy(x, start, sizeof x);
    const double other = plu_contact_newton_run(c, NEWTON, 0.0, x);
    if (!(other < error))
        return error;
    memcpy(p, x, sizeof x);
    return other;
}

static bool exact_five(const plu_contact *c, double *p)
{
    double start[5] = {-c->q[0] / c->w[0]}, rho = 0.0, x[5], error = HUGE_VAL;
    if (c->q[0] >= 0.0)
        return plu_contact_is_simple(c, p);
    if (p[0] > 0.0) /* from the sweep before: as a rule near by */
        error = better(c, error, p, p);
    if (error <= PLU_CONTACT_SOLVED || plu_contact_is_simple(c, p))
        return true;
    error = better(c, error, start, p);
    if (error <= PLU_CONTACT_SOLVED)
        return true;
    plu_contact_fixed_point_run(c, PROJECTIONS, &rho, start);
    error = better(c, error, start, p);
    if (error <= PLU_CONTACT_SOLVED)
        return true;
    const double nested = plu_contact_nested_run(c, x);
    if (nested < error) {
        memcpy(p, x, sizeof x);
        error = nested;
    }
    error = better(c, error, x, p);
    return error <= PLU_CONTACT_SOLVED;
}

bool plu_contact_exact(int rows, const double *w, const double *q, double mu, double mu_r,
                       double *p, double *state)
{
    const plu_contact c = {rows, w, q, {mu, mu_r}};
    bool solved;
    if (plu_contact_drop_disk(&c, plu_contact_exact, p, state, &solved))
        return solved;
    if (rows == 5)
        return exact_five(&c, p);
    const plu_coulomb block = plu_coulomb_of(w, mu);
    plu_coulomb_solve(&block, q, 1e-9, state, p);
    return plu_contact_error(&c, p) <= PLU_CONTACT_SOLVED;
}
