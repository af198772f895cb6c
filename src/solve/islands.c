/* Solves a time step by any method of the table (portfolio.c):
 *
 *     method has `step` (gs)?    yes: all islands at once, laid out for sweeps (sweep/gs.c)
 *                                no:  each island as a general contact problem (problem/)
 *     fallback                   the islands for which that did not converge, as general problems
 *
 * General methods stop on the scaled residual. By the criterion "velocity" their tolerance is found
 * by proportion, from what the present impulses have of both, and halved again until the criterion
 * is met or nothing is gained; and their result counts only where it is not much worse by the
 * criterion than what was there. */
#include "base/strategy.h"
#include "general/own_solver.h"
#include "solve/solve.h"
#include "sweep/criterion.h"
#include "sweep/jam.h"
#include "sweep/workspace.h"
#include <omp.h>

/* The tolerance of a general solve. General methods stop on the scaled residual, which is
 * proportional to the error. With the criterion "velocity" the tolerance is half of the scaled
 * residual that the present impulses would need, by proportion, to meet the criterion. */
static double tolerance_of(const plu_solve_settings *s, const plu_island_result *r)
{
    if (!s->velocity)
        return r->tolerance;
    return r->missed > 0.0 && r->residuals.scaled > 0.0 ? r->residuals.scaled / (2.0 * r->missed)
                                                        : first_tolerance;
}

static plu_portfolio_settings settings_of(const plu_solve_settings *s, double tolerance)
{
    return (plu_portfolio_settings){
        .natural = s->natural,
        .tolerance = tolerance,
        .min_iterations =
            1, /* never accepts the warm start as it is; five Newton steps cost much */
        .max_iterations = s->max_iterations,
        .momentum = s->momentum,
        .local = s->local,
        .stop = s->stop,
        .stop_user = s->stop_user,
    };
}

/* Takes over the impulses p of the island. */
static void take(plu_problem *problem, plu_island *island, const plu_contact_problem *contacts,
                 const double *p, const plu_solve_settings *s, plu_island_result *r)
{
    plu_contact_problem_return(contacts, p, problem, island);
    if (s->velocity)
        (void)plu_velocity_judge(problem, island, s, false, r);
    else
        plu_pressed_judge(problem, island, s, r);
}

/* Copies the result to the island if it is better than the present impulses, or if `always`. The
 * scaled residual is a share of the impulses: those of a step that has hardly a solution may be
 * huge, and their velocities wrong by far more than before. Somewhat worse ones are kept, since the
 * next step begins better from a small residual, and sweeps mend the rest. */
static void accept(plu_problem *problem, plu_island *island, const plu_contact_problem *contacts,
                   const plu_monitor *m, const plu_solve_settings *s, bool always,
                   plu_island_result *r)
{
    const double old = s->natural ? r->residuals.natural : r->residuals.scaled;
    const double new = s->natural ? m->best.natural : m->best.scaled;
    const double missed = r->missed;
    r->iterations += m->iterations;
    if (!always && !(new < old))
        return;
    r->residuals = m->best;
    r->converged = m->converged;
    r->missed = new / r->tolerance;
    take(problem, island, contacts, m->best_p, s, r);
    if (s->velocity && !always && !(r->missed <= much_worse * missed))
        take(problem, island, contacts, contacts->guess, s, r);
}

static plu_status solve_island(plu_problem *problem, plu_island *island,
                               const plu_portfolio_solver *solver, const plu_solve_settings *s,
                               bool always, plu_island_result *r, plu_error *err)
{
    const plu_portfolio_settings settings = settings_of(s, tolerance_of(s, r));
    plu_contact_problem *contacts;
    plu_monitor monitor;
    plu_status status = plu_contact_problem_of_island(&contacts, problem, island, err);
    if (status != PLU_OK)
        return status;
    contacts->associated = s->associated;
    status = plu_monitor_start(&monitor, contacts, &settings, err);
    if (status == PLU_OK) {
        status = plu_solver_call(solver, contacts, &settings, &monitor, err);
        if (status == PLU_OK)
            accept(problem, island, contacts, &monitor, s, always, r);
        plu_monitor_free(&monitor);
    }
    plu_contact_problem_destroy(contacts);
    return status;
}

