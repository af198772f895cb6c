/* Colored Gauss-Seidel in body form. To be solved is, for all contacts c of an island at once,
 *
 *     y = W p + q ,   y^ in K_r* , orthogonal to p in K_r          AB21 (63), blocks/blocks.h
 *
 * A sweep visits the contacts one after the other, the impulses of all others held: AB21 (66),
 * (67). W is never formed. With v = v_free + M^-1 H p the visit of a contact between a and b is
 *
 *     y  = H_c^T v + w                    from two rows, v_a and v_b
 *     q- = y - W_cc p_c                   what all others do to it
 *     p' = local solution for q-          local/exact_lanes.h
 *     v_a, v_b += M^-1 H_c (p' - p_c)     so that v belongs to p after each visit
 *
 * and costs the same however many contacts its bodies have. Without friction that is coordinate
 * descent of 1/2 p.W p + q.p over p >= 0 (SOR for complementarity problems: Cryer 1971). Around it:
 *
 *      .--> accelerate --> sweep --> pressed or jammed? ---> yields, in doubles  --.
 *      |    nesterov.h     engine.h      jam.h                                     |
 *      |    anderson.h                   solved? ----------> end      search.h     |
 *      |                                 slow? ------------> end, for the fallback |
 *      |                                 rounding, or long? -> the finer engine  --|
 *      |                                 a few contacts? --> hand_over.h         --|
 *      '---------------------------------------- no <------------ begin anew -----'
 *
 * Each island ends by itself, so that the norm of a large one does not hide a small one. */
#include "base/strategy.h"
#include "base/team.h"
#include "sweep/criterion.h"
#include "sweep/hand_over.h"
#include "sweep/jam.h"
#include "sweep/nesterov.h"
#include "sweep/search.h"
#include "sweep/workspace.h"
#include <float.h>
#include <math.h>
#include <omp.h>

/* Whether another engine would go on where this one ends; the last one has Anderson acceleration
 * and the fallback behind it instead. */
static bool has_finer(const plu_search *x)
{
    return x->state.engine->finer != NULL;
}

/* Whether the fallback is expected to converge sooner than the sweeps (pace.h). */
static bool is_slow(plu_search *x, const plu_sweep_sums *sums)
{
    const plu_solve_settings *s = x->settings;
    const plu_island *island = x->state.island;
    const int iterations = x->result->iterations;
    if (has_finer(x) || !s->fallback || x->result->driven || island->bound.most > 0.0 ||
        island->contacts > PLU_FALLBACK_CONTACTS || !plu_pace_due(iterations))
        return false;
    plu_search_judge(x, sums, false);
    return plu_pace_left(&x->pace, iterations, x->result->missed, 1.0) >
           plu_pace_newton(island->contacts);
}

/* Hands over the contacts of a large island that hold most of the error (hand_over.h). *kept: the
 * impulses in the problem have changed, and sweeps begin anew from them. */
static plu_status hand_over(plu_search *x, const plu_sweep_sums *sums, bool *kept, plu_error *err)
{
    plu_engine_state *state = &x->state;
    const int now = x->result->iterations;
    *kept = false;
    if (!plu_search_hands_over(x))
        return PLU_OK;
    plu_search_judge(x, sums, false);
    if (x->result->missed <= 1.0)
        return PLU_OK;
    plu_status status =
        plu_hand_over_worst(state->problem, state->island, x->settings, x->result, kept, err);
    x->next_handed = *kept ? now + NEXT_HANDED : 2 * now;
    if (*kept)
        x->checks = (plu_checks){.next = now + 1};
    if (*kept && status == PLU_OK)
        status = state->engine->begin(state, err);
    return status;
}

/* Whether a contact bears as much as it may. Impulses are looked through only where their size
 * allows it, and then ever more rarely but for the `last` ones. The problem has the impulses then.
 */
static bool is_pressed(plu_search *x, const plu_sweep_sums *sums, bool last)
{
    const plu_engine_state *state = &x->state;
    const int now = x->result->iterations;
    if (state->island->bound.most > 0.0 || (now < x->next_pressed && !last) ||
        !plu_may_yield(state->problem, sums->size))
        return false;
    x->next_pressed = now + 1 + now / 2;
    plu_engine_give(state);
    return plu_yields(state->problem, state->island);
}

