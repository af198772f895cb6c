/* "convex": Cadoux's formulation. For a given s the problem with K* containing y + E s is a cone
 * program; s = |u_T| is found by a damped Newton method on S(s) = s - |u_T|(s), each of whose
 * evaluations is a cone program. One iteration is one program, as in Cadoux's table. A guess serves
 * as the first s only.
 *
 * With much friction and redundant contacts |u_T|(s) is steep and has kinks, so that damped Newton
 * steps from a distant s do not reach the solution. The first time that a Newton step does not
 * lower |S|, s is therefore taken from impulses of the proximal Newton method with a scaled
 * residual of `near`; from there two to seven programs suffice. */
#include "base/memory.h"
#include "base/vec3.h"
#include "general/reference/ipm_point.h"
#include "general/reference/reference.h"
#include "general/solver.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- the cone program with s as parameter, and the derivative of its solution --- */

typedef struct plu_cone_program {
    plu_ipm_point point;     /* at the solution after `solve` */
    plu_ipm_system *tangent; /* of the derivative */
    plu_disk *kept;          /* [disks], and kept_y [n]: a solution put aside */
    double *kept_y;
    double *u; /* [disks]: |u_T| or |w_R| of the solution */
} plu_cone_program;

enum { INNER_MAX = 80, INNER_PATIENCE = 3 };
/* Products z . l relative to those of the start, below which rounding has the word. */
static const double exact = 1e-24;

/* PLU_OK or PLU_IO. */
static plu_status plu_cone_program_create(plu_cone_program *g, const plu_contact_problem *problem,
                                          plu_stop *stop, plu_error *err)
{
    *g = (plu_cone_program){0};
    plu_status status = plu_ipm_point_create(&g->point, problem, false, stop, err);
    if (status == PLU_OK)
        status = plu_ipm_system_create(&g->tangent, problem, true, stop, err);
    if (status == PLU_OK) {
        g->u = plu_alloc((size_t)g->point.disks, sizeof *g->u, err);
        g->kept = plu_alloc((size_t)g->point.disks, sizeof *g->kept, err);
        g->kept_y = plu_alloc((size_t)g->point.n, sizeof *g->kept_y, err);
        status = g->u && g->kept && g->kept_y ? PLU_OK : PLU_IO;
    }
    return status;
}

static void plu_cone_program_destroy(plu_cone_program *g)
{
    plu_ipm_point_destroy(&g->point);
    plu_ipm_system_destroy(g->tangent);
    free(g->u);
    free(g->kept);
    free(g->kept_y);
}

/* Solves the program for s [disks]; `monitor` for limits and for the count of factorizations.
 * PLU_OK or PLU_IO. */
static plu_status plu_cone_program_solve(plu_cone_program *g, const double *s, plu_monitor *monitor,
                                         plu_error *err)
{
    plu_ipm_point *t = &g->point;
    plu_ipm_point_start(t);
    for (int i = 0; i < t->disks; i++)
        t->disk[i].s = s[i];
    plu_ipm_point_measure(t);
    const double target = exact * t->gap;
    int stuck = 0;
    for (int k = 0; k < INNER_MAX && stuck < INNER_PATIENCE && !plu_monitor_expired(monitor, 0);
         k++) {
        if (t->gap <= target && t->dual <= 1e-13)
            break;
        const plu_status status = plu_ipm_point_advance(t, err);
        if (status == PLU_BREAKDOWN)
            break;
        if (status != PLU_OK)
            return status;
        monitor->factorizations++;
        const double before = t->gap;
        plu_ipm_point_measure(t);
        stuck = t->gap > 0.9 * before ? stuck + 1 : 0;
    }
    for (int i = 0; i < t->disks; i++)
        g->u[i] = t->disk[i].speed;
    return PLU_OK;
}

/* Saves the solution just found, for plu_cone_program_newton. */
static void plu_cone_program_keep(plu_cone_program *g)
{
    memcpy(g->kept, g->point.disk, (size_t)g->point.disks * sizeof *g->kept);
    memcpy(g->kept_y, g->point.y, (size_t)g->point.n * sizeof *g->kept_y);
}

/* With T as in ipm_point.h, (T W + B) dp = E S and ds = -S + D W dp, D the derivative of |u_T|. */
/* The Newton step ds of S(s) = s - |u_T|(s) = 0 at the saved solution, with the derivative of |u_T|
 * replaced by u_T / sqrt(|u_T|^2 + smoothing^2). Zero smoothing gives Newton's step, large
 * smoothing the step of the fixed-point iteration. PLU_OK, PLU_BREAKDOWN (singular) or PLU_IO. */
