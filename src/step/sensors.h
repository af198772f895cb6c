/* sensors.h: what the sensors of a scene sum up in every step (pluvia/sensor.h). */
#ifndef STEP_SENSORS_H
#define STEP_SENSORS_H

#include "base/state.h"
#include "pluvia/status.h"

struct plu_stepper;

typedef struct plu_sensors {
    double (*start)[3]; /* by body, of this step */
    size_t capacity;
    double *sum; /* PLU_SENSOR_NUMBERS by sensor: part of the state of a run */
} plu_sensors;

/* PLU_OK or PLU_IO (no memory); plu_sensors_free in any case. */
plu_status plu_sensors_create(struct plu_stepper *stepper, plu_error *err);
void plu_sensors_free(struct plu_stepper *stepper);
/* Before bodies move in a step; after they have, before they appear on the other side of a cell or
 * are removed; and at its end. */
plu_status plu_sensors_begin(struct plu_stepper *stepper, plu_error *err);
void plu_sensors_pass(struct plu_stepper *stepper);
void plu_sensors_end(struct plu_stepper *stepper);
/* At the beginning of a stage, for the sensors that begin with it. */
void plu_sensors_restage(struct plu_stepper *stepper);
void plu_sensors_state(struct plu_stepper *stepper, plu_state *state);

#endif
