/* integrate.h: positions and velocities at the end of a step. */
#ifndef STEP_INTEGRATE_H
#define STEP_INTEGRATE_H

#include "detect/detect.h"
#include "pluvia/step.h"
#include "world/world.h"

/* After the solve: what plu_theta_of has to know of this step. PLU_OK or PLU_IO. */
plu_status plu_integrate_begin(plu_stepper *stepper, plu_error *err);

/* x += h (theta v_{k+1} + (1 - theta) v_k), theta = 1 for what lands; orientations by the
 * exponential of the same mean of omega; the world takes over v_{k+1} from the problem. Adds the
 * theta term of the energy balance. PLU_OK, or PLU_BREAKDOWN where a velocity is no number. */
plu_status plu_integrate(plu_stepper *stepper, plu_error *err);

/* --- how far a body goes by its new velocity, and how far by its old one --- */

/* After the solve: how the bodies bounce, and when in the step. PLU_OK or PLU_IO. */
plu_status plu_theta_find(plu_stepper *stepper, plu_error *err);

/* Whether a body was hit in a long stride (detect/swift.c); its theta is the share of the step
 * after that. */
bool plu_was_hit(const plu_stepper *stepper, int body);

/* Theta of a body of a hit, which impacts.c finds; NAN of all others. */
double plu_theta_given(const plu_stepper *stepper, int body);

/* Over the largest |c| of a body's contacts: what its velocity may change by besides being turned.
 * In chains of bonds contacts pass on what they turn each other by. */
static inline double plu_theta_turns(const plu_world *w)
{
    return w->coheres ? 8.0 : 1.0;
}

/* The theta of a body whose velocity changes by `change` in the step. */
double plu_theta_of(const plu_stepper *stepper, int body, const double change[3]);

/* --- where bodies were within the step that ended --- */

/* The way of body i, to rounding, the position projection and forces of calls: good enough for one
 * that was not near a wall. */
void plu_way_of(const plu_stepper *stepper, int i, plu_way *way);

/* Spheres that have passed through each other, as plu_detect_passage. PLU_OK or PLU_IO. */
plu_status plu_find_passage(plu_stepper *stepper, plu_passage *passage, plu_error *err);

#endif
