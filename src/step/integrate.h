/* integrate.h: positions and velocities at the end of a step. */
#ifndef STEP_INTEGRATE_H
#define STEP_INTEGRATE_H

#include "pluvia/step.h"

/* After the solve: what plu_theta_of has to know of this step. PLU_OK or PLU_IO. */
plu_status plu_integrate_begin(plu_stepper *stepper, plu_error *err);

/* x += h (theta v_{k+1} + (1 - theta) v_k), theta = 1 for what lands; orientations by the
 * exponential of the same mean of omega; the world takes over v_{k+1} from the problem. Adds the
 * theta term of the energy balance. PLU_OK, or PLU_BREAKDOWN where a velocity is no number. */
plu_status plu_integrate(plu_stepper *stepper, plu_error *err);

#endif
