/* locked.h: grains that are jammed in a cell of prescribed volume, a problem without a solution. */
#ifndef STEP_LOCKED_H
#define STEP_LOCKED_H

#include "base/state.h"
#include "pluvia/step.h"

/* After a solve: says once that grains are locked (plu_totals.locked). */
void plu_locked_look(plu_stepper *stepper, const plu_step_info *info);

void plu_locked_state(plu_stepper *stepper, plu_state *state);

#endif
