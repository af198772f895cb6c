/* Coloured Gauss-Seidel in body form, with Nesterov momentum and gradient restart (O'Donoghue &
 * Candes 2015), Anderson acceleration for what stays slow, and a stop for each island. */
#include "base/team.h"
#include "solve/pace.h"
#include "solve/sweep.h"
#include "solve/workspace.h"
#include <math.h>
#include <omp.h>

enum {
    SMALL_TEAM = 512, /* contacts in small islands from which threads pay */
    KEPT = 1 << 23    /* doubles that Anderson's vectors may hold on to */
};

/* Momentum of Nesterov with restart when the sweep goes against the momentum. */
typedef struct momentum {
    double t, beta;
} momentum;

/* Whether the sweep after this one can have momentum: it takes two without, after a restart too.
 * Where it cannot, what was before need not be kept. */
static bool gathers(const momentum *m)
{
    return m->t > 1.0;
}

static void update(momentum *m, const plu_sweep *sweep)
{
    if (sweep->momentum < 0.0) {
        *m = (momentum){1.0, 0.0};
        return;
    }
    const double next = 0.5 * (1.0 + sqrt(1.0 + 4.0 * m->t * m->t));
    m->beta = (m->t - 1.0) / next;
    m->t = next;
}

/* Whether to stop. A sweep knows its relative change for nothing; the true residual costs about a
 * sweep and is looked at when that estimate is good enough (for the natural map, which is not
 * related to it, every now and then). A sweep that changes nothing has converged. */
static bool finished(const plu_problem *problem, plu_island *island, const plu_solve_settings *s,
                     const plu_sweep *sweep, int *next_look, plu_island_result *r)
{
    const double estimate = sqrt(sweep->change / (sweep->size > 0.0 ? sweep->size : 1.0));
    const bool still = estimate <= 1e-12;
    const bool last = r->iterations >= s->max_iterations;
    const bool look = still || last ||
                      (r->iterations >= s->min_iterations && r->iterations >= *next_look &&
                       (s->natural || estimate <= s->tolerance));
    if (!look)
        return false;
    *next_look = r->iterations + 1 + r->iterations / 8;
    r->residuals = plu_problem_residual(problem, island);
    r->converged = (s->natural ? r->residuals.natural : r->residuals.scaled) <= s->tolerance;
    return last || (r->converged && (still || r->iterations >= s->min_iterations));
}

/* Whether the fallback will be there before the sweeps. */
static bool stalled(const plu_problem *problem, plu_island *island, const plu_solve_settings *s,
                    plu_pace *pace, plu_island_result *r)
{
    if (!s->fallback || island->contacts > PLU_FALLBACK_CONTACTS || !plu_pace_due(r->iterations))
        return false;
    r->residuals = plu_problem_residual(problem, island);
    const double left = plu_pace_left(
        pace, r->iterations, s->natural ? r->residuals.natural : r->residuals.scaled, s->tolerance);
    return left > plu_pace_newton(island->contacts);
}

static plu_status solve_island(plu_problem *problem, plu_island *island,
                               const plu_solve_settings *s, plu_anderson *anderson,
                               plu_island_result *r, plu_error *err)
{
    momentum m = {1.0, 0.0};
    plu_pace pace = {0};
    int next_look = 0;
    bool accelerated = false, begun = false; /* begun: there is a sweep to go on from */
    *r = (plu_island_result){0};
    plu_problem_apply(problem, island);
    for (;;) {
        if (!accelerated && island->padded && s->anderson_after > 0 &&
            r->iterations >= s->anderson_after) {
            const plu_status status = plu_anderson_start(anderson, island, err);
            if (status != PLU_OK)
                return status;
            accelerated = true;
            begun = false;
        }
        if (accelerated && begun)
            plu_anderson_next(anderson, problem, island);
        else if (begun && gathers(&m))
            plu_momentum(problem, island, m.beta);
        const bool keep = accelerated || (s->momentum && gathers(&m));
        const plu_sweep sweep =
            plu_sweep_island(problem, island, keep, accelerated ? 0.0 : m.beta, s->local->sphere);
        r->iterations += plu_sweeps_of(island);
        begun = accelerated || s->momentum;
        if (finished(problem, island, s, &sweep, &next_look, r) ||
            stalled(problem, island, s, &pace, r))
            return PLU_OK;
        if (s->momentum)
            update(&m, &sweep);
    }
}

static void solve_small(plu_problem *problem, const plu_solve_settings *settings, plu_workspace *w,
                        bool *failed)
{
#pragma omp for schedule(dynamic, 4) nowait
    for (int k = 0; k < problem->islands_count; k++)
        if (!problem->islands[k].large &&
            solve_island(problem, &problem->islands[k], settings,
                         &w->anderson[omp_get_thread_num()], &w->results[k], NULL) != PLU_OK) {
#pragma omp atomic write
            *failed = true;
        }
}

/* Large islands one after the other, each with all threads; the small ones side by side. */
plu_status plu_solve_gs(plu_problem *problem, const plu_solve_settings *settings, plu_workspace *w,
                        plu_error *err)
{
    plu_status status = plu_workspace_reserve(w, problem->islands_count, err);
    const double start = omp_get_wtime();
    int small = 0;
    for (int k = 0; status == PLU_OK && k < problem->islands_count; k++) {
        if (problem->islands[k].large)
            status = solve_island(problem, &problem->islands[k], settings, &w->anderson[0],
                                  &w->results[k], err);
        else
            small += problem->islands[k].contacts;
    }
    bool failed = false;
    if (status == PLU_OK && problem->islands_count > 0)
        PLU_TEAM(small > SMALL_TEAM, solve_small(problem, settings, w, &failed));
    w->seconds = omp_get_wtime() - start;
    if (w->teams && w->anderson[0].capacity > KEPT) /* of a large island: give it back */
        plu_anderson_free(&w->anderson[0]);
    if (failed)
        return plu_fail(err, PLU_IO, "out of memory in the solver");
    return status;
}
