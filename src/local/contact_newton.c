/* Local solver "newton": semismooth Newton on the function of Alart and Curnier (Comput. Methods
 * Appl. Mech. Engrg. 92 (1991) 353) of one contact, with Armijo's line search on |F|^2 / 2. With
 * the trial impulse x = p - rho y, y = W p + q:
 *
 *     F_N = p_N - max(0, x_N)               F_T = p_T - P_disk(x_T) ,  radius mu max(0, x_N)
 *
 *     open      x_N <= 0                    F = p                          J = I
 *     stick     |x_T| <= mu x_N             F_T = rho y_T                  rows rho W_T
 *     slip      |x_T| > mu x_N              F_T = p_T - mu x_N d           d = x_T / |x_T|
 *               dF_T = dp_T - mu d dx_N - g (I - d d^T) dx_T ,             g = mu x_N / |x_T|
 *
 * F is piecewise smooth, and each piece has one J: the step solves J dp = -F, and is halved until F
 * falls. Every other disk (rolling, pivoting) is treated as the tangential one. */
#include "base/vec3.h"
#include "cone/tangent_plane.h"
#include "local/contact.h"
#include <math.h>
#include <string.h>

enum { ITERATIONS = 100, TRIALS = 12 };

/* Written for any number of rows and made for three, five and seven by inlining. */
#define INLINE static inline __attribute__((always_inline))

/* J = A W + B at x = p - rho y, row by row. An open contact is J = I. */
INLINE void jacobian(const plu_local_contact *c, int n, const double rho[PLU_DISKS_MAX + 1],
                     const double *p, const double *y, double *j)
{
    const double normal = p[0] - rho[0] * y[0];
    memset(j, 0, (size_t)(n * n) * sizeof *j);
    for (int i = 0; i < n; i++)
        j[i * n + i] = 1.0;
    if (normal <= 0.0)
        return;
    for (int k = 0; k < n; k++)
        j[k] = rho[0] * c->w[k];
    for (int i = 1; i < n; i += 2) {
        const double r = rho[1 + i / 2], mu = c->mu[i / 2], radius = mu * normal;
        const double x[2] = {p[i] - r * y[i], p[i + 1] - r * y[i + 1]};
        const double length = plu_plane_length(x);
        const double *w[2] = {c->w + i * n, c->w + (i + 1) * n};
        double *row[2] = {j + i * n, j + (i + 1) * n};
        if (length <= radius) {
            for (int k = 0; k < n; k++) {
                row[0][k] = r * w[0][k];
                row[1][k] = r * w[1][k];
            }
            continue;
        }
        /* F = p_i - mu x_N d, d = x / |x|: dF = dp_i - mu d dx_N - g (I - d d^T) dx */
        const double d[2] = {x[0] / length, x[1] / length}, g = radius / length;
        const double m[2][2] = {{g * (1.0 - d[0] * d[0]), -g * d[0] * d[1]},
                                {-g * d[0] * d[1], g * (1.0 - d[1] * d[1])}};
        for (int e = 0; e < 2; e++) {
            for (int k = 0; k < n; k++)
                row[e][k] =
                    mu * d[e] * rho[0] * c->w[k] + r * (m[e][0] * w[0][k] + m[e][1] * w[1][k]);
            row[e][0] -= mu * d[e];
            row[e][i] += (e == 0) - m[e][0];
            row[e][i + 1] += (e == 1) - m[e][1];
        }
    }
}

/* F at p; |F|^2. */
INLINE double evaluate(const plu_local_contact *c, int n, const double rho[PLU_DISKS_MAX + 1],
                       const double *p, double *y, double *f)
{
    for (int i = 0; i < n; i++)
        y[i] = c->q[i] + plu_dot_n(n, c->w + i * n, p);
    plu_contact_function(c, rho, p, y, f);
    return plu_dot_n(n, f, f);
}

INLINE double run(const plu_local_contact *c, int n, int iterations, double reduction, double *p)
{
    double rho[PLU_DISKS_MAX + 1], y[PLU_ROWS_MAX] = {0}, f[PLU_ROWS_MAX], step[PLU_ROWS_MAX],
                                   x[PLU_ROWS_MAX], j[PLU_ROWS_MAX * PLU_ROWS_MAX],
                                   best[PLU_ROWS_MAX];
    plu_contact_steps(c, rho);
    double merit = evaluate(c, n, rho, p, y, f), least = merit;
    const double start = c->q[0] * c->q[0] * rho[0] * rho[0],
                 enough = reduction * reduction * merit;
    memcpy(best, p, (size_t)n * sizeof *p);
    for (int i = 0; i < iterations; i++) {
        const double size = plu_max(plu_dot_n(n, p, p), start);
        if (!(merit > 1e-28 * size && (i == 0 || merit > enough)))
            break;
        jacobian(c, n, rho, p, y, j);
        for (int k = 0; k < n; k++)
            step[k] = -f[k];
        if (!plu_solve_dense(n, j, step))
            break;
        double t = 1.0, now = merit;
        for (int trial = 0; trial < TRIALS; trial++, t *= 0.5) {
            for (int k = 0; k < n; k++)
                x[k] = p[k] + t * step[k];
            now = evaluate(c, n, rho, x, y, f);
            if (now <= (1.0 - 1e-4 * t) * merit)
                break;
        }
        const bool stuck = now >= merit && merit <= 1e-22 * size; /* rounding */
        if (!isfinite(now) || stuck)
            break;
        memcpy(p, x, (size_t)n * sizeof *p);
        merit = now;
        if (merit < least) {
            least = merit;
            memcpy(best, p, (size_t)n * sizeof *p);
        }
    }
    memcpy(p, best, (size_t)n * sizeof *p);
    const double size = plu_max(plu_dot_n(n, p, p), start);
    plu_contact_project(c, p);
    return size > 0.0 ? sqrt(least / size) : 0.0;
}

double plu_contact_newton_run(const plu_local_contact *c, int iterations, double reduction,
                              double *p)
{
    return c->rows == 3   ? run(c, 3, iterations, reduction, p)
           : c->rows == 5 ? run(c, 5, iterations, reduction, p)
                          : run(c, 7, iterations, reduction, p);
}

bool plu_contact_newton(int rows, const double *w, const double *q, const double *mu, double *p,
                        double *state)
{
    const plu_local_contact c = plu_contact_make(rows, w, q, mu);
    (void)state;
    if (q[0] >= 0.0)
        return plu_contact_is_simple(&c, p);
    if (p[0] <= 0.0) {
        memset(p, 0, (size_t)rows * sizeof *p);
        p[0] = -q[0] / w[0];
    }
    return plu_contact_newton_run(&c, ITERATIONS, 0.0, p) <= PLU_CONTACT_SOLVED &&
           plu_contact_error(&c, p) < HUGE_VAL; /* else too large */
}
