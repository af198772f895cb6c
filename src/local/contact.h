/* contact.h: one contact of a general problem, as its local solvers see it: its own block W, and in
 * q what all others do to it, whose impulses are held.
 *
 *   y = W p + q ,  K* contains y^ , y^ orthogonal to p in K
 *
 * with three, five or seven rows (N, T1, T2, R1, R2, P and an idle one) and moments scaled by L. W
 * need not be symmetric. */
#ifndef LOCAL_CONTACT_H
#define LOCAL_CONTACT_H

#include "base/vec3.h"
#include "cone/friction_cone.h"
#include "cone/tangent_plane.h"
#include "local/local_method.h"
#include <math.h>

typedef struct plu_local_contact {
    int rows;
    const double *w, *q;      /* rows x rows, row by row; rows */
    double mu[PLU_DISKS_MAX]; /* slopes of the disks of r_T, of m_R and of m_P */
} plu_local_contact;

/* `mu`: the slope of each of the rows / 2 disks. */
static inline plu_local_contact plu_contact_make(int rows, const double *w, const double *q,
                                                 const double *mu)
{
    plu_local_contact c = {rows, w, q, {0.0}};
    for (int i = 0; i < rows / 2; i++)
        c.mu[i] = mu[i];
    return c;
}

/* y = W p + q */
void plu_contact_velocity(const plu_local_contact *c, const double *p, double *y);

/* p becomes its projection on K. */
void plu_contact_project(const plu_local_contact *c, double *p);

/* y becomes y^: adds mu |u_T| + mu_r |omega_R| + mu_p |omega_P| to its normal row. */
void plu_contact_raise(const plu_local_contact *c, double *y);

/* rho[0] = 1 / W_NN; rho[1 + i]: one over the spectral norm (of the symmetric part) of the block of
 * disk i. */
void plu_contact_steps(const plu_local_contact *c, double rho[PLU_DISKS_MAX + 1]);

/* Alart and Curnier's function F = p - P(p - rho y), disks of radius mu (p_N - rho_N y_N)+. */
static inline void plu_contact_function(const plu_local_contact *c,
                                        const double rho[PLU_DISKS_MAX + 1], const double *p,
                                        const double *y, double *f)
{
    const double normal = plu_max(p[0] - rho[0] * y[0], 0.0);
    f[0] = p[0] - normal;
    for (int i = 1; i < c->rows; i += 2) {
        const double r = rho[1 + i / 2], x[2] = {p[i] - r * y[i], p[i + 1] - r * y[i + 1]};
        const double factor = plu_disk_factor(plu_plane_length(x), c->mu[i / 2] * normal);
        f[i] = p[i] - factor * x[0];
        f[i + 1] = p[i + 1] - factor * x[1];
    }
}

/* If |W| |p| exceeds |q| by this factor, p does not count as a solution, because W p + q is only
 * rounding. */
#define PLU_CONTACT_FAR 1e10

/* |F| relative to the impulses of the contact: to the larger of |p| and |q_N| / W_NN. HUGE_VAL for
 * impulses that are too large (PLU_CONTACT_FAR). */
double plu_contact_error(const plu_local_contact *c, const double *p);

/* Below this error a local solver calls a contact solved. */
#define PLU_CONTACT_SOLVED 1e-11

/* Solves the contact if it takes off (p = 0) or sticks without rolling (p = -W^-1 q in K); true if
 * it does. */
bool plu_contact_is_simple(const plu_local_contact *c, double *p);

/* If mu or mu_r is zero, reduces five rows to three, calls `solve`, sets *solved to its result, and
 * returns true. */
bool plu_contact_drop_disk(const plu_local_contact *c, plu_local_method_solve *solve, double *p,
                           double *state, bool *solved);

/* x = A^-1 b by elimination with pivoting; A, row by row, and b are lost. False when singular. */
static inline bool plu_solve_dense(int n, double *a, double *b)
{
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(a[i * n + k]) > fabs(a[pivot * n + k]))
                pivot = i;
        if (!(fabs(a[pivot * n + k]) > 1e-300))
            return false;
        for (int j = k; pivot != k && j < n; j++) {
            const double x = a[k * n + j];
            a[k * n + j] = a[pivot * n + j];
            a[pivot * n + j] = x;
        }
        const double x = b[k];
        b[k] = b[pivot];
        b[pivot] = x;
        for (int i = k + 1; i < n; i++) {
            const double f = a[i * n + k] / a[k * n + k];
            for (int j = k + 1; j < n; j++)
                a[i * n + j] -= f * a[k * n + j];
            b[i] -= f * b[k];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            b[i] -= a[i * n + j] * b[j];
        b[i] /= a[i * n + i];
    }
    return true;
}

/* Newton on F from p, with line search, until |F| is rounding or, after one step, `reduction` of
 * what it was at p. Returns the error reached. */
double plu_contact_newton_run(const plu_local_contact *c, int iterations, double reduction,
                              double *p);

/* Projected fixed point from p; `rho` is the step length, 0: none yet. Returns whether it ended. */
bool plu_contact_fixed_point_run(const plu_local_contact *c, int iterations, double *rho,
                                 double *p);

/* Five or seven rows: the method that cannot fail on positive definite blocks. Returns the error
 * reached. */
double plu_contact_nested_run(const plu_local_contact *c, double *p);

/* The local methods, one a file. */
plu_local_method_solve plu_contact_exact;         /* contact_exact.c */
plu_local_method_solve plu_contact_projection;    /* contact_projection.c */
plu_local_method_solve plu_contact_extragradient; /* contact_projection.c */
plu_local_method_solve plu_contact_newton;        /* contact_newton.c */
plu_local_method_solve plu_contact_fb;            /* contact_fb.c */
plu_local_method_solve plu_contact_quartic_angle; /* contact_quartic.c */
plu_local_method_solve plu_contact_quartic_alpha; /* contact_quartic.c */

/* The same in a sweep (contact_projection.c). */
plu_local_method_near plu_contact_projection_near, plu_contact_extragradient_near;

#endif
