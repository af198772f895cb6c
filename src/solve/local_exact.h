/* local_exact.h: the exact one-contact solver for spheres, inline for the sweep.
 *
 * The normal decouples: q_N >= 0 takes off, else r_N = -q_N / wn. With the radii Rt = mu r_N and
 * Rm = mu_r r_N and x = r_T, y = J m_R, a = q_T, b = J q_R the rest is the strictly convex problem
 *   min 1/2 wt |x|^2 + 1/2 wr |y|^2 + wc x.y + a.x + b.y ,  |x| <= Rt , |y| <= Rm
 * (wt wr > wc^2), unique for every mu and mu_r. For two equal spheres wc = 0 and it falls apart. */
#ifndef SOLVE_LOCAL_EXACT_H
#define SOLVE_LOCAL_EXACT_H

#include "base/vec3.h"
#include "solve/local.h"

/* x = s a + t b */
static inline void plu_combine(double s, const double a[3], double t, const double b[3],
                               double x[3])
{
    for (int i = 0; i < 3; i++)
        x[i] = s * a[i] + t * b[i];
}

/* Minimum of 1/2 w |x|^2 + a.x over the disk |x| <= radius. */
static inline void plu_disk_minimum(double w, const double a[3], double radius, double x[3])
{
    const double length = plu_norm(a);
    const double s = length > w * radius ? radius / length : 1.0 / w;
    for (int i = 0; i < 3; i++)
        x[i] = -s * a[i];
}

/* The coupled problem (wc != 0). */
void plu_two_disks(const plu_local *c, const double a[3], const double b[3], double radius_t,
                   double radius_m, double x[3], double y[3]);

static inline void plu_local_exact_inline(const plu_local *c, const double q[7], double p[7])
{
    if (q[0] >= 0.0) {
        for (int i = 0; i < 7; i++)
            p[i] = 0.0;
        return;
    }
    p[0] = -q[0] / c->wn;
    const double radius_t = c->mu * p[0], radius_m = c->mu_r * p[0];
    if (c->wc == 0.0) {
        plu_disk_minimum(c->wt, q + 1, radius_t, p + 1);
        plu_disk_minimum(c->wr, q + 4, radius_m, p + 4);
        return;
    }
    /* The coupling multiplies a rounding error along the normal from sweep to sweep: take it off.
     */
    double a[3] = {q[1], q[2], q[3]}, b[3], y[3];
    plu_add_scaled(a, -plu_dot(a, c->normal), c->normal);
    plu_cross(q + 4, c->normal, b); /* J q_R = -n x q_R */
    plu_two_disks(c, a, b, radius_t, radius_m, p + 1, y);
    plu_cross(c->normal, y, p + 4); /* m_R = J^T y = n x y */
}

#endif
