/* Proximal steps, each solved by semismooth Newton with line search, after some Gauss-Seidel
 * sweeps. Without the sweeps Newton converges too, but takes 1.8 times the factorizations (at
 * 1e-8, on 39 problems of all kinds); five times as many sweeps do not make it faster.
 *
 * Redundant contacts make W and the Jacobian singular. Each proximal step solves the problem with
 * W + eps D and q - eps D center, which is regular; its solution becomes the next center. At a
 * fixed point the shift cancels, so that the fixed point solves the original problem.
 *
 *   sweeps -> begin -> proximal step: Newton steps until |f| <= 0.3 sqrt(eps) |p - center|
 *                      good: center = p, eps smaller the fewer Newton steps it took
 *                      bad:  z back to the center, 5 eps
 *
 * A form (newton.c, newton_fb.c, newton_natural.c) has unknowns z with p = P z, and equations f(z,
 * y) with derivatives a (by y) and b (by z): the Newton matrix is a W P + b. */
#include "general/newton_loop.h"
#include "base/memory.h"
#include "base/vec3.h"
#include "cone/friction_cone.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double eps_first = 1e-2, eps_least = 1e-7, eps_most = 1e2;
static const double enough = 0.3;  /* inner residual over the shift at which Newton stops */
static const double descent = 0.1; /* sufficient decrease in the line search */
static const double runaway = 1e3; /* growth of the inner residual that counts as failure */
enum { SWEEPS = 20, INNER_MOST = 10, INNER_FEW = 3, INNER_SOME = 6, TRIALS = 5 };

typedef struct loop {
    const plu_contact_problem *problem;
    const plu_newton_form *form;
    bool full_steps; /* no line search */
    int width;
    plu_newton_system system;
    plu_newton_contact *contact;
    size_t n, m;           /* numbers of p and of z */
    double eps;            /* the shift is eps D; at most eps_most; 0: none */
    double size;           /* norm of the impulses */
    double *z, *p, *y, *f; /* the present point */
    double *z_new, *p_new, *step;
    double *center, *center_z; /* of the proximal step: p and z */
} loop;

static plu_status create(loop *l, const plu_contact_problem *problem, const plu_newton_form *form,
                         plu_error *err)
{
    const int width = form->width[problem->rows / 2 - 1];
    *l = (loop){.problem = problem, .form = form, .width = width};
    l->n = (size_t)problem->contacts * (size_t)problem->rows;
    l->m = (size_t)problem->contacts * (size_t)width;
    double **of_p[] = {&l->p, &l->y, &l->p_new, &l->center};
    double **of_z[] = {&l->z, &l->f, &l->z_new, &l->step, &l->center_z};
    bool ok = true;
    for (size_t i = 0; i < sizeof of_p / sizeof *of_p; i++)
        ok = ok && (*of_p[i] = plu_alloc(l->n, sizeof(double), err));
    for (size_t i = 0; i < sizeof of_z / sizeof *of_z; i++)
        ok = ok && (*of_z[i] = plu_alloc(l->m, sizeof(double), err));
    l->contact = plu_alloc((size_t)problem->contacts, sizeof *l->contact, err);
    return ok && l->contact ? PLU_OK : PLU_IO;
}

static void destroy_loop(loop *l)
{
    double *arrays[] = {l->z,     l->p,    l->y,      l->f,       l->z_new,
                        l->p_new, l->step, l->center, l->center_z};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
    free(l->contact);
    plu_newton_system_free(&l->system);
}

/* One sweep of projected Gauss-Seidel, one projection a contact. */
static void sweep(const plu_contact_problem *problem, double *p)
{
    const plu_block_rows *w = &problem->w;
    const int d = problem->rows;
    for (int c = 0; c < problem->contacts; c++) {
        double y[PLU_ROWS_MAX], *own = p + (size_t)c * (size_t)d;
        memcpy(y, problem->q + (size_t)c * (size_t)d, (size_t)d * sizeof *y);
        for (int b = w->start[c]; b < w->start[c + 1]; b++) {
            const double *block = w->block + (size_t)b * (size_t)(d * d);
            const double *x = p + (size_t)w->column[b] * (size_t)d;
            for (int i = 0; i < d; i++)
                for (int j = 0; j < d; j++)
                    y[i] += block[i * d + j] * x[j];
        }
        for (int i = 0; i < d; i++)
            own[i] -= y[i] / plu_newton_diagonal(problem, c, i);
        own[0] = plu_max(own[0], 0.0);
        for (int i = 1; i < d; i += 2) {
            const double limit = plu_contact_slope(problem, c, i / 2) * own[0];
            const double cut = plu_disk_factor(hypot(own[i], own[i + 1]), limit);
            own[i] *= cut;
            own[i + 1] *= cut;
        }
    }
}

