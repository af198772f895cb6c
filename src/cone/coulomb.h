/* coulomb.h: the exact solution of one contact with Coulomb friction and a general 3 x 3 block.
 *
 * With A = M_T - m m^T / m_00 and w = q_T - (q_N / m_00) m sliding means (Bonnefon & Daviet 2011,
 * (25); the multiplier is that of their (24), U_T = -alpha R_T, the inverse of that in (2))
 *
 *   (A + alpha I) R_T = -w ,  R_N = -(m.R_T + q_N) / m_00 ,  |R_T| = mu R_N ,  alpha > 0 .
 *
 * They square the last equation to a quartic (quartic.h). Unsquared, f(alpha) = |R_T| - mu R_N is
 * positive at 0 whenever sticking fails, and negative at |w| (m_00 + mu |m|) / (mu |q_N|), because
 * |R_T| <= |w| / alpha there: so a root is always bracketed, and R_N > 0 at the root. It is found
 * by Newton's method on 1/|R_T| - 1/(mu R_N), kept in the bracket by bisection. The block need
 * neither be symmetric nor have full rank; its symmetric part may be semidefinite.
 *
 * Units are those of the problem: any, as long as they are the same for all components. */
#ifndef CONE_COULOMB_H
#define CONE_COULOMB_H

#include "cone/tangent_plane.h"

typedef struct plu_coulomb {
    double inverse_normal, mu; /* 1 / m_00 */
    double column[2], row[2];  /* m below and right of m_00, in the eigenbasis of A */
    plu_plane a;
} plu_coulomb;

/* From the block w, row by row. */
static inline plu_coulomb plu_coulomb_of(const double w[9], double mu)
{
    plu_coulomb b = {.inverse_normal = 1.0 / w[0], .mu = mu};
    b.a = plu_plane_of(w[4] - w[3] * w[1] / w[0], w[5] - w[3] * w[2] / w[0],
                       w[7] - w[6] * w[1] / w[0], w[8] - w[6] * w[2] / w[0]);
    /* A is a difference, known up to the rounding of its terms. Of a block of rank one only
     * rounding is left. */
    plu_plane_lift(&b.a, 1e-15 * (fabs(w[4]) + fabs(w[8])));
    plu_plane_turn(&b.a, (double[2]){w[3], w[6]}, b.column);
    plu_plane_turn(&b.a, w + 1, b.row);
    return b;
}

/* R_N and, in `t`, R_T at the multiplier alpha; `start` = -q_N / m_00 > 0. */
static inline double plu_coulomb_at(const plu_coulomb *b, double alpha, const double w[2],
                                    double start, double t[2])
{
    plu_plane_solve(&b->a, alpha, w, t);
    return start - plu_plane_dot(b->row, t) * b->inverse_normal;
}

/* The next multiplier, by Newton on 1/|R_T| - 1/(mu R_N), from R_N = normal > 0, |R_T| = length and
 * f = length - mu R_N at alpha. */
static inline double plu_coulomb_newton(const plu_coulomb *b, double alpha, double normal,
                                        double length, double f, const double t[2])
{
    double dt[2];
    plu_plane_solve(&b->a, alpha, t, dt);
    const double dn = -plu_plane_dot(b->row, dt) * b->inverse_normal, l2 = length * length;
    return alpha -
           f * l2 * normal / (plu_plane_dot(t, dt) * b->mu * normal * normal - dn * l2 * length);
}

/* One Newton step from a multiplier close to the root; `t` receives R_T. Returns R_N, or a negative
 * number if *alpha was not close, that is |f| > accuracy |R_T|. The remaining error is about the
 * square of |f|. */
static inline double plu_coulomb_near(const plu_coulomb *b, const double w[2], double start,
                                      double accuracy, double *alpha, double t[2])
{
    const double normal = plu_coulomb_at(b, *alpha, w, start, t), length = plu_plane_length(t);
    const double f = length - b->mu * normal;
    if (!(fabs(f) <= accuracy * length && normal > 0.0))
        return -1.0;
    const double next = plu_coulomb_newton(b, *alpha, normal, length, f, t);
    if (!(next > 0.5 * *alpha && next < 2.0 * *alpha))
        return -1.0;
    *alpha = next;
    plu_plane_solve(&b->a, next, w, t);
    return plu_plane_length(t) / b->mu;
}

/* Finds the root of f; *alpha is a guess if it is positive, and receives the root. `t` receives
 * R_T; returns R_N. The Newton step from a point with |f| <= accuracy |R_T| is the last one. */
double plu_coulomb_slide(const plu_coulomb *b, const double w[2], double start, double accuracy,
                         double *alpha, double t[2]);

/* True if it is proved that no impulse up to 1e6 |q| / m_00 solves the contact, neither by take-off
 * nor by sticking nor by sliding with any alpha. That can only be so for symmetric blocks without
 * full rank. False: solvable, or unknown. */
bool plu_coulomb_unsolvable(const double w[9], const double q[3], double mu);

/* Tries take-off, sticking and sliding in this order; p receives the solution. *alpha is the
 * multiplier of a solution close by (0: none is known, or sticking), and receives the new one. */
static inline void plu_coulomb_solve(const plu_coulomb *b, const double q[3], double accuracy,
                                     double *alpha, double p[3])
{
    if (q[0] >= 0.0) {
        p[0] = p[1] = p[2] = 0.0;
        return;
    }
    const double start = -q[0] * b->inverse_normal;
    double w[2], t[2];
    plu_plane_turn(&b->a, q + 1, w);
    w[0] += start * b->column[0];
    w[1] += start * b->column[1];
    double normal = *alpha > 0.0 ? plu_coulomb_near(b, w, start, accuracy, alpha, t) : -1.0;
    if (normal < 0.0) {
        normal = plu_coulomb_at(b, 0.0, w, start, t);
        const double limit = b->mu * normal;
        if (!(normal >= 0.0 && t[0] * t[0] + t[1] * t[1] <= limit * limit))
            normal = plu_coulomb_slide(b, w, start, accuracy, alpha, t);
        else
            *alpha = 0.0;
    }
    p[0] = normal;
    plu_plane_turn_back(&b->a, t, p + 1);
}

#endif
