/* Local solver "extragradient": predictor x = P_K(p - rho y^(p)), corrector p <- P_K(p - rho
 * y^(x)), AB21 (65), on one contact. The step length follows rho |y^(p) - y^(x)| <= L |p - x|, here
 * with the modified velocities. */
#include "base/vec3.h"
#include "local/contact.h"
#include <math.h>
#include <string.h>

enum { ITERATIONS = 1000, REDUCTIONS = 100 };
static const double shrink = 2.0 / 3.0, upper = 0.9, lower = 0.3, tolerance = 1e-14;

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
    const plu_local_contact c = plu_contact_make(rows, w, q, mu);
    return plu_contact_is_simple(&c, p) || iterate_extragradient(&c, tolerance, p, state);
}

bool plu_contact_extragradient_near(int rows, const double *w, const double *q, const double *mu,
                                    double end, double *p, double *state)
{
    const plu_local_contact c = plu_contact_make(rows, w, q, mu);
    return plu_contact_is_simple(&c, p) ||
           iterate_extragradient(&c, plu_max(end, tolerance), p, state);
}
