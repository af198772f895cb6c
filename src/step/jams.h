/* jams.h: contacts that bear as much as they may, and yield (blocks/yield.h). */
#ifndef STEP_JAMS_H
#define STEP_JAMS_H

#include "base/state.h"
#include "blocks/yield.h"
#include "detect/detect.h"
#include "pluvia/step.h"

/* --- strength.c --- */

/* For a new stepper: what the strength of contacts is made of. */
void plu_strength_begin(plu_stepper *stepper);

/* As plu_strength_begin, but for how fast boundaries were at most, which a checkpoint has. */
void plu_strength_weigh(plu_stepper *stepper);

/* Takes notice of boundaries that a call moves faster. */
void plu_strength_drive(plu_stepper *stepper);

/* What contacts bear in the coming step, once forces of servos are known. */
plu_yield plu_strength_now(const plu_stepper *stepper);

/* --- jams.c --- */

/* After the solve, before positions change: counts the contacts that yield, and says where. PLU_OK
 * or PLU_IO. */
plu_status plu_jams_note(plu_stepper *stepper, plu_step_info *info, plu_error *err);

/* Whether a body is jammed: a contact of it yields, or presses on one that does, or did and
 * overlaps still; and whether one of a contact is. */
bool plu_are_jammed(const plu_stepper *stepper, const plu_contact *contact);

/* Saves or sets what is kept from step to step (base/state.h). */
struct plu_state;
void plu_jams_state(plu_stepper *stepper, struct plu_state *state);

void plu_jams_free(plu_stepper *stepper);

/* --- grains that are jammed in a cell of prescribed volume, a problem without a solution --- */

/* After a solve: says once that grains are locked (plu_totals.locked). */
void plu_locked_look(plu_stepper *stepper, const plu_step_info *info);

void plu_locked_state(plu_stepper *stepper, plu_state *state);

#endif
