/* Colored Gauss-Seidel in body form, with Nesterov momentum and gradient restart (O'Donoghue &
 * Candes 2015), Anderson acceleration if convergence stays slow, and a stopping test for each
 * island. Large islands are swept in single precision as long as that suffices. */
#include "base/team.h"
#include "blocks/yield.h"
#include "sweep/criterion.h"
#include "sweep/hand_over.h"
#include "sweep/jam.h"
#include "sweep/nesterov.h"
#include "sweep/search.h"
#include "sweep/sweep_single.h"
#include "sweep/workspace.h"
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
    FIRST_JAM = 32,      /* sweeps before a jam is looked for, */
    JAM_VISITS = 100000, /* and so many visits of contacts; */
    NEXT_JAM = 16,       /* the same where contacts yielded in the step before */
    NEXT_VISITS = 20000,
    NEWTON_IS_CHEAP = 1000 /* contacts */
};

/* Whether the fallback is expected to converge sooner than the sweeps (pace.h). */
static bool stalled(plu_search *x, const plu_sweep *sweep)
{
    const plu_solve_settings *s = x->settings;
    const int contacts = x->island->contacts, iterations = x->result->iterations;
    if (!s->fallback || x->result->driven || x->island->bound.most > 0.0 ||
        contacts > PLU_FALLBACK_CONTACTS || !plu_pace_due(iterations))
        return false;
    plu_search_judge(x, sweep, false);
    return plu_pace_left(&x->pace, iterations, x->result->missed, 1.0) > plu_pace_newton(contacts);
}

/* Whether contacts are to be handed over: not if the next check comes soon and the errors fall
 * towards it. */
static bool hands_over(const plu_search *x)
{
    const plu_solve_settings *s = x->settings;
    if (!x->island->large || !s->fallback || !s->velocity || x->problem->servos_count > 0 ||
        x->island->bound.most > 0.0 || x->result->iterations < x->next_handed)
        return false;
    return !(x->single && x->checks.falls && x->checks.next <= x->next_handed + SOON);
}

/* Hands over the contacts of a large island that hold most of the error (hand_over.h). *kept: the
 * impulses in the problem have changed, so that sweeps have to begin anew. */
static plu_status hand_over(plu_search *x, const plu_sweep *sweep, bool *kept, plu_error *err)
{
    const plu_solve_settings *s = x->settings;
    const int now = x->result->iterations;
    *kept = false;
    if (!hands_over(x))
        return PLU_OK;
    plu_search_judge(x, sweep, false);
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
static bool is_pressed(plu_search *x, const plu_sweep *sweep, bool last)
{
    const double unit = x->single ? x->single->mass : 1.0;
    const int now = x->result->iterations;
    if (x->island->bound.most > 0.0 || (now < x->next_pressed && !last) ||
        !plu_may_yield(x->problem, unit * unit * sweep->size))
        return false;
    x->next_pressed = now + 1 + now / 2;
    plu_search_return(x);
    return plu_yields(x->problem, x->island);
}

/* Errors, over what is allowed, of steps that may be jammed before they take long. */
static const double jam_missed = 10.0;

/* Whether errors are large and do not fall, so that it pays to look whether a boundary presses
 * bodies together that cannot give way. */
static bool may_jam(const plu_search *x)
{
    const bool jammed = x->settings->jammed;
    const int sweeps = x->checks.last;
    return sweeps >= (jammed ? NEXT_JAM : FIRST_JAM) &&
           (long)sweeps * x->island->contacts >= (jammed ? NEXT_VISITS : JAM_VISITS) &&
           !x->checks.falls && x->result->iterations >= x->next_jam &&
           x->checks.missed > (jammed && sweeps >= FIRST_HANDED ? 1.0 : jam_missed);
}

/* Whether a boundary presses bodies together that cannot give way. `due`: another method would be
 * called next, which is expensive and finds no balance either. The problem has the impulses then.
 */
static bool is_jammed(plu_search *x, bool due)
{
    const bool is_due = due && (x->settings->jammed || x->island->contacts > NEWTON_IS_CHEAP);
    if (x->problem->yield.least == 0.0 || x->island->bound.most > 0.0 || !x->settings->velocity ||
        !(x->result->missed > 1.0) || !(is_due || may_jam(x)))
        return false;
    x->next_jam = 2 * x->result->iterations;
    plu_search_return(x);
    return plu_jam_presses(x->problem, x->island);
}

/* What the next sweep has to do. Islands in floats and tiled ones save the storage of old impulses
 * while there is no momentum, and the sums of sweeps that cannot be the last: all before
 * min_iterations except the first one, which tells whether the island is at rest. */
static plu_sweep_way way_of(const plu_search *x, const plu_nesterov *m, bool accelerated)
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

/* Beds that yield under a stress have no nearby solution for Anderson acceleration to find, and it
 * stands still there: momentum alone goes on. Before the first check it is known of servos only. */
static bool is_driven(const plu_search *x)
{
    return x->result->driven || x->problem->servos_count > 0;
}

/* Small islands take Anderson acceleration or the fallback from here on, in doubles. Momentum finds
 * no end where contacts slip all over: larger ones do so, too, unless they are tiled or deep. */
static bool takes_long(const plu_search *x)
{
    const bool stuck = x->checks.last >= LONG && !x->checks.falls && x->load <= deep_load;
    const bool takes = (stuck && !x->island->tiled) || !x->island->large;
    return takes && !is_driven(x) && x->result->iterations >= LONG;
}

static bool is_blurred(plu_search *x, const plu_sweep *sweep)
{
    if (x->settings->velocity)
        return x->blurred;
    const double tolerance = plu_search_tolerance(x, sweep);
    return sweep->rounding > 0.25 * tolerance * tolerance * sweep->size || x->misses > 2;
}

/* Sweeps in single precision until the island is finished (*done) or rounding dominates. Momentum
 * goes on where Anderson acceleration would begin: in beds it performs as well, at half the cost.
 */
static plu_status sweep_single(plu_search *x, plu_single *single, bool *done, plu_error *err)
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
            plu_search_return(x);
            plu_single_renew(single, x->island);
        }
        pressed = way.judged && is_pressed(x, &sweep, false);
        *done = way.judged && !pressed && plu_search_finished(x, &sweep);
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
        plu_search_return(x);
    if (pressed || jammed)
        plu_yield_begin(x->problem, x->island, s->pull, jammed);
    x->single = NULL;
    return PLU_OK;
}

static plu_status sweep(plu_search *x, plu_anderson *anderson, plu_error *err)
{
    const plu_solve_settings *s = x->settings;
    plu_problem *problem = x->problem;
    plu_island *island = x->island;
    plu_island_result *r = x->result;
    plu_nesterov m = plu_nesterov_start(x->island);
    bool accelerated = false, begun = false; /* begun: there is a sweep to continue from */
    for (;;) {
        if (!accelerated && !is_driven(x) && island->bound.most == 0.0 && island->padded &&
            !island->tiled && s->anderson_after > 0 && r->iterations >= s->anderson_after) {
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
        const bool ends = way.judged && !pressed && plu_search_finished(x, &sums);
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
    plu_search x = {.problem = problem,
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
    plu_search x = {
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
