/* totals.h: what is kept of the steps of a run. */
#ifndef STEP_TOTALS_H
#define STEP_TOTALS_H

#include "pluvia/step.h"

/* Adds a step to the totals of the stepper. */
void plu_totals_add(plu_stepper *stepper, const plu_step_info *info);

#endif
