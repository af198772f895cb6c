/* limits.h: each step is compared with the limits of the run (src/machinery.md, "Limits of a run").
 */
#ifndef STEP_LIMITS_H
#define STEP_LIMITS_H

#include "pluvia/step.h"
#include "world/world.h"

/* The squared speed that counts: of the center, or of the surface as the body turns. */
static inline double plu_speed_squared(const plu_world *w, int i)
{
    const double *v = w->bodies.row[i], r = w->bodies.position[i][3];
    const double center = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    const double surface = r * r * (v[3] * v[3] + v[4] * v[4] + v[5] * v[5]);
    return center > surface ? center : surface;
}

/* Works out what the limits of the run rest on; once, from the bodies as the scene makes them. */
void plu_limits_begin(plu_stepper *stepper);

/* Compares the step with the limits of the scene, when positions are those of its end and the
 * boundaries have not removed anything yet. Beyond one: PLU_BREAKDOWN or, for a solver that does
 * not converge, PLU_NOT_CONVERGED, the sentence naming step, body and contact; or a warning, once a
 * kind, and a count in the totals. */
plu_status plu_check_limits(plu_stepper *stepper, const plu_step_info *info, plu_error *err);

#endif
