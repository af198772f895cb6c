/* cone.h: the rolling friction cone, as pure functions of one contact.
 *
 *   K_r  = { p = (r_N, r_T, m_R) : |r_T| <= mu r_N, |m_R| <= mu_r r_N }          AB21 (20)
 *   K_r* = { y = (u_N, u_T, omega_R) : u_N >= mu |u_T| + mu_r |omega_R| }        AB21 (26)
 *   y^   = y + (mu |u_T| + mu_r |omega_R|) e_N                                   AB21 (32)
 *
 * Vectors have five components, normal first. mu_r and the moments are in units of one length. */
#ifndef CONE_CONE_H
#define CONE_CONE_H

#include "base/vec3.h"

enum { PLU_N, PLU_T1, PLU_T2, PLU_R1, PLU_R2, PLU_COMPONENTS };

/* r_N of the projection on K_r of a point with normal component n, |r_T| = t and |m_R| = s.
 *
 * AB21 Prop. 5.2 lists five cases whose tests leave gaps on the borders between them, in floating
 * point also when written with <=. The projection is the minimum over n' >= 0 of
 *   1/2 (n'-n)^2 + 1/2 (t - mu n')+^2 + 1/2 (s - mu_r n')+^2 ,
 * whose derivative is the smallest of four increasing affine functions: its root is the largest of
 * their four roots. No case to choose, valid for mu = 0, mu_r = 0 and zero vectors. */
static inline double plu_rolling_cone_normal(double n, double t, double s, double mu, double mu_r)
{
    const double slide = (n + mu * t) / (1.0 + mu * mu);
    const double roll = (n + mu_r * s) / (1.0 + mu_r * mu_r);
    const double both = (n + mu * t + mu_r * s) / (1.0 + mu * mu + mu_r * mu_r);
    return plu_max(plu_max(0.0, n), plu_max(plu_max(slide, roll), both));
}

/* The same for many points of one cone: the three divisions are made once. */
typedef struct plu_cone_faces {
    double mu, mu_r, slide, roll, both;
} plu_cone_faces;

static inline plu_cone_faces plu_cone_faces_of(double mu, double mu_r)
{
    return (plu_cone_faces){mu, mu_r, 1.0 / (1.0 + mu * mu), 1.0 / (1.0 + mu_r * mu_r),
                            1.0 / (1.0 + mu * mu + mu_r * mu_r)};
}

static inline double plu_cone_faces_normal(const plu_cone_faces *f, double n, double t, double s)
{
    const double slide = (n + f->mu * t) * f->slide, roll = (n + f->mu_r * s) * f->roll,
                 both = (n + f->mu * t + f->mu_r * s) * f->both;
    return plu_max(plu_max(0.0, n), plu_max(plu_max(slide, roll), both));
}

/* Factor that brings a vector of length `length` into the disk of radius `radius`. */
static inline double plu_disk_factor(double length, double radius)
{
    return length > radius ? radius / length : 1.0;
}

/* p becomes its projection on K_r. */
void plu_rolling_cone_project(double p[5], double mu, double mu_r);

/* y^ of y. */
void plu_modified_velocity(const double y[5], double mu, double mu_r, double y_hat[5]);

/* p - P_K(p - rho y^): zero exactly at a solution of the one-contact problem, AB21 (61). */
void plu_natural_map(const double p[5], const double y[5], double mu, double mu_r, double rho,
                     double f[5]);

#endif
