/* hand_over.h: where a large island converges slowly because of few of its contacts, these are
 * solved together by the fallback, and the others keep their impulses.
 *
 * A heavy body that stands on a few light ones is such a case: a sweep changes the impulses below
 * it by about what the light bodies weigh. The contacts in question show by their work |p| |e|, the
 * sum of which is the error `sinking` of the criterion:
 *
 *     (    heavy    )          | 64 contacts with the largest |p| |e| hold half of the sum?
 *      '.___o_o___.'    o      | then all contacts of their bodies o, and of the neighbors of
 *     . . o . o . . . . .      | those, until there are 400: one problem, of which the others are
 *      . . . . . . . . .       | the given forces; solved by the fallback (proximal Newton)
 *
 * Sweeps then go on from the result: what it leaves lies around the chosen contacts, and is local.
 */
#ifndef SWEEP_HAND_OVER_H
#define SWEEP_HAND_OVER_H

#include "sweep/settings.h"

/* If few contacts of the island hold most of the work, solves them and those around them. *kept:
 * the problem has new impulses. `result` holds the errors of the present impulses by the criterion
 * "velocity", and receives those of the new ones. Impulses and velocities are those in double
 * precision. Nothing depends on the number of threads. PLU_OK or PLU_IO. */
plu_status plu_hand_over_worst(plu_problem *problem, plu_island *island,
                               const plu_solve_settings *settings, plu_island_result *result,
                               bool *kept, plu_error *err);

#endif
