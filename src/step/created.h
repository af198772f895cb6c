/* created.h: impacts that create energy (src/theory.md, "Several impacts at once"). */
#ifndef STEP_CREATED_H
#define STEP_CREATED_H

#include "pluvia/step.h"
#include <stdbool.h>

/* Keeps the impulses and velocities of a solve where bounces of some island have created energy,
 * and asks for another one, without restitution: *again. PLU_OK or PLU_IO. */
plu_status plu_created_look(plu_stepper *stepper, bool *again, plu_error *err);

/* After that: takes in each of those islands as much of the first solution as creates no energy,
 * and the first solution in all others. */
void plu_created_mix(plu_stepper *stepper);

/* After a step whose contacts have created `work` (J): adds to the totals what of it the velocities
 * at the end of the step that miss the law have made, and what bounces have made that do not. */
void plu_created_attribute(plu_stepper *stepper, double work);

void plu_created_free(plu_stepper *stepper);

#endif
