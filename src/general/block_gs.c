/* Method "gs" on general problems: Gauss-Seidel over contacts of any bodies.
 *
 *     sweep (block_gs_sweep.c)      p -> p'           AB21 (66), (67)
 *     momentum                      p' + beta (p' - p'_before) ,  restart by gradient (O'Donoghue &
 *                                   Candes 2015), as in sweep/nesterov.h
 *     after ANDERSON_AFTER sweeps   Anderson's combination (block_gs_anderson.c)
 *     slow by then                  the fallback, if there is one, from the best p (pace.h)
 *
 * A check of the residual costs about a sweep. The relative change of a sweep costs nothing and is
 * in a nearly constant ratio to it, so that checks come where change times the last ratio is small
 * enough. */
#include "general/block_gs.h"
#include "general/own_solver.h"
#include "general/pace.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    ANDERSON_AFTER = 100, /* sweeps */
    CLOCK = 16,           /* sweeps between readings of the clock */
    LATEST_CHECK = 150,   /* sweeps between residual checks */
};

typedef struct driver {
    plu_block_gs g;
    plu_block_anderson anderson;
    plu_monitor *monitor;
    const plu_portfolio_settings *settings;
    double t, beta; /* of Nesterov's momentum */
    bool accelerated;
    int sweeps;
    /* When to check the true residual, which costs about a sweep: */
    double ratio;  /* of the residual to the relative change, as last seen */
    int check;     /* not later than at this sweep */
    plu_pace pace; /* towards the tolerance */
} driver;

static double measure(const driver *s)
{
    return s->settings->natural ? s->monitor->now.natural : s->monitor->now.scaled;
}

/* Whether to stop. The residual is estimated as the relative change of the sweep times the ratio of
 * the two at the last check; the true residual is computed only if the estimate is small enough or
 * the last check is too long ago. */
static bool finished(driver *s, const plu_block_sweep *sweep)
{
    const double estimate = sqrt(sweep->change / (sweep->size > 0.0 ? sweep->size : 1.0));
    const bool due = s->sweeps >= s->check || s->settings->history || estimate <= 1e-14 ||
                     s->ratio * estimate <= s->settings->tolerance ||
                     (s->sweeps % CLOCK == 0 && plu_monitor_expired(s->monitor, s->sweeps)) ||
                     (s->settings->fallback && plu_pace_due(s->sweeps)) ||
                     s->sweeps == s->settings->max_iterations;
    if (!due)
        return false;
    const bool stop = plu_monitor_stop(s->monitor, s->g.p, s->sweeps);
    s->ratio = estimate > 0.0 ? measure(s) / estimate : 0.0;
    s->check = s->sweeps + 3 + (s->sweeps < LATEST_CHECK ? s->sweeps : LATEST_CHECK);
    return stop;
}

/* Whether further sweeps change nothing: at a fixed point that is no solution (because a local
 * method found none), or after a breakdown. */
static bool stuck(const driver *s, const plu_block_sweep *sweep)
{
    return !isfinite(sweep->size) || (sweep->change == 0.0 && (s->accelerated || s->beta == 0.0) &&
                                      s->sweeps >= s->settings->min_iterations);
}

/* Whether the fallback, if there is one, is expected to converge sooner than the sweeps
 * (pace.h). */
static bool stalled(driver *s)
{
    if (!s->settings->fallback || !plu_pace_due(s->sweeps))
        return false;
    const double best = s->settings->natural ? s->monitor->best.natural : s->monitor->best.scaled;
    return plu_pace_left(&s->pace, s->sweeps, best, s->settings->tolerance) >
           plu_pace_newton(s->g.contacts);
}

static void update_momentum(driver *s, const plu_block_sweep *sweep)
{
    if (!s->settings->momentum || sweep->momentum < 0.0) {
        s->t = 1.0;
        s->beta = 0.0;
        return;
    }
    const double next = 0.5 * (1.0 + sqrt(1.0 + 4.0 * s->t * s->t));
    s->beta = (s->t - 1.0) / next;
    s->t = next;
}

/* Extrapolates the result of a sweep to the start of the next one. */
static plu_status move_on(driver *s, const plu_block_sweep *sweep, plu_error *err)
{
    if (s->settings->momentum && !s->accelerated && s->sweeps >= ANDERSON_AFTER) {
        const plu_status status = plu_block_anderson_start(&s->anderson, s->g.n, err);
        if (status != PLU_OK)
            return status;
        s->accelerated = true;
        memcpy(s->g.before, s->g.p, (size_t)s->g.n * sizeof *s->g.p);
        return PLU_OK;
    }
    if (s->accelerated) {
        plu_block_anderson_next(&s->anderson, &s->g);
        return PLU_OK;
    }
    update_momentum(s, sweep);
    plu_block_gs_extrapolate(&s->g, s->beta);
    return PLU_OK;
}

static plu_status sweep_until_done(driver *s, bool *handed_over, plu_error *err)
{
    for (;;) {
        const plu_block_sweep sweep = plu_block_gs_sweep(&s->g);
        s->sweeps++;
        if (finished(s, &sweep))
            return PLU_OK;
        if (stuck(s, &sweep) || stalled(s)) {
            *handed_over = s->settings->fallback != NULL;
            return PLU_OK;
        }
        const plu_status status = move_on(s, &sweep, err);
        if (status != PLU_OK)
            return status;
    }
}

/* Calls the fallback with the best p as its guess. */
static plu_status call_fallback(driver *s, plu_error *err)
{
    plu_contact_problem from_here = *s->g.problem;
    plu_portfolio_settings settings = *s->settings;
    memcpy(s->g.p, s->monitor->best_p, (size_t)s->g.n * sizeof *s->g.p);
    from_here.guess = s->g.p;
    settings.from_zero = false;
    settings.fallback = NULL;
    s->monitor->before = s->sweeps;
    snprintf(s->monitor->note, sizeof s->monitor->note, "fell back to %s after %d sweeps",
             s->settings->fallback->name, s->sweeps);
    return plu_solver_call(s->settings->fallback, &from_here, &settings, s->monitor, err);
}

static bool is_zero(int n, const double *x)
{
    for (int i = 0; i < n; i++)
        if (x[i] != 0.0)
            return false;
    return true;
}

plu_status plu_blocks_gs(const plu_contact_problem *problem, const plu_portfolio_settings *settings,
                         plu_monitor *monitor, plu_error *err)
{
    driver s = {.monitor = monitor, .settings = settings, .t = 1.0};
    plu_status status = plu_block_gs_create(&s.g, problem, settings, err);
    bool handed_over = false;
    /* The residual of p = 0 is no estimate. */
    const bool check = status == PLU_OK && (settings->history || !is_zero(s.g.n, s.g.p));
    if (status == PLU_OK && !(check && plu_monitor_stop(monitor, s.g.p, 0)))
        status = sweep_until_done(&s, &handed_over, err);
    if (status == PLU_OK && handed_over)
        status = call_fallback(&s, err);
    plu_block_anderson_free(&s.anderson);
    plu_block_gs_free(&s.g);
    return status;
}
