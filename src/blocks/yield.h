/* yield.h: contacts that yield. A body between a boundary that moves and another that does not give
 * way has no impulses that keep it out of both. A contact therefore bears a normal impulse P at
 * most: its cone is cut off,
 *   K_r = { 0 <= r_N <= P , |r_T| <= mu r_N , |m_R| <= mu_r r_N } ,
 * and where r_N = P it may close, u_N < 0. This problem always has a solution. Few islands ever
 * need it, so others are solved without: an island yields (plu_island.bound) once a contact of
 * it bears as much as it may, and is solved in doubles then. */
#ifndef BLOCKS_YIELD_H
#define BLOCKS_YIELD_H

#include "blocks/blocks.h"

/* What the contact in a slot bears at most (N s): 0 where its island does not yield. */
double plu_slot_most(const plu_problem *problem, int slot);

/* The fastest approach of a pair of the island at the start of the step (m/s). */
double plu_fastest_approach(const plu_problem *problem, const plu_island *island);

/* Whether the impulses of an island, of squared norm `size` (N^2 s^2), may hold one beyond what its
 * contact bears: cheap, and nearly always false. */
static inline bool plu_may_yield(const plu_problem *problem, double size)
{
    const double least = problem->yield.least;
    return least > 0.0 && !(size < least * least);
}

/* Whether a contact of the island bears as much as it may. */
bool plu_yields(const plu_problem *problem, const plu_island *island);

/* From now on the island yields: cuts its impulses off and makes v = v_free + M^-1 H p. `now`: at
 * little more than the largest of them, since they would grow from sweep to sweep. `pull`: h g. */
void plu_yield_begin(plu_problem *problem, plu_island *island, const double pull[3], bool now);

#endif
