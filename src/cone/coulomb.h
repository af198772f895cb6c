/* coulomb.h: the exact solution of one contact with Coulomb friction and a general 3 x 3 block.
 *
 * With A = M_T - m m^T / m_00 and w = q_T - (q_N / m_00) m sliding means (Bonnefon & Daviet 2011,
 * (25); the multiplier is that of their (24), U_T = -alpha R_T, the inverse of that in (2))
 *
 *   (A + alpha I) R_T = -w ,  R_N = -(m.R_T + q_N) / m_00 ,  |R_T| = mu R_N ,  alpha > 0 .
 *
 * They square the last equation to a quartic (quartic.h). Unsquared, f(alpha) = |R_T| - mu R_N is
 * positive at 0 whenever sticking fails, and negative at |w| (m_00 + mu |m|) / (mu |q_N|), because
 * |R_T| <= |w| / alpha there: a bracketed root always exists and has R_N > 0 by itself. Newton on
 * 1/|R_T| - 1/(mu R_N), kept in the bracket by bisection. Neither symmetry nor full rank is asked
 * for: for a block whose symmetric part is semidefinite nothing changes. */
#ifndef CONE_COULOMB_H
#define CONE_COULOMB_H

#include "cone/plane.h"

typedef struct plu_coulomb {
    double inverse_normal, mu; /* 1 / m_00 */
    double column[2], row[2];  /* m below and right of m_00, in the eigenbasis of A */
    plu_plane a;
} plu_coulomb;

/* From the block, row by row. */
static inline plu_coulomb plu_coulomb_of(const double w[9], double mu)
{
    plu_coulomb b = {.inverse_normal = 1.0 / w[0], .mu = mu};
    b.a = plu_plane_of(w[4] - w[3] * w[1] / w[0], w[5] - w[3] * w[2] / w[0],
                       w[7] - w[6] * w[1] / w[0], w[8] - w[6] * w[2] / w[0]);
    plu_plane_turn(&b.a, (double[2]){w[3], w[6]}, b.column);
    plu_plane_turn(&b.a, w + 1, b.row);
    return b;
}

/* The root of f, with R_T there in `t`; returns R_N. `start` = -q_N / m_00 > 0. Ends with the
 * Newton step from where |f| <= accuracy |R_T|, after which the error is about the square of that.
 */
double plu_coulomb_slide(const plu_coulomb *b, const double w[2], double start, double accuracy,
                         double *alpha, double t[2]);

/* Take-off, stick, slide. p receives the solution. `alpha`: a root near by (0: none known), then
 * the one found. */
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
    plu_plane_solve(&b->a, 0.0, w, t);
    p[0] = start - plu_plane_dot(b->row, t) * b->inverse_normal;
    const double limit = b->mu * p[0];
    if (!(p[0] >= 0.0 && t[0] * t[0] + t[1] * t[1] <= limit * limit))
        p[0] = plu_coulomb_slide(b, w, start, accuracy, alpha, t);
    plu_plane_turn_back(&b->a, t, p + 1);
}

#endif
