/* The monitor of the general solvers, the same for all: it computes both residuals from p alone,
 * keeps the best p and the history, and decides when to stop. So no method is judged by its own
 * estimate:
 *
 *     method:  p_1, p_2, ...  --plu_monitor_stop-->  y = W p + q,  e_s, e   (contact_residual.c)
 *                                                    best p so far
 *                                                    small enough, out of iterations or time, or
 *                                                    asked to give up: stop
 *
 * A residual is divided by |p|, which grows without bound where there is no solution: a problem
 * counts as solved only if the error, as velocities, is small against q as well (plu_contact_fits).
 * Where the first holds and the second does not, `aim` is lowered in proportion. */
#include "base/memory.h"
#include "general/pace.h"
#include "general/solver.h"
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

static bool is_over(void *monitor)
{
    return plu_monitor_expired(monitor, 0);
}

plu_status plu_monitor_start(plu_monitor *m, const plu_contact_problem *problem,
                             const plu_portfolio_settings *settings, plu_error *err)
{
    const size_t n = (size_t)problem->contacts * (size_t)problem->rows;
    *m = (plu_monitor){.problem = problem,
                       .settings = settings,
                       .started = omp_get_wtime(),
                       .now = {HUGE_VAL, HUGE_VAL},
                       .best = {HUGE_VAL, HUGE_VAL},
                       .aim = HUGE_VAL,
                       .infeasibility = -1.0,
                       .err = err};
    if (settings->stop || settings->max_seconds > 0.0)
        m->stop = (plu_stop){.call = is_over, .user = m};
    m->best_p = plu_alloc(n, sizeof *m->best_p, err);
    m->y = plu_alloc(n, sizeof *m->y, err);
    if (!m->best_p || !m->y) {
        plu_monitor_free(m);
        return PLU_IO;
    }
    return PLU_OK;
}

static double measure(const plu_monitor *m, plu_residuals r)
{
    return m->settings->natural ? r.natural : r.scaled;
}

static void note_point(plu_monitor *m)
{
    if (m->points_count == m->points_capacity) {
        size_t capacity = (size_t)m->points_capacity;
        m->status = plu_reserve(&m->points, &capacity, capacity + 1, sizeof *m->points, 1, m->err);
        m->points_capacity = (int)capacity;
    }
    if (m->status == PLU_OK)
        m->points[m->points_count++] =
            (plu_history_point){m->iterations, omp_get_wtime() - m->started, m->now};
}

/* Whether p counts as converged. With `fits` the error of the present p must also be small against
 * the data (plu_contact_fits), and then the present p, not the best one, is the result. */
static bool solved(plu_monitor *m, const double *p, int iterations_done)
{
    const double tolerance = m->settings->tolerance;
    const double reached = measure(m, m->settings->fits ? m->now : m->best);
    if (!(reached <= 1e-12 ||
          (reached <= tolerance && iterations_done >= m->settings->min_iterations)))
        return false;
    if (!m->settings->fits)
        return true;
    double missed;
    if (!plu_contact_fits(m->problem, p, m->y, m->settings->natural, tolerance, &missed)) {
        if (missed < HUGE_VAL)
            m->aim = reached / missed;
        return false;
    }
    m->best = m->now;
    memcpy(m->best_p, p,
           (size_t)m->problem->contacts * (size_t)m->problem->rows * sizeof *m->best_p);
    return true;
}

bool plu_monitor_stop(plu_monitor *m, const double *p, int iterations_done)
{
    const size_t n = (size_t)m->problem->contacts * (size_t)m->problem->rows;
    m->iterations = m->before + iterations_done;
    m->now = plu_contact_residuals(m->problem, p, m->y);
    if (measure(m, m->now) < measure(m, m->best)) {
        m->best = m->now;
        memcpy(m->best_p, p, n * sizeof *p);
    }
    if (m->settings->history)
        note_point(m);
    m->converged = solved(m, p, iterations_done);
    m->out_of_time = m->out_of_time || plu_monitor_expired(m, 0);
    return m->converged || m->status != PLU_OK || plu_monitor_expired(m, iterations_done);
}

bool plu_monitor_expired(const plu_monitor *m, int iterations_done)
{
    const plu_portfolio_settings *s = m->settings;
    return (s->stop && s->stop(s->stop_user)) ||
           (s->max_iterations > 0 && m->before + iterations_done >= s->max_iterations) ||
           (s->max_seconds > 0.0 && omp_get_wtime() - m->started >= s->max_seconds);
}

void plu_monitor_free(plu_monitor *m)
{
    free(m->best_p);
    free(m->y);
    free(m->points);
    m->best_p = m->y = NULL;
    m->points = NULL;
}

/* Extrapolates the convergence rate of a sequence of sweeps. */

bool plu_pace_due(int sweeps)
{
    return sweeps % PLU_PACE_EVERY == 0 &&
           sweeps >= PLU_PACE_FIRST - PLU_PACE_CHECKS * PLU_PACE_EVERY;
}

double plu_pace_left(plu_pace *pace, int sweeps, double residual, double tolerance)
{
    const double last = pace->past[PLU_PACE_CHECKS - 1];
    if (last > 0.0)
        residual = fmin(residual, last);
    const double fallen = log(pace->past[0] / residual), to_go = log(residual / tolerance);
    for (int i = 1; i < PLU_PACE_CHECKS; i++)
        pace->past[i - 1] = pace->past[i];
    pace->past[PLU_PACE_CHECKS - 1] = residual;
    if (sweeps < PLU_PACE_FIRST || to_go <= 0.0)
        return 0.0;
    return fallen > 0.0 ? PLU_PACE_EVERY * PLU_PACE_CHECKS * to_go / fallen : HUGE_VAL;
}

double plu_pace_newton(int contacts)
{
    return fmax(newton_least, newton_share * contacts);
}
