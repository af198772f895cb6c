/* spheres.h: converts general contact problems whose bodies are spheres to step problems, for the
 * solver that is specialized on spheres. */
#ifndef PROBLEM_SPHERES_H
#define PROBLEM_SPHERES_H

#include "problem/contact_problem.h"

/* Whether the problem is in body form and each contact is one of two spheres, or of a sphere and a
 * fixed body: isotropic inertia, lever arms along the normal, up to 1e-9. */
bool plu_is_spheres(const plu_contact_problem *problem);

/* Makes a step problem with the impulses `impulses`. Its arrays belong to `layout` and to `rows`,
 * which the caller frees. PLU_OK or PLU_IO. */
plu_status plu_spheres_to_step(const plu_contact_problem *problem, const double *impulses,
                               plu_layout *layout, plu_problem *step, double (**rows)[8],
                               plu_error *err);

/* p receives the impulses of the step problem in the frames of the contact problem. */
void plu_spheres_impulses(const plu_contact_problem *problem, const plu_problem *step, double *p);

#endif
