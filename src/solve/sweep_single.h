/* sweep_single.h: sweeps in single precision (problem/single.h), with the exact local solver. */
#ifndef SOLVE_SWEEP_SINGLE_H
#define SOLVE_SWEEP_SINGLE_H

#include "problem/single.h"
#include "solve/sweep.h"

/* plu_sweep_island and plu_momentum of an island taken over by plu_single_begin: the same order,
 * the same meaning of beta and of the sums. */
plu_sweep plu_sweep_single(plu_single *single, const plu_island *island, const plu_sweep_way *way);
void plu_momentum_single(plu_single *single, const plu_island *island, double beta);

#endif
