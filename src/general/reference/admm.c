/* "admm": alternating directions on  y^ = W r + q + E s , r = z , z in K ,  s taken from the
 * present multiplier. The penalty is rho D, D of reference.h, with rho balanced between the two
 * residuals (Boyd et al., Foundations and Trends in Machine Learning 3, 2011, 3.4.1), one
 * factorization for each rho; accelerated with restart (Goldstein, O'Donoghue, Setzer and Baraniuk,
 * SIAM Journal on Imaging Sciences 7, 2014, algorithm 8).
 *
 *     (W + rho D) r = rho D (z^ - xi^) - q - E s     the quadratic alone, always the same matrix
 *     z  = P_K(r + xi^)                              the cones alone, contact by contact
 *     xi = xi^ + r - z                               -rho D xi becomes y^ where r = z */
#include "base/memory.h"
#include "general/reference/ipm_system.h"
#include "general/reference/reference.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MEASURED = 5, BALANCED = 20 }; /* iterations between two checks residual and rho */
static const double decrease = 0.999, imbalance = 5.0, first_rho = 0.1;

typedef struct splitting {
    const plu_contact_problem *problem;
    int n;
    double rho, alpha, combined; /* of Goldstein et al.: a_k, c_k */
    int restless;                /* changes of rho so far */
    double *metric;
    double *r, *z, *xi, *last_z, *last_xi; /* xi: multiplier over -rho D */
    double *z_hat, *xi_hat, *rhs, *u;
    double (*root)[PLU_BLOCK_MAX];
    plu_ipm_system *system;
} splitting;

static plu_status take(splitting *s, const plu_contact_problem *problem, plu_stop *stop,
                       plu_error *err)
{
    const size_t contacts = (size_t)problem->contacts;
    s->problem = problem;
    s->n = problem->contacts * problem->rows;
    s->metric = plu_alloc(contacts, sizeof *s->metric, err);
    s->root = plu_alloc(contacts, sizeof *s->root, err);
    double **arrays[] = {&s->r,     &s->z,      &s->xi,  &s->last_z, &s->last_xi,
                         &s->z_hat, &s->xi_hat, &s->rhs, &s->u};
    bool ok = s->metric && s->root;
    for (size_t i = 0; ok && i < sizeof arrays / sizeof *arrays; i++) {
        *arrays[i] = plu_alloc((size_t)s->n, sizeof(double), err);
        ok = *arrays[i] != NULL;
    }
    return ok ? plu_ipm_system_create(&s->system, problem, false, stop, err) : PLU_IO;
}

static void give(splitting *s)
{
    plu_ipm_system_destroy(s->system);
    void *arrays[] = {s->metric,  s->root,  s->r,      s->z,   s->xi, s->last_z,
                      s->last_xi, s->z_hat, s->xi_hat, s->rhs, s->u};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
}

/* Takes a new rho: B = rho D. xi is a force over rho and scales with it. */
static plu_status set_rho(splitting *s, double rho, plu_monitor *monitor, plu_error *err)
{
    const int d = s->problem->rows;
    for (int i = 0; i < s->n; i++)
        s->xi[i] *= s->rho / rho;
    s->rho = rho;
    for (int c = 0; c < s->problem->contacts; c++)
        for (int i = 0; i < d; i++)
            s->root[c][i * (d + 1)] = 1.0 / sqrt(rho * s->metric[c]);
    s->alpha = 1.0;
    s->combined = HUGE_VAL;
    memcpy(s->z_hat, s->z, (size_t)s->n * sizeof *s->z);
    memcpy(s->xi_hat, s->xi, (size_t)s->n * sizeof *s->xi);
    monitor->factorizations++;
    return plu_ipm_system_factorize(s->system, s->root, NULL, err);
}

/* (W + rho D) r = rho D (z^ - xi^) - q - E s ,  z = P(r + xi^) ,  xi = xi^ + r - z .
 * The multiplier -rho D xi is y^ in the end, and its tangential parts are u_T and w_R. */
