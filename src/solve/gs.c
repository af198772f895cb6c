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

typedef struct judgement { /* of one island's convergence */
    int next_look;
    double weight; /* of its bodies, as impulse of a step; < 0: not known yet */
    plu_pace pace;
} judgement;

static double tolerance_of(const plu_problem *problem, const plu_island *island,
                           const plu_solve_settings *s, const plu_sweep *sweep, judgement *j)
{
    if (s->natural || s->fall <= 0.0 || sweep->size <= 0.0)
        return s->tolerance;
    if (j->weight < 0.0)
        j->weight = s->fall * plu_problem_mass(problem, island);
    const double share = PLU_DEEP * j->weight / sqrt(sweep->size);
    return s->tolerance * fmin(fmax(share, PLU_LEAST_SHARE), 1.0);
}

/* Whether to stop. A sweep knows its relative change for nothing; the true residual costs about a
 * sweep and is looked at when that estimate is good enough (for the natural map, which is not
 * related to it, every now and then). A sweep that changes nothing has converged. */
static bool finished(const plu_problem *problem, plu_island *island, const plu_solve_settings *s,
                     const plu_sweep *sweep, judgement *j, plu_island_result *r)
{
    const double estimate = sqrt(sweep->change / (sweep->size > 0.0 ? sweep->size : 1.0));
    const bool still = estimate <= 1e-12;
    const bool last = r->iterations >= s->max_iterations;
    bool look = still || last;
    if (!look && r->iterations >= s->min_iterations && r->iterations >= j->next_look)
        look = s->natural ||
               (estimate <= s->tolerance && estimate <= tolerance_of(problem, island, s, sweep, j));
    if (!look)
        return false;
    j->next_look = r->iterations + 1 + r->iterations / 8;
    r->tolerance = tolerance_of(problem, island, s, sweep, j);
    r->residuals = plu_problem_residual(problem, island);
    r->converged = (s->natural ? r->residuals.natural : r->residuals.scaled) <= r->tolerance;
    return last || (r->converged && (still || r->iterations >= s->min_iterations));
}

/* Whether the fallback will be there before the sweeps. */
static bool stalled(const plu_problem *problem, plu_island *island, const plu_solve_settings *s,
                    const plu_sweep *sweep, judgement *j, plu_island_result *r)
{
    if (!s->fallback || island->contacts > PLU_FALLBACK_CONTACTS || !plu_pace_due(r->iterations))
        return false;
    r->tolerance = tolerance_of(problem, island, s, sweep, j);
    r->residuals = plu_problem_residual(problem, island);
    const double left =
        plu_pace_left(&j->pace, r->iterations,
                      s->natural ? r->residuals.natural : r->residuals.scaled, r->tolerance);
    return left > plu_pace_newton(island->contacts);
}

static plu_status solve_island(plu_problem *problem, plu_island *island,
                               const plu_solve_settings *s, plu_anderson *anderson,
                               plu_island_result *r, plu_error *err)
{
    momentum m = {1.0, 0.0};
    judgement j = {.weight = -1.0};
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
        /* Tiles save the sums of sweeps after which the island cannot be finished. */
        const bool judged =
            !island->tiled || r->iterations + PLU_TILE_SWEEPS >= s->min_iterations || m.beta != 0.0;
        const plu_sweep_way way = {keep, judged, accelerated ? 0.0 : m.beta};
        const plu_sweep sweep = plu_sweep_island(problem, island, &way, s->local->sphere);
        r->iterations += plu_sweeps_of(island);
        begun = accelerated || s->momentum;
        if (judged && (finished(problem, island, s, &sweep, &j, r) ||
                       stalled(problem, island, s, &sweep, &j, r)))
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
