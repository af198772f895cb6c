/* Colored Gauss-Seidel in body form, with Nesterov momentum and gradient restart (O'Donoghue &
 * Candes 2015), Anderson acceleration if convergence stays slow, and a stopping test for each
 * island. Large islands are swept in single precision as long as that suffices. */
#include "base/team.h"
#include "problem/yield.h"
#include "solve/criterion.h"
#include "solve/hand_over.h"
#include "solve/jam.h"
#include "solve/nesterov.h"
#include "solve/pace.h"
#include "solve/sweep_single.h"
#include "solve/workspace.h"
#include <float.h>
#include <math.h>
#include <omp.h>

enum {
    SMALL_TEAM = 512, /* contacts in small islands up to which more than one thread does not pay */
    KEPT = 1 << 23,   /* doubles of Anderson's vectors that are kept from solve to solve, at most */
    LONG = 100,       /* sweeps in floats of an island that is not large, at most */
    FIRST_HANDED = 64,   /* sweeps before contacts are handed over, */
    NEXT_HANDED = 32,    /* and after it before more are; */
    SOON = 16,           /* so many more if they are expected to suffice */
    DRIFTED = 128,       /* sweeps in floats after which their errors are less certain */
    FIRST_JAM = 32,      /* sweeps before a jam is looked for, */
    JAM_VISITS = 100000, /* and so many visits of contacts; */
    NEXT_JAM = 16,       /* the same where contacts yielded in the step before */
    NEXT_VISITS = 20000,
    NEWTON_IS_CHEAP = 500 /* contacts */
};

/* An island whose first sweep changes the impulses by a smaller share is at rest, and as a rule
 * converged at the first check. */
static const double at_rest_change = 1e-3;

/* The state of the solve of one island. */
typedef struct search {
    plu_problem *problem;
    plu_island *island;
    const plu_solve_settings *settings;
    plu_single *single; /* holds the impulses during sweeps in floats; else NULL */
    plu_single own;     /* of an island of a single thread: its copy of the workspace's */
    plu_island_result *result;
    double weight; /* plu_problem_mass times g h (N s); < 0: not computed yet */
    plu_checks checks;
    int misses;       /* checks that were not passed */
    int next_handed;  /* number of sweeps before contacts are handed over again */
    int next_jam;     /* number of sweeps before a jam is looked for again */
    int next_pressed; /* number of sweeps before the impulses are looked through again */
    double load;      /* of the criterion's `pressed` over g h; large before a check in floats */
    bool blurred;     /* criterion "velocity": rounding of floats dominates the errors */
    plu_pace pace;
} search;

static double tolerance_of(search *x, const plu_sweep *sweep)
{
    const plu_solve_settings *s = x->settings;
    if (s->natural || !s->deep || plu_fall(s) <= 0.0 || sweep->size <= 0.0)
        return s->tolerance;
    if (x->weight < 0.0)
        x->weight = plu_fall(s) * plu_problem_mass(x->problem, x->island);
    const double share = PLU_DEEP * x->weight / sqrt(sweep->size);
    return s->tolerance * fmin(fmax(share, PLU_LEAST_SHARE), 1.0);
}

/* Copies the impulses from the floats, if they are there, back to the problem. */
static void return_impulses(const search *x)
{
    if (x->single)
        plu_problem_apply_single(x->problem, x->island, x->single);
}

/* Above this much rounding, sweeps go on in doubles. */
static const double most_rounding = 0.25;

/* Computes the true residual of the impulses in doubles, and sets the island's result. `likely`: it
 * may be the last check. The natural map of a tiled island is left out: it can be computed later.
 */
static void check_residual(search *x, const plu_sweep *sweep, bool likely)
{
    plu_island_result *r = x->result;
    const plu_solve_settings *s = x->settings;
    const bool natural = s->natural || !x->island->tiled;
    return_impulses(x);
    if (s->velocity) {
        const plu_errors e = plu_velocity_judge(x->problem, x->island, s, likely, r);
        x->blurred = x->single && plu_velocity_rounding(&e, s) > most_rounding;
    } else {
        r->tolerance = tolerance_of(x, sweep);
        r->residuals = plu_problem_residual(x->problem, x->island, natural, true);
        r->missed = (s->natural ? r->residuals.natural : r->residuals.scaled) / r->tolerance;
        r->converged = r->missed <= 1.0;
    }
}

/* Errors computed from floats are uncertain by this share of what is allowed, as a rule. */
static const double float_noise = 0.01;

