/* first_order.h: functions that "apgd" and "admm" share: vectors in the metric D. D has one number
 * for each contact, so that projections on the cones are the same as in the Euclidean metric. */
#ifndef GENERAL_REFERENCE_FIRST_ORDER_H
#define GENERAL_REFERENCE_FIRST_ORDER_H

#include "problem/contact_problem.h"

/* metric [contacts]: the mean of the diagonal of each block W_cc, without idle rows. */
void plu_contact_metric(const plu_contact_problem *problem, double *metric);

/* <x, y>_D ; the sum runs in the order of the contacts */
double plu_metric_dot(const plu_contact_problem *problem, const double *metric, const double *x,
                      const double *y);

/* p becomes its projection on K. */
void plu_cones_project(const plu_contact_problem *problem, double *p);

/* y becomes y^: adds mu |u_T| + mu_r |w_R| + mu_p |w_P| to the normal components, except for the
 * associated law. */
void plu_cones_modify(const plu_contact_problem *problem, double *y);

#endif
