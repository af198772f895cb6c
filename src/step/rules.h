/* rules.h: whether a step was too long. */
#ifndef STEP_RULES_H
#define STEP_RULES_H

#include "pluvia/rules.h"
#include "pluvia/step.h"
#include "world/motion.h"
#include "world/world.h"

/* What the rules need of the spheres as the scene makes them. Once. */
void plu_rules_begin(plu_stepper *stepper);

/* The numbers of the rules for the step in progress: after its contacts have their impulses, and
 * before bodies get their new velocities. They are the same for any number of threads. */
void plu_rules_find(const plu_stepper *stepper, const plu_step_info *info, double value[PLU_RULES]);

/* The number of swings with `step` (s) of few spheres in the narrowest boundary of the scene that
 * gravity may swing them in; 0: none, or there are many. */
double plu_rules_swing(const plu_world *world, double step);

/* Before a solve: |u| h / d of what will meet in the step. */
double plu_rules_ahead(const plu_stepper *stepper);

/* After bodies have moved: by how much the step has made overlaps deeper, over the smaller
 * diameter. */
double plu_rules_made(const plu_stepper *stepper);

/* Counts what they broke, with a warning for the first step of each rule. */
void plu_rules_count(plu_stepper *stepper, const double value[PLU_RULES]);

/* --- what a step was too long for at its contacts (src/machinery.md, "Rules of the step") --- */

/* Whether its surface stays the same as it turns: it has no part that is not round about the
 * axis. */
static inline bool plu_motion_is_round(const plu_motion *motion)
{
    return !motion->endless && motion->reach == 0.0;
}

/* The numbers of travel, turning and swing, after the solve and before bodies move. */
void plu_rules_contacts(const plu_stepper *stepper, double value[PLU_RULES]);

/* The angle by which contact `at`, of bodies that pass each other by u, turns where attraction
 * bends their way (rad); 0: it hardly does. */
double plu_rules_attracted(const plu_stepper *stepper, int at, const double u[3]);

/* How many times a turn by a hit of the bond `at` counts: in clumps of few spheres several times.
 */
double plu_rules_clump(const plu_stepper *stepper, int at);

/* The number of impacts in a crowd, after the solve as well. */
double plu_rules_crowd(const plu_stepper *stepper);

/* The number of impacts that follow each other; as well. */
double plu_rules_chain(const plu_stepper *stepper);

#endif
