/* motion.h: how boundaries of a scene move. */
#ifndef PLUVIA_MOTION_H
#define PLUVIA_MOTION_H

#include "pluvia/where.h"

/* How a boundary moves, from where the scene has it (src/world/motion.h): all of what is given at
 * the same time. */
typedef struct plu_motion_spec {
    double velocity[3];  /* m/s */
    double belt[3];      /* m/s: of the surface alone, the boundary stays in place */
    double axis[3];      /* of all rotations: unit vector after reading */
    double center[3];    /* a point of that axis at the start; it moves with the boundary */
    double rate;         /* rad/s, about the axis */
    double amplitude[3]; /* m: displacement amplitude sin(2 pi frequency t + phase) */
    double frequency;    /* Hz */
    double phase;        /* rad */
    double swing;        /* rad: amplitude of the angle about the axis */
    double swing_frequency, swing_phase;
    char table[PLU_PATH]; /* CSV; already relative to the working folder; empty: none */
    double start, stop;   /* s: it stands still before and after; stop 0: no end */
} plu_motion_spec;

/* A force that moves a boundary along an axis, against its contact forces (src/world/servo.h). */
typedef struct plu_servo_spec {
    double axis[3];       /* unit vector after reading, direction of the force */
    double mass;          /* kg */
    double force;         /* N; or */
    double stress;        /* Pa, along the axis as well, of the area */
    double area;          /* m^2; 0: plane: the part that the other planes enclose; else its own */
    double speed;         /* m/s: limit; 0: a tenth of the smallest radius in a step */
    char table[PLU_PATH]; /* CSV: factor on force or stress over time; empty: 1 */
    double start, stop;   /* s: time in which it acts; stop 0: no end */
} plu_servo_spec;

#endif