static plu_status alternate(splitting *s, plu_error *err)
{
    const plu_contact_problem *problem = s->problem;
    const int d = problem->rows;
    for (int i = 0; i < s->n; i++)
        s->u[i] = i % d == 0 ? 0.0 : s->rho * s->metric[i / d] * s->xi_hat[i];
    plu_cones_modify(problem, s->u);
    for (int i = 0; i < s->n; i++)
        s->rhs[i] = s->rho * s->metric[i / d] * (s->z_hat[i] - s->xi_hat[i]) - problem->q[i] -
                    (i % d == 0 ? s->u[i] : 0.0);
    const plu_status status = plu_ipm_system_solve(s->system, s->rhs, s->r, err);
    memcpy(s->last_z, s->z, (size_t)s->n * sizeof *s->z);
    memcpy(s->last_xi, s->xi, (size_t)s->n * sizeof *s->xi);
    for (int i = 0; i < s->n; i++)
        s->z[i] = s->r[i] + s->xi_hat[i];
    plu_cones_project(problem, s->z);
    for (int i = 0; i < s->n; i++)
        s->xi[i] = s->xi_hat[i] + s->r[i] - s->z[i];
    return status;
}

/* |x - y|^2 in the metric */
static double distance(const splitting *s, const double *x, const double *y)
{
    double sum = 0.0;
    for (int i = 0; i < s->n; i++)
        sum += s->metric[i / s->problem->rows] * (x[i] - y[i]) * (x[i] - y[i]);
    return sum;
}

static void accelerate(splitting *s)
{
    const double combined = s->rho * (distance(s, s->xi, s->xi_hat) + distance(s, s->z, s->z_hat));
    const size_t size = (size_t)s->n * sizeof(double);
    if (combined < decrease * s->combined) {
        const double alpha = 0.5 * (1.0 + sqrt(1.0 + 4.0 * s->alpha * s->alpha));
        const double beta = (s->alpha - 1.0) / alpha;
        for (int i = 0; i < s->n; i++) {
            s->z_hat[i] = s->z[i] + beta * (s->z[i] - s->last_z[i]);
            s->xi_hat[i] = s->xi[i] + beta * (s->xi[i] - s->last_xi[i]);
        }
        s->alpha = alpha;
        s->combined = combined;
    } else {
        s->alpha = 1.0;
        s->combined /= decrease;
        memcpy(s->z_hat, s->z, size);
        memcpy(s->xi_hat, s->xi, size);
    }
}

/* Primal residual r - z and dual one rho D (z - last z), each relative to what it is part of.
 * Changes of rho become rarer, so that in the end it stays. */
static plu_status balance(splitting *s, plu_monitor *monitor, plu_error *err)
{
    const double primal =
        sqrt(distance(s, s->r, s->z) / plu_metric_dot(s->problem, s->metric, s->z, s->z));
    const double dual =
        sqrt(distance(s, s->z, s->last_z) / plu_metric_dot(s->problem, s->metric, s->xi, s->xi));
    const double limit = imbalance * (1.0 + 0.5 * s->restless);
    if (!isfinite(primal) || !isfinite(dual) || (primal <= limit * dual && dual <= limit * primal))
        return PLU_OK;
    s->restless++;
    return set_rho(s, primal > dual ? 2.0 * s->rho : 0.5 * s->rho, monitor, err);
}

static plu_status iterate_admm(splitting *s, plu_monitor *monitor, plu_error *err)
{
    const plu_contact_problem *problem = s->problem;
    if (!monitor->settings->from_zero)
        memcpy(s->z, problem->guess, (size_t)s->n * sizeof *s->z);
    plu_cones_project(problem, s->z);
    plu_contact_problem_velocity(problem, s->z, s->u);
    plu_cones_modify(problem, s->u);
    s->rho = first_rho;
    for (int i = 0; i < s->n; i++)
        s->xi[i] = -s->u[i] / (s->rho * s->metric[i / problem->rows]);
    plu_status status = set_rho(s, s->rho, monitor, err);
    for (int k = 0; status == PLU_OK; k++) {
        if ((k % MEASURED == 0 || plu_monitor_expired(monitor, k)) &&
            plu_monitor_stop(monitor, s->z, k))
            return monitor->status;
        status = alternate(s, err);
        if (status == PLU_OK)
            accelerate(s);
        if (status == PLU_OK && k % BALANCED == BALANCED - 1)
            status = balance(s, monitor, err);
    }
    if (status != PLU_BREAKDOWN)
        return status;
    snprintf(monitor->note, sizeof monitor->note, "W + rho D is singular at rho = %.1e", s->rho);
    return PLU_OK;
}

plu_status plu_admm(const plu_contact_problem *problem, const plu_portfolio_settings *settings,
                    plu_monitor *monitor, plu_error *err)
{
    (void)settings;
    splitting s = {0};
    plu_status status = take(&s, problem, &monitor->stop, err);
    if (status == PLU_OK) {
        plu_contact_metric(problem, s.metric);
        status = iterate_admm(&s, monitor, err);
    }
    give(&s);
    return status;
}