/* The rounding of impulses hides about `hidden` times what is allowed, which grows with depth: up
 * to least_hidden, under loads of some bodies, errors that are light_share of what is allowed need
 * no check in doubles, above most_hidden all do, above most_pressed floats would not suffice.
 * Doubles also go on where errors are more than `far` times what floats show. */
static const double least_hidden = 1e-3, light_share = 0.95, most_hidden = 0.25, most_pressed = 4.0,
                    far = 2.0;

/* If the first sweeps change the impulses by at most the share settled_change, the bed is at rest,
 * and the sweeps up to min_iterations are saved if the errors are at most settled_share of what is
 * allowed. The margin is needed because the next steps start from the errors of this one. */
static const double settled_change = 3e-4, settled_share = 0.5;

/* Computes the errors from the floats: whether they are small enough for a check of the true
 * errors, which costs four times as much. True if an error is NaN, so that the check sees it.
 * *sure: they are so small, after so few sweeps, that the true errors need no check. */
static bool floats_pass(search *x, double allowed, bool *sure)
{
    const plu_solve_settings *s = x->settings;
    const plu_errors e = plu_single_errors(x->single, x->island, s->pull);
    plu_velocity_take(&e, s, x->result);
    const double hidden = FLT_EPSILON * plu_velocity_pressed(&e, s);
    x->load = e.fall > 0.0 ? e.pressed / e.fall : HUGE_VAL;
    x->blurred = plu_velocity_rounding(&e, s) > most_rounding || hidden > most_pressed;
    const double share = hidden <= least_hidden ? light_share : settled_share;
    *sure = !x->blurred && x->result->iterations < DRIFTED && x->result->missed <= share &&
            hidden <= most_hidden;
    return !(x->result->missed > allowed * (1.0 - float_noise));
}

/* Whether the true residual may be small enough by now. The scaled residual is about the relative
 * change of a sweep, which costs nothing; the other residuals have no such estimate. */
static bool may_pass(search *x, const plu_sweep *sweep, double estimate)
{
    const plu_solve_settings *s = x->settings;
    const double early = x->island->tiled ? 1.3 : 1.0; /* estimates are of a tile's first sweep */
    return s->natural || s->velocity ||
           (estimate <= early * s->tolerance && estimate <= early * tolerance_of(x, sweep));
}

/* Sets the number of sweeps at which to check again; `cheap` as for plu_checks_plan. */
static void plan_check(search *x, bool cheap)
{
    const int now = x->result->iterations;
    if (!x->settings->velocity)
        x->checks.next = now + 1 + now / 8;
    else
        plu_checks_plan(&x->checks, now, x->result->missed, cheap);
    if (now < x->settings->min_iterations) /* too early to tell */
        x->checks.next = x->settings->min_iterations;
}

/* Whether to stop. The true residual costs about a sweep, so it is computed only when due. A sweep
 * that changes nothing has converged. */
static bool finished(search *x, const plu_sweep *sweep)
{
    const plu_solve_settings *s = x->settings;
    plu_island_result *r = x->result;
    const double estimate = sqrt(sweep->change / (sweep->size > 0.0 ? sweep->size : 1.0));
    const bool still = estimate <= 1e-12;
    const bool last = r->iterations >= s->max_iterations;
    bool due = still || last;
    if (!due && r->iterations >= s->min_iterations && r->iterations >= x->checks.next)
        due = may_pass(x, sweep, estimate);
    const bool glances = s->velocity && x->single && !last && !still;
    const bool settled = !due && glances && x->island->large && r->iterations < s->min_iterations &&
                         x->checks.last == 0 && estimate <= settled_change;
    if (!due && !settled)
        return false;
    const double allowed = settled ? settled_share : 1.0;
    bool sure = false;
    if (glances && !floats_pass(x, allowed, &sure)) {
        plan_check(x, true);
        return false;
    }
    if (sure && (settled || r->iterations >= s->min_iterations)) {
        return_impulses(x);
        return true;
    }
    const double seen = r->missed;
    check_residual(x, sweep,
                   glances || last || still || x->checks.last > 0 || estimate <= at_rest_change);
    if (glances && !r->converged) {
        x->blurred |= !x->island->tiled || !(r->missed <= far * seen);
        plu_single_renew(x->single, x->island);
    }
    plan_check(x, false);
    x->misses += !r->converged;
    return last || (r->missed <= allowed &&
                    (still || settled || (r->converged && r->iterations >= s->min_iterations)));
}

