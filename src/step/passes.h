/* passes.h: how spheres pass what they touch in a step; for the rules. */
#ifndef STEP_PASSES_H
#define STEP_PASSES_H

#include "detect/detect.h"
#include "world/world.h"

/* Velocity of the center of b past a at the start of the step (m/s). */
void plu_pass_rate(const plu_world *world, const plu_contact *contact, double u[3]);

/* The angle by which the contact turns as b goes on by u past a (rad). `lasts`: it goes on along
 * what is curved. */
double plu_pass_turn(const plu_world *world, const plu_contact *contact, bool lasts,
                     const double u[3]);

/* |u| h / d of two spheres. Along a wall only what turns matters: a way along a plane is exact. */
double plu_pass_travel(const plu_world *world, const plu_contact *contact, const double u[3],
                       double turn);

#endif
