/* convex_inner.h: the cone program of Cadoux with s as parameter, and the derivative of its
 * solution. */
#ifndef GENERAL_REFERENCE_CONVEX_INNER_H
#define GENERAL_REFERENCE_CONVEX_INNER_H

#include "general/reference/ipm_point.h"
#include "general/solver.h"

typedef struct plu_cone_program {
    plu_ipm_point point;     /* at the solution after `solve` */
    plu_ipm_system *tangent; /* of the derivative */
    plu_disk *kept;          /* [disks], and kept_y [n]: a solution put aside */
    double *kept_y;
    double *u; /* [disks]: |u_T| or |w_R| of the solution */
} plu_cone_program;

/* PLU_OK or PLU_IO. */
plu_status plu_cone_program_create(plu_cone_program *program, const plu_contact_problem *problem,
                                   plu_error *err);
void plu_cone_program_destroy(plu_cone_program *program);

/* Solves the program for s [disks]; `monitor` for limits and for the count of factorizations.
 * PLU_OK or PLU_IO. */
plu_status plu_cone_program_solve(plu_cone_program *program, const double *s, plu_monitor *monitor,
                                  plu_error *err);

/* Saves the solution just found, for plu_cone_program_newton. */
void plu_cone_program_keep(plu_cone_program *program);

/* The Newton step ds of S(s) = s - |u_T|(s) = 0 at the saved solution, with the derivative of |u_T|
 * replaced by u_T / sqrt(|u_T|^2 + smoothing^2). Zero smoothing gives Newton's step, large
 * smoothing the step of the fixed-point iteration. PLU_OK, PLU_BREAKDOWN (singular) or PLU_IO. */
plu_status plu_cone_program_newton(plu_cone_program *program, const double *s, double smoothing,
                                   double *ds, plu_error *err);

#endif
