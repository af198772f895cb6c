/* Proximal primal-dual semismooth Newton method.
 *
 * Outer: proximal steps. From the center p_k to the solution of the contact problem with W + eps D
 * and q - eps D p_k for W and q, D = diag W; it is well posed also where impulses are not unique
 * (hyperstatic packings), and reads p = P(p_k - y / (eps D)), y = W p + q (prox_system.h).
 * Inner: semismooth Newton on it, (I + K W) dp = P - p, the slopes K of slipping pairs in a
 * primal-dual linearization as in Hueber, Stadler and Wohlmuth (2008). The next center is the
 * linear iterate p, not P, which would not belong to y. eps falls while inner iterations are few
 * and rises when they fail.
 *
 * The solution of a proximal step has the scaled residual eps |p - p_k| / |p|, for it obeys the law
 * at y + eps D (p - p_k). Inner iterations end long before that is reached, as their solutions are
 * only centers of the next step; but once it would be within the tolerance, they are carried on to
 * their quadratic end, which is the end of all.
 *
 * y is a state beside p, moved by W dp, and not computed from p. Where a contact sticks it is tiny
 * and so are then the rounding errors of y / (eps D); they would be 1e-16 / eps else, and keep eps
 * from being small, which makes the last steps creep. What y drifts away from W p + q in the course
 * of the steps is seen and mended when the residual is computed from p alone. */
#include "base/memory.h"
#include "base/vec3.h"
#include "general/prox_system.h"
#include "general/solver.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INNER_MAX = 10, TRIALS = 5, FINISH_MAX = 8, OUTER_MAX = 10000, LOOK_EVERY = 10 };

static const double EPS_FIRST = 1e-2, EPS_LEAST = 1e-12, EPS_MOST = 1e6;
static const double SOLVED = 0.3;    /* |P - p| over |p - p_k| that ends the inner iteration */
static const double ENOUGH = 0.6;    /* as SOLVED, once it stagnates or reaches its last step */
static const double STAGNANT = 0.85; /* |P - p| over that two steps before: stagnation above it */
static const double RUNAWAY = 1e3;   /* growth of |P - p| that ends it as a failure */
static const double RAISE = 8.0;     /* of eps after a failure */

static const double WITHIN = 0.9;    /* eps |p - p_k| / |p| over the tolerance that allows it */
static const double IDLE = 0.3;      /* as WITHIN: below, eps rises while e_s is too large */
static const double FINISHING = 0.5; /* |P - p| over that before: slower is not the quadratic end */

/* Divisors of eps after 0, 1, 2 ... inner steps; beyond: the last. */
static const double LOWER[] = {3.0, 3.0, 2.0, 1.4, 1.2, 1.0, 1.0, 0.7};

typedef struct search {
    int n;
    double tolerance; /* of e_s */
    plu_prox_map map;
    plu_prox_system *system;
    plu_prox_slope *slope;
    double *memory;                 /* what the arrays below stand in */
    double *weight;                 /* D */
    double *center, *anchor;        /* p_k and its y */
    double *p, *y, *target;         /* present point; P there */
    double *next_p, *next_y, *next; /* p, y, target of a trial step */
    double *rest, *dp, *dy;         /* P - p; Newton's step */
} search;

static void exchange(double **a, double **b)
{
    double *x = *a;
    *a = *b;
    *b = x;
}

/* |P - p| at the trial point p + alpha dp. */
static double attempt(search *s, double alpha)
{
    for (int i = 0; i < s->n; i++) {
        s->next_p[i] = s->p[i] + alpha * s->dp[i];
        s->next_y[i] = s->y[i] + alpha * s->dy[i];
    }
    return plu_prox_project(&s->map, s->next_p, s->next_y, s->next);
}

/* Moves by the first of alpha = 1, 1/2 ... that decreases |P - p|, else by the best of them, even
 * if that increases it: being strict here stops at kinks. Returns the new |P - p|. */
static double move(search *s, double old)
{
    double best = HUGE_VAL, best_alpha = 1.0, now = HUGE_VAL, alpha = 1.0;
    int trial = 0;
    for (; trial < TRIALS; trial++, alpha *= 0.5) {
        now = attempt(s, alpha);
        if (now <= (1.0 - 0.1 * alpha) * old)
            break;
        if (now < best) {
            best = now;
            best_alpha = alpha;
        }
    }
    if (trial == TRIALS)
        now = attempt(s, best_alpha);
    exchange(&s->p, &s->next_p);
    exchange(&s->y, &s->next_y);
    exchange(&s->target, &s->next);
    return now;
}

static bool newton_step(search *s, plu_monitor *monitor)
{
    bool done;
    monitor->factorizations++;
    plu_prox_slopes(&s->map, s->p, s->y, s->target, s->slope);
    for (int i = 0; i < s->n; i++)
        s->rest[i] = s->target[i] - s->p[i];
    if (plu_prox_system_factorize(s->system, s->slope, &done, monitor->err) != PLU_OK)
        monitor->status = PLU_IO;
    return monitor->status == PLU_OK && done &&
           plu_prox_system_solve(s->system, s->slope, s->rest, s->dp, s->dy);
}

/* e_s of p, with the y that is carried beside it. */
static double own_residual(search *s, const double *p, const double *y)
{
    const plu_prox_map whole = {s->map.problem, s->weight, p, 1.0};
    const double miss = plu_prox_project(&whole, p, y, s->next);
    const double size = plu_norm_n(s->n, p);
    return size > 0.0 ? miss / size : miss > 0.0 ? 1.0 : 0.0;
}