static plu_status plu_cone_program_newton(plu_cone_program *g, const double *s, double smoothing,
                                          double *ds, plu_error *err)
{
    plu_ipm_point *t = &g->point;
    memcpy(t->disk, g->kept, (size_t)t->disks * sizeof *t->disk);
    memcpy(t->y, g->kept_y, (size_t)t->n * sizeof *t->y);
    for (int i = 0; i < t->disks; i++) {
        g->u[i] = g->kept[i].speed;
        t->disk[i].speed = t->disk[i].tail ? hypot(g->u[i], smoothing) : 0.0;
    }
    plu_ipm_point_blocks(t);
    plu_status status = plu_ipm_system_factorize(g->tangent, t->root, t->slope, err);
    if (status != PLU_OK)
        return status;
    memset(t->rhs, 0, (size_t)t->n * sizeof *t->rhs);
    for (int i = 0; i < t->disks; i++)
        t->rhs[t->disk[i].contact * t->problem->rows] += t->disk[i].weight * (s[i] - g->u[i]);
    status = plu_ipm_system_solve(g->tangent, t->rhs, t->dp, err);
    if (status != PLU_OK)
        return status;
    plu_contact_problem_velocity(t->problem, t->dp, t->rhs);
    for (int i = 0; i < t->disks; i++) {
        const plu_disk *k = t->disk + i;
        const int row = k->contact * t->problem->rows + k->tail;
        const double *u = t->y + row, *q = t->problem->q + row, *v = t->rhs + row;
        ds[i] = g->u[i] - s[i];
        for (int j = 0; k->speed > 0.0 && j < 2; j++)
            ds[i] += u[j] / k->speed * (v[j] - q[j]);
    }
    return PLU_OK;
}

/* --- the outer iteration --- */

/* Steps from s that are tried in turn: the smoothing of |u_T| relative to the mean |S_i|, the share
 * of the Newton step, and what counts as success. The plain fixed point is the last resort. */
enum { TRIALS = 4 };
static const double smoothing[TRIALS] = {0.01, 1.0, 0.1, 10.0},
                    share[TRIALS] = {1.0, 1.0, 0.25, 1.0};
static const double decrease = 0.99;

/* Scaled residual of that start: from 1e-4 one in five random heaps with mu up to 2 still strays.
 */
static const double near = 1e-6;
enum { STEPS_TO_START = 1000 };

/* Programs noted in the report; programs without a lower |S| after which the search ends. */
enum { NOTED = 8, PATIENCE = 60 };

typedef struct outer {
    plu_cone_program program;
    plu_monitor *monitor;
    double *s, *trial, *ds;
    double infeasibility; /* of s */
    double least;         /* |S| so far */
    int programs, idle;   /* idle: since |S| was that low */
    bool over, placed;    /* placed: a start near the solution was looked for, or is not to be */
} outer;

/* |S|, of its disks with friction */
static double infeasibility(const outer *o, const double *s)
{
    double sum = 0.0;
    for (int i = 0; i < o->program.point.disks; i++)
        if (o->program.point.disk[i].tail)
            sum += (s[i] - o->program.u[i]) * (s[i] - o->program.u[i]);
    return sqrt(sum);
}

/* A contact that is open with u_N > 0 has its solution whatever its s is: it gets the right one. */
static void settle(const outer *o, double *s)
{
    const plu_ipm_point *t = &o->program.point;
    for (int i = 0; i < t->disks; i++) {
        const double u_n = t->y[t->disk[i].contact * t->problem->rows];
        if (u_n > t->disk[i].z[0] / t->disk[i].weight * t->stiffness)
            s[i] = o->program.u[i];
    }
}

static void note(outer *o, double found)
{
    char *text = o->monitor->note;
    const size_t size = sizeof o->monitor->note, used = strlen(text);
    o->monitor->infeasibility = found;
    if (o->programs < NOTED && isfinite(found))
        snprintf(text + used, size - used, "%s%.1e",
                 used ? ", " : "|s - |u_T|| by programs: ", found);
}

static plu_status evaluate(outer *o, double *s, double *found, plu_error *err)
{
    const plu_status status = plu_cone_program_solve(&o->program, s, o->monitor, err);
    if (status != PLU_OK)
        return status;
    if (!o->program.point.problem->associated)
        settle(o, s);
    *found = infeasibility(o, s);
    if (!o->program.point.problem->associated)
        note(o, *found);
    o->idle = *found < o->least ? 0 : o->idle + 1;
    o->least = fmin(o->least, *found);
    o->over =
        plu_monitor_stop(o->monitor, o->program.point.p, ++o->programs) || o->idle == PATIENCE;
    return o->monitor->status;
}

