/* second_order.h: the algebra of the second-order cone of three components,
 *
 *   L = { x = (x_0, x_T) : |x_T| <= x_0 } ,   its own dual,
 *
 * for interior points. A contact is one such cone, z = (mu r_N, r_T), or with rolling friction two
 * that share r_N: (mu r_N, r_T) and (mu_r r_N, m_R). Jordan product, scaling of Nesterov and Todd
 * and step lengths as in Alizadeh and Goldfarb, "Second-order cone programming", Mathematical
 * Programming 95 (2003). Pure functions; vectors have three components and may not overlap. */
#ifndef CONE_SECOND_ORDER_H
#define CONE_SECOND_ORDER_H

/* x_0^2 - |x_T|^2 */
double plu_soc_determinant(const double x[3]);

/* x o y = (x . y, x_0 y_T + y_0 x_T); its unit is (1, 0, 0). */
void plu_soc_product(const double x[3], const double y[3], double xy[3]);

/* The solution z of x o z = y, x inside the cone. */
void plu_soc_divide(const double x[3], const double y[3], double z[3]);

/* Largest a <= 1 with x + a d in the cone, x inside it. */
double plu_soc_step(const double x[3], const double d[3]);

/* The symmetric matrix Q with Q z = Q^-1 l for z, l inside the cone, and so Q^2 z = l:
 *   Q = eta (2 v v^T - J) ,   Q^2 = eta^2 (2 w w^T - J) ,   J = diag(1, -1, -1). */
typedef struct plu_soc_scaling {
    double eta;
    double v[3], w[3];
} plu_soc_scaling;

plu_soc_scaling plu_soc_scale(const double z[3], const double l[3]);
void plu_soc_apply(const plu_soc_scaling *q, const double x[3], double y[3]);   /* y = Q x */
void plu_soc_unapply(const plu_soc_scaling *q, const double x[3], double y[3]); /* y = Q^-1 x */

#endif
