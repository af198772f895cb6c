/* yield.h: contacts that yield. A body between a boundary that moves and another that does not give
 * way has no impulses that keep it out of both. A contact therefore bears a normal impulse P at
 * most: its cone is cut off,
 *   K_r = { 0 <= r_N <= P , |r_T| <= mu r_N , |m_R| <= mu_r r_N } ,
 *
 *        r_N = P  ____________        u_N < 0 is allowed here: the contact closes
 *                 \    K_r   /
 *                  \        /
 *                   \      /         |r_T| <= mu r_N
 *                    \    /
 *                     \  /
 *                      \/
 *
 * and where r_N = P it may close, u_N < 0. This set is compact, so that every problem has a
 * solution (src/theory.md, "Jams"). Few islands ever need it, so others are solved without: an
 * island yields (plu_island.bound) once a contact of it bears as much as it may (sweep/jam.h), and
 * is solved in doubles then. */
#ifndef BLOCKS_YIELD_H
#define BLOCKS_YIELD_H

#include "blocks/blocks.h"

/* What the contact in a slot bears at most (N s): 0 where its island does not yield. */
double plu_slot_most(const plu_problem *problem, int slot);

/* The same in an island with this bound. */
double plu_slot_bears(const plu_problem *problem, int slot, plu_bound bound);

#endif