static double positive(double x, double otherwise)
{
    return x > 0.0 ? x : otherwise;
}

static void describe_contacts(loop *l)
{
    const plu_contact_problem *problem = l->problem;
    double size = 0.0, free = 0.0;
    for (int c = 0; c < problem->contacts; c++) {
        size = plu_max(size, l->p[(size_t)c * (size_t)problem->rows]);
        free = plu_max(free, fabs(plu_contact_of(problem, problem->q, c)[0]) /
                                 plu_newton_diagonal(problem, c, 0));
    }
    l->size = positive(size, positive(free, 1.0));
    for (int c = 0; c < problem->contacts; c++) {
        plu_newton_contact *k = l->contact + c;
        *k = (plu_newton_contact){.rows = problem->rows, .mu = PLU_CONTACT_SLOPES(problem, c)};
        for (int i = 0; i < (problem->rows + 1) / 2; i++)
            k->rho[i] = 1.0 / plu_newton_diagonal(problem, c, i ? 2 * i - 1 : 0);
    }
}

/* p = P z */
static void impulses(const loop *l, const double *z, double *p)
{
    const int d = l->problem->rows, k = l->system.width;
    for (int c = 0; c < l->problem->contacts; c++) {
        const double *map = l->system.p_of_z + (size_t)c * (size_t)(d * k);
        for (int i = 0; i < d; i++) {
            double sum = 0.0;
            for (int j = 0; j < k; j++)
                sum += map[i * k + j] * z[c * k + j];
            p[c * d + i] = sum;
        }
    }
}

/* The equations of the proximal step at z; returns their norm. */
static double evaluate(loop *l, const double *z, double *p, bool derivatives)
{
    const plu_contact_problem *problem = l->problem;
    const int d = problem->rows, k = l->system.width;
    impulses(l, z, p);
    plu_contact_problem_velocity(problem, p, l->y);
    for (int c = 0; c < problem->contacts; c++) {
        for (int i = 0; i < d; i++)
            l->y[c * d + i] +=
                l->eps * plu_newton_diagonal(problem, c, i) * (p[c * d + i] - l->center[c * d + i]);
        double *a = derivatives ? l->system.a + (size_t)c * (size_t)(d * k) : NULL;
        double *b = derivatives ? l->system.b + (size_t)c * (size_t)(k * k) : NULL;
        l->form->equations(l->contact + c, z + c * k, p + c * d, l->y + c * d, l->f + c * k, a, b);
    }
    return plu_norm_n((int)l->m, l->f);
}

/* Along the step: the first of 1, 1/2, ... that brings |f| down, or else the smallest |f| of all:
 * it may rise, since the way over a ridge is often the only one. */
static double line_search(loop *l, double before)
{
    double best = HUGE_VAL, best_length = 1.0, length = 1.0;
    for (int trial = 0; trial < TRIALS; trial++, length *= 0.5) {
        for (size_t i = 0; i < l->m; i++)
            l->z_new[i] = l->z[i] + length * l->step[i];
        const double now = evaluate(l, l->z_new, l->p_new, false);
        if (now < best) {
            best = now;
            best_length = length;
        }
        if (now <= (1.0 - descent * length) * before)
            break;
    }
    for (size_t i = 0; i < l->m; i++)
        l->z[i] += best_length * l->step[i];
    return best;
}

static double full_step(loop *l)
{
    for (size_t i = 0; i < l->m; i++)
        l->z[i] += l->step[i];
    return evaluate(l, l->z, l->p_new, false);
}

/* A Newton step from z. PLU_BREAKDOWN: the matrix was singular, z is as it was. */
static plu_status newton_step(loop *l, plu_monitor *monitor, double *residual, plu_error *err)
{
    const double before = evaluate(l, l->z, l->p, true);
    monitor->factorizations++;
    plu_status status = plu_newton_system_factorize(&l->system, l->eps, err);
    if (status == PLU_OK) {
        for (size_t i = 0; i < l->m; i++)
            l->f[i] = -l->f[i];
        status = plu_lu_solve(l->system.lu, &l->system.j, l->f, l->step, err);
    }
    if (status == PLU_OK)
        *residual = l->full_steps ? full_step(l) : line_search(l, before);
    return status;
}

static void move_center(loop *l)
{
    memcpy(l->center, l->p, l->n * sizeof *l->center);
    memcpy(l->center_z, l->z, l->m * sizeof *l->center_z);
}

/* The gain: the step lengths rho of the projections go with 1 / sqrt(eps): with 1 / D alone
 * hyperstatic problems stall, with 1 / (eps D), that of the shifted problem itself, the first steps
 * are wild and the end is noise. Without shift: rho = 1 / D. */
