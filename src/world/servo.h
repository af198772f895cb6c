/* servo.h: boundaries that a force moves along an axis, and their contacts as much
 * (blocks/servos.h).
 *
 * A servo of mass m with the unit axis a moves by the theta rule of the bodies. Without contacts it
 * would have the velocity
 *   v_free = v_k + (h/m) (F(t*) + m g . a) ,   t* = t_k + (3/2 - theta) h
 * at the end of the step; F is a force, or a stress times the area of its plane between the other
 * walls where they are at the start of the step (enclosure.h). With contacts it is v_{k+1}, of at
 * most the limit of its speed, and slower where bodies that are fixed stand in its way. */
#ifndef WORLD_SERVO_H
#define WORLD_SERVO_H

#include "world/motion.h"

struct plu_world_servo {
    const struct plu_servo_spec *spec; /* pluvia/motion.h */
    int boundary;
    plu_motion *motion;
    plu_motion_table table; /* share of the force by time; no rows where none is given */
    double limit;           /* of its speed (m/s) */
    double area;            /* m^2, that stress acts on in the coming step; 0: none is known */
    double force;           /* N: F(t*) of the coming step */
    double load;            /* N: with the weight along the axis */
    double free;            /* v_free (m/s) */
    double low, high;       /* m/s: of v_{k+1}: the limit of its speed, or of what holds it */
    int holder;             /* the fixed body that holds it; < 0: none (step/held.c) */
    bool active;            /* in the coming step */
    bool hurries;           /* the last step ended at the limit of speed, with nothing to push */
    bool warned;            /* a warning of that was given */
    long idle;              /* steps without a push, up to the last one */
};

/* The area that a stress acts on (m^2); 0: none is known. */
double plu_servo_area(const plu_world *world, const plu_world_servo *servo);

/* Forces, areas and free velocities of the coming step, after plu_motions_begin. PLU_OK, or
 * PLU_BREAKDOWN where the other walls leave a stress no area. */
plu_status plu_servos_begin(plu_world *world, plu_error *err);

/* Sets low and high for the coming step, and the velocity that servo `number` has without contacts.
 */
void plu_servo_bound(plu_world *world, int number, double low, double high);

/* Takes over v_{k+1}, and whether something was pushed; before plu_motions_end. */
void plu_servo_end(plu_world *world, int number, double velocity, bool pushed);

/* What bodies that do `force` (N) to a boundary press on it with (Pa, positive away from them):
 * against the axis of a servo over its area; of a plane without one along its normal, over the area
 * that the others leave of it. NAN where there is no such area. */
double plu_boundary_stress(const plu_world *world, int boundary, const double force[3]);

/* Saves or sets what is kept from step to step (base/state.h). */
void plu_servos_state(plu_world *world, plu_state *state);

void plu_servos_free(plu_world *world);

#endif
