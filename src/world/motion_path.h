/* motion_path.h: where a motion of the scene has a boundary at a time, in closed form, and how
 * fast.
 *
 * The place is exact at any time, and so are the ends of the motion within a step. The velocity at
 * the end of a step is such that the theta rule of the bodies goes this way,
 *   theta V_{k+1} + (1 - theta) V_k = (X_{k+1} - X_k) / h ,
 * to rounding for constant velocities and oscillations: with theta = 1/2 that of A sin(omega t) is
 * its own times tan(omega h / 2) / (omega h / 2). What a table, a start or a stop leaves is made up
 * for where bodies touch the boundary (step/carried.h). */
#ifndef WORLD_MOTION_PATH_H
#define WORLD_MOTION_PATH_H

#include "world/motion_table.h"
#include "world/world.h"

typedef struct plu_motion_spec plu_motion_spec; /* pluvia/motion.h */

/* The coming step, or one that was. */
typedef struct plu_span {
    double begin, end; /* s */
    double step;       /* s: end - begin but for rounding */
    double theta;
} plu_span;

/* How a boundary moves: of its center, about the axis, of its surface alone. */
typedef struct plu_rate {
    double velocity[3], spin, belt[3];
} plu_rate;

/* A motion; its table has no rows where none is given. */
typedef struct plu_path {
    const plu_motion_spec *spec;
    const plu_motion_table *table;
} plu_path;

/* Displacement (m) and angle (rad) at time t. */
void plu_path_place(plu_path path, double t, double place[PLU_MOTION_COLUMNS]);

/* The way of a step, over its length. */
void plu_path_mean(plu_path path, const plu_span *span, plu_rate *rate);

/* At the end of a step. */
void plu_path_end(plu_path path, const plu_span *span, plu_rate *rate);

/* At the start of the run: the derivative of the place. */
void plu_path_first(plu_path path, double step, plu_rate *rate);

/* What of two times is the same one but for rounding (s). */
double plu_time_slack(double step);

#endif
