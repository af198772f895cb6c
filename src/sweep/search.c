/* When to look whether an island is solved. A check computes all errors, which costs a sweep or
 * more; a sweep too many costs one as well. Errors fall about as a power of the number k of sweeps:
 *
 *     log missed
 *       |  x  k_1                      power = log(m_1 / m_2) / log(k_2 / k_1)
 *       |      `.
 *       |        x  k_2                k_3   = k_2 (m_2 / goal)^(1 / power), at most twice k_2
 *       |          ` .                         (after the first estimate in floats four times)
 *       |-------------- x ----- 1
 *       '------------------------ log k
 *
 * In floats an estimate comes first, from the floats themselves (plu_single_errors), and the errors
 * in doubles only once it passes: rounding can only hide errors where impulses are far larger than
 * what they leave (`pressed`), which the estimate knows as well. By residuals there is a cheaper
 * sign: the change of a sweep over the size of p is about the scaled residual. */
#include "sweep/search.h"
#include "base/strategy.h"
#include "sweep/criterion.h"
#include <float.h>
#include <limits.h>
#include <math.h>

double plu_search_tolerance(plu_search *x, const plu_sweep_sums *sweep)
{
    const plu_solve_settings *s = x->settings;
    if (s->natural || !s->deep || plu_fall(s) <= 0.0 || sweep->size <= 0.0)
        return s->tolerance;
    plu_engine_state *w = &x->state;
    if (w->mass < 0.0)
        w->mass = plu_problem_mass(w->problem, w->island);
    const double share = PLU_DEEP * (plu_fall(s) * w->mass) / sqrt(sweep->size);
    return s->tolerance * fmin(fmax(share, PLU_LEAST_SHARE), 1.0);
}

/* Of the island, over g h: grows as the square of the number of layers. */
static double load_of(const plu_errors *e)
{
    return e->fall > 0.0 ? e->pressed / e->fall : HUGE_VAL;
}

void plu_search_judge(plu_search *x, const plu_sweep_sums *sweep, bool likely)
{
    plu_island_result *r = x->result;
    const plu_solve_settings *s = x->settings;
    const plu_engine_state *w = &x->state;
    const bool natural = s->natural || !w->island->tiled;
    plu_engine_give(w);
    r->checks++;
    if (s->velocity) {
        const plu_errors e = plu_velocity_judge(w->problem, w->island, s, likely, r);
        x->blurred = w->engine->finer && plu_velocity_rounding(&e, s) > most_rounding;
        if (!w->engine->finer)
            x->load = load_of(&e);
    } else {
        r->tolerance = plu_search_tolerance(x, sweep);
        r->residuals = plu_problem_residual(w->problem, w->island, natural, true);
        r->missed = (s->natural ? r->residuals.natural : r->residuals.scaled) / r->tolerance;
        r->converged = r->missed <= 1.0;
        plu_pressed_judge(w->problem, w->island, s, r);
    }
}

/* Computes the errors from the floats: whether they are small enough for a check of the true
 * errors, which costs four times as much. True if an error is NaN, so that the check sees it.
 * *safe: the true errors need no check, because rounding hides less than floats are uncertain by
 * anyway, or not much and errors are far below what is allowed. */
static bool estimate_passes(plu_search *x, double allowed, bool *safe)
{
    const plu_solve_settings *s = x->settings;
    const plu_errors e = x->state.engine->errors(&x->state);
    plu_velocity_take(&e, s, x->result);
    const double hidden = FLT_EPSILON * plu_velocity_pressed(&e, s);
    x->load = load_of(&e);
    x->blurred = plu_velocity_rounding(&e, s) > most_rounding || hidden > most_pressed;
    const double share = hidden <= float_noise ? 1.0 : settled_share;
    *safe = !x->blurred && x->result->missed <= share && hidden <= most_hidden;
    return !(x->result->missed > allowed * (1.0 - float_noise));
}

/* Whether the true residual may be small enough by now. The scaled residual is about the relative
 * change of a sweep, which costs nothing; the other residuals have no such estimate. */
static bool may_pass(plu_search *x, const plu_sweep_sums *sweep, double estimate)
{
    const plu_solve_settings *s = x->settings;
    const double early =
        x->state.island->tiled ? tile_estimate : 1.0; /* estimates are of a tile's first sweep */
    return s->natural || s->velocity ||
           (estimate <= early * s->tolerance && estimate <= early * plu_search_tolerance(x, sweep));
}

void plu_checks_plan(plu_checks *c, int now, double missed, bool cheap)
{
    const struct plu_planning *how = cheap ? &planned_estimates : &planned_checks;
    const double leap = c->last > 0 ? how->leap : how->first_leap;
    double power = how->power;
    c->falls = c->last > 0 && missed < c->missed;
    if (c->falls) {
        power = log(c->missed / missed) / log((double)now / c->last);
        c->falls = power >= least_power;
        power = fmin(fmax(power, least_power), most_power);
    }
    const double sweeps = now * fmax(fmin(pow(missed / how->goal, 1.0 / power), leap), how->spared);
    c->last = now;
    c->missed = missed;
    c->next = (int)sweeps + 1;
}

