/* spheres.h: contact problems whose bodies are spheres, as a step problem for the fast solver. */
#ifndef PROBLEM_SPHERES_H
#define PROBLEM_SPHERES_H

#include "problem/contact_problem.h"

/* True when the problem has bodies and each contact is that of two spheres, or of a sphere and
 * something fixed: isotropic inertia, levers along the normal; to 1e-9. */
bool plu_is_spheres(const plu_contact_problem *problem);

/* The same problem laid out for steps, its impulses being `impulses`. The arrays belong to `layout`
 * and to `rows` (freed by the caller). PLU_OK or PLU_IO. */
plu_status plu_spheres_to_step(const plu_contact_problem *problem, const double *impulses,
                               plu_layout *layout, plu_problem *step, double (**rows)[8],
                               plu_error *err);

/* Impulses of the step problem in the frames of the contact problem. */
void plu_spheres_impulses(const plu_contact_problem *problem, const plu_problem *step, double *p);

#endif
