#include "solve/criterion.h"
#include <float.h>
#include <math.h>

/* What an island at rest may keep of the errors of one in motion. */
static const double least_velocity = 0.03, least_sinking = 0.01;
static const double elastic_share = 2e-3, overlap_share = 0.05;
/* Ratios of radii between which the share of overlaps falls in proportion. */
static const double nearly_equal = 4.0, most_unequal = 10.0;

static double within(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

/* The larger of a and b; NaN if one of them is. */
static double worse(double a, double b)
{
    return a > b || isnan(a) ? a : b;
}

/* The share of rest (criterion.h): the allowed error over that of an island in motion. */
static double rest_share(double speed, double fall, double least)
{
    return fall > 0.0 ? within(speed / (PLU_FAST * fall), least, 1.0) : 1.0;
}

/* The share of bounces (criterion.h): the allowed error over that without restitution. */
static double impact_share(const plu_errors *e, const plu_solve_settings *s)
{
    const double lost = 1.0 - s->restitution * s->restitution;
    const double many = fmin(1.0, 1e-3 * e->contacts); /* errors that average out */
    const double ratio = e->bounce > 0.0 ? e->fall / e->bounce : 1.0;
    return within(ratio * ratio, fmax(elastic_share, 0.5 * lost * many), 1.0);
}

double plu_velocity_tau(const plu_errors *e, const plu_solve_settings *s)
{
    return s->tolerance * fmin(rest_share(e->speed, e->fall, least_velocity), impact_share(e, s));
}

/* The overlap that errors may cause in a step, over the smaller diameter. Small grains are pressed
 * into large ones for many steps, with an error of the same sign in each. */
static double most_overlap(const plu_solve_settings *s)
{
    return overlap_share * s->tolerance * nearly_equal /
           within(s->unequal, nearly_equal, most_unequal);
}

/* By how much more may be left unsupported in a step that changes velocities by `turmoil` times g
 * h. `share`: of rest; 1 in flows and falls. */
static double turmoil_share(double turmoil, double share)
{
    const double root = sqrt(turmoil);
    return turmoil * root * (1.0 + share * (root - 1.0));
}

static double most_sinking(const plu_errors *e, const plu_solve_settings *s)
{
    const double few = within(1e-3 * e->contacts, 0.1, 1.0);
    const double fall = e->fall, rest = rest_share(e->drift, fall, least_sinking);
    const double tau = s->tolerance * few * fmin(rest, impact_share(e, s));
    const double turmoil = fall > 0.0 ? fmax(1.0, e->change / fall) : 1.0;
    const double scale = fall > 0.0 ? fall : e->change;
    return 3.0 * tau * scale * turmoil_share(turmoil, rest);
}

/* `sinking` over its limit. */
static double sinking_missed(const plu_errors *e, const plu_solve_settings *s)
{
    return e->sinking > 0.0 ? e->sinking / most_sinking(e, s) : e->sinking;
}

double plu_velocity_rounding(const plu_errors *e, const plu_solve_settings *s)
{
    return 8.0 * FLT_EPSILON * e->raw /
           (plu_velocity_tau(e, s) * fmax(e->fall, e->change) + DBL_MIN);
}

double plu_velocity_pressed(const plu_errors *e, const plu_solve_settings *s)
{
    return e->pressed > 0.0 ? e->pressed / most_sinking(e, s) : 0.0;
}

double plu_velocity_missed(const plu_errors *e, const plu_solve_settings *s)
{
    const double tau = plu_velocity_tau(e, s);
    const double worst = e->worst / (30.0 * sqrt(tau * s->tolerance));
    const double open = s->bond > 0.0 ? e->opening / s->bond : 0.0;
    const double overlap = 0.5 * s->step * e->closing / most_overlap(s);
    return worse(worse(e->velocity / tau, e->heavy / tau),
                 worse(sinking_missed(e, s), worse(worse(worst, overlap), open)));
}

void plu_velocity_take(const plu_errors *e, const plu_solve_settings *s, plu_island_result *r)
{
    r->missed = plu_velocity_missed(e, s);
    r->converged = r->missed <= 1.0;
    r->tolerance = s->tolerance;
    r->velocity = e->velocity;
    r->sinking = e->sinking;
    r->residuals = (plu_residuals){e->scaled, NAN};
}

plu_errors plu_velocity_judge(const plu_problem *problem, plu_island *island,
                              const plu_solve_settings *s, bool last, plu_island_result *r)
{
    const plu_errors e = plu_problem_errors(problem, island, s->pull, last);
    plu_velocity_take(&e, s, r);
    return e;
}
