/* impacts.h: hits (assemble/hits.h) in a step: which of them count, and how their bodies move. */
#ifndef STEP_IMPACTS_H
#define STEP_IMPACTS_H

#include "pluvia/step.h"
#include <stdbool.h>

/* After detection: finds the hits of the step. PLU_OK or PLU_IO. */
plu_status plu_impacts_begin(plu_stepper *stepper, plu_error *err);

/* plu_detect_unforeseen along the ways that bodies go, those of hits with a bend. Counts in *times
 * how often it found some. */
plu_status plu_impacts_look(plu_stepper *stepper, int *times, bool *found, plu_error *err);

/* After a solve: revokes hits of bodies that bear something else which the motion of a hit would
 * leave too deep. Whether there were some: the step has to be solved again. */
bool plu_impacts_check(plu_stepper *stepper);

/* Before plu_integrate: theta of the bodies of hits (plu_theta_of). */
void plu_impacts_share(plu_stepper *stepper);

/* After plu_integrate: contacts of hits have the gap again that they had at the start of the
 * step. */
void plu_impacts_end(plu_stepper *stepper);

void plu_impacts_free(plu_stepper *stepper);

/* --- impacts that create energy (src/theory.md, "Several impacts at once") --- */

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
