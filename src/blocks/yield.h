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

struct plu_problem;

/* All zero: nothing yields. */
typedef struct plu_yield {
    double step;   /* h (s), by which the strengths of pairs are multiplied */
    double most;   /* N s: of pairs without a strength of their own, ... */
    double impact; /* ... or so many times what an impact of bodies of the island stops, if more */
    double least;  /* N s: the smallest of all pairs; 0: nothing yields */
} plu_yield;

/* What the contacts of an island bear at most (N s): those with a strength of their own that, the
 * others `most`; and none of them more than `now`, because sweeps found no balance. Contacts that
 * bear more than `held` are part of a jam: no load is as much. Zero: none of them yields. */
typedef struct plu_bound {
    double most, now, held;
} plu_bound;

/* What the contact in a slot bears at most (N s): 0 where its island does not yield. */
double plu_slot_most(const struct plu_problem *problem, int slot);

/* What a slot bears at most in an island with this bound. */
double plu_slot_bears(const struct plu_problem *problem, int slot, plu_bound bound);

#endif
