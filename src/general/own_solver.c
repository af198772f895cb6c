/* Solvers and local solvers from outside (pluvia/extension.h), called like those of the table:
 *
 *     plu_solver_call --> own->solve(user, view, run, p)         view: q, W by block rows, slopes
 *                              loop: plu_solve_run_stop(run, p)  residual from p alone; best p;
 *                              <---- true: end                   when to stop (monitor.c)
 *
 * What they return is not trusted: the result is the best p that the monitor has seen. A solver
 * that never calls plu_solve_run_stop, or gives a number that is not finite, is refused with
 * its name and the contact. */
#include "general/own_solver.h"
#include "base/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct plu_solve_run {
    plu_monitor *monitor;
    bool asked;      /* plu_solve_run_stop was called */
    int broken;      /* the contact of a number that is not finite; -1: all are */
    int broken_when; /* iterations done then */
};

bool plu_solve_run_stop(plu_solve_run *run, const double *p, int iterations)
{
    const plu_contact_problem *problem = run->monitor->problem;
    run->asked = true;
    for (int i = 0; i < problem->contacts * problem->rows && run->broken < 0; i++)
        if (!isfinite(p[i])) {
            run->broken = i / problem->rows;
            run->broken_when = iterations;
        }
    return run->broken >= 0 || plu_monitor_stop(run->monitor, p, iterations);
}

/* What a solver from outside must not do. */
static plu_status blame(const plu_own_row *own, const plu_solve_run *run, plu_error *err)
{
    if (!run->asked)
        return plu_fail(err, PLU_USAGE,
                        "the solver \"%s\" has returned without a call of plu_solve_run_stop (in "
                        "Python view.stop), which takes its impulses and checks them",
                        own->row.name);
    if (run->broken >= 0)
        return plu_fail(err, PLU_BREAKDOWN,
                        "the solver \"%s\" gave contact %d an impulse that is not finite, after %d "
                        "iterations",
                        own->row.name, run->broken, run->broken_when);
    return PLU_OK;
}

void plu_problem_view_velocity(const plu_problem_view *v, const double *p, double *y)
{
    const int d = v->rows;
    memcpy(y, v->q, (size_t)d * (size_t)v->contacts * sizeof *y);
    for (int c = 0; c < v->contacts; c++)
        for (int b = v->start[c]; b < v->start[c + 1]; b++) {
            const double *w = v->block + (size_t)b * (size_t)(d * d);
            for (int i = 0; i < d; i++)
                for (int j = 0; j < d; j++)
                    y[c * d + i] += w[i * d + j] * p[v->column[b] * d + j];
        }
}

static plu_status call_own(const plu_own_row *own, const plu_contact_problem *problem,
                           const plu_portfolio_settings *settings, plu_monitor *monitor,
                           plu_error *err)
{
    const size_t contacts = (size_t)problem->contacts, n = contacts * (size_t)problem->rows;
    double(*slope)[3] = plu_alloc(contacts, sizeof *slope, err);
    double *p = plu_alloc(n, sizeof *p, err);
    plu_status status = slope && p ? PLU_OK : PLU_IO;
    for (int c = 0; status == PLU_OK && c < problem->contacts; c++) {
        const double slopes[] = PLU_CONTACT_SLOPES(problem, c);
        memcpy(slope[c], slopes, sizeof slope[c]);
    }
    if (status == PLU_OK) {
        const plu_problem_view view = {.rows = problem->rows,
                                       .contacts = problem->contacts,
                                       .start = problem->w.start,
                                       .column = problem->w.column,
                                       .block = problem->w.block,
                                       .q = problem->q,
                                       .slope = (const double(*)[3])slope};
        plu_solve_run run = {.monitor = monitor, .broken = -1};
        if (!settings->from_zero)
            memcpy(p, problem->guess, n * sizeof *p);
        status = own->solve(own->user, &view, &run, p, err);
        if (status != PLU_OK && err && err->count == 0)
            plu_fail(err, status, "the solver \"%s\" ended with status %d", own->row.name,
                     (int)status);
        if (status == PLU_OK)
            status = blame(own, &run, err);
    }
    free(slope);
    free(p);
    return status;
}

plu_status plu_solver_call(const plu_portfolio_solver *solver, const plu_contact_problem *problem,
                           const plu_portfolio_settings *settings, plu_monitor *monitor,
                           plu_error *err)
{
    if (!solver->solve)
        return call_own((const plu_own_row *)solver, problem, settings, monitor, err);
    plu_error why = {0};
    const plu_status status = solver->solve(problem, settings, monitor, &why);
    if (status == PLU_STOPPED) { /* within an iteration: the best p of those before, or zero */
        monitor->out_of_time = true;
        if (monitor->best.scaled == HUGE_VAL)
            monitor->now = monitor->best =
                plu_contact_residuals(problem, monitor->best_p, monitor->y);
        return PLU_OK;
    }
    if (status != PLU_OK && err)
        *err = why;
    return status;
}

bool plu_local_call(const plu_local_method *local, int rows, const double *w, const double *q,
                    const double *slope, double tolerance, double *p, double *state)
{
    if (local->near)
        return local->near(rows, w, q, slope, tolerance, p, state);
    if (local->solve)
        return local->solve(rows, w, q, slope, p, state);
    const plu_own_local_row *own = (const plu_own_local_row *)local;
    return own->solve(own->user, rows, w, q, slope, p);
}
