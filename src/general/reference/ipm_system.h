/* ipm_system.h: systems (T W + B) x = b, as every iteration of an interior point or of ADMM has
 * one. B is symmetric, one block a contact, and given by a root of its inverse, R^T R = B^-1, since
 * it ranges over many decades; T = I + e_N slope^T in each contact. Where the problem has bodies,
 *
 *   (M + H B^-1 T H^T) dv = H B^-1 b ,   x = B^-1 (b - T H^T dv)                (Woodbury) ,
 *
 * which has fewer unknowns and needs no W; else
 *
 *   (I + R T W R^T) z = R b ,   x = R^T z .
 *
 * By L L^T when W is symmetric and T = I, else by L U (sparse/sparse.h). */
#ifndef GENERAL_REFERENCE_IPM_SYSTEM_H
#define GENERAL_REFERENCE_IPM_SYSTEM_H

#include "base/stop.h"
#include "problem/contact_problem.h"

enum { PLU_BLOCK_MAX = PLU_ROWS_MAX * PLU_ROWS_MAX };

typedef struct plu_ipm_system plu_ipm_system;

/* `stop`, which outlives it, gives up what takes long; NULL: never. PLU_OK, PLU_STOPPED or PLU_IO.
 */
plu_status plu_ipm_system_create(plu_ipm_system **system, const plu_contact_problem *problem,
                                 bool sloped, plu_stop *stop, plu_error *err);

/* root [contacts]: R, rows x rows, row by row; rows of zeros hold components of x at zero. slope
 * [contacts], its N zero, for a sloped system, else NULL. Both borrowed until the last solve.
 * PLU_OK, PLU_BREAKDOWN (singular to rounding), PLU_STOPPED, PLU_IO. */
plu_status plu_ipm_system_factorize(plu_ipm_system *system, double (*root)[PLU_BLOCK_MAX],
                                    double (*slope)[PLU_ROWS_MAX], plu_error *err);

/* b and x apart. PLU_OK, PLU_BREAKDOWN or PLU_IO. */
plu_status plu_ipm_system_solve(plu_ipm_system *system, const double *b, double *x, plu_error *err);

void plu_ipm_system_destroy(plu_ipm_system *system); /* accepts NULL */

#endif
