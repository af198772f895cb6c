/* anderson.h: Anderson acceleration of the Gauss-Seidel sweep, for padded islands that converge
 * slowly (Walker & Ni, "Anderson acceleration for fixed-point iterations", 2011).
 *
 * x -> G(x) is one sweep, f(x) = G(x) - x is zero at the solution. Of the last five sweeps the
 * differences are kept, column by column: dF of f and dG of G. If G were linear, G - dG gamma would
 * be what a sweep makes of x - dX gamma, and f there f - dF gamma. So gamma is chosen to make that
 * small, by the normal equations of a least squares problem in the norm of D = diag W,
 *
 *     (dF^T D dF + s I) gamma = dF^T D f ,   s = 1e-12 trace(dF^T D dF)   (columns nearly alike)
 *
 * and the next x is G - dG gamma, projected on the cones. It is a secant method with five pairs;
 * where f grows more than twofold the surface has a kink between them, and all are forgotten. The
 * 5 x 5 matrix changes by one row and column a sweep; impulses are read and written once. */
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