/* Whether the fallback is expected to converge sooner than the sweeps (pace.h). */
static bool stalled(search *x, const plu_sweep *sweep)
{
    const plu_solve_settings *s = x->settings;
    const int contacts = x->island->contacts, iterations = x->result->iterations;
    if (!s->fallback || x->island->bound.most > 0.0 || contacts > PLU_FALLBACK_CONTACTS ||
        !plu_pace_due(iterations))
        return false;
    check_residual(x, sweep, false);
    return plu_pace_left(&x->pace, iterations, x->result->missed, 1.0) > plu_pace_newton(contacts);
}

/* Whether contacts are to be handed over: not if the next check comes soon and the errors fall
 * towards it. */
static bool hands_over(const search *x)
{
    const plu_solve_settings *s = x->settings;
    if (!x->island->large || !s->fallback || !s->velocity || x->problem->servos_count > 0 ||
        x->island->bound.most > 0.0 || x->result->iterations < x->next_handed)
        return false;
    return !(x->single && x->checks.falls && x->checks.next <= x->next_handed + SOON);
}

/* Hands over the contacts of a large island that hold most of the error (hand_over.h). *kept: the
 * impulses in the problem have changed, so that sweeps have to begin anew. */
static plu_status hand_over(search *x, const plu_sweep *sweep, bool *kept, plu_error *err)
{
    const plu_solve_settings *s = x->settings;
    const int now = x->result->iterations;
    *kept = false;
    if (!hands_over(x))
        return PLU_OK;
    check_residual(x, sweep, false);
    if (x->result->missed <= 1.0)
        return PLU_OK;
    const plu_status status = plu_hand_over_worst(x->problem, x->island, s, x->result, kept, err);
    x->next_handed = *kept ? now + NEXT_HANDED : 2 * now;
    if (*kept)
        x->checks = (plu_checks){.next = now + 1};
    return status;
}

/* Whether a contact bears as much as it may. Impulses are looked through only where their size
 * allows it, and then ever more rarely but for the `last` ones. The problem has the impulses then.
 */
static bool is_pressed(search *x, const plu_sweep *sweep, bool last)
{
    const double unit = x->single ? x->single->mass : 1.0;
    const int now = x->result->iterations;
    if (x->island->bound.most > 0.0 || (now < x->next_pressed && !last) ||
        !plu_may_yield(x->problem, unit * unit * sweep->size))
        return false;
    x->next_pressed = now + 1 + now / 2;
    return_impulses(x);
    return plu_yields(x->problem, x->island);
}

/* Errors, over what is allowed, of steps that may be jammed before they take long. */
static const double jam_missed = 10.0;

/* Whether errors are large and do not fall, so that it pays to look whether a boundary presses
 * bodies together that cannot give way. */
static bool may_jam(const search *x)
{
    const bool jammed = x->settings->jammed;
    const int sweeps = x->checks.last;
    return sweeps >= (jammed ? NEXT_JAM : FIRST_JAM) &&
           (long)sweeps * x->island->contacts >= (jammed ? NEXT_VISITS : JAM_VISITS) &&
           !x->checks.falls && x->result->iterations >= x->next_jam &&
           x->checks.missed > (sweeps < FIRST_HANDED ? jam_missed : 1.0);
}

/* Whether a boundary presses bodies together that cannot give way. `due`: another method would be
 * called next, which is expensive and finds no balance either. The problem has the impulses then.
 */
static bool is_jammed(search *x, bool due)
{
    const bool is_due = due && (x->settings->jammed || x->island->contacts > NEWTON_IS_CHEAP);
    if (x->problem->yield.least == 0.0 || x->island->bound.most > 0.0 || !x->settings->velocity ||
        !(x->result->missed > 1.0) || !(is_due || may_jam(x)))
        return false;
    x->next_jam = 2 * x->result->iterations;
    return_impulses(x);
    return plu_jam_presses(x->problem, x->island);
}

/* What the next sweep has to do. Islands in floats and tiled ones save the storage of old impulses
 * while there is no momentum, and the sums of sweeps that cannot be the last: all before
 * min_iterations except the first one, which tells whether the island is at rest. */
static plu_sweep_way way_of(const search *x, const plu_nesterov *m, bool accelerated)
{
    const plu_solve_settings *s = x->settings;
    const int before = x->result->iterations;
    const bool soon =
        (s->velocity && before == 0) || before + plu_sweeps_of(x->island) >= s->min_iterations;
    return (plu_sweep_way){.keep = accelerated || (s->momentum && plu_nesterov_moves(m)),
                           .judged = !(x->single || x->island->tiled) || soon || m->beta != 0.0,
                           .beta = accelerated ? 0.0 : m->beta,
                           .tolerance = s->tolerance,
                           .bound = x->island->bound};
}

