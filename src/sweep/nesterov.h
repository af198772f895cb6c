/* nesterov.h: the momentum of sweeps, with gradient restart (Nesterov 1983; O'Donoghue & Candes
 * 2015).
 *
 * A sweep takes p_k to p'_k. The next one does not start from p'_k but further on the way of the
 * last two, by a share beta that grows from 0 towards 1:
 *
 *     p'_{k-1} -------- p'_k - - - -> p_{k+1} = p'_k + beta (p'_k - p'_{k-1})
 *
 *     t+ = (1 + sqrt(1 + 4 t^2)) / 2 ,   beta = (t - 1) / t+ ,   t = 1 at first
 *
 * For gradient steps this lowers the error as 1 / k^2 instead of 1 / k: a load passes n layers in
 * about n sweeps instead of n^2. Where it overshoots, the sweep turns back, and beta begins anew:
 *
 *     <p'_k - p_k , p_k - p'_{k-1}>_D < 0 ,   D = diag W            (the test by the gradient)
 *
 * Velocities are linear in p and are carried on alike, v + beta (v - v_before): no sweep is needed
 * to find them. p_{k+1} may leave the cones; p'_{k+1} is in them again. */
#ifndef SWEEP_NESTEROV_H
#define SWEEP_NESTEROV_H

#include "base/strategy.h"
#include "sweep/island_sweep.h"
#include <math.h>

typedef struct plu_nesterov {
    double t, beta;
    double first; /* t at the start and after a restart: 1 as in the literature, or more */
} plu_nesterov;

/* Errors in deep beds extend over many layers and decay slowly, so that tiled islands begin with
 * much momentum. */
static inline plu_nesterov plu_nesterov_start(const plu_island *island)
{
    return (plu_nesterov){1.0, 0.0, island->tiled ? tiled_momentum : 1.0};
}

/* Whether the next sweep can have momentum. At the start and after a restart two sweeps go without,
 * and the old impulses and velocities need not be stored. */
static inline bool plu_nesterov_moves(const plu_nesterov *m)
{
    return m->t > 1.0;
}

/* After a sweep. */
static inline void plu_nesterov_next(plu_nesterov *m, const plu_sweep_sums *sweep)
{
    if (sweep->momentum < 0.0) {
        *m = (plu_nesterov){1.0, 0.0, m->first};
        return;
    }
    const double next = 0.5 * (1.0 + sqrt(1.0 + 4.0 * m->t * m->t));
    m->beta = (m->t - 1.0) / next;
    m->t = plu_nesterov_moves(m) ? next : fmax(next, m->first);
}

#endif
