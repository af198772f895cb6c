/* The public interface (pluvia/tool/solver.h): solves a contact problem by a method of the table.
 *
 *     request -> choose: solver, local solver, fallback by name; what cannot be had is refused
 *             -> is there a proof that it has no solution (contact_unsolvable.c)?  unsolvable
 *             -> spheres (spheres.c), and the solver has sweeps for them?          sweep/gs.c, in
 *                rounds else as it is, by the general method
 *             -> report: residuals, velocities, whether they fit q */
#include "base/memory.h"
#include "general/own_solver.h"
#include "pluvia/tool/solver.h"
#include "problem/contact_unsolvable.h"
#include "problem/spheres.h"
#include "solve/solve.h"
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const newton_maps[] = {[PLU_NEWTON_PRIMAL_DUAL] = "primal-dual",
                                          [PLU_NEWTON_ALART_CURNIER] = "alart-curnier",
                                          [PLU_NEWTON_NATURAL] = "natural-map"};
_Static_assert(sizeof newton_maps / sizeof *newton_maps == PLU_NEWTON_MAPS, "a name for each map");

/* PLU_NEWTON_MAPS: there is none of that name. */
static int newton_map_of(const plu_solve_request *r)
{
    int i = 0;
    while (r->newton_map && i < PLU_NEWTON_MAPS && strcmp(r->newton_map, newton_maps[i]) != 0)
        i++;
    return i;
}

static plu_portfolio_settings settings_of(const plu_solve_request *r)
{
    return (plu_portfolio_settings){
        .natural = !r->scaled,
        .fits = true,
        .tolerance = r->tolerance,
        .max_iterations = r->max_iterations,
        .max_seconds = r->max_seconds,
        .from_zero = r->from_zero,
        .natural_order = r->natural_order,
        .momentum = true,
        .newton_map = (plu_newton_map)newton_map_of(r),
        .full_steps = r->full_steps,
        .plain = r->plain,
        .local = plu_local_named(r->extensions, r->local ? r->local : "exact"),
        .fallback = r->fallback ? plu_solver_named(r->extensions, r->fallback) : NULL,
        .history = r->history,
    };
}

/* The requested solver; NULL: it cannot be used, and `why` says why. */
static const plu_portfolio_solver *choose(const plu_contact_problem *problem,
                                          const plu_solve_request *r, char why[256])
{
    const plu_portfolio_settings s = settings_of(r);
    const char *name = r->solver ? r->solver : plu_solver_name(0);
    const plu_portfolio_solver *solver = plu_solver_named(r->extensions, name);
    if (!solver)
        plu_portfolio_unknown(name, why);
    else if (!s.local)
        snprintf(why, 256, "unknown local solver \"%s\" (`pluvia solvers` lists them)", r->local);
    else if (newton_map_of(r) == PLU_NEWTON_MAPS)
        snprintf(
            why, 256,
            "unknown equations \"%s\" for newton; choose primal-dual, alart-curnier or natural-map",
            r->newton_map);
    else if (r->fallback && !s.fallback)
        plu_portfolio_unknown(r->fallback, why);
    else if (s.local->rows < problem->rows)
        snprintf(why, 256, "local solver %s does not support %s friction", s.local->name,
                 problem->rows == 7 ? "pivoting" : "rolling");
    else if (solver->no_pivoting && problem->rows == 7)
        snprintf(why, 256, "%s does not support pivoting friction", solver->name);
    else if (r->associated && !solver->associated)
        snprintf(why, 256, "%s does not support the associated law (" PLU_ASSOCIATED_SOLVERS " do)",
                 solver->name);
    else if (solver->refuses && solver->refuses(problem, &s))
        snprintf(why, 256, "%s %s", solver->name, solver->refuses(problem, &s));
    else
        return solver;
    return NULL;
}

bool plu_solver_refuses(const plu_contact_problem *problem, const plu_solve_request *request,
                        char why[256])
{
    return choose(problem, request, why) == NULL;
}