/* Whether a boundary presses bodies together that cannot give way. `due`: another method would be
 * called next, which is expensive and finds no balance either. The problem has the impulses then.
 */
static bool is_jammed(plu_search *x, bool due)
{
    const plu_engine_state *state = &x->state;
    if (state->problem->yield.least == 0.0 || state->island->bound.most > 0.0 ||
        !plu_search_may_jam(x, due))
        return false;
    x->next_jam = 2 * x->result->iterations;
    plu_engine_give(state);
    return plu_jam_presses(state->problem, state->island);
}

/* Beds that yield under a stress have no nearby solution for Anderson acceleration to find, and it
 * stands still there: momentum alone goes on. Before the first check it is known of servos only. */
static bool is_driven(const plu_search *x)
{
    return x->result->driven || x->state.problem->servos_count > 0;
}

/* Small islands take Anderson acceleration or the fallback from here on, in doubles, and larger
 * ones where momentum finds no end. */
static bool takes_long(const plu_search *x)
{
    return (x->stuck || !x->state.island->large) && !is_driven(x) && x->result->iterations >= LONG;
}

static bool is_blurred(plu_search *x, const plu_sweep_sums *sums)
{
    if (x->settings->velocity || x->blurred)
        return x->blurred;
    const double tolerance = plu_search_tolerance(x, sums);
    return sums->rounding > tolerance * tolerance * sums->size;
}

/* What follows a sweep. */
typedef enum outcome {
    GOES_ON,
    ENDS,    /* solved, given up, or the fallback is expected to be sooner */
    PRESSED, /* a contact bears as much as it may */
    JAMMED   /* a boundary presses bodies together that cannot give way */
} outcome;

static outcome outcome_of(plu_search *x, const plu_sweep_sums *sums)
{
    if (is_pressed(x, sums, false))
        return PRESSED;
    const bool finished = plu_search_finished(x, sums);
    const bool slow = !finished && is_slow(x, sums);
    if (!finished && is_jammed(x, slow || plu_search_hands_over(x)))
        return JAMMED;
    if (!finished && !slow)
        return GOES_ON;
    return is_pressed(x, sums, true) ? PRESSED : ENDS;
}

/* How sweeps are accelerated: by momentum, or in the end by Anderson's combination. */
typedef struct acceleration {
    plu_nesterov momentum;
    bool combines;
} acceleration;

static acceleration no_acceleration(const plu_search *x)
{
    return (acceleration){plu_nesterov_start(x->state.island), false};
}

/* Anderson's combination of the last sweeps, which begins with the next one. */
static plu_status combine(plu_search *x, acceleration *a, plu_anderson *anderson, plu_error *err)
{
    plu_status status = PLU_OK;
    if (a->combines)
        plu_anderson_next(anderson, x->state.problem, x->state.island);
    else if ((a->combines = !has_finer(x) && !is_driven(x) && plu_search_may_combine(x)))
        status = plu_anderson_start(anderson, x->state.problem, x->state.island, err);
    return status;
}

/* What the next sweep has to do. Islands in floats and tiled ones save the storage of old impulses
 * while there is no momentum, and the sums of sweeps that cannot be the last: all before
 * min_iterations except the first one, which tells whether the island is at rest. */
static plu_sweep_way way_of(const plu_search *x, const acceleration *a)
{
    const plu_solve_settings *s = x->settings;
    const plu_island *island = x->state.island;
    const bool moves = plu_nesterov_moves(&a->momentum);
    const int before = x->result->iterations;
    const bool soon =
        (s->velocity && before == 0) || before + plu_sweeps_of(island) >= s->min_iterations;
    return (plu_sweep_way){.keep = a->combines || (s->momentum && moves),
                           .judged =
                               !(has_finer(x) || island->tiled) || soon || a->momentum.beta != 0.0,
                           .moves = moves && !a->combines,
                           .beta = a->combines ? 0.0 : a->momentum.beta,
                           .tolerance = s->tolerance,
                           .bound = island->bound};
}