/* Sets the number of sweeps at which to check again; `cheap` as for plu_checks_plan. */
static void plan_check(plu_search *x, bool cheap)
{
    const int now = x->result->iterations;
    if (!x->settings->velocity)
        x->checks.next = now + 1 + now / CHECKED_EVERY;
    else
        plu_checks_plan(&x->checks, now, x->result->missed, cheap);
    if (x->result->driven && now >= RESTLESS && x->checks.next > now + now / WAITS)
        x->checks.next = now + now / WAITS;
    if (now < x->settings->min_iterations) /* too early to tell */
        x->checks.next = x->settings->min_iterations;
}

static int most_sweeps(const plu_search *x)
{
    const int most = x->settings->max_iterations;
    return x->result->driven && most >= MANY && most <= INT_MAX / PATIENCE ? PATIENCE * most : most;
}

bool plu_search_finished(plu_search *x, const plu_sweep_sums *sweep)
{
    const plu_solve_settings *s = x->settings;
    plu_island_result *r = x->result;
    const double estimate = sqrt(sweep->change / (sweep->size > 0.0 ? sweep->size : 1.0));
    const bool unchanged = estimate <= no_change;
    const bool last = r->iterations >= most_sweeps(x) || plu_gives_up(s);
    /* A check passes over all contacts once more, so there are few. */
    bool due = unchanged || last;
    if (!due && r->iterations >= s->min_iterations && r->iterations >= x->checks.next)
        due = may_pass(x, sweep, estimate);
    const bool estimates = s->velocity && x->state.engine->errors && !last && !unchanged;
    /* A large bed at rest hardly changes in its first sweeps, and need not wait for the least. */
    const bool at_rest = !due && estimates && x->state.island->large &&
                         r->iterations < s->min_iterations && x->checks.last == 0 &&
                         estimate <= settled_change;
    if (!due && !at_rest)
        return false;
    const double allowed = at_rest ? settled_share : 1.0;
    bool safe = false;
    /* First in floats, which cost as much as a sweep: where they say no, doubles would as well. */
    if (estimates && !estimate_passes(x, allowed, &safe)) {
        plan_check(x, true);
        return false;
    }
    /* Where they are small beyond what rounding could hide, doubles are not asked. */
    if (safe && (at_rest || r->iterations >= s->min_iterations)) {
        plu_engine_give(&x->state);
        return true;
    }
    plu_search_judge(x, sweep,
                     estimates || last || unchanged || x->checks.last > 0 ||
                         estimate <= at_rest_change);
    if (!r->converged)
        x->blurred |= !x->state.island->tiled;
    if (estimates && !r->converged)
        plu_engine_renew(&x->state);
    plan_check(x, false);
    return last || (r->missed <= allowed &&
                    (unchanged || at_rest || (r->converged && r->iterations >= s->min_iterations)));
}

bool plu_search_hands_over(const plu_search *x)
{
    const plu_solve_settings *s = x->settings;
    const plu_island *island = x->state.island;
    if (!island->large || !s->fallback || !s->velocity || x->state.problem->servos_count > 0 ||
        island->bound.most > 0.0 || x->result->iterations < x->next_handed)
        return false;
    return !(x->state.engine->finer && x->checks.falls && x->checks.next <= x->next_handed + SOON);
}

/* Whether errors are large and do not fall. */
static bool errs_for_long(const plu_search *x)
{
    const bool jammed = x->settings->jammed;
    const int sweeps = x->checks.last;
    return sweeps >= (jammed ? NEXT_JAM : FIRST_JAM) &&
           (long)sweeps * x->state.island->contacts >= (jammed ? NEXT_VISITS : JAM_VISITS) &&
           !x->checks.falls && x->result->iterations >= x->next_jam &&
           x->checks.missed > (jammed && sweeps >= FIRST_HANDED ? 1.0 : jam_missed);
}

bool plu_search_may_jam(const plu_search *x, bool due)
{
    const bool first = due && (x->settings->jammed || x->state.island->contacts > NEWTON_IS_CHEAP);
    return x->settings->velocity && x->result->missed > 1.0 && (first || errs_for_long(x));
}

bool plu_search_is_stuck(const plu_search *x)
{
    const double deep = x->state.island->tiled ? deep_tiled : deep_load;
    return x->checks.last >= LONG && !x->checks.falls && x->load <= deep;
}

bool plu_search_has_momentum(const plu_search *x)
{
    return x->settings->momentum && !(x->stuck && x->state.island->tiled);
}

bool plu_search_may_combine(const plu_search *x)
{
    const plu_island *island = x->state.island;
    const int after = x->settings->anderson_after;
    const bool serves = island->tiled ? x->stuck && island->contacts <= COMBINED : island->padded;
    return serves && island->bound.most == 0.0 && after > 0 && x->result->iterations >= after;
}
