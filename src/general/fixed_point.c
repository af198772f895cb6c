/* fixed-point and extragradient: projected iterations on all contacts at once, AB21 (64), (65),
 *
 *   p <- P_K(p - rho D^-1 y^(p))                                                   fixed point
 *   p~ <- P_K(p - rho D^-1 y^(p)) ,  p <- P_K(p - rho D^-1 y^(p~))                 extragradient
 *
 * with one number D a contact, the largest diagonal entry of its block, so that the projection is
 * that of AB21 and rho is near 1 whatever the masses. rho adapts itself: it falls until rho |change
 * of the velocity| <= 0.9 |change of the impulse|, in the norms of D^-1 and D, and rises where this
 * is met by far (the rule of E. N. Khobotov, USSR Comput. Math. Math. Phys. 27, 1987). */
#include "base/memory.h"
#include "base/vec3.h"
#include "cone/friction_cone.h"
#include "general/newton_loop.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double shrink = 2.0 / 3.0, most = 0.9, least = 0.3;
enum { REDUCTIONS = 100, CHECK = 10 }; /* the monitor checks every tenth iteration */

typedef struct projected {
    const plu_contact_problem *problem;
    size_t n;
    double *d;           /* [contacts] */
    double *p, *y, *hat; /* the present impulse, its y and y^ */
    double *p_trial, *y_trial, *hat_trial;
    double rho, change; /* change: |p_trial - p| of the last accepted step */
} projected;

static plu_status create(projected *s, const plu_contact_problem *problem, plu_error *err)
{
    *s = (projected){.problem = problem, .rho = 1.0, .change = HUGE_VAL};
    s->n = (size_t)problem->contacts * (size_t)problem->rows;
    double **vectors[] = {&s->p, &s->y, &s->hat, &s->p_trial, &s->y_trial, &s->hat_trial};
    bool ok = true;
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        ok = ok && (*vectors[i] = plu_alloc(s->n, sizeof(double), err));
    s->d = plu_alloc((size_t)problem->contacts, sizeof *s->d, err);
    if (!ok || !s->d)
        return PLU_IO;
    for (int c = 0; c < problem->contacts; c++)
        for (int i = 0; i < problem->rows; i++)
            s->d[c] = plu_max(s->d[c], plu_newton_diagonal(problem, c, i));
    return PLU_OK;
}

static void destroy_projected(projected *s)
{
    double *vectors[] = {s->d, s->p, s->y, s->hat, s->p_trial, s->y_trial, s->hat_trial};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        free(vectors[i]);
}

static void velocities(const projected *s, const double *p, double *y, double *hat)
{
    const plu_contact_problem *problem = s->problem;
    const int rows = problem->rows;
    plu_contact_problem_velocity(problem, p, y);
    memcpy(hat, y, s->n * sizeof *hat);
    for (int c = 0; c < problem->contacts; c++)
        for (int i = 1; i < rows; i += 2) {
            const double *v = y + (size_t)c * (size_t)rows + i;
            hat[c * rows] += plu_contact_slope(problem, c, i / 2) * hypot(v[0], v[1]);
        }
}

/* p_trial = P_K(p - rho D^-1 y^) */
static void project(projected *s, const double *hat, double rho)
{
    const plu_contact_problem *problem = s->problem;
    const int rows = problem->rows;
    for (int c = 0; c < problem->contacts; c++) {
        double *x = s->p_trial + (size_t)c * (size_t)rows;
        for (int i = 0; i < rows; i++)
            x[i] = s->p[c * rows + i] - rho / s->d[c] * hat[c * rows + i];
        plu_contact_cone_project(problem, c, x);
    }
}

/* |x - z| in the norm of D^sign */
static double distance(const projected *s, const double *x, const double *z, bool inverse)
{
    const int rows = s->problem->rows;
    double sum = 0.0;
    for (int c = 0; c < s->problem->contacts; c++)
        for (int i = c * rows; i < (c + 1) * rows; i++)
            sum += (inverse ? 1.0 / s->d[c] : s->d[c]) * (x[i] - z[i]) * (x[i] - z[i]);
    return sqrt(sum);
}

/* The projection from p with rho small enough, and the velocities there; `modified`: judged by y^
 * instead of y. Returns the rho that it was made with; s->rho is that of the next step. */
static double step(projected *s, bool modified)
{
    for (int k = 0;; k++) {
        project(s, s->hat, s->rho);
        velocities(s, s->p_trial, s->y_trial, s->hat_trial);
        const double moved = distance(s, s->p_trial, s->p, false);
        const double answer = s->rho * (modified ? distance(s, s->hat_trial, s->hat, true)
                                                 : distance(s, s->y_trial, s->y, true));
        if (answer > most * moved && k < REDUCTIONS) {
            s->rho *= shrink;
            continue;
        }
        const double made = s->rho;
        if (answer < least * moved && moved < s->change)
            s->rho /= shrink;
        s->change = moved;
        return made;
    }
}

static void swap(double **a, double **b)
{
    double *const kept = *a;
    *a = *b;
    *b = kept;
}

static plu_status run_projected(const plu_contact_problem *problem,
                                const plu_portfolio_settings *settings, plu_monitor *monitor,
                                bool corrected, plu_error *err)
{
    projected s;
    const plu_status status = create(&s, problem, err);
    if (status == PLU_OK && !settings->from_zero)
        memcpy(s.p, problem->guess, s.n * sizeof *s.p);
    if (status == PLU_OK)
        velocities(&s, s.p, s.y, s.hat);
    for (int k = 0; status == PLU_OK; k++) {
        const bool check = k < CHECK || k % CHECK == 0 || plu_monitor_expired(monitor, k);
        if (check && plu_monitor_stop(monitor, s.p, k))
            break;
        const double rho = step(&s, corrected);
        if (corrected) {
            project(&s, s.hat_trial, rho);
            velocities(&s, s.p_trial, s.y_trial, s.hat_trial);
        }
        swap(&s.p, &s.p_trial);
        swap(&s.y, &s.y_trial);
        swap(&s.hat, &s.hat_trial);
    }
    destroy_projected(&s);
    return status;
}

PLU_METHOD(plu_fixed_point)
{
    return run_projected(problem, settings, monitor, false, err);
}

PLU_METHOD(plu_extragradient)
{
    return run_projected(problem, settings, monitor, true, err);
}