/* Carries on a proximal step from |P - p| = last if its solution solves the problem. */
static void finish(search *s, plu_monitor *monitor, double last, double moved)
{
    if (!(s->map.eps * moved <= WITHIN * s->tolerance * plu_norm_n(s->n, s->p)))
        return;
    for (int k = 0; k < FINISH_MAX && own_residual(s, s->p, s->y) > s->tolerance; k++) {
        if (!newton_step(s, monitor))
            return;
        const double before = last;
        last = move(s, before);
        if (!(last <= FINISHING * before))
            return;
    }
}

/* Solves a proximal step; returns the number of Newton steps, or 0 on failure. */
static int inner(search *s, plu_monitor *monitor)
{
    memcpy(s->p, s->center, (size_t)s->n * sizeof *s->p);
    memcpy(s->y, s->anchor, (size_t)s->n * sizeof *s->y);
    s->map.center = s->center;
    double before = HUGE_VAL, last = plu_prox_project(&s->map, s->p, s->y, s->target);
    const double first = last;
    for (int k = 1; k <= INNER_MAX; k++) {
        if (!newton_step(s, monitor))
            return 0;
        const double now = move(s, last), moved = plu_distance_n(s->n, s->p, s->center);
        const bool stagnant = (k > 2 && now > STAGNANT * before) || k == INNER_MAX;
        if (now <= (stagnant ? ENOUGH : SOLVED) * moved) {
            finish(s, monitor, now, moved);
            return k;
        }
        if (!(now <= RUNAWAY * first) || (stagnant && now > moved) || (k == 5 && now > moved))
            return 0;
        before = last;
        last = now;
    }
    return 0;
}

/* The residual from p alone, and whether to return; then y is computed anew where it has drifted.
 */
static bool check_residual(search *s, plu_monitor *monitor, int k, double own)
{
    const bool stop = plu_monitor_stop(monitor, s->center, k);
    const plu_residuals *now = &monitor->now;
    s->tolerance = fmin(monitor->settings->tolerance, monitor->aim);
    if (monitor->settings->natural && now->natural > 0.0) /* by proportion */
        s->tolerance *= now->scaled / now->natural;
    if (now->scaled > 2.0 * own)
        memcpy(s->anchor, monitor->y, (size_t)s->n * sizeof *s->anchor);
    return stop;
}

/* eps after `steps` inner steps; 0: they failed. The last step is from s->p to the center. `rises`:
 * where it fell without use (not tried in time steps). */
static double next_eps(const search *s, int steps, double own, bool rises)
{
    const int most = (int)(sizeof LOWER / sizeof *LOWER) - 1;
    if (steps == 0)
        return s->map.eps * RAISE;
    const double share = s->map.eps * plu_distance_n(s->n, s->center, s->p);
    if (rises && own > s->tolerance && s->map.eps < EPS_FIRST &&
        share < IDLE * s->tolerance * plu_norm_n(s->n, s->center))
        return s->map.eps * RAISE;
    return fmax(s->map.eps / LOWER[steps < most ? steps : most], EPS_LEAST);
}

static void iterate_prox(search *s, const plu_portfolio_settings *settings, plu_monitor *monitor)
{
    bool stop = check_residual(s, monitor, 0, -1.0);
    double own = monitor->now.scaled;
    for (int k = 1; !stop && k <= OUTER_MAX && s->map.eps <= EPS_MOST; k++) {
        const int steps = inner(s, monitor);
        if (steps > 0) {
            exchange(&s->center, &s->p);
            exchange(&s->anchor, &s->y);
            own = own_residual(s, s->center, s->anchor);
        }
        s->map.eps = next_eps(s, steps, own, settings->fits);
        stop = monitor->status != PLU_OK || plu_monitor_expired(monitor, k);
        if (stop || k % LOOK_EVERY == 0 || own <= settings->tolerance || settings->natural)
            stop = check_residual(s, monitor, k, own);
    }
    if (!stop)
        snprintf(monitor->note, sizeof monitor->note,
                 "stalled: proximal weight %.0e, scaled residual %.1e", s->map.eps, own);
}

static plu_status start(search *s, const plu_contact_problem *problem, plu_stop *stop,
                        plu_error *err)
{
    const size_t n = (size_t)problem->rows * (size_t)problem->contacts;
    double **array[] = {&s->weight, &s->center, &s->anchor, &s->p,    &s->y,  &s->target,
                        &s->next_p, &s->next_y, &s->next,   &s->rest, &s->dp, &s->dy};
    const size_t count = sizeof array / sizeof *array;
    *s = (search){.n = (int)n};
    s->memory = plu_alloc(count * n, sizeof *s->memory, err);
    s->slope = plu_alloc((size_t)problem->contacts, sizeof *s->slope, err);
    if (!s->memory || !s->slope)
        return PLU_IO;
    for (size_t i = 0; i < count; i++)
        *array[i] = s->memory + i * n;
    plu_prox_weights(problem, s->weight);
    s->map = (plu_prox_map){problem, s->weight, s->center, EPS_FIRST};
    return plu_prox_system_create(&s->system, problem, stop, err);
}

plu_status plu_prox_newton(const plu_contact_problem *problem,
                           const plu_portfolio_settings *settings, plu_monitor *monitor,
                           plu_error *err)
{
    search s;
    const plu_status status = start(&s, problem, &monitor->stop, err);
    if (status == PLU_OK) {
        if (!settings->from_zero)
            memcpy(s.center, problem->guess, (size_t)s.n * sizeof *s.center);
        iterate_prox(&s, settings, monitor);
    }
    plu_prox_system_destroy(s.system);
    free(s.slope);
    free(s.memory);
    return status != PLU_OK ? status : monitor->status;
}
