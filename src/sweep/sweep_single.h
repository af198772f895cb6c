/* sweep_single.h: sweeps in single precision (blocks/single.h), with the exact local solver. */
#ifndef SWEEP_SWEEP_SINGLE_H
#define SWEEP_SWEEP_SINGLE_H

#include "blocks/single.h"
#include "sweep/island_sweep.h"
#include "sweep/settings.h"

enum { PLU_RENEWED = 64 }; /* sweeps after which v is computed anew (plu_single_renew) */

/* Whether sweeps of an island by these settings begin in floats. */
bool plu_single_serves(const plu_problem *problem, const plu_island *island,
                       const plu_solve_settings *settings);

/* Room for the floats of islands of a single thread, before threads take copies of `single`.
 * PLU_OK or PLU_IO. */
plu_status plu_single_room(plu_single *single, const plu_problem *problem,
                           const plu_solve_settings *settings, plu_error *err);

/* Begins sweeps of an island; of one that is not large, by a copy of what there is room in. PLU_OK
 * or PLU_IO. */
plu_status plu_single_take(plu_single *single, const plu_problem *problem, plu_island *island,
                           plu_error *err);

/* plu_sweep_island, if `moves` after plu_momentum, for an island whose floats plu_single_begin
 * has filled. Order of visits, beta and sums are the same. */
plu_sweep plu_sweep_single(plu_single *single, const plu_island *island, const plu_sweep_way *way,
                           bool moves);

#endif
