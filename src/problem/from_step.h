/* from_step.h: contacts and bodies of a step as those of a general contact problem, for the files
 * that make such problems: from_step.c of islands, from_slots.c of some contacts. */
#ifndef PROBLEM_FROM_STEP_H
#define PROBLEM_FROM_STEP_H

#include "problem/contact_problem.h"

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
