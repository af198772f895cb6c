/* held.h: boundaries and bodies that are fixed (fill/fixed.c). They have no contacts with each
 * other, and may overlap. A servo that comes upon fixed bodies is held by them all the same: what
 * they bear of its force is no contact force. What is told to move goes on through them, or they
 * through it, and a warning says so. */
#ifndef STEP_HELD_H
#define STEP_HELD_H

#include "step/stepper.h"

/* After plu_servos_begin: bounds of the servos in the coming step, and warnings of what goes
 * through fixed bodies in it. */
void plu_held_begin(plu_stepper *stepper);

/* After the solve: says once of servo `number` that it is held. */
void plu_held_note(plu_stepper *stepper, int number);

/* Saves or sets which warnings were given (base/state.h). */
void plu_held_state(plu_stepper *stepper, plu_state *state);

#endif