static plu_sweep_sums sweep_once(plu_search *x, const plu_sweep_way *way)
{
    plu_engine_state *state = &x->state;
    const plu_sweep_sums sums = state->engine->sweep(state, way);
    x->result->iterations += plu_sweeps_of(state->island);
    x->result->exact += has_finer(x) ? 0 : plu_sweeps_of(state->island);
    if (has_finer(x) && x->result->iterations % RENEWED == 0) {
        plu_engine_give(state);
        plu_engine_renew(state);
    }
    return sums;
}

/* From here on the problem itself is swept, in which contacts may yield. */
static void go_on_finer(plu_search *x, outcome now)
{
    plu_engine_state *state = &x->state;
    if (has_finer(x)) {
        plu_engine_give(state);
        state->engine = state->engine->finer;
    }
    if (now != GOES_ON)
        plu_yield_begin(state->problem, state->island, x->settings->pull, now == JAMMED);
}

/* Sweeps until the island is solved or given up. After each sweep one of four things happens: it
 * ends; the next finer engine goes on, where rounding dominates, sweeps take long or contacts
 * yield; a few contacts are handed over to the fallback; or the next sweep follows. The second and
 * the third change the impulses, so that acceleration begins anew. */
static plu_status sweep(plu_search *x, plu_anderson *anderson, plu_error *err)
{
    acceleration a = no_acceleration(x);
    for (;;) {
        plu_status status = combine(x, &a, anderson, err);
        if (status != PLU_OK)
            return status;
        const plu_sweep_way way = way_of(x, &a);
        const plu_sweep_sums sums = sweep_once(x, &way);
        const outcome now = way.judged ? outcome_of(x, &sums) : GOES_ON;
        if (now == ENDS)
            return PLU_OK;
        x->stuck |= plu_search_is_stuck(x);
        bool anew = now != GOES_ON ||
                    (has_finer(x) && ((way.judged && is_blurred(x, &sums)) || takes_long(x)));
        if (anew) {
            go_on_finer(x, now);
        } else {
            if (plu_search_has_momentum(x))
                plu_nesterov_next(&a.momentum, &sums);
            else
                a.momentum = plu_nesterov_start(x->state.island);
            if (way.judged)
                status = hand_over(x, &sums, &anew, err);
        }
        if (status != PLU_OK)
            return status;
        if (anew)
            a = no_acceleration(x);
    }
}

static plu_status solve_island(plu_problem *problem, plu_island *island,
                               const plu_solve_settings *s, plu_workspace *w,
                               plu_anderson *anderson, plu_island_result *r, plu_error *err)
{
    *r = (plu_island_result){0};
    plu_search x = {.state = {.engine = plu_engine_of(problem, island, s),
                              .problem = problem,
                              .island = island,
                              .settings = s,
                              .shared = &w->single,
                              .mass = -1.0},
                    .settings = s,
                    .result = r,
                    .load = HUGE_VAL,
                    .next_handed = FIRST_HANDED};
    const plu_status status = x.state.engine->begin(&x.state, err);
    return status == PLU_OK ? sweep(&x, anderson, err) : status;
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

plu_status plu_solve_yielding(plu_problem *problem, plu_island *island,
                              const plu_solve_settings *settings, bool now, plu_island_result *r,
                              plu_error *err)
{
    const plu_island_result before = *r;
    plu_search x = {.state = {.engine = plu_engine_last(),
                              .problem = problem,
                              .island = island,
                              .settings = settings,
                              .mass = -1.0},
                    .settings = settings,
                    .result = r};
    *r = (plu_island_result){0};
    plu_yield_begin(problem, island, settings->pull, now);
    const plu_status status = sweep(&x, NULL, err);
    r->iterations += before.iterations;
    r->fallback_seconds += before.fallback_seconds;
    r->handed = r->handed || before.handed;
    return status;
}

/* Solves large islands one after the other, each with all threads, then small islands in parallel.
 */
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
        status = plu_engines_prepare(&w->single, problem, settings, err);
    if (status == PLU_OK && problem->islands_count > 0)
        PLU_TEAM(small > SMALL_TEAM, solve_small(problem, settings, w, &failed));
    if (w->teams && w->anderson[0].capacity > KEPT) /* frees the vectors of a large island */
        plu_anderson_free(&w->anderson[0]);
    if (failed)
        return plu_fail(err, PLU_IO, "out of memory in the solver");
    return status;
}
