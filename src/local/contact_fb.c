/* Local solver "fischer-burmeister": Newton with line search on phi(x, y) = x + y - (x^2 + y^2)^1/2
 * in the Jordan algebra of the second-order cone L^3 (Fukushima, Luo & Tseng 2002).
 *
 * Coulomb: x = (mu r_N, r_T) and y = (a, u_T) with a = u^_N / mu are complementary in L^3. Rolling
 * friction has no single such cone: x_1 = (mu r_N, r_T), y_1 = (a, u_T) and x_2 = (mu_r r_N, m_R),
 * y_2 = (b, omega_R), where mu a + mu_r b = u^_N. With s^2 = mu^2 + mu_r^2 and a sixth unknown t
 *   a = |u_T| + mu u_N / s^2 + mu_r t ,  b = |omega_R| + mu_r u_N / s^2 - mu t
 * keeps that sum, and for one cone a is what it was. y is scaled by rho, or |phi| would compare
 * impulses with velocities. */
#include "base/vec3.h"
#include "cone/tangent_plane.h"
#include "local/contact.h"
#include <math.h>
#include <string.h>

enum { ITERATIONS = 200, TRIALS = 20, MOST = 6 };

typedef struct fb {
    const plu_local_contact *c;
    int unknowns; /* 3, or 6 with t */
    double rho[PLU_DISKS_MAX + 1], s2;
} fb;

static void jordan_square_sum(const double x[3], const double y[3], double w[3])
{
    w[0] = plu_dot_n(3, x, x) + plu_dot_n(3, y, y);
    for (int i = 1; i < 3; i++)
        w[i] = 2.0 * (x[0] * x[i] + y[0] * y[i]);
}

/* z with z o z = w, w in the cone. */
static void jordan_root(const double w[3], double z[3])
{
    const double length = plu_plane_length(w + 1);
    const double a = sqrt(plu_max(w[0] - length, 0.0)), b = sqrt(w[0] + length);
    const double f = length > 0.0 ? 0.5 * (b - a) / length : 0.0;
    z[0] = 0.5 * (a + b);
    z[1] = f * w[1];
    z[2] = f * w[2];
}

/* j = I - L_z^-1 L_x, L_x = [[x_0, x'], [x, x_0 I]]. On the border of the cone the inverse is
 * lifted by rounding. */
static void jordan_derivative(const double z[3], const double x[3], double j[3][3])
{
    const double z0 = z[0] + 1e-300;
    const double det = plu_max(z0 * z0 - z[1] * z[1] - z[2] * z[2], 1e-12 * z0 * z0) + 1e-300;
    const double inverse[3][3] = {
        {z0 / det, -z[1] / det, -z[2] / det},
        {-z[1] / det, (1.0 + z[1] * z[1] / det) / z0, z[1] * z[2] / det / z0},
        {-z[2] / det, z[1] * z[2] / det / z0, (1.0 + z[2] * z[2] / det) / z0}};
    const double l[3][3] = {{x[0], x[1], x[2]}, {x[1], x[0], 0.0}, {x[2], 0.0, x[0]}};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            j[i][k] = i == k;
            for (int m = 0; m < 3; m++)
                j[i][k] -= inverse[i][m] * l[m][k];
        }
}

/* x and y of cone e at v = (p, t), u = W p + q. */
static void pair_of(const fb *s, int e, const double *v, const double *u, double x[3], double y[3])
{
    const plu_local_contact *c = s->c;
    const int i = 1 + 2 * e;
    const double t = s->unknowns == MOST ? (e == 0 ? c->mu[1] : -c->mu[0]) * v[5] : 0.0;
    x[0] = c->mu[e] * v[0];
    y[0] = s->rho[1 + e] * (plu_plane_length(u + i) + c->mu[e] * u[0] / s->s2 + t);
    for (int k = 0; k < 2; k++) {
        x[1 + k] = v[i + k];
        y[1 + k] = s->rho[1 + e] * u[i + k];
    }
}

static double evaluate(const fb *s, const double *v, double *u, double *phi)
{
    plu_contact_velocity(s->c, v, u);
    for (int e = 0; 3 * e < s->unknowns; e++) {
        double x[3], y[3], w[3], z[3];
        pair_of(s, e, v, u, x, y);
        jordan_square_sum(x, y, w);
        jordan_root(w, z);
        for (int i = 0; i < 3; i++)
            phi[3 * e + i] = x[i] + y[i] - z[i];
    }
    return plu_dot_n(s->unknowns, phi, phi);
}

