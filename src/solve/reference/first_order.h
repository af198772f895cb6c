/* first_order.h: what "apgd" and "admm" share: vectors in the metric D, one number a contact, in
 * which a projection on the cones is as easy as in the plain one. */
#ifndef SOLVE_REFERENCE_FIRST_ORDER_H
#define SOLVE_REFERENCE_FIRST_ORDER_H

#include "problem/contact_problem.h"

/* metric [contacts]: the mean of the diagonal of each block W_cc, less rows that do nothing. */
void plu_contact_metric(const plu_contact_problem *problem, double *metric);

/* <x, y>_D ; the sum runs in the order of the contacts */
double plu_metric_dot(const plu_contact_problem *problem, const double *metric, const double *x,
                      const double *y);

/* p becomes its projection on K. */
void plu_cones_project(const plu_contact_problem *problem, double *p);

/* y becomes y^: mu |u_T| + mu_r |w_R| + mu_p |w_P| is added to its normal components, but for the
 * associated law.
 */
void plu_cones_modify(const plu_contact_problem *problem, double *y);

#endif
