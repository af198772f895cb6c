/* Local solvers by projected steps, "projection" and "extragradient".
 *
 *     projection      p <- P_K(p - rho y^(p))                                  AB21 (64)
 *     extragradient   x = P_K(p - rho y^(p)),  p <- P_K(p - rho y^(x))         AB21 (65)
 *
 * on one contact of any block, with y^ = y + sum_e mu_e |y_e| e_N: where p does not move it is a
 * solution. Both step lengths adapt themselves (Khobotov, USSR Comput. Math. Math. Phys. 27 (1987)
 * 120): rho shrinks by 2/3 until
 *
 *     rho |y(p) - y(p_k)| <= 0.9 |p - p_k| ,
 *
 * and grows again where the left side is below 0.3 |p - p_k| (the first: and steps become shorter).
 * The first one compares unmodified velocities, the second modified ones. Both start from one over
 * a bound of W: that of Gershgorin for the largest eigenvalue, and the largest diagonal element. */
#include "base/vec3.h"
#include "local/contact.h"
#include <math.h>
#include <string.h>

enum { ITERATIONS = 1000, REDUCTIONS = 100 };
static const double shrink = 2.0 / 3.0, upper = 0.9, lower = 0.3, tolerance = 1e-14;

/* One over Gershgorin's bound of the largest eigenvalue. */
static double first_step(const plu_local_contact *c)
{
    double bound = 0.0;
    for (int i = 0; i < c->rows; i++) {
        double row = 0.0;
        for (int j = 0; j < c->rows; j++)
            row += fabs(c->w[i * c->rows + j]);
        bound = plu_max(bound, row);
    }
    return 1.0 / bound;
}

/* Until a step is `end` |p|. */
static bool iterate_projection(const plu_local_contact *c, int iterations, double end, double *rho,
                               double *p)
{
    const int n = c->rows;
    double y[PLU_ROWS_MAX], x[PLU_ROWS_MAX], yx[PLU_ROWS_MAX],
        last = INFINITY, r = *rho > 0.0 ? *rho : first_step(c);
    plu_contact_velocity(c, p, y);
    for (int k = 0; k < iterations; k++) {
        double raised[PLU_ROWS_MAX], dy = 0.0, dp = 0.0;
        memcpy(raised, y, sizeof y);
        plu_contact_raise(c, raised);
        for (int trial = 0; trial < REDUCTIONS; trial++, r *= shrink) {
            for (int i = 0; i < n; i++)
                x[i] = p[i] - r * raised[i];
            plu_contact_project(c, x);
            plu_contact_velocity(c, x, yx);
            dy = plu_distance_n(n, yx, y);
            dp = plu_distance_n(n, x, p);
            if (r * dy <= upper * dp)
                break;
        }
        memcpy(p, x, (size_t)n * sizeof *p);
        memcpy(y, yx, sizeof y);
        *rho = r;
        if (dp <= end * plu_norm_n(n, p))
            return true;
        if (r * dy < lower * dp && dp < last)
            r /= shrink;
        last = dp;
    }
    return false;
}

bool plu_contact_fixed_point_run(const plu_local_contact *c, int iterations, double *rho, double *p)
{
    return iterate_projection(c, iterations, tolerance, rho, p);
}

bool plu_contact_projection(int rows, const double *w, const double *q, const double *mu, double *p,
                            double *state)
{
    return plu_contact_projection_near(rows, w, q, mu, tolerance, p, state);
}

bool plu_contact_projection_near(int rows, const double *w, const double *q, const double *mu,
                                 double end, double *p, double *state)
{
    const plu_local_contact c = plu_contact_make(rows, w, q, mu);
    return plu_contact_is_simple(&c, p) ||
           iterate_projection(&c, ITERATIONS, plu_max(end, tolerance), state, p);
}

/* "extragradient": predictor x = P_K(p - rho y^(p)), corrector p <- P_K(p - rho
 * y^(x)), AB21 (65), on one contact. The step length follows rho |y^(p) - y^(x)| <= L |p - x|, here
 * with the modified velocities. */

static void raised_velocity(const plu_local_contact *c, const double *p, double *y)
{
    plu_contact_velocity(c, p, y);
    plu_contact_raise(c, y);
}

/* x = P_K(p - rho y); |x - p| */
static double project_step(const plu_local_contact *c, const double *p, double rho, const double *y,
                           double *x)
{
    for (int i = 0; i < c->rows; i++)
        x[i] = p[i] - rho * y[i];
    plu_contact_project(c, x);
    return plu_distance_n(c->rows, x, p);
}

/* Until a step is `end` |p|. */
static bool iterate_extragradient(const plu_local_contact *c, double end, double *p, double *state)
{
    const int rows = c->rows;
    double y[PLU_ROWS_MAX], x[PLU_ROWS_MAX], yx[PLU_ROWS_MAX], diagonal = 0.0;
    for (int i = 0; i < rows; i++)
        diagonal = plu_max(diagonal, c->w[i * rows + i]);
    double rho = *state > 0.0 ? *state : 1.0 / diagonal;
    for (int k = 0; k < ITERATIONS; k++) {
        double dy = 0.0, dp = 0.0;
        raised_velocity(c, p, y);
        for (int trial = 0; trial < REDUCTIONS; trial++, rho *= shrink) {
            dp = project_step(c, p, rho, y, x);
            raised_velocity(c, x, yx);
            dy = 0.0;
            for (int i = 0; i < rows; i++)
                dy += (yx[i] - y[i]) * (yx[i] - y[i]);
            dy = sqrt(dy);
            if (rho * dy <= upper * dp)
                break;
        }
        *state = rho;
        const double moved = project_step(c, p, rho, yx, x);
        memcpy(p, x, (size_t)rows * sizeof *p);
        if (moved <= end * plu_norm_n(rows, p))
            return true;
        if (rho * dy < lower * dp)
            rho /= shrink;
    }
    return false;
}

bool plu_contact_extragradient(int rows, const double *w, const double *q, const double *mu,
                               double *p, double *state)
{
    return plu_contact_extragradient_near(rows, w, q, mu, tolerance, p, state);
}

bool plu_contact_extragradient_near(int rows, const double *w, const double *q, const double *mu,
                                    double end, double *p, double *state)
{
    const plu_local_contact c = plu_contact_make(rows, w, q, mu);
    return plu_contact_is_simple(&c, p) ||
           iterate_extragradient(&c, plu_max(end, tolerance), p, state);
}
