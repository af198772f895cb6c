/* sweep_lanes.h: the sweep over whole blocks, eight contacts at a time, with the exact local
 * solver. The functions that end in _one take contacts one by one, from any slot to any other. */
#ifndef SWEEP_SWEEP_LANES_H
#define SWEEP_SWEEP_LANES_H

#include "base/cpu.h"
#include "blocks/single.h"
#include "sweep/island_sweep.h"

/* Visits the slots from `begin`, where a block begins, to `end` of one color.
 * Contacts of a color share no body, so that the order inside a block does not matter. */
typedef plu_sweep_sums plu_sweep_blocks_function(plu_problem *problem, int begin, int end,
                                                 const plu_sweep_way *way);
PLU_ISA_DECLARE(plu_sweep_blocks_function, plu_sweep_blocks);
PLU_ISA_DECLARE_ONE(plu_sweep_blocks_function, plu_sweep_blocks);

/* Visits blocks again within a pass over the tiles: changes impulses and velocities, makes no sums
 * and keeps no old impulses. Prefetches `coming` on the way. */
typedef void plu_sweep_again_function(plu_problem *problem, int begin, int end, plu_coming *coming);
PLU_ISA_DECLARE(plu_sweep_again_function, plu_sweep_again);
PLU_ISA_DECLARE_ONE(plu_sweep_again_function, plu_sweep_again);

/* v <- v + beta (v - v_before), v_before <- v, for the rows of `count` bodies. Works on whole rows
 * of one cache line, including masses, which do not change. Before the first sweep `v_before` is
 * undefined, and beta must be 0. */
typedef void plu_move_on_function(plu_problem *problem, const int *body, int count, double beta);
PLU_ISA_DECLARE(plu_move_on_function, plu_move_on);
PLU_ISA_DECLARE_ONE(plu_move_on_function, plu_move_on);

/* The same in single precision, except that before plu_move_on_single the caller swaps v and
 * v_before: the new v is then written over the oldest. Slots are multiples of PLU_WIDE. */
typedef plu_sweep_sums plu_sweep_single_function(plu_single *single, int begin, int end,
                                                 const plu_sweep_way *way);
PLU_ISA_DECLARE(plu_sweep_single_function, plu_sweep_blocks_single);
typedef void plu_sweep_single_again_function(plu_single *single, int begin, int end,
                                             plu_coming *coming);
PLU_ISA_DECLARE(plu_sweep_single_again_function, plu_sweep_again_single);
typedef void plu_move_on_single_function(plu_single *single, const int *body, int count,
                                         double beta);
PLU_ISA_DECLARE(plu_move_on_single_function, plu_move_on_single);

#endif