/* sum W_N p_N^2 / sum m over (g h)^2, 2/3 n^2 of a column of n: above it momentum is better. */
static const double deep_load = 2e3;

/* Small islands take Anderson acceleration or the fallback from here on, in doubles. Momentum finds
 * no end where contacts slip all over: larger ones do so, too, unless they are tiled or deep. */
static bool takes_long(const search *x)
{
    const bool stuck = x->checks.last >= LONG && !x->checks.falls && x->load <= deep_load;
    const bool takes = (stuck || x->problem->servos_count > 0) && !x->island->tiled;
    return (takes || !x->island->large) && x->result->iterations >= LONG;
}

static bool is_blurred(search *x, const plu_sweep *sweep)
{
    if (x->settings->velocity)
        return x->blurred;
    const double tolerance = tolerance_of(x, sweep);
    return sweep->rounding > 0.25 * tolerance * tolerance * sweep->size || x->misses > 2;
}

/* Sweeps in single precision until the island is finished (*done) or rounding dominates. Momentum
 * goes on where Anderson acceleration would begin: in beds it performs as well, at half the cost.
 */
static plu_status sweep_single(search *x, plu_single *single, bool *done, plu_error *err)
{
    const plu_solve_settings *s = x->settings;
    int *iterations = &x->result->iterations;
    plu_nesterov m = plu_nesterov_start(x->island);
    plu_status status = plu_single_take(single, x->problem, x->island, err);
    if (status != PLU_OK)
        return status;
    plu_servos_apply_single(single, x->problem, x->island);
    x->single = single;
    x->weight = plu_fall(s) * single->island_mass;
    bool pressed = false, jammed = false;
    while (!*done) {
        const plu_sweep_way way = way_of(x, &m, false);
        const bool moves = *iterations > 0 && plu_nesterov_moves(&m);
        if (moves)
            plu_servos_move_on(x->problem, x->island, single, m.beta);
        const plu_sweep sweep = plu_sweep_single(single, x->island, &way, moves);
        *iterations += plu_sweeps_of(x->island);
        plu_servos_apply_single(single, x->problem, x->island);
        if (*iterations % PLU_RENEWED == 0) {
            return_impulses(x);
            plu_single_renew(single, x->island);
        }
        pressed = way.judged && is_pressed(x, &sweep, false);
        *done = way.judged && !pressed && finished(x, &sweep);
        if (*done && is_pressed(x, &sweep, true)) {
            pressed = true;
            *done = false;
        }
        jammed = !*done && way.judged && !pressed && is_jammed(x, hands_over(x));
        if (!*done && (pressed || jammed || (way.judged && is_blurred(x, &sweep)) || takes_long(x)))
            break;
        if (s->momentum)
            plu_nesterov_next(&m, &sweep);
        bool handed = false;
        if (!*done && way.judged)
            status = hand_over(x, &sweep, &handed, err);
        if (handed && status == PLU_OK)
            status = plu_single_take(single, x->problem, x->island, err);
        if (status != PLU_OK)
            return status;
        if (handed)
            m = plu_nesterov_start(x->island);
    }
    if (!*done)
        return_impulses(x);
    if (pressed || jammed)
        plu_yield_begin(x->problem, x->island, s->pull, jammed);
    x->single = NULL;
    return PLU_OK;
}