static void set_scales(loop *l)
{
    for (int c = 0; c < l->problem->contacts; c++) {
        l->contact[c].gain = l->eps > 0.0 ? 1.0 / sqrt(l->eps) : 1.0;
        l->contact[c].impulse =
            plu_max(fabs(plu_contact_of(l->problem, l->center, c)[0]), 1e-2 * l->size);
    }
}

/* One proximal step. PLU_OK also when it failed and z went back to the center. */
static plu_status proximal_step(loop *l, plu_monitor *monitor, int *iterations, bool *stop,
                                plu_error *err)
{
    set_scales(l);
    double first = evaluate(l, l->z, l->p, false), residual = first;
    bool failed = false, done = false;
    int inner = 0;
    while (!done && !failed && !*stop) {
        const plu_status status = newton_step(l, monitor, &residual, err);
        if (status != PLU_OK && status != PLU_BREAKDOWN)
            return status;
        impulses(l, l->z, l->p);
        *stop = plu_monitor_stop(monitor, l->p, ++*iterations);
        inner++;
        done = status == PLU_OK &&
               residual <= enough * sqrt(l->eps) * plu_distance_n((int)l->n, l->p, l->center);
        failed = status == PLU_BREAKDOWN || inner == INNER_MOST || !(residual <= runaway * first);
    }
    if (done) {
        move_center(l);
        l->eps *= inner <= INNER_FEW ? 0.1 : inner <= INNER_SOME ? 0.3 : 1.0;
        l->eps = plu_max(l->eps, eps_least);
    } else if (!*stop) {
        *stop = l->eps >= eps_most; /* no shift is large enough: numbers beyond double precision */
        memcpy(l->z, l->center_z, l->m * sizeof *l->z);
        l->eps = plu_min(5.0 * l->eps, eps_most);
    }
    return PLU_OK;
}

/* A Newton step on the problem itself: the method as published. *stop also where it cannot go on.
 */
static plu_status plain_step(loop *l, plu_monitor *monitor, int *iterations, bool *stop,
                             plu_error *err)
{
    double residual = 0.0;
    move_center(l);
    set_scales(l);
    const plu_status status = newton_step(l, monitor, &residual, err);
    if (status != PLU_OK && status != PLU_BREAKDOWN)
        return status;
    impulses(l, l->z, l->p);
    const char *why = status == PLU_BREAKDOWN ? "the matrix is singular"
                      : !isfinite(residual)   ? "the steps ran away"
                                              : NULL;
    if (why)
        snprintf(monitor->note, sizeof monitor->note, "%s at iteration %d", why, *iterations + 1);
    else
        *stop = plu_monitor_stop(monitor, l->p, ++*iterations);
    *stop = *stop || why;
    return PLU_OK;
}

/* Unknowns, matrix and first center from p. */
static plu_status begin(loop *l, plu_stop *stop, plu_error *err)
{
    const int d = l->problem->rows, k = l->width;
    const plu_status status = plu_newton_system_create(&l->system, l->problem, k, stop, err);
    if (status != PLU_OK)
        return status;
    describe_contacts(l);
    plu_contact_problem_velocity(l->problem, l->p, l->y);
    for (int c = 0; c < l->problem->contacts; c++) {
        l->form->p_of_z(l->contact + c, l->system.p_of_z + (size_t)c * (size_t)(d * k));
        l->form->start(l->contact + c, l->p + c * d, l->y + c * d, l->z + c * k);
    }
    impulses(l, l->z, l->p);
    move_center(l);
    return PLU_OK;
}

plu_status plu_newton_run(const plu_contact_problem *problem,
                          const plu_portfolio_settings *settings, plu_monitor *monitor,
                          const plu_newton_form *form, plu_error *err)
{
    loop l;
    int iterations = 0;
    plu_status status = create(&l, problem, form, err);
    bool stop = status != PLU_OK;
    l.full_steps = settings->full_steps;
    l.eps = settings->plain ? 0.0 : eps_first;
    if (!stop) {
        if (!settings->from_zero)
            memcpy(l.p, problem->guess, l.n * sizeof *l.p);
        stop = plu_monitor_stop(monitor, l.p, 0) || problem->contacts == 0;
    }
    for (int s = 0; s < SWEEPS && !settings->plain && !stop; s++) {
        sweep(problem, l.p);
        stop = plu_monitor_stop(monitor, l.p, ++iterations);
    }
    if (!stop)
        status = begin(&l, &monitor->stop, err);
    while (status == PLU_OK && !stop)
        status =
            (settings->plain ? plain_step : proximal_step)(&l, monitor, &iterations, &stop, err);
    destroy_loop(&l);
    return status;
}