/* Whether the specialized Gauss-Seidel for spheres can be used, which is many times faster than the
 * general one. */
static bool fast(const plu_contact_problem *problem, const plu_solve_request *r,
                 const plu_portfolio_solver *solver, const plu_portfolio_settings *s)
{
    return solver->step && s->local->sphere && !r->natural_order && !r->history &&
           plu_is_spheres(problem);
}

/* Limits of sweeps on spheres: with a fallback, and without one. */
enum { SWEEPS_BEFORE_FALLBACK = 1000, SWEEPS = 50000 };

/* Solves with smaller and smaller tolerances of the islands, at most. */
enum { ROUNDS = 6 };

static int most_iterations(const plu_problem *step, const plu_workspace *w)
{
    int most = 0;
    for (int k = 0; k < step->islands_count; k++)
        if (plu_workspace_results(w)[k].iterations > most)
            most = plu_workspace_results(w)[k].iterations;
    return most;
}

static bool all_converged(const plu_problem *step, const plu_workspace *w)
{
    bool all = true;
    for (int k = 0; k < step->islands_count; k++)
        all = all && plu_workspace_results(w)[k].converged;
    return all;
}

/* Solves by sweeps on spheres. Each island stops by its own residual, whose natural map is divided
 * by the size of all its velocities, those of rolling too where there is no rolling friction. The
 * residual of the whole problem can therefore be above the tolerance; the solve is then repeated
 * with one that is smaller by what was missed. */
static plu_status sweep_spheres(const plu_contact_problem *problem, const plu_portfolio_settings *s,
                                const plu_portfolio_solver *solver, plu_problem *step,
                                plu_workspace *w, plu_monitor *m, double *p, plu_error *err)
{
    plu_solve_settings settings = {.natural = s->natural,
                                   .tolerance = s->tolerance,
                                   .max_iterations = s->fallback ? SWEEPS_BEFORE_FALLBACK : SWEEPS,
                                   .momentum = true,
                                   .anderson_after = 100,
                                   .solver = solver,
                                   .local = s->local,
                                   .fallback = s->fallback};
    if (s->max_iterations && s->max_iterations < settings.max_iterations)
        settings.max_iterations = s->max_iterations;
    int sweeps = 0;
    for (int round = 0; round < ROUNDS; round++) {
        const plu_status status = solver->step(step, &settings, w, err);
        if (status != PLU_OK)
            return status;
        const int more = most_iterations(step, w);
        sweeps += more;
        plu_spheres_impulses(problem, step, p);
        if (plu_monitor_stop(m, p, sweeps) || !all_converged(step, w))
            return PLU_OK;
        const double now = s->natural ? m->now.natural : m->now.scaled;
        settings.tolerance *= fmin(0.3, fmin(0.5 * s->tolerance, m->aim) / now);
    }
    return PLU_OK;
}

static plu_status solve_spheres(const plu_contact_problem *problem, const plu_portfolio_settings *s,
                                const plu_portfolio_solver *solver, plu_monitor *m, double *p,
                                plu_error *err)
{
    double(*rows)[8] = NULL;
    plu_problem step;
    plu_layout *layout = plu_layout_create(err);
    plu_workspace *w = plu_workspace_create(err);
    plu_status status = layout && w ? PLU_OK : PLU_IO;
    if (status == PLU_OK)
        status = plu_spheres_to_step(problem, p, layout, &step, &rows, err);
    if (status == PLU_OK)
        status = sweep_spheres(problem, s, solver, &step, w, m, p, err);
    plu_workspace_destroy(w);
    plu_layout_destroy(layout);
    free(rows);
    /* The fallback goes on from the best impulses that sweeps have found. */
    if (status != PLU_OK || m->converged || !s->fallback || plu_monitor_expired(m, m->iterations))
        return status;
    plu_contact_problem from_here = *problem;
    from_here.guess = m->best_p;
    plu_portfolio_settings rest = *s;
    rest.from_zero = false;
    m->before = m->iterations;
    return plu_solver_call(s->fallback, &from_here, &rest, m, err);
}

