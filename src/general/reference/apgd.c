/* "apgd": accelerated projected gradient descent (Mazhar, Heyn, Negrut and Tasora, ACM
 * Transactions on Graphics 34, 2015), whose convex problem is made the real one by taking y^ at
 * the present point for its gradient. Steps of 1/(l D), D of reference.h; l adapts:
 *
 *     next  = P_K(x - y^(x) / (l D)) ,   l doubled until  <d, W d> <= l <d, d>_D ,  d = next - x
 *     x     = next + beta (next - p) ,   beta = t (1 - t) / (t^2 + t+) ,   t+^2 = (1 - t+) t^2
 *     y^(x).(next - p) > 0 :  uphill, t = 1 and beta = 0 (restart by gradient)
 *
 * W p and W x are kept and changed along with p and x, one product with W an iteration; l shrinks
 * by a tenth after each, so that it can follow a curvature that falls. */
#include "base/memory.h"
#include "cone/friction_cone.h"
#include "general/reference/reference.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MEASURED = 10 }; /* iterations between two residual checks, as expensive as an iteration */

typedef struct descent {
    const plu_contact_problem *problem;
    int n;
    double l, theta;
    double *metric;
    double *p, *wp; /* impulses in K; W p + q */
    double *x, *wx; /* extrapolated ones */
    double *next, *change, *gradient, *wchange;
} descent;

static plu_status take(descent *s, const plu_contact_problem *problem, plu_error *err)
{
    s->problem = problem;
    s->n = problem->contacts * problem->rows;
    s->metric = plu_alloc((size_t)problem->contacts, sizeof *s->metric, err);
    double **arrays[] = {&s->p,    &s->wp,     &s->x,        &s->wx,
                         &s->next, &s->change, &s->gradient, &s->wchange};
    bool ok = s->metric != NULL;
    for (size_t i = 0; ok && i < sizeof arrays / sizeof *arrays; i++) {
        *arrays[i] = plu_alloc((size_t)s->n, sizeof(double), err);
        ok = *arrays[i] != NULL;
    }
    return ok ? PLU_OK : PLU_IO;
}

static void give(descent *s)
{
    double *arrays[] = {s->metric, s->p,      s->wp,       s->x,      s->wx,
                        s->next,   s->change, s->gradient, s->wchange};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
}

/* next = P(x - gradient/(l D)) with the smallest l = l, 2 l, ... for which the quadratic model lies
 * above: <d, W d> <= l <d, d>_D, d = next - x. */
static void descend(descent *s)
{
    const plu_contact_problem *problem = s->problem;
    memcpy(s->gradient, s->wx, (size_t)s->n * sizeof *s->gradient);
    plu_cones_modify(problem, s->gradient);
    for (int trial = 0; trial < 60; trial++, s->l *= 2.0) {
        for (int i = 0; i < s->n; i++)
            s->next[i] = s->x[i] - s->gradient[i] / (s->l * s->metric[i / problem->rows]);
        plu_cones_project(problem, s->next);
        for (int i = 0; i < s->n; i++)
            s->change[i] = s->next[i] - s->x[i];
        plu_contact_problem_velocity(problem, s->change, s->wchange);
        double curvature = 0.0;
        for (int i = 0; i < s->n; i++) {
            s->wchange[i] -= problem->q[i];
            curvature += s->change[i] * s->wchange[i];
        }
        if (curvature <= s->l * plu_metric_dot(problem, s->metric, s->change, s->change))
            return;
    }
}

/* The next x by Nesterov's extrapolation, or p itself when the gradient says it went too far. */
static void extrapolate(descent *s)
{
    double uphill = 0.0;
    for (int i = 0; i < s->n; i++)
        uphill += s->gradient[i] * (s->next[i] - s->p[i]);
    const double t = s->theta, t2 = t * t;
    const double theta = uphill > 0.0 ? 1.0 : 0.5 * (t * sqrt(t2 + 4.0) - t2);
    const double beta = uphill > 0.0 ? 0.0 : t * (1.0 - t) / (t2 + theta);
    for (int i = 0; i < s->n; i++) {
        const double p = s->next[i], wp = s->wx[i] + s->wchange[i];
        s->x[i] = p + beta * (p - s->p[i]);
        s->wx[i] = wp + beta * (wp - s->wp[i]);
        s->p[i] = p;
        s->wp[i] = wp;
    }
    s->theta = theta;
    s->l *= 0.9;
}

static void iterate_apgd(descent *s, plu_monitor *monitor)
{
    if (!monitor->settings->from_zero)
        memcpy(s->p, s->problem->guess, (size_t)s->n * sizeof *s->p);
    plu_cones_project(s->problem, s->p);
    memcpy(s->x, s->p, (size_t)s->n * sizeof *s->x);
    plu_contact_problem_velocity(s->problem, s->p, s->wp);
    memcpy(s->wx, s->wp, (size_t)s->n * sizeof *s->wx);
    s->l = s->theta = 1.0;
    for (int k = 0;; k++) {
        if (k % MEASURED == 0 || plu_monitor_expired(monitor, k)) {
            if (plu_monitor_stop(monitor, s->p, k))
                return;
            /* W p afresh: the sums of its changes drift */
            for (int i = 0; i < s->n; i++) {
                s->wx[i] += monitor->y[i] - s->wp[i];
                s->wp[i] = monitor->y[i];
            }
        }
        descend(s);
        extrapolate(s);
    }
}

plu_status plu_apgd(const plu_contact_problem *problem, const plu_portfolio_settings *settings,
                    plu_monitor *monitor, plu_error *err)
{
    (void)settings;
    descent s = {0};
    plu_status status = take(&s, problem, err);
    if (status == PLU_OK) {
        plu_contact_metric(problem, s.metric);
        iterate_apgd(&s, monitor);
        status = monitor->status;
    }
    give(&s);
    return status;
}

/* --- vectors in the metric D --- */

void plu_contact_metric(const plu_contact_problem *problem, double *metric)
{
    const int d = problem->rows, used = plu_outer_rows(problem);
    for (int c = 0; c < problem->contacts; c++) {
        const double *w = problem->w.block + (size_t)problem->w.diagonal[c] * (size_t)(d * d);
        metric[c] = 0.0;
        for (int i = 0; i < used; i++)
            metric[c] += w[plu_inner_row(problem->planar, i) * (d + 1)] / used;
    }
}

double plu_metric_dot(const plu_contact_problem *problem, const double *metric, const double *x,
                      const double *y)
{
    double sum = 0.0;
    for (int c = 0; c < problem->contacts; c++)
        for (int i = c * problem->rows; i < (c + 1) * problem->rows; i++)
            sum += metric[c] * x[i] * y[i];
    return sum;
}

void plu_cones_project(const plu_contact_problem *problem, double *p)
{
    for (int c = 0; c < problem->contacts; c++, p += problem->rows)
        plu_contact_cone_project(problem, c, p);
}

void plu_cones_modify(const plu_contact_problem *problem, double *y)
{
    for (int c = 0; !problem->associated && c < problem->contacts; c++, y += problem->rows)
        y[0] += plu_dilatancy(problem, c, y);
}
