/* sweep_single.h: sweeps in single precision (problem/single.h), with the exact local solver. */
#ifndef SOLVE_SWEEP_SINGLE_H
#define SOLVE_SWEEP_SINGLE_H

#include "problem/single.h"
#include "solve/sweep.h"

/* plu_sweep_island, if `moves` after plu_momentum, for an island whose floats plu_single_begin
 * has filled. Order of visits, beta and sums are the same. */
plu_sweep plu_sweep_single(plu_single *single, const plu_island *island, const plu_sweep_way *way,
                           bool moves);

#endif
