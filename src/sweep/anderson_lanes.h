/* anderson_lanes.h: the vector operations of anderson.c. A vector has PLU_VECTOR numbers for each
 * block, in the order of plu_block.p: component by component, eight lanes each. */
#ifndef SWEEP_ANDERSON_LANES_H
#define SWEEP_ANDERSON_LANES_H

#include "base/cpu.h"
#include "blocks/blocks.h"

enum { PLU_ANDERSON_DEPTH = 5, PLU_VECTOR = 7 * PLU_LANES };

/* Vectors of an island; differences dg, df of the last sweeps. */
typedef struct plu_anderson_vectors {
    double *g, *f; /* of the last sweep: G(x) and G(x) - x */
    double *dg[PLU_ANDERSON_DEPTH], *df[PLU_ANDERSON_DEPTH];
} plu_anderson_vectors;

/* <x, y> weighted by diag W, for the products that a sweep adds. */
typedef struct plu_anderson_products {
    double ff;                       /* <f, f> */
    double f_df[PLU_ANDERSON_DEPTH]; /* <f, df_j> */
    double row[PLU_ANDERSON_DEPTH];  /* <df_newest, df_j> */
} plu_anderson_products;

/* Takes g = p and f = p - before from the blocks `begin` to `end` (numbers of the island's blocks,
 * `first` being the problem's number of the first one), puts the differences to what was there into
 * dg, df number `newest` (newest < 0: nothing was there) and returns the products with the `depth`
 * differences held. */
typedef plu_anderson_products plu_anderson_remember_function(const plu_problem *problem, int first,
                                                             int begin, int end,
                                                             const plu_anderson_vectors *vectors,
                                                             int newest, int depth);
PLU_ISA_DECLARE(plu_anderson_remember_function, plu_anderson_remember);

/* p = projection on the cones of g - sum_j gamma_j dg_j, in the same blocks. */
typedef void plu_anderson_combine_function(const plu_problem *problem, int first, int begin,
                                           int end, const plu_anderson_vectors *vectors, int depth,
                                           const double *gamma);
PLU_ISA_DECLARE(plu_anderson_combine_function, plu_anderson_combine);

#endif
