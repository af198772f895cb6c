/* The force of one contact by springs, dampers and limits (penalty_law.h: after Code_Aster's law):
 *
 *     normal        F_N = max(0, -K_N g - C_N u_N)                  g < 0
 *     tangential    e    = e_T - K_T h u_T                          e_T: elastic part, kept
 *                   F_T  = cut(e - C_T u_T, mu F_N) ,  e_T <- cut(e, mu F_N)
 *                   cut(x, r) = x min(1, r / |x|)
 *     rolling       the same with omega_R, K_R, mu_r
 *
 *              |F|  mu_s F_N  . . . *                mu is mu_s until the contact slides, then mu_d
 *                            .'     |  mu_d F_N      until it would stick by mu_d, and so slowly
 *                          .'       *------          that the spring can stop it before mu_s:
 *                        .'                          1/2 u^2 / W <= 1/2 (mu_s^2 - mu_d^2) F_N^2 / K
 *                       '------------------ slip
 *
 * C = 2 zeta sqrt(K / W), zeta the damping ratio of a mass 1/W on the spring. Only the elastic part
 * is kept from step to step, so that damping does not add up. The energy that is used is what the
 * force did less what the spring has stored: slip times the mean elastic force, and the damper's
 * part. */
#include "step/penalty_law.h"
#include "base/vec3.h"
#include "pluvia/material.h"
#include "pluvia/scene.h"
#include <math.h>
#include <string.h>

static double damper(double ratio, double k, double w)
{
    return 2.0 * ratio * sqrt(k / w);
}

plu_penalty_law plu_penalty_law_of(const plu_contact_law *law, double wn, double wt, double wr,
                                   double length)
{
    const double kn = law->normal_stiffness, kt = law->tangential_stiffness;
    const double kr = law->rolling_stiffness > 0.0 ? law->rolling_stiffness : kt * length * length;
    const double mu_s = law->friction, mu_d = law->friction_dynamic;
    return (plu_penalty_law){.kn = kn,
                             .cn = damper(law->normal_damping, kn, wn),
                             .kt = kt,
                             .ct = damper(law->tangential_damping, kt, wt),
                             .kr = kr,
                             .cr = damper(law->rolling_damping, kr, wr),
                             .mu_s = mu_s,
                             .mu_d = mu_d,
                             .mu_r = law->rolling_friction,
                             /* 1/2 u^2 / W <= 1/2 (mu_s^2 - mu_d^2) F_N^2 / K: the spring can
                              * stop what moves before mu_s is reached */
                             .restick = wt * (mu_s * mu_s - mu_d * mu_d) / kt};
}

static void turn(double v[3], const double normal[3])
{
    const double before = plu_norm(v);
    plu_add_scaled(v, -plu_dot(v, normal), normal);
    const double after = plu_norm(v);
    for (int i = 0; after > 0.0 && i < 3; i++)
        v[i] *= before / after;
}

void plu_spring_turn(plu_spring *spring, const double normal[3])
{
    turn(spring->t, normal);
    turn(spring->m, normal);
}

/* v <- v min(1, limit / |v|) */
static bool limit_to(double v[3], double limit)
{
    const double length = plu_norm(v);
    if (length <= limit)
        return false;
    for (int i = 0; i < 3; i++)
        v[i] *= limit / length;
    return true;
}

/* Spring and damper: what they give together before any limit. */
static void stretch(double k, double c, const double u[3], double h, double elastic[3],
                    double force[3])
{
    for (int i = 0; i < 3; i++) {
        elastic[i] -= k * h * u[i];
        force[i] = elastic[i] - c * u[i];
    }
}

/* Holds spring and force to the limit; returns the energy used up since the spring was `before`. By
 * the spring: its mean force times the slip, h u less what it was stretched. By the damper: its
 * force, or what the limit leaves of it, times h u. */
static double hold(double k, double limit, const double u[3], double h, const double before[3],
                   double elastic[3], double force[3])
{
    double used = 0.0;
    limit_to(elastic, limit);
    limit_to(force, limit);
    for (int i = 0; i < 3; i++) {
        const double slip = h * u[i] + (elastic[i] - before[i]) / k;
        used -= 0.5 * (before[i] + elastic[i]) * slip + (force[i] - elastic[i]) * h * u[i];
    }
    return used;
}

static double stored(double k, const double elastic[3])
{
    return 0.5 * plu_dot(elastic, elastic) / k;
}

/* Friction: mu_s until it is reached, then mu_d until the contact can stick again. */
static double friction(const plu_penalty_law *law, const double u[3], double h, double n,
                       plu_spring *spring, double force[3])
{
    double before[3];
    memcpy(before, spring->t, sizeof before);
    stretch(law->kt, law->ct, u, h, spring->t, force);
    const double wanted = plu_norm(force);
    if (spring->slides == 0.0 && wanted > law->mu_s * n)
        spring->slides = 1.0;
    else if (wanted <= law->mu_d * n && plu_dot(u, u) <= law->restick * n * n)
        spring->slides = 0.0;
    const double mu = spring->slides != 0.0 ? law->mu_d : law->mu_s;
    return hold(law->kt, mu * n, u, h, before, spring->t, force);
}

static double rolling(const plu_penalty_law *law, const double omega[3], double h, double n,
                      plu_spring *spring, double moment[3])
{
    double before[3];
    memcpy(before, spring->m, sizeof before);
    stretch(law->kr, law->cr, omega, h, spring->m, moment);
    return hold(law->kr, law->mu_r * n, omega, h, before, spring->m, moment);
}

void plu_penalty_contact(const plu_penalty_law *law, double gap, const double y[7], double h,
                         plu_spring *spring, plu_penalty_force *f)
{
    memset(f, 0, sizeof *f);
    if (gap > 0.0) {
        memset(spring, 0, sizeof *spring);
        return;
    }
    const double elastic = -law->kn * gap;
    f->n = plu_max(elastic - law->cn * y[0], 0.0);
    f->used = (elastic - f->n) * h * y[0];
    f->used += friction(law, y + 1, h, f->n, spring, f->t);
    f->used += rolling(law, y + 4, h, f->n, spring, f->m);
    f->elastic = -0.5 * elastic * gap + stored(law->kt, spring->t) + stored(law->kr, spring->m);
}

double plu_penalty_step(double k, double c, double w)
{
    const double stiff = 10.0 / PLU_PI;
    const double omega = sqrt(k * w), ratio = 0.5 * c * w / omega;
    return 0.1 * 2.0 * PLU_PI / omega * (sqrt(1.0 + stiff * stiff * ratio * ratio) - stiff * ratio);
}
