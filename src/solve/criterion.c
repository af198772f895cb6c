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

/* What is allowed at rest over what is allowed in motion, at least `least`. */
static double rest_share(const plu_errors *e, double fall, double least)
{
    return fall > 0.0 ? within(e->speed / (PLU_FAST * fall), least, 1.0) : 1.0;
}

static double impact_share(const plu_errors *e, double fall)
{
    const double ratio = e->bounce > 0.0 ? fall / e->bounce : 1.0;
    return within(ratio * ratio, 2e-3, 1.0);
}

double plu_velocity_tau(const plu_errors *e, double tolerance, double fall)
{
    return tolerance * fmin(rest_share(e, fall, 0.1), impact_share(e, fall));
}

/* Over what it may be. */
static double sinking_missed(const plu_errors *e, double tolerance, double fall)
{
    if (!(e->sinking > 0.0))
        return e->sinking;
    const double tau = tolerance * fmin(rest_share(e, fall, 0.01), impact_share(e, fall));
    const double scale = fmax(fall, e->change), turmoil = fall > 0.0 ? scale / fall : 1.0;
    return e->sinking / (3.0 * tau * scale * sqrt(turmoil));
}

double plu_velocity_missed(const plu_errors *e, double tolerance, double fall)
{
    const double tau = plu_velocity_tau(e, tolerance, fall);
    const double worst = e->worst / (30.0 * sqrt(tau * tolerance));
    return worse(worse(e->velocity / tau, e->heavy / tau),
                 worse(sinking_missed(e, tolerance, fall), worst));
}
