/* reference.h: the interface of this folder: solvers that nothing calls by default. They are kept
 * to reproduce published results and as a reference for the others (tests/solvers/README.md). To
 * learn how a step is solved you can skip the folder. Each is an entry of the table in
 * reference_table.c. A build without them (-Dportfolio=disabled) has reference_absent.c instead of
 * all other files of the folder.
 */
#ifndef GENERAL_REFERENCE_REFERENCE_H
#define GENERAL_REFERENCE_REFERENCE_H

#include "general/solver.h"
#include "problem/contact_problem.h"

extern const plu_portfolio_solver plu_reference_solvers[];
extern const int plu_reference_solvers_count;
/* Names of the solvers that this build lacks; ends with NULL. */
extern const char *const plu_reference_absent[];

/* newton_glocker.c: semismooth Newton on Glocker's formulation, from the comparison by Acary,
 * Khenous and Perignon. */
PLU_METHOD(plu_newton_glocker);

/* convex.c: Cadoux's (2009) sequence of cone programs; the associated law is a
 * single such program. */
PLU_METHOD(plu_convex);

/* ipm.c, ipm_point.c, ipm_system.c: the interior-point method of Acary, Armand and
 * Nguyen (2022) for rolling friction. */
PLU_METHOD(plu_ipm);

/* apgd.c: the accelerated projected gradient method of Mazhar, Heyn, Negrut and Tasora (2015),
 * which Chrono uses. */
PLU_METHOD(plu_apgd);

/* admm.c: the alternating direction method of multipliers of Boyd et al. (2011), accelerated as by
 * Goldstein et al. (2014), which Siconos uses. */
PLU_METHOD(plu_admm);

/* Functions that "apgd" and "admm" share: vectors in the metric D. D has one number for each
 * contact, so that projections on the cones are the same as in the Euclidean metric. */

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