static void take_speeds(outer *o, const plu_contact_problem *problem, const double *p)
{
    const plu_ipm_point *t = &o->program.point;
    plu_contact_problem_velocity(problem, p, t->y);
    for (int i = 0; i < t->disks; i++) {
        const double *u = plu_contact_of(problem, t->y, t->disk[i].contact) + t->disk[i].tail;
        o->s[i] = t->disk[i].tail ? hypot(u[0], u[1]) : 0.0;
    }
}

/* Looks for an s near the solution by the proximal Newton method; *moved: it was found. */
static plu_status place(outer *o, const plu_contact_problem *problem, bool *moved, plu_error *err)
{
    plu_portfolio_settings settings = *o->monitor->settings;
    settings.natural = settings.fits = settings.history = false;
    settings.tolerance = near;
    settings.max_iterations = STEPS_TO_START;
    plu_monitor m;
    plu_status status = plu_monitor_start(&m, problem, &settings, err);
    if (status != PLU_OK)
        return status;
    m.started = o->monitor->started;
    status = plu_prox_newton(problem, &settings, &m, err);
    o->monitor->factorizations += m.factorizations;
    *moved = status == PLU_OK && m.converged;
    if (*moved)
        take_speeds(o, problem, m.best_p);
    plu_monitor_free(&m);
    return status;
}

/* Trial k: part of a smoothed Newton step, or |u_T| at the solution put aside. */
static plu_status propose(outer *o, int k, plu_error *err)
{
    const int disks = o->program.point.disks;
    const double mean = o->infeasibility / sqrt(disks);
    plu_status status = PLU_BREAKDOWN;
    if (k < TRIALS) {
        o->monitor->factorizations++;
        status = plu_cone_program_newton(&o->program, o->s, smoothing[k] * mean, o->ds, err);
    }
    for (int i = 0; i < disks; i++)
        o->trial[i] = status == PLU_OK ? plu_max(o->s[i] + share[k] * o->ds[i], 0.0)
                                       : o->program.kept[i].speed;
    return status == PLU_BREAKDOWN ? PLU_OK : status;
}

static plu_status improve(outer *o, plu_error *err)
{
    double found = 0.0;
    plu_cone_program_keep(&o->program);
    for (int k = 0; k <= TRIALS; k++) {
        plu_status status = propose(o, k, err);
        if (status == PLU_OK)
            status = evaluate(o, o->trial, &found, err);
        if (status != PLU_OK || o->over)
            return status;
        if (found < decrease * o->infeasibility)
            break;
        bool moved = false;
        if (!o->placed)
            status = place(o, o->program.point.problem, &moved, err);
        o->placed = true;
        if (moved)
            return evaluate(o, o->s, &o->infeasibility, err);
        if (status != PLU_OK)
            return status;
    }
    memcpy(o->s, o->trial, (size_t)o->program.point.disks * sizeof *o->s);
    o->infeasibility = found;
    return PLU_OK;
}

static plu_status iterate_convex(outer *o, const plu_contact_problem *problem, plu_error *err)
{
    if (problem->has_guess && !problem->associated && !o->monitor->settings->from_zero)
        take_speeds(o, problem, problem->guess);
    if (plu_monitor_stop(o->monitor, o->program.point.p, 0)) /* p = 0: nothing touches */
        return o->monitor->status;
    plu_status status = evaluate(o, o->s, &o->infeasibility, err);
    while (status == PLU_OK && !o->over && !problem->associated) /* s = 0 there: one program */
        status = improve(o, err);
    return status;
}

plu_status plu_convex(const plu_contact_problem *problem, const plu_portfolio_settings *settings,
                      plu_monitor *monitor, plu_error *err)
{
    outer o = {.monitor = monitor, .least = HUGE_VAL, .placed = settings->plain};
    plu_status status = plu_cone_program_create(&o.program, problem, &monitor->stop, err);
    if (status == PLU_OK) {
        const size_t disks = (size_t)o.program.point.disks;
        o.s = plu_alloc(disks, sizeof *o.s, err);
        o.trial = plu_alloc(disks, sizeof *o.trial, err);
        o.ds = plu_alloc(disks, sizeof *o.ds, err);
        status = o.s && o.trial && o.ds ? iterate_convex(&o, problem, err) : PLU_IO;
    }
    plu_cone_program_destroy(&o.program);
    free(o.s);
    free(o.trial);
    free(o.ds);
    return status;
}
