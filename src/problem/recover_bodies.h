/* recover_bodies.h: the spheres behind a contact problem of which only W by blocks is known. */
#ifndef PROBLEM_RECOVER_BODIES_H
#define PROBLEM_RECOVER_BODIES_H

#include "problem/contact_problem.h"

/* If W comes from contacts of spheres with each other and with fixed bodies (five rows a contact),
 * finds bodies with W = H^T H (that is M = I, v_free = 0, w = q) that reproduce W up to 1e-11 of
 * its largest entry. Else sets `body->bodies` to 0. PLU_OK or PLU_IO. Free with plu_body_form_free.
 */
plu_status plu_recover_bodies(const plu_contact_problem *problem, plu_body_form *body,
                              plu_error *err);
void plu_body_form_free(plu_body_form *body);

#endif
