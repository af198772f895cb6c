/* jam.h: when the contacts of an island yield (blocks/yield.h).
 *
 * An island is solved without a bound of its impulses as long as that gives a solution. There are
 * two ways to notice that it does not:
 *
 *   pressed   a contact has come to bear as much as it may, after any sweep
 *   jammed    a boundary that moves, or the strain of a cell, presses bodies against what does not
 *             give way: sweeps press them a little more each time, without end. Foreseen by an
 *             impulse beyond what could stop the whole island */
#ifndef SWEEP_JAM_H
#define SWEEP_JAM_H

#include "blocks/blocks.h"

/* Whether the impulses of an island, of squared norm `size` (N^2 s^2), may hold one beyond what its
 * contact bears: cheap, and nearly always false. */
static inline bool plu_may_yield(const plu_problem *problem, double size)
{
    const double least = problem->yield.least;
    return least > 0.0 && !(size < least * least);
}

/* Whether a contact of the island bears as much as it may. */
bool plu_yields(const plu_problem *problem, const plu_island *island);

/* Whether a boundary that a motion moves, or the strain of a cell, presses on a contact of the
 * island by more than what would stop its fastest approach if all of it came on so fast, and by
 * more than its servos push. */
bool plu_jam_presses(const plu_problem *problem, const plu_island *island);

/* From now on the island yields: cuts its impulses off and makes v = v_free + M^-1 H p. `now`: at
 * little more than the largest of them, since they would grow from sweep to sweep. `pull`: h g. */
void plu_yield_begin(plu_problem *problem, plu_island *island, const double pull[3], bool now);

#endif
