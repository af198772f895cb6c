/* bonds.h: spheres that attraction holds at each other, and that a hit turns. */
#ifndef STEP_BONDS_H
#define STEP_BONDS_H

#include "pluvia/step.h"
#include <stdbool.h>

/* After a solve, before bodies move: the angle by which what the step changes of the velocities of
 * two spheres that attract each other turns contact `at` of the list (rad); 0: it is no such
 * contact, or bears nothing. */
double plu_bond_turn(const plu_stepper *stepper, int at);

/* Whether the new velocities will part spheres that no force pulls apart. */
bool plu_bonds_open(const plu_stepper *stepper);

/* After bodies have moved: moves these together, and marks them as moved. Returns whether it moved
 * any. */
bool plu_bonds_close(plu_stepper *stepper);

#endif
