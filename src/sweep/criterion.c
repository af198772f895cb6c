/* When an island is solved: each error of blocks/errors.c over what is allowed of it; the largest
 * of these numbers is `missed`, at most 1 where the sweeps end (formulas: criterion.h, and
 * src/solving.md, "When a step is solved").
 *
 *     error      is large where                             allowed
 *     velocity   light bodies are under heavy ones          tau                   rms of e_c / s_c
 *     heavy      a boulder has few of the many contacts     tau                   weighed by mass
 *     worst      a single contact is wrong                  30 sqrt(tau tolerance)
 *     sinking    many layers err a little, all alike        3 tau g h d           work over weight
 *     closing    small grains are hit fast                  overlap of the step
 *     opening    bonds hold                                 `bond`
 *
 *     tau = tolerance x min(rest, impact)
 *           rest    0.3 speed / (g h): an error is a speed, so what hardly moves must err by
 *                   less, or it creeps on; in flows 1
 *           impact  (g h / bounce)^2: what an error of an elastic impact makes is energy
 *
 * Islands that a stress presses have no weight to compare with: there the work of the errors stands
 * in for `sinking`, against the work of friction in the step (allowed_work). NaN is never solved:
 * `worse` passes it on, and no comparison with it is true. */
#include "sweep/criterion.h"
#include "base/strategy.h"
#include <float.h>
#include <math.h>

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

/* The least work of friction that counts (J): that strain times sum p_N d / h. The time above is
 * sqrt(m d^2 h / (p_N d)), about half a diameter over sqrt(stress / density). */
static double least_rubbed(const plu_errors *e, const plu_solve_settings *s)
{
    const double held = fmax(e->held, 0.0);
    if (!(held > 0.0 && e->span > 0.0))
        return 0.0;
    const double y = sqrt(s->step * held / e->span);
    return fmax(slow_strain * fmin(1.0, slow_time / y), fast_strain * y) * held / s->step;
}

/* The work of friction that the errors are compared with (J). */
static double counted_rubbed(const plu_errors *e, double least)
{
    const double rubbed = fmax(e->rubbed, 0.0);
    return fmax(rubbed + fmin(least, least_share * rubbed), least);
}

/* How much larger single errors of velocities may be in driven islands, whose work bounds them: not
 * where bodies still fall together, for there errors decide in which of its states a bed ends. */
static double driven_factor(const plu_errors *e, const plu_solve_settings *s)
{
    const double rubbed = fmax(e->rubbed, 0.0) + least_rubbed(e, s);
    return within(driven_share * rubbed / (e->struck + DBL_MIN), 1.0, driven_share);
}

