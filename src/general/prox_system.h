/* prox_system.h: the linear systems of the proximal Newton method (prox_newton.c),
 *
 *   (I + K W) dp = r ,   dy = W dp ,
 *
 * with K one small block a contact and W that of a contact problem. In body form, with M^-1 = C C^T
 * and G = C^T H, so that W = G^T G, they are solved as (I + G K G^T) dv = G r, dp = r - K G^T dv:
 * six rows a body, however many contacts. Else in contact form. */
#ifndef GENERAL_PROX_SYSTEM_H
#define GENERAL_PROX_SYSTEM_H

#include "problem/contact_problem.h"

/* K of a contact: its nonzero parts. Pair 0: tangential, pair 1: rolling. All zero: open. */
typedef struct plu_prox_slope {
    double normal;
    double column[PLU_DISKS_MAX][2]; /* K_iN */
    double block[PLU_DISKS_MAX][4];  /* K_ii, row by row */
} plu_prox_slope;

typedef struct plu_prox_system plu_prox_system;

/* The structure, once for a problem, which must outlive it. PLU_OK or PLU_IO. */
plu_status plu_prox_system_create(plu_prox_system **system, const plu_contact_problem *problem,
                                  plu_error *err);
void plu_prox_system_destroy(plu_prox_system *system); /* accepts NULL */

/* *done: false when the matrix is singular to rounding. PLU_OK or PLU_IO: no memory. */
plu_status plu_prox_system_factorize(plu_prox_system *system, const plu_prox_slope *slope,
                                     bool *done, plu_error *err);

/* dp and dy of the last slopes, refined to eight digits of r; false when they have not even two:
 * then the matrix was too ill-conditioned for pivots inside its diagonal blocks. */
bool plu_prox_system_solve(plu_prox_system *system, const plu_prox_slope *slope, const double *r,
                           double *dp, double *dy);

#endif
