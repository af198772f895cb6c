/* spheres.h: general contact problems whose bodies are spheres: their bodies found from W, and
 * their conversion to step problems, for the solver that is specialized on spheres. */
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

/* --- the spheres behind a contact problem of which only W by blocks is known --- */

/* If W comes from contacts of spheres with each other and with fixed bodies (five rows a contact),
 * finds bodies with W = H^T H (that is M = I, v_free = 0, w = q) that reproduce W up to 1e-11 of
 * its largest entry. Else sets `body->bodies` to 0. PLU_OK or PLU_IO. Free with plu_body_form_free.
 */
plu_status plu_recover_bodies(const plu_contact_problem *problem, plu_body_form *body,
                              plu_error *err);
void plu_body_form_free(plu_body_form *body);

/* Contacts and bodies of a step as those of a general contact problem, for the files that make such
 * problems: from_step.c of islands, from_slots.c of some contacts. */

/* Rows of a contact: three suffice without rolling friction, five without pivoting friction. */
int plu_rows_of_slot(const plu_problem *step, int slot);

/* Body k from its row of velocities, whose mass is not infinite unless no contact names it. */
void plu_fill_body(plu_body_form *body, int k, const double row[8]);

/* Contact c of the problem from lane k of a block; `start`: its impulse before the solve, or NULL;
 * `given`: the row of a boundary that moves, or NULL. */
void plu_fill_contact(plu_contact_problem *problem, int c, const plu_block *block, int k,
                      const double *start, const double *given);

/* Copies the impulse x of contact c of the problem to a slot. */
void plu_return_contact(const plu_contact_problem *problem, int c, const double *x,
                        plu_problem *step, int slot);

#endif
