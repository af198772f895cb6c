/* What the local solvers of general contacts share. A contact has rows N, T1, T2, then R1, R2 where
 * it rolls and P and an idle row where it pivots: disk e has the rows 1 + 2 e and 2 + 2 e, and
 *
 *     y  = W p + q                          plu_contact_velocity
 *     y^ = y + sum_e mu_e |y_e| e_N         plu_contact_raise            AB21 (32)
 *     P_K(p)                                plu_contact_project: r_N by cone/law.h, then the disks
 *     rho_i = 1 / largest eigenvalue        plu_contact_steps: of a 2 x 2 block m + sqrt(d^2 + o^2)
 *             of the diagonal block         with its mean m, half difference d, and off-diagonal o
 *
 * The error of a result is the Alart-Curnier function with these rho over |p|. Impulses so large
 * that W p has no digits left beside q are none: where W has no full rank, they can grow without
 * bound. */
#include "local/contact.h"
#include "cone/friction_cone.h"
#include "cone/tangent_plane.h"
#include <math.h>
#include <string.h>

void plu_contact_velocity(const plu_local_contact *c, const double *p, double *y)
{
    for (int i = 0; i < c->rows; i++)
        y[i] = c->q[i] + plu_dot_n(c->rows, c->w + i * c->rows, p);
}

void plu_contact_project(const plu_local_contact *c, double *p)
{
    double length[PLU_DISKS_MAX] = {0.0};
    for (int i = 1; i < c->rows; i += 2)
        length[i / 2] = plu_plane_length(p + i);
    p[0] = plu_cone_normal_of(c->rows / 2, p[0], length, c->mu);
    for (int i = 1; i < c->rows; i += 2) {
        const double f = plu_disk_factor(length[i / 2], c->mu[i / 2] * p[0]);
        p[i] *= f;
        p[i + 1] *= f;
    }
}

void plu_contact_raise(const plu_local_contact *c, double *y)
{
    for (int i = 1; i < c->rows; i += 2)
        y[0] += c->mu[i / 2] * plu_plane_length(y + i);
}

void plu_contact_steps(const plu_local_contact *c, double rho[PLU_DISKS_MAX + 1])
{
    const int n = c->rows;
    rho[0] = 1.0 / c->w[0];
    for (int i = 1; i < n; i += 2) {
        const double *a = c->w + i * n + i, *b = a + n;
        const double mean = 0.5 * (a[0] + b[1]), half = 0.5 * (a[0] - b[1]),
                     off = 0.5 * (a[1] + b[0]);
        rho[1 + i / 2] = 1.0 / (mean + sqrt(half * half + off * off));
    }
}

/* Whether p is so large that the rounding of W p is of the size of q. Such impulses appear if a
 * block without full rank has no solution. */
static bool is_too_large(const plu_local_contact *c, const double *p)
{
    double most = 0.0;
    for (int i = 0; i < c->rows; i++) {
        double size = 0.0;
        for (int j = 0; j < c->rows; j++)
            size += fabs(c->w[i * c->rows + j] * p[j]);
        most = plu_max(most, size);
    }
    return !(most <= PLU_CONTACT_FAR * plu_norm_n(c->rows, c->q));
}

double plu_contact_error(const plu_local_contact *c, const double *p)
{
    double rho[PLU_DISKS_MAX + 1], y[PLU_ROWS_MAX] = {0}, f[PLU_ROWS_MAX];
    plu_contact_steps(c, rho);
    plu_contact_velocity(c, p, y);
    plu_contact_function(c, rho, p, y, f);
    const double size = plu_max(plu_norm_n(c->rows, p), plu_max(-c->q[0], 0.0) / c->w[0]);
    const double miss = plu_norm_n(c->rows, f);
    if (is_too_large(c, p))
        return HUGE_VAL;
    return size > 0.0 ? miss / size : miss;
}

bool plu_contact_is_simple(const plu_local_contact *c, double *p)
{
    const int n = c->rows;
    double a[PLU_ROWS_MAX * PLU_ROWS_MAX], x[PLU_ROWS_MAX] = {0};
    if (c->q[0] >= 0.0) {
        memset(p, 0, (size_t)n * sizeof *p);
        return true;
    }
    memcpy(a, c->w, (size_t)(n * n) * sizeof *a);
    for (int i = 0; i < n; i++)
        x[i] = -c->q[i];
    if (!plu_solve_dense(n, a, x) || is_too_large(c, x))
        return false;
    for (int i = 1; i < n; i += 2)
        if (!(plu_plane_length(x + i) <= c->mu[i / 2] * x[0]))
            return false;
    memcpy(p, x, (size_t)n * sizeof *p);
    return true;
}

bool plu_contact_drop_disk(const plu_local_contact *c, plu_local_method_solve *solve, double *p,
                           double *state, bool *solved)
{
    if (c->rows != 5 || (c->mu[0] > 0.0 && c->mu[1] > 0.0))
        return false;
    const int first = c->mu[1] > 0.0 ? 3 : 1, kept[3] = {0, first, first + 1};
    double w[9], q[3], x[3];
    for (int i = 0; i < 3; i++) {
        q[i] = c->q[kept[i]];
        x[i] = p[kept[i]];
        for (int j = 0; j < 3; j++)
            w[3 * i + j] = c->w[5 * kept[i] + kept[j]];
    }
    *solved = solve(3, w, q, &c->mu[first / 2], x, state);
    memset(p, 0, 5 * sizeof *p);
    for (int i = 0; i < 3; i++)
        p[kept[i]] = x[i];
    return true;
}
