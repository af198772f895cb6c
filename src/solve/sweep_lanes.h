/* sweep_lanes.h: the sweep over whole blocks, eight contacts at a time, with the exact local
 * solver; over contacts one by one by the functions that end in _one, whose slots begin and end
 * anywhere. */
#ifndef SOLVE_SWEEP_LANES_H
#define SOLVE_SWEEP_LANES_H

#include "base/cpu.h"
#include "problem/single.h"
#include "solve/sweep.h"

/* Visits the blocks from slot `begin` to slot `end` (multiples of PLU_LANES) of one color.
 * Contacts of a color share no body, so that the order inside a block does not matter. */
typedef plu_sweep plu_sweep_blocks_function(plu_problem *problem, int begin, int end,
                                            const plu_sweep_way *way);
PLU_ISA_DECLARE(plu_sweep_blocks_function, plu_sweep_blocks);
PLU_ISA_DECLARE_ONE(plu_sweep_blocks_function, plu_sweep_blocks);

/* Visits them again within a sweep: impulses change, nothing else is kept. Asks for what comes. */
typedef void plu_sweep_again_function(plu_problem *problem, int begin, int end, plu_coming *coming);
PLU_ISA_DECLARE(plu_sweep_again_function, plu_sweep_again);
PLU_ISA_DECLARE_ONE(plu_sweep_again_function, plu_sweep_again);

/* v <- v + beta (v - v_before), v_before <- v, for the rows of some bodies. Whole rows, masses
 * included (they do not change): one cache line each. Before the first sweep `v_before` holds
 * nothing yet; beta is 0 then. */
typedef void plu_move_on_function(plu_problem *problem, const int *body, int count, double beta);
PLU_ISA_DECLARE(plu_move_on_function, plu_move_on);
PLU_ISA_DECLARE_ONE(plu_move_on_function, plu_move_on);

/* The same in single precision, but that plu_move_on_single writes the new v to v_before, for the
 * caller to swap the two; slots are multiples of PLU_WIDE. */
typedef plu_sweep plu_sweep_single_function(plu_single *single, int begin, int end,
                                            const plu_sweep_way *way);
PLU_ISA_DECLARE(plu_sweep_single_function, plu_sweep_blocks_single);
typedef void plu_sweep_single_again_function(plu_single *single, int begin, int end,
                                             plu_coming *coming);
PLU_ISA_DECLARE(plu_sweep_single_again_function, plu_sweep_again_single);
typedef void plu_move_on_single_function(plu_single *single, const int *body, int count,
                                         double beta);
PLU_ISA_DECLARE(plu_move_on_single_function, plu_move_on_single);

#endif