double plu_velocity_tau(const plu_errors *e, const plu_solve_settings *s)
{
    const double rest = rest_share(e->speed, e->fall, least_velocity);
    return s->tolerance *
           fmin(e->driven ? fmin(driven_factor(e, s) * rest, 1.0) : rest, impact_share(e, s));
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

/* Errors of islands of less than a thousand contacts may be smaller. */
static double few_share(const plu_errors *e)
{
    return within(1e-3 * e->contacts, 0.1, 1.0);
}

static double most_sinking(const plu_errors *e, const plu_solve_settings *s, double fall)
{
    const double few = few_share(e);
    const double rest = rest_share(e->drift, fall, least_sinking);
    const double tau = s->tolerance * few * fmin(rest, impact_share(e, s));
    const double turmoil = fall > 0.0 ? fmax(1.0, e->change / fall) : 1.0;
    const double scale = fall > 0.0 ? fall : e->change;
    return 3.0 * tau * scale * turmoil_share(turmoil, rest);
}

/* *net: of the signed sum. Both in J. */
static double allowed_work(const plu_errors *e, const plu_solve_settings *s, double *net)
{
    const double tau = fmin(s->tolerance, most_tolerance) * impact_share(e, s);
    const double struck = e->pull > 0.0 ? most_sinking(e, s, e->pull) * e->weight
                                        : most_struck * tau * few_share(e) * e->struck;
    const double least = least_rubbed(e, s), rubbed = counted_rubbed(e, least);
    *net = most_net * tau * rubbed + struck;
    return most_work * tau * (rubbed + settling * fmin(e->struck, least)) + struck;
}

/* By how much more the errors of a bed that flows slowly may be after so many sweeps. What creeps
 * by its errors alone has no more work of friction than they do with their sign. */
static double flow_share(const plu_errors *e, int sweeps)
{
    const bool flows = e->contacts > PLU_FALLBACK_CONTACTS && e->rubbed >= e->work &&
                       e->rubbed >= flow_rubbed * fabs(e->net);
    return flows ? within(sweeps / flow_sweeps, 1.0, flow_most) : 1.0;
}

/* `sinking` over its limit after so many sweeps. */
static double sinking_missed(const plu_errors *e, const plu_solve_settings *s, int sweeps)
{
    if (!(e->sinking > 0.0))
        return e->sinking;
    if (!e->driven)
        return e->sinking / (most_sinking(e, s, e->fall) * flow_share(e, sweeps));
    double net;
    const double work = allowed_work(e, s, &net);
    return fmax(e->work / (work * within(sweeps / work_sweeps, 1.0, work_most)),
                fabs(e->net) / (net * within(sweeps / net_sweeps, 1.0, net_most)));
}

double plu_velocity_rounding(const plu_errors *e, const plu_solve_settings *s)
{
    return 8.0 * FLT_EPSILON * e->raw /
           (plu_velocity_tau(e, s) * fmax(e->fall, e->change) + DBL_MIN);
}

double plu_velocity_pressed(const plu_errors *e, const plu_solve_settings *s)
{
    double net;
    if (e->driven && e->strain > 0.0)
        return e->strain / allowed_work(e, s, &net);
    return e->pressed > 0.0 ? e->pressed / most_sinking(e, s, e->fall) : 0.0;
}

static double missed_by(const plu_errors *e, const plu_solve_settings *s, int sweeps)
{
    const double tau = plu_velocity_tau(e, s);
    const double worst = e->worst / (30.0 * sqrt(tau * s->tolerance));
    const double open = s->bond > 0.0 ? e->opening / s->bond : 0.0;
    const double overlap = 0.5 * s->step * e->closing / most_overlap(s);
    const double speeds = worse(worse(e->velocity / tau, e->heavy / tau), worst);
    const double lasting = worse(sinking_missed(e, s, sweeps), worse(overlap, open));
    if (e->driven && !(e->fall > 0.0)) /* there is no scale of velocities */
        return lasting;
    return worse(speeds, lasting) / (e->lone && !e->driven && e->pull > 0.0 ? lone_share : 1.0);
}

double plu_velocity_missed(const plu_errors *e, const plu_solve_settings *s)
{
    return missed_by(e, s, 0);
}

void plu_velocity_take(const plu_errors *e, const plu_solve_settings *s, plu_island_result *r)
{
    r->missed = missed_by(e, s, r->iterations);
    r->converged = r->missed <= 1.0;
    r->tolerance = s->tolerance;
    r->velocity = e->velocity;
    r->sinking = e->sinking;
    r->driven = e->driven;
    r->residuals = (plu_residuals){e->scaled, NAN};
}

void plu_pressed_judge(const plu_problem *problem, plu_island *island, const plu_solve_settings *s,
                       plu_island_result *r)
{
    if (problem->servos_count == 0 && plu_fall(s) > 0.0)
        return;
    plu_solve_settings usual = *s;
    usual.tolerance = most_tolerance;
    const plu_errors e = plu_problem_errors(problem, island, s->pull, false);
    r->driven = e.driven;
    if (!e.driven)
        return;
    r->missed = worse(r->missed, sinking_missed(&e, &usual, r->iterations));
    r->converged = r->converged && r->missed <= 1.0;
}

plu_errors plu_velocity_judge(const plu_problem *problem, plu_island *island,
                              const plu_solve_settings *s, bool last, plu_island_result *r)
{
    const plu_errors e = plu_problem_errors(problem, island, s->pull, last);
    plu_velocity_take(&e, s, r);
    return e;
}
