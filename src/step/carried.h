/* carried.h: bodies on boundaries whose velocity changes.
 *
 * A boundary with a motion goes its own way h W in a step, in the midst of which it may start or
 * stop; bodies go by the theta rule of their velocities, h (theta v_{k+1} + (1 - theta) v_k). What
 * touches it is moved along its normal n by what the two differ,
 *   s = n . (h W - h (theta V_{k+1} + (1 - theta) V_k)) n ,
 * so that their distance changes by the theta rule of their relative velocity, with theta = 1 of
 * pairs that land: what rests stays in touch, and what lands has no gap. Where that is not 0 for
 * theta of the scene, as when a boundary starts or stops or follows a table, what bears something
 * in the same island goes along. */
#ifndef STEP_CARRIED_H
#define STEP_CARRIED_H

#include "pluvia/step.h"
#include "step/stepper.h"

/* Shifts of bodies; plu_alloc. */
typedef struct plu_carried plu_carried;

plu_carried *plu_carried_create(const plu_stepper *stepper, plu_error *err);
void plu_carried_free(plu_carried *carried);

/* plu_integrate, and the shifts; the potential energy of these is work of boundaries. PLU_OK,
 * PLU_IO or PLU_BREAKDOWN. */
plu_status plu_carried_integrate(plu_stepper *stepper, plu_error *err);

/* Boundaries and bodies that are fixed (fill/fixed.c). They have no contacts with each other, and
 * may overlap. A servo that comes upon fixed bodies is held by them all the same: what they bear of
 * its force is no contact force. What a motion moves goes on through them, or they through it, and
 * a warning says so. */

/* After plu_servos_begin: bounds of the servos in the coming step, and warnings of what goes
 * through fixed bodies in it. */
void plu_held_begin(plu_stepper *stepper);

/* After the solve: says once of servo `number` that it is held. */
void plu_held_note(plu_stepper *stepper, int number);

/* Saves or sets which warnings were given (base/state.h). */
void plu_held_state(plu_stepper *stepper, plu_state *state);

#endif
