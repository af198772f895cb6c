/* quartic.h: the sliding contact as a polynomial of degree four, after Bonnefon & Daviet,
 * "Quartic formulation of Coulomb 3D frictional contact" (INRIA RT-0400, 2011), BD11.
 *
 * Polynomials are given by their coefficients from the constant to the fourth power. Corrections to
 * the text, all checked against its numerical example:
 *  - the variable of section 3 is tan(theta/2); title and section 5 print tan(theta)/2;
 *  - the angle of the directrix needs both components, atan2 of V m;
 *  - the printed P(alpha) of section 5 is 1000 m_00^2 times (27), which moves no root;
 *  - after (27), in section 4: positive roots are not "the solution". Squaring lost R_N >= 0, whose
 *    sign has to be tested for each, as section 3 says of its roots (in up to 8 % of
 *    ill-conditioned problems the smallest positive root in alpha has R_N < 0);
 *  - (2) writes R_T = -alpha U_T, (4) and (24) U_T = -alpha R_T; the latter is meant;
 *  - the corner of M in section 4 is m_00. */
#ifndef CONE_QUARTIC_H
#define CONE_QUARTIC_H

#include "cone/coulomb.h"

enum { PLU_QUARTIC_ROOTS = 4, PLU_SLIDING_CANDIDATES = 8 };

/* Finds all real roots, each up to rounding, and returns how many there are. A double root counts
 * once or twice; infinity (HUGE_VAL) is a root where the leading coefficient vanishes. Method: the
 * roots of the derivatives cut [-1, 1] into monotone pieces, for x and for 1/x. */
int plu_quartic_roots(const double a[5], double root[PLU_QUARTIC_ROOTS]);

/* The polynomial BD11 (21) in t = tan(theta/2); theta is the direction of R_T in the eigenbasis of
 * M_T, which is M without its first row and column. w is M, row by row. */
void plu_quartic_of_angle(const double w[9], const double q[3], double mu, double a[5]);

/* The polynomial BD11 (27) in alpha. */
void plu_quartic_of_alpha(const double w[9], const double q[3], double mu, double a[5]);

/* Finds all sliding solutions p = (R_N, R_T), with alpha > 0 and R_N > 0, by one of the two
 * polynomials, and polishes them by Newton's method; returns how many there are. mu > 0 and q_N < 0
 * are required. */
int plu_sliding_by_angle(const double w[9], const double q[3], double mu,
                         double p[PLU_SLIDING_CANDIDATES][3]);
int plu_sliding_by_alpha(const double w[9], const double q[3], double mu,
                         double p[PLU_SLIDING_CANDIDATES][3]);

#endif
