/* projection.h: what overlaps by more than the slop is moved apart (project.c), but not into walls
 * (walls.c). */
#ifndef STEP_PROJECTION_H
#define STEP_PROJECTION_H

#include "pluvia/step.h"
#include <stdbool.h>

/* The way of a body that has a contact with a wall in this step: its center. */
typedef struct plu_wall_way {
    double start[3];      /* before plu_integrate */
    double integrated[3]; /* after it, before the projection; where there is one */
} plu_wall_way;

/* Whether there is something for the position projection to look at. */
bool plu_projects(const plu_stepper *stepper);

/* Position projection: moves pairs that overlap by more than slop x d apart along their normal, by
 * a few Gauss-Seidel passes over the contacts of the step. Adds the energy that this takes to the
 * totals. */
void plu_project_positions(plu_stepper *stepper);

/* --- lift.c: its energy --- */

/* Before bodies are moved. */
void plu_lift_begin(plu_stepper *stepper);

/* After that: where contacts bounce, bodies that were moved get the velocities of their new
 * heights. Adds what energy is more to the totals. */
void plu_lift_end(plu_stepper *stepper);

/* --- walls.c: bodies that have contacts with walls --- */

/* Notes where they are at the start of the step. PLU_OK or PLU_IO. */
plu_status plu_walls_start(plu_stepper *stepper, plu_error *err);

/* The first of the contacts with walls whose body's center has passed that wall since the start of
 * the step, counted among them; or their number. */
int plu_walls_passed(const plu_stepper *stepper);

/* Notes where they are before the projection. */
void plu_walls_integrated(plu_stepper *stepper);

/* After the projection of pairs, which may push a body into a wall behind it: none is left deeper
 * in a wall than it was before and the slop allows, and none beyond it. */
void plu_walls_hold(plu_stepper *stepper);

#endif
