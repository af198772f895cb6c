/* sweep_lanes.h: the sweep over whole blocks, eight contacts at a time, with the exact local
 * solver. */
#ifndef SOLVE_SWEEP_LANES_H
#define SOLVE_SWEEP_LANES_H

#include "solve/sweep.h"

/* Visits the blocks from slot `begin` to slot `end` (multiples of PLU_LANES) of one colour.
 * Contacts of a colour share no body, so that the order inside a block does not matter. */
typedef plu_sweep plu_sweep_blocks(plu_problem *problem, int begin, int end, double beta);

/* The same source for three instruction sets; results differ between them in the last bits only. */
plu_sweep_blocks plu_sweep_blocks_plain, plu_sweep_blocks_avx2, plu_sweep_blocks_avx512;

#endif
