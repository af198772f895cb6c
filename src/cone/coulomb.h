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
    double normal, mu;        /* m_00 */
    double column[2], row[2]; /* m below and right of m_00, in the eigenbasis of A */
    plu_plane a;
} plu_coulomb;

/* From the block, row by row. */
static inline plu_coulomb plu_coulomb_of(const double w[9], double mu)
{
    plu_coulomb b = {.normal = w[0], .mu = mu};
    b.a = plu_plane_of(w[4] - w[3] * w[1] / w[0], w[5] - w[3] * w[2] / w[0],
                       w[7] - w[6] * w[1] / w[0], w[8] - w[6] * w[2] / w[0]);
    plu_plane_turn(&b.a, (double[2]){w[3], w[6]}, b.column);
    plu_plane_turn(&b.a, w + 1, b.row);
    return b;
}

/* R_T and R_N at alpha. */
static inline double plu_coulomb_at(const plu_coulomb *b, double alpha, const double w[2],
                                    double start, double t[2])
{
    plu_plane_solve(&b->a, alpha, w, t);
    return start - plu_plane_dot(b->row, t) / b->normal;
}

/* The root of f; `t` and the value receive R_T and R_N there. `start` = -q_N / m_00 > 0. */
double plu_coulomb_slide(const plu_coulomb *b, const double w[2], double start, double *alpha,
                         double t[2]);

/* Take-off, stick, slide. p receives the solution. `alpha`: a root near by (0: none known) and the
 * one found. */
static inline void plu_coulomb_solve(const plu_coulomb *b, const double q[3], double *alpha,
                                     double p[3])
{
    if (q[0] >= 0.0) {
        p[0] = p[1] = p[2] = 0.0;
        return;
    }
    const double start = -q[0] / b->normal;
    double w[2], t[2];
    plu_plane_turn(&b->a, q + 1, w);
    w[0] += start * b->column[0];
    w[1] += start * b->column[1];
    p[0] = plu_coulomb_at(b, 0.0, w, start, t);
    const double limit = b->mu * p[0];
    if (!(p[0] >= 0.0 && t[0] * t[0] + t[1] * t[1] <= limit * limit))
        p[0] = plu_coulomb_slide(b, w, start, alpha, t);
    plu_plane_turn_back(&b->a, t, p + 1);
}

#endif
