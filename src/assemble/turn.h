/* turn.h: what contacts on curved ways (detect/curve.h) do to the bodies that they turn.
 *
 * Such a contact reflects the velocity: its impulse changes the relative velocity by -2 c n_m, of
 * which each body has its share by mass. Half of that is the way from tangent to chord, so a body
 * that moves by both velocities of the step (theta = 1/2) follows the surface. A body that is hit
 * moves by the new one alone (theta = 1) and would leave the surface by h |c|, or sink into it:
 *
 *        v_k ___        chord = (v_k + v_k+1) / 2 = v_k+1 + c n_m
 *               \___ v_k+1
 *
 * it takes h times its shares of c n_m besides, summed over its contacts. A fold of a mesh turns
 * the velocity at a moment of its own, after the share t of the step (detect/fold.c): its bodies
 * take (2 t - 1) h c n_m besides, whatever their theta. */
#ifndef ASSEMBLE_TURN_H
#define ASSEMBLE_TURN_H

#include "detect/detect.h"

/* What turns a body in a step. Sums are of whole numbers, so that no order of its contacts
 * shows. */
typedef struct plu_turn {
    int64_t sum[3];  /* of its shares of c n_m, in units of plu_turn_unit */
    int64_t late[3]; /* of (2 t - 1) c n_m of those that turn it at t, not in the middle */
    uint64_t most;   /* the bits of the largest |c| (m/s) */
} plu_turn;

/* A power of two (m/s): in a step it is about 2^-54 of the smallest radius, less than the rounding
 * of a position, and the sums hold 512 such radii a step and more. */
double plu_turn_unit(const plu_world *world);

/* Adds what some live contacts of a list do (NULL: none); where nothing lands, folds. Threads may
 * do so at the same time for different blocks. */
void plu_turns_note(const plu_world *world, const plu_contacts *list,
                    const plu_contact *const contact[], int count, plu_turn *turn);

/* In m/s. */
static inline double plu_turn_along(const plu_turn *turn, double unit, int k)
{
    return unit * (double)turn->sum[k];
}

/* What the body goes besides its rule of theta, over the step (m/s). */
static inline double plu_turn_beside(const plu_turn *turn, double unit, double theta, int k)
{
    return (2.0 * theta - 1.0) * plu_turn_along(turn, unit, k) + unit * (double)turn->late[k];
}

double plu_turn_most(const plu_turn *turn);

#endif
