/* ways.h: where bodies were within the step that ended. */
#ifndef STEP_WAYS_H
#define STEP_WAYS_H

#include "detect/detect.h"
#include "pluvia/step.h"

/* The way of body i, to rounding, the position projection and forces of calls: good enough for one
 * that was not near a wall. */
void plu_way_of(const plu_stepper *stepper, int i, plu_way *way);

/* Spheres that have passed through each other, as plu_detect_passage. PLU_OK or PLU_IO. */
plu_status plu_find_passage(plu_stepper *stepper, plu_passage *passage, plu_error *err);

#endif
