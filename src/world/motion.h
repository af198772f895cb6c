/* motion.h: boundaries with a prescribed motion.
 *
 * A boundary with a motion is a body of infinite mass that is at the end of each step where its
 * motion says (motion_path.h). One that a call or a servo moves goes by the theta rule of the
 * bodies:
 *
 *   X_{k+1} = X_k + h (theta V_{k+1} + (1 - theta) V_k) ,   the angle alike
 *
 * Place and V_k are state, with what calls and servos have moved it away from its motion. */
#ifndef WORLD_MOTION_H
#define WORLD_MOTION_H

#include "world/motion_path.h"

struct plu_motion {
    plu_pose pose; /* parts point to it */
    int boundary;  /* < 0: of the bodies of entry -1 - boundary of the scene (groups.h) */
    const plu_motion_spec *spec; /* NULL: it stands still until it is taken away */
    bool driven;                 /* it moves as a call has set it, not as `spec` says */
    plu_drive drive;
    bool was_driven;                  /* in the last step */
    long warned;                      /* warnings of it that were given, bits (step/held.c) */
    plu_motion_table table;           /* no rows where none is given */
    double apart[PLU_MOTION_COLUMNS]; /* m, rad: of its place from that of its motion */
    double reach;    /* m: from the axis, of what its parts have beyond being round */
    double extent;   /* m: from the axis, of all its parts */
    bool endless;    /* some part that is not round has no end */
    double bound[2]; /* by the scene: bounds of speed (m/s) and angular speed (rad/s) at any time */
    double most[2];  /* the same with what a call has set */
};

/* Before a step: computes the velocities that the boundaries have at its end, and removes those
 * whose time is over; bodies that lean on these wake. */
void plu_motions_begin(plu_world *world);

/* Moves the boundaries to the end of the step. */
void plu_motions_end(plu_world *world);

/* From the coming step on the boundary moves as `drive` says; NULL: as the scene says. */
void plu_motion_drive(plu_motion *motion, const plu_drive *drive);

/* For a new stage, whose scene gives the boundary another motion: it follows that from `time` on,
 * starting where it is now. */
void plu_motion_take_over(plu_motion *motion, double time);

/* Sets them to where they are after `steps` steps, as the scene says. */
void plu_motions_seek(plu_world *world, long steps);

/* Saves or sets where they are (base/state.h). */
void plu_motions_state(plu_world *world, plu_state *state);

/* Saves or checks the table of a boundary, which a run never changes. `kind`: "motion" or "servo".
 */
void plu_motion_table_state(const plu_world *world, const plu_motion_table *table, int boundary,
                            const char *kind, plu_state *state);

void plu_motions_free(plu_world *world);

/* Speed of a surface that moves in a step, along its normal at most (m/s): `far` is the distance
 * from the axis that counts for parts without an end. */
double plu_motion_speed(const plu_motion *motion, double far);

/* The square of the speed with which its surface moves at most, also along itself ((m/s)^2); of
 * parts without an end that of the axis. */
double plu_motion_speed_squared(const plu_motion *motion);

/* The least speed (m/s) that a boundary which moves in the coming step gives to a sphere: along, by
 * its belt, or by turning one beside its axis; of oscillations their largest one. Infinite: none
 * moves. */
double plu_motions_slowest(const plu_world *world);

/* Whether a boundary, or a group of fixed bodies, moves in the coming step. */
bool plu_motions_move(const plu_world *world);

/* The largest change of the velocity of a boundary in the coming step (m/s); of parts without an
 * end that of the axis. */
double plu_motions_change(const plu_world *world);

/* A bound of the speeds that boundaries can give at any time of the run (m/s); parts without an end
 * count as far as bodies are at the start. */
double plu_motions_fastest(const plu_world *world);

/* Whether the scene has something to come for a boundary: it begins to move, or ends, or is taken
 * away, or a servo begins or ends to act. */
bool plu_motions_pending(const plu_world *world);

/* The longest way of a point of its surface from one placing to another (m); `far` as for
 * plu_motion_speed. */
double plu_motion_way(const plu_motion *motion, const plu_placing *from, const plu_placing *to,
                      double far);

#endif
