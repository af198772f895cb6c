/* groups.h: groups of bodies that are fixed (fixed.c) and follow a prescribed motion, as one rigid
 * body of infinite mass: the place of each is, at the end of every step, where the motion of the
 * group (motion.h) carries it, and its velocity is that of the group there. */
#ifndef WORLD_GROUPS_H
#define WORLD_GROUPS_H

#include "world/motion.h"

/* The motion of body b; NULL: it has none. */
static inline const plu_motion *plu_group_of(const plu_world *w, int b)
{
    return w->mover && w->mover[b] ? &w->motions[w->mover[b] - 1] : NULL;
}

/* Whether the group of body b moves in the coming step. */
static inline bool plu_group_moves(const plu_world *w, int b)
{
    const plu_motion *motion = plu_group_of(w, b);
    return motion && motion->pose.moves;
}

/* Whether any group does. */
bool plu_groups_move(const plu_world *w);

/* After plu_motions_begin: velocities at the start of the step into the rows of the bodies. */
void plu_groups_begin(plu_world *w);

/* The velocity of body b at the end of the coming step (m/s, rad/s): that of its group. */
void plu_group_velocity(const plu_world *w, int b, double velocity[6]);

/* After plu_motions_end: bodies to where they are at the end of the step, and its velocities. */
void plu_groups_end(plu_world *w);

#endif
