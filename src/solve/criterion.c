#include "solve/criterion.h"
#include <math.h>

static double within(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

/* NaN stays. */
static double worse(double a, double b)
{
    return a > b || isnan(a) ? a : b;
}

double plu_velocity_tau(const plu_errors *e, double tolerance, double fall)
{
    const double rest = fall > 0.0 ? within(e->speed / (PLU_FAST * fall), 0.1, 1.0) : 1.0;
    const double ratio = e->bounce > 0.0 ? fall / e->bounce : 1.0;
    const double impact = within(ratio * ratio, 2e-3, 1.0);
    return tolerance * fmin(rest, impact);
}

double plu_velocity_missed(const plu_errors *e, double tolerance, double fall)
{
    const double tau = plu_velocity_tau(e, tolerance, fall);
    const double scale = fmax(fall, e->change), turmoil = fall > 0.0 ? scale / fall : 1.0;
    const double sinking = e->sinking > 0.0 ? e->sinking / (3.0 * scale * sqrt(turmoil)) : 0.0;
    const double worst = e->worst / 30.0 * sqrt(tau / tolerance);
    return worse(worse(e->velocity, e->heavy), worse(sinking, worst)) / tau;
}