static plu_status solve(plu_contact_problem *problem, const plu_solve_request *r,
                        const plu_portfolio_solver *solver, const plu_portfolio_settings *s,
                        plu_monitor *m, plu_error *err)
{
    if (!fast(problem, r, solver, s))
        return plu_solver_call(solver, problem, s, m, err);
    const size_t n = (size_t)problem->rows * (size_t)problem->contacts;
    double *p = plu_alloc(n, sizeof *p, err);
    if (!p)
        return PLU_IO;
    if (!s->from_zero)
        memcpy(p, problem->guess, n * sizeof *p);
    const plu_status status = solve_spheres(problem, s, solver, m, p, err);
    free(p);
    return status;
}

static plu_status take_over(plu_contact_problem *problem, plu_monitor *m,
                            const plu_portfolio_solver *solver, plu_solve_report *report,
                            plu_error *err)
{
    free(problem->solution);
    problem->solution = m->best_p;
    m->best_p = NULL;
    report->solver = solver->name;
    report->iterations = m->iterations;
    report->converged = m->converged;
    report->natural = m->best.natural;
    report->scaled = m->best.scaled;
    report->factorizations = m->factorizations;
    report->infeasibility = m->infeasibility;
    memcpy(report->note, m->note, sizeof report->note);
    if (m->points_count == 0)
        return PLU_OK;
    report->history = plu_alloc((size_t)m->points_count, sizeof *report->history, err);
    if (!report->history)
        return PLU_IO;
    for (int i = 0; i < m->points_count; i++) {
        const plu_history_point *h = &m->points[i];
        report->history[report->history_count++] =
            (plu_solve_point){h->iteration, h->seconds, h->residuals.natural, h->residuals.scaled};
    }
    return PLU_OK;
}

/* Looks for a proof that no solution exists, and says which. */
static plu_unsolvable find_proof(const plu_contact_problem *problem, plu_solve_report *report)
{
    static const char *const why[] = {
        [PLU_CLOSES_UNMOVED] = "contact %d closes, and no impulse can change that (W_NN = 0)",
        [PLU_CLOSES_ANYHOW] = "no velocities exist that keep all contacts from closing",
        [PLU_NEITHER_STICKS_NOR_SLIDES] =
            "contact %d can neither open nor stick, nor slide in any direction",
    };
    _Static_assert(sizeof why / sizeof *why == PLU_PROOFS, "a sentence for each proof");
    if (problem->associated) /* the proofs are about Coulomb's law */
        return PLU_PERHAPS_SOLVABLE;
    int contact;
    const plu_unsolvable proof = plu_contact_unsolvable(problem, NULL, &contact);
    report->unsolvable = proof != PLU_PERHAPS_SOLVABLE;
    if (report->unsolvable)
        snprintf(report->proof, sizeof report->proof, why[proof], contact);
    return proof;
}

/* A contact that no impulse moves (W_NN = 0), and that does not close, has zero impulse. But
 * solvers divide by W_NN. During a solve such a contact therefore gets a positive W_NN, taken from
 * its tangential block, which does not change the result, and the body form, whose W_NN is zero, is
 * hidden. */
typedef struct loan {
    bool *lent; /* [contacts] */
    int bodies;
} loan;

static plu_status lend(plu_contact_problem *problem, loan *l, plu_error *err)
{
    const size_t d = (size_t)problem->rows;
    *l = (loan){.lent = plu_alloc((size_t)problem->contacts, sizeof *l->lent, err),
                .bodies = problem->body.bodies};
    for (int c = 0; l->lent && c < problem->contacts; c++) {
        double *block = problem->w.block + (size_t)problem->w.diagonal[c] * d * d;
        if (block[0] > 0.0)
            continue;
        l->lent[c] = true;
        block[0] = fmax(block[d + 1], block[2 * d + 2]);
        problem->body.bodies = 0;
    }
    return l->lent ? PLU_OK : PLU_IO;
}

