/* move_lanes.h: bodies move by the velocities of the step, several at a time (integrate.c). */
#ifndef STEP_MOVE_LANES_H
#define STEP_MOVE_LANES_H

#include "assemble/turn.h"
#include "base/cpu.h"
#include <stdbool.h>

enum { PLU_MOVED = 8 }; /* bodies that are moved in a call, at most */

/* Below this square of half the angle of a step (rad^2) sine and cosine are their series. */
#define PLU_SMALL_TURN 1e-4

typedef struct plu_moving {
    double (*row)[8], (*position)[4], (*orientation)[4]; /* of the bodies (world/bodies.h) */
    const double (*fresh)[8];                            /* the rows of the step */
    double gravity[3];                                   /* m/s^2 */
    double step;                                         /* s */
    double theta; /* of the scene; 1 for what is hit, where `lands` */
    double hit;   /* m/s: hit is what changes its velocity by more than hit + turns x most */
    double turns, turn_unit;
    const plu_turn *turn; /* by body: what contacts on curved ways do to it */
    bool lands;
    double rest_speed; /* m/s: up to this speed a body is at rest */
    double slow_speed; /* m/s: up to this speed it is slow */
} plu_moving;

/* By body: what it adds to the sums of the step (J), the square of its speed (plu_speed_squared),
 * omega of the step, and bits: whether it is at rest, whether it turns so far that its orientation
 * is still to be turned, whether it is slow, and slows down (plu_slows_down). */
typedef struct plu_moved {
    double theta[PLU_MOVED], potential[PLU_MOVED], speed[PLU_MOVED], omega[3][PLU_MOVED];
    unsigned still, turns, slow, slows;
} plu_moved;

/* Moves `count` bodies and turns those that turn little. */
typedef void plu_move_bodies_function(const plu_moving *motion, const int *body, int count,
                                      plu_moved *moved);
PLU_ISA_DECLARE(plu_move_bodies_function, plu_move_bodies);

#endif
