/* solve.h: solves the contact problem of a step by one of the solvers in the table of portfolio.c.
 */
#ifndef SOLVE_SOLVE_H
#define SOLVE_SOLVE_H

#include "sweep/settings.h"

/* Solves a step: starts from the impulses in problem->blocks, and leaves the solution there and
 * v_{k+1} in problem->v. Methods that have no `step` function (solver.h) solve each island as a
 * general contact problem. Not reaching the tolerance is a result, not an error. Unless it is
 * the criterion the natural map of tiled islands (with `velocity`: of all islands) is not computed:
 * NAN. PLU_OK or PLU_IO. */
plu_status plu_solve_step(plu_problem *problem, const plu_solve_settings *settings,
                          plu_workspace *workspace, plu_error *err);

#endif
