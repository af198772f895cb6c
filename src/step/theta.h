/* theta.h: how far a body goes by its new velocity, and how far by its old one. */
#ifndef STEP_THETA_H
#define STEP_THETA_H

#include "pluvia/step.h"
#include "world/world.h"

/* After the solve: how the bodies bounce, and when in the step. PLU_OK or PLU_IO. */
plu_status plu_theta_find(plu_stepper *stepper, plu_error *err);

/* Whether it was hit in a long stride (detect/swift.c); theta is then the share of the step after
 * that. */
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

#endif
