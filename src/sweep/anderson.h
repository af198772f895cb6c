/* anderson.h: Anderson acceleration of the Gauss-Seidel sweep, for padded islands that converge
 * slowly.
 *
 * x -> G(x) is one sweep, f = G - x. gamma minimizes |f - dF gamma| in the norm of diag W over the
 * last five differences dF of f; the next x is G - dG gamma, projected on the cones (Walker & Ni,
 * "Anderson acceleration for fixed-point iterations", 2011). */
#ifndef SWEEP_ANDERSON_H
#define SWEEP_ANDERSON_H

#include "sweep/anderson_lanes.h"

typedef struct plu_anderson {
    size_t capacity;
    double *memory; /* behind `vectors` */
    plu_anderson_vectors vectors;
    double gram[PLU_ANDERSON_DEPTH][PLU_ANDERSON_DEPTH]; /* <df_i, df_j> */
    int depth;                                           /* differences held */
    int next;                                            /* where the next difference goes */
    bool started;                                        /* there is a sweep before */
    double last;                                         /* |f|^2 of the sweep before */
} plu_anderson;

/* Starts without differences from the impulses in the blocks. PLU_OK or PLU_IO. */
plu_status plu_anderson_start(plu_anderson *anderson, plu_problem *problem,
                              const plu_island *island, plu_error *err);

/* After a plain sweep from the present x (the blocks hold G(x) and, in `before`, x): puts the
 * accelerated x into the blocks and its velocities into problem->v. */
void plu_anderson_next(plu_anderson *anderson, plu_problem *problem, plu_island *island);

void plu_anderson_free(plu_anderson *anderson);

#endif
