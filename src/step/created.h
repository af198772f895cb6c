/* created.h: impacts that create energy (src/theory.md, "Several impacts at once"). */
#ifndef STEP_CREATED_H
#define STEP_CREATED_H

#include "pluvia/step.h"

/* After the solves of a step: where bounces of an island have created energy, solves it once more,
 * without restitution, and takes as much of the first solution as creates none. The method's
 * status. */
plu_status plu_created_restrain(plu_stepper *stepper, plu_error *err);

/* After a step whose contacts have created `work` (J): adds to the totals what of it the velocities
 * at the end of the step that miss the law have made, and what bounces have made that do not. */
void plu_created_attribute(plu_stepper *stepper, double work);

/* What contacts have gained by the moments of hits in the step (J, plu_hit.early): theta takes it.
 */
double plu_created_by_moments(const plu_stepper *stepper);

void plu_created_free(plu_stepper *stepper);

#endif