static void take_back(plu_contact_problem *problem, loan *l)
{
    const size_t d2 = (size_t)(problem->rows * problem->rows);
    for (int c = 0; l->lent && c < problem->contacts; c++)
        if (l->lent[c])
            problem->w.block[(size_t)problem->w.diagonal[c] * d2] = 0.0;
    problem->body.bodies = l->bodies;
    free(l->lent);
}

/* The result of a problem without solution: its starting point. */
static void stay(const plu_contact_problem *problem, const plu_portfolio_settings *s,
                 plu_monitor *m)
{
    const size_t n = (size_t)problem->rows * (size_t)problem->contacts;
    if (!s->from_zero)
        memcpy(m->best_p, problem->guess, n * sizeof *m->best_p);
    m->now = m->best = plu_contact_residuals(problem, m->best_p, m->y);
}

static plu_status solve_by(plu_contact_problem *problem, const plu_solve_request *request,
                           const plu_portfolio_solver *solver, plu_solve_report *report,
                           plu_error *err)
{
    const plu_portfolio_settings settings = settings_of(request);
    plu_monitor m;
    loan l;
    plu_status status = plu_monitor_start(&m, problem, &settings, err);
    if (status != PLU_OK)
        return status;
    const plu_unsolvable proof = find_proof(problem, report);
    m.started = omp_get_wtime();
    status = lend(problem, &l, err);
    if (proof != PLU_PERHAPS_SOLVABLE && status == PLU_OK)
        stay(problem, &settings, &m);
    else if (status == PLU_OK)
        status = solve(problem, request, solver, &settings, &m, err);
    const double seconds = omp_get_wtime() - m.started;
    take_back(problem, &l);
    if (status == PLU_OK)
        status = take_over(problem, &m, solver, report, err);
    report->seconds = seconds;
    plu_monitor_free(&m);
    return status;
}

plu_status plu_contact_problem_solve(plu_contact_problem *problem, const plu_solve_request *request,
                                     plu_solve_report *report, plu_error *err)
{
    char why[256];
    plu_error failure = {0}; /* also of factors that broke down on the way, which is no failure */
    *report = (plu_solve_report){0};
    if (!(request->tolerance >= 0.0) || !(request->max_seconds >= 0.0) ||
        request->max_iterations < 0)
        return plu_fail(err, PLU_USAGE,
                        "tolerance %g, at most %d iterations and %g s: none may be negative, and "
                        "the tolerance must be a number",
                        request->tolerance, request->max_iterations, request->max_seconds);
    const plu_portfolio_solver *solver = choose(problem, request, why);
    if (!solver)
        return plu_fail(err, PLU_USAGE, "%s", why);
    problem->associated = request->associated;
    const plu_status status = solve_by(problem, request, solver, report, &failure);
    if (status != PLU_OK && err)
        *err = failure;
    return status;
}

void plu_solve_report_free(plu_solve_report *report)
{
    free(report->history);
    report->history = NULL;
}

/* From the scaled rows inside to the rows of the file. */
static void to_file(const plu_contact_problem *problem, const double *x, bool velocity, double *out)
{
    const int rows = plu_outer_rows(problem);
    for (int c = 0; c < problem->contacts; c++)
        for (int j = 0; j < rows; j++) {
            const int row = plu_inner_row(problem->planar, j);
            const double l = problem->length[c];
            const double unit = row < 3 ? 1.0 : (velocity ? 1.0 / l : l);
            out[c * rows + j] = unit * x[c * problem->rows + row];
        }
}

plu_status plu_contact_problem_solution(const plu_contact_problem *problem, double *r, double *u,
                                        plu_error *err)
{
    if (!problem->solution)
        return plu_fail(err, PLU_USAGE, "the problem has not been solved yet; solve it first");
    double *y = plu_alloc((size_t)problem->rows * (size_t)problem->contacts, sizeof *y, err);
    if (!y)
        return PLU_IO;
    plu_contact_problem_velocity(problem, problem->solution, y);
    to_file(problem, problem->solution, false, r);
    to_file(problem, y, true, u);
    free(y);
    return PLU_OK;
}