/* d phi / d v, row by row. */
static void jacobian(const fb *s, const double *v, const double *u, double *j)
{
    const plu_local_contact *c = s->c;
    const int n = c->rows;
    memset(j, 0, (size_t)(s->unknowns * s->unknowns) * sizeof *j);
    for (int e = 0; 3 * e < s->unknowns; e++) {
        const int at = 1 + 2 * e;
        double x[3], y[3], w[3], z[3], jx[3][3], jy[3][3], dy[3][MOST] = {{0}};
        pair_of(s, e, v, u, x, y);
        jordan_square_sum(x, y, w);
        jordan_root(w, z);
        jordan_derivative(z, x, jx);
        jordan_derivative(z, y, jy);
        const double speed = plu_plane_length(u + at), rho = s->rho[1 + e];
        for (int k = 0; k < n; k++) {
            const double du[3] = {c->w[k], c->w[at * n + k], c->w[(at + 1) * n + k]};
            const double d = speed > 0.0 ? (u[at] * du[1] + u[at + 1] * du[2]) / speed : 0.0;
            dy[0][k] = rho * (d + c->mu[e] / s->s2 * du[0]);
            dy[1][k] = rho * du[1];
            dy[2][k] = rho * du[2];
        }
        if (s->unknowns == MOST)
            dy[0][5] = rho * (e == 0 ? c->mu[1] : -c->mu[0]);
        for (int i = 0; i < 3; i++) {
            double *row = j + (3 * e + i) * s->unknowns;
            for (int k = 0; k < s->unknowns; k++)
                row[k] = jy[i][0] * dy[0][k] + jy[i][1] * dy[1][k] + jy[i][2] * dy[2][k];
            row[0] += jx[i][0] * c->mu[e];
            row[at] += jx[i][1];
            row[at + 1] += jx[i][2];
        }
    }
}

/* One damped step; false when none lowers the merit. */
static bool step_down(const fb *s, double *v, double *u, double *phi, double *merit)
{
    double j[MOST * MOST], d[MOST], x[MOST] = {0}, f[MOST] = {0};
    jacobian(s, v, u, j);
    for (int i = 0; i < s->unknowns; i++)
        d[i] = -phi[i];
    if (!plu_solve_dense(s->unknowns, j, d))
        return false;
    double t = 1.0;
    for (int trial = 0; trial < TRIALS; trial++, t *= 0.5) {
        for (int i = 0; i < s->unknowns; i++)
            x[i] = v[i] + t * d[i];
        const double now = evaluate(s, x, u, f);
        if (now <= (1.0 - 1e-4 * t) * *merit) {
            memcpy(v, x, sizeof x);
            memcpy(phi, f, sizeof f);
            *merit = now;
            return true;
        }
    }
    return false;
}

bool plu_contact_fb(int rows, const double *w, const double *q, const double *mu, double *p,
                    double *state)
{
    const plu_local_contact c = plu_contact_make(rows, w, q, mu);
    bool solved = true;
    if (plu_contact_is_simple(&c, p) ||
        plu_contact_drop_disk(&c, plu_contact_fb, p, state, &solved))
        return solved;
    double v[MOST] = {-q[0] / w[0]}, u[5], phi[MOST] = {0};
    if (mu[0] == 0.0) { /* three rows */
        memcpy(p, v, 3 * sizeof *p);
        return true;
    }
    if (p[0] > 0.0)
        memcpy(v, p, (size_t)rows * sizeof *p);
    fb s = {&c, rows == 3 ? 3 : MOST, {0}, mu[0] * mu[0] + (rows == 5 ? mu[1] * mu[1] : 0.0)};
    plu_contact_steps(&c, s.rho);
    double merit = evaluate(&s, v, u, phi);
    for (int i = 0; i < ITERATIONS && merit > 1e-30 * v[0] * v[0]; i++)
        if (!step_down(&s, v, u, phi, &merit))
            break;
    memcpy(p, v, (size_t)rows * sizeof *p);
    plu_contact_project(&c, p);
    return plu_contact_error(&c, p) <= PLU_CONTACT_SOLVED;
}