/* Solves an island once or, by the criterion "velocity", until that is met. */
static plu_status solve_rounds(plu_problem *problem, plu_island *island,
                               const plu_portfolio_solver *solver, const plu_solve_settings *s,
                               bool always, plu_island_result *r, plu_error *err)
{
    plu_status status = PLU_OK;
    for (int round = 0;
         status == PLU_OK && !r->converged && round < (s->velocity ? SOLVE_ROUNDS : 1); round++) {
        const double before = r->missed;
        status = solve_island(problem, island, solver, s, always, r, err);
        if (round > 0 && !(r->missed < before))
            break; /* no progress */
    }
    return status;
}

static plu_status solve_all(plu_problem *problem, const plu_solve_settings *s, plu_workspace *w,
                            plu_error *err)
{
    plu_status status = plu_workspace_reserve(w, problem->islands_count, err);
    int failed = problem->islands_count; /* the first island that did */
    plu_error first_error = {0};
#pragma omp parallel for schedule(dynamic) if (problem->islands_count > 1)
    for (int k = 0; k < problem->islands_count; k++) {
        if (status != PLU_OK)
            continue;
        plu_error why = {0}; /* also of factors that broke down on the way, which is no failure */
        w->results[k] = (plu_island_result){.tolerance = s->tolerance};
        if (solve_rounds(problem, &problem->islands[k], s->solver, s, true, &w->results[k], &why) ==
            PLU_OK)
            continue;
#pragma omp critical
        if (k < failed) {
            failed = k;
            first_error = why;
        }
    }
    if (failed == problem->islands_count)
        return status;
    return plu_fail(err, first_error.status, "%s", first_error.text);
}

/* Calls the fallback for the islands that have not converged, unless they are too large. */
static plu_status call_fallback(plu_problem *problem, const plu_solve_settings *s, plu_workspace *w,
                                plu_error *err)
{
    plu_status status = PLU_OK;
    for (int k = 0; k < problem->islands_count && status == PLU_OK; k++) {
        plu_island *island = &problem->islands[k];
        if (w->results[k].converged || w->results[k].driven || island->bound.most > 0.0 ||
            island->contacts > PLU_FALLBACK_CONTACTS)
            continue;
        const double start = plu_processor_time();
        status = solve_rounds(problem, island, s->fallback, s, false, &w->results[k], err);
        w->results[k].fallback_seconds += plu_processor_time() - start;
        w->results[k].handed = true;
    }
    return status;
}

/* Islands in which a contact bears more than it may by other methods than sweeps, or which these do
 * not solve where a boundary presses (`by_sweeps`: those in which the fallback was called). */
static plu_status let_yield(plu_problem *problem, const plu_solve_settings *s, bool by_sweeps,
                            plu_workspace *w, plu_error *err)
{
    plu_status status = PLU_OK;
    for (int k = 0; k < problem->islands_count && status == PLU_OK; k++) {
        plu_island *island = &problem->islands[k];
        if (by_sweeps && !w->results[k].handed)
            continue;
        if (island->bound.most > 0.0)
            continue;
        const bool beyond = plu_yields(problem, island);
        if (beyond || (!w->results[k].converged && plu_jam_presses(problem, island)))
            status = plu_solve_yielding(problem, island, s, !beyond, &w->results[k], err);
    }
    return status;
}

plu_status plu_solve_step(plu_problem *problem, const plu_solve_settings *s, plu_workspace *w,
                          plu_error *err)
{
    const double start = omp_get_wtime();
    for (int k = 0; k < problem->islands_count; k++)
        problem->islands[k].bound = (plu_bound){0};
    const bool own = s->solver->step && s->local->sphere;
    if (!own)
        plu_flow_fill_all(problem);
    plu_status status = own ? s->solver->step(problem, s, w, err) : solve_all(problem, s, w, err);
    if (s->fallback && status == PLU_OK)
        status = call_fallback(problem, s, w, err);
    if (problem->yield.least > 0.0 && status == PLU_OK)
        status = let_yield(problem, s, own, w, err);
    w->fallback_seconds = 0.0;
    w->handed = false;
    for (int k = 0; s->fallback && status == PLU_OK && k < problem->islands_count; k++) {
        w->fallback_seconds += w->results[k].fallback_seconds;
        w->handed |= w->results[k].handed;
    }
    w->seconds = omp_get_wtime() - start;
    return status;
}