static plu_status sweep(search *x, plu_anderson *anderson, plu_error *err)
{
    const plu_solve_settings *s = x->settings;
    plu_problem *problem = x->problem;
    plu_island *island = x->island;
    plu_island_result *r = x->result;
    plu_nesterov m = plu_nesterov_start(x->island);
    bool accelerated = false, begun = false; /* begun: there is a sweep to continue from */
    for (;;) {
        if (!accelerated && island->bound.most == 0.0 && island->padded && !island->tiled &&
            s->anderson_after > 0 && r->iterations >= s->anderson_after) {
            const plu_status status = plu_anderson_start(anderson, problem, island, err);
            if (status != PLU_OK)
                return status;
            accelerated = true;
            begun = false;
        }
        if (accelerated && begun)
            plu_anderson_next(anderson, problem, island);
        else if (begun && plu_nesterov_moves(&m)) {
            plu_momentum(problem, island, m.beta);
            plu_servos_move_on(problem, island, NULL, m.beta);
        }
        const plu_sweep_way way = way_of(x, &m, accelerated);
        const plu_sweep sums = plu_sweep_island(
            problem, island, &way, island->bound.most > 0.0 ? plu_local_exact : s->local->sphere);
        plu_servos_apply(problem, island);
        r->iterations += plu_sweeps_of(island);
        begun = accelerated || s->momentum;
        bool pressed = way.judged && is_pressed(x, &sums, false);
        const bool ends = way.judged && !pressed && finished(x, &sums);
        const bool stalls = way.judged && !pressed && !ends && stalled(x, &sums);
        const bool jammed =
            way.judged && !pressed && !ends && is_jammed(x, stalls || hands_over(x));
        if ((ends || stalls) && !jammed) {
            pressed = is_pressed(x, &sums, true);
            if (!pressed)
                return PLU_OK;
        }
        if (pressed || jammed) {
            plu_yield_begin(problem, island, s->pull, jammed);
            m = plu_nesterov_start(x->island);
            accelerated = begun = false;
            continue;
        }
        if (s->momentum)
            plu_nesterov_next(&m, &sums);
        bool handed = false;
        const plu_status status = way.judged ? hand_over(x, &sums, &handed, err) : PLU_OK;
        if (status != PLU_OK)
            return status;
        if (handed) {
            m = plu_nesterov_start(x->island);
            accelerated = begun = false;
        }
    }
}

static plu_status solve_island(plu_problem *problem, plu_island *island,
                               const plu_solve_settings *s, plu_workspace *w,
                               plu_anderson *anderson, plu_island_result *r, plu_error *err)
{
    *r = (plu_island_result){0};
    search x = {.problem = problem,
                .island = island,
                .settings = s,
                .result = r,
                .weight = -1.0,
                .load = HUGE_VAL,
                .next_handed = FIRST_HANDED};
    bool done = false;
    if (plu_single_serves(problem, island, s)) {
        x.own = w->single;
        const plu_status status = sweep_single(&x, island->large ? &w->single : &x.own, &done, err);
        return status != PLU_OK || done ? status : sweep(&x, anderson, err);
    }
    plu_flow_fill(problem, island);
    plu_problem_apply(problem, island);
    return sweep(&x, anderson, err);
}

static void solve_small(plu_problem *problem, const plu_solve_settings *settings, plu_workspace *w,
                        bool *failed)
{
#pragma omp for schedule(dynamic, 4) nowait
    for (int k = 0; k < problem->islands_count; k++)
        if (!problem->islands[k].large &&
            solve_island(problem, &problem->islands[k], settings, w,
                         &w->anderson[omp_get_thread_num()], &w->results[k], NULL) != PLU_OK) {
#pragma omp atomic write
            *failed = true;
        }
}

/* Solves large islands one after the other, each with all threads, then small islands in parallel.
 */
plu_status plu_solve_yielding(plu_problem *problem, plu_island *island,
                              const plu_solve_settings *settings, bool now, plu_island_result *r,
                              plu_error *err)
{
    const plu_island_result before = *r;
    search x = {
        .problem = problem, .island = island, .settings = settings, .result = r, .weight = -1.0};
    *r = (plu_island_result){0};
    plu_yield_begin(problem, island, settings->pull, now);
    const plu_status status = sweep(&x, NULL, err);
    r->iterations += before.iterations;
    r->fallback_seconds += before.fallback_seconds;
    return status;
}

plu_status plu_solve_gs(plu_problem *problem, const plu_solve_settings *settings, plu_workspace *w,
                        plu_error *err)
{
    plu_status status = plu_workspace_reserve(w, problem->islands_count, err);
    int small = 0;
    for (int k = 0; status == PLU_OK && k < problem->islands_count; k++) {
        if (problem->islands[k].large)
            status = solve_island(problem, &problem->islands[k], settings, w, &w->anderson[0],
                                  &w->results[k], err);
        else
            small += problem->islands[k].contacts;
    }
    bool failed = false;
    if (status == PLU_OK)
        status = plu_single_room(&w->single, problem, settings, err);
    if (status == PLU_OK && problem->islands_count > 0)
        PLU_TEAM(small > SMALL_TEAM, solve_small(problem, settings, w, &failed));
    if (w->teams && w->anderson[0].capacity > KEPT) /* frees the vectors of a large island */
        plu_anderson_free(&w->anderson[0]);
    if (failed)
        return plu_fail(err, PLU_IO, "out of memory in the solver");
    return status;
}
