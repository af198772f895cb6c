/* friction_cone.h: the rolling friction cone, as pure functions of one contact.
 *
 *   K_r  = { p = (r_N, r_T, m_R) : |r_T| <= a r_N, |m_R| <= b r_N }          AB21 (20)
 *   K_r* = { y = (u_N, u_T, omega_R) : u_N >= a |u_T| + b |omega_R| }        AB21 (26)
 *   y^   = y + (a |u_T| + b |omega_R|) e_N                                   AB21 (32)
 *
 * with the slopes a = plu_slope_of(mu) and b = plu_slope_of(mu_r) of the law (law.h). Vectors have
 * five components, normal first. b and the moments are in units of one length. */
#ifndef CONE_FRICTION_CONE_H
#define CONE_FRICTION_CONE_H

#include "base/vec3.h"

enum { PLU_N, PLU_T1, PLU_T2, PLU_R1, PLU_R2, PLU_COMPONENTS };

#define LAW_NUMBER double
#define LAW(name) plu_##name
#define LAW_ALL(x) (x)
#define LAW_LARGER plu_max
#define LAW_CHOOSE(m, a, b) ((m) ? (a) : (b))
#define LAW_ROOT sqrt
#include "cone/law.h"

/* r_N of the projection on the cone of a contact with one to three disks, in the order r_T, m_R,
 * m_P (law.h, cone_normal): n is the normal component of the point, length[i] the norm of its part
 * i, slope[i] the slope of disk i. */
static inline double plu_cone_normal_of(int disks, double n, const double length[3],
                                        const double slope[3])
{
    if (disks == 3)
        return plu_cone_normal_pivoting(n, length[0], length[1], length[2], slope[0], slope[1],
                                        slope[2]);
    return plu_cone_normal(n, length[0], disks == 2 ? length[1] : 0.0, slope[0],
                           disks == 2 ? slope[1] : 0.0);
}

/* plu_cone_normal for many points and one cone: the three divisions are done once. */
typedef struct plu_cone_faces {
    double a, b, slide, roll, both;
} plu_cone_faces;

static inline plu_cone_faces plu_cone_faces_of(double a, double b)
{
    return (plu_cone_faces){a, b, 1.0 / (1.0 + a * a), 1.0 / (1.0 + b * b),
                            1.0 / (1.0 + a * a + b * b)};
}

static inline double plu_cone_faces_normal(const plu_cone_faces *f, double n, double t, double s)
{
    const double slide = (n + f->a * t) * f->slide, roll = (n + f->b * s) * f->roll,
                 both = (n + f->a * t + f->b * s) * f->both;
    return plu_max(plu_max(0.0, n), plu_max(plu_max(slide, roll), both));
}

/* p becomes its projection on K_r. */
void plu_rolling_cone_project(double p[5], double a, double b);

/* The same with pivoting friction: p has seven components, of which the sixth is m_P and the last
 * is zero; c is the slope of mu_p. */
void plu_pivoting_cone_project(double p[7], double a, double b, double c);

/* y^ of y. */
void plu_modified_velocity(const double y[5], double a, double b, double y_hat[5]);

/* p - P_K(p - rho y^): zero exactly at a solution of the one-contact problem, AB21 (61). */
void plu_natural_map(const double p[5], const double y[5], double a, double b, double rho,
                     double f[5]);

#endif
