/* yield_limits.h: what the contacts of a problem bear at most (yield.h). */
#ifndef BLOCKS_YIELD_LIMITS_H
#define BLOCKS_YIELD_LIMITS_H

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

#endif
