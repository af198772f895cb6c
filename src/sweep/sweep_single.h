/* sweep_single.h: sweeps in single precision (blocks/single.h), with the exact local solver. */
#ifndef SWEEP_SWEEP_SINGLE_H
#define SWEEP_SWEEP_SINGLE_H

#include "blocks/single.h"
#include "sweep/island_sweep.h"

/* plu_sweep_island, if way->moves after plu_momentum, for an island whose floats plu_single_begin
 * has filled. Order of visits, beta and sums are the same. */
plu_sweep_sums plu_sweep_single(plu_single *single, const plu_island *island,
                                const plu_sweep_way *way);

#endif
