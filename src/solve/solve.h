/* solve.h: solves the contact problem of a step by one of the solvers in the table of portfolio.c.
 */
#ifndef SOLVE_SOLVE_H
#define SOLVE_SOLVE_H

#include "general/solver.h"
#include "pluvia/extension.h"
#include "sweep/settings.h"

/* Solves a step: starts from the impulses in problem->blocks, and leaves the solution there and
 * v_{k+1} in problem->v. Methods that have no `step` function (solver.h) solve each island as a
 * general contact problem. Not reaching the tolerance is a result, not an error. Unless it is
 * the criterion the natural map of tiled islands (with `velocity`: of all islands) is not computed:
 * NAN. PLU_OK or PLU_IO. */
plu_status plu_solve_step(plu_problem *problem, const plu_solve_settings *settings,
                          plu_workspace *workspace, plu_error *err);

/* --- finds solvers by name, in the tables of the library and among those from outside --- */

/* The method of that name in the tables; NULL: there is none. */
const plu_portfolio_solver *plu_portfolio_find(const char *name);

/* What to say of a name that plu_portfolio_find does not know. */
void plu_portfolio_unknown(const char *name, char why[256]);

const plu_local_method *plu_local_method_find(const char *name);

/* The method of that name, also of those from outside. `extensions` may be NULL. NULL: there is
 * none. */
const plu_portfolio_solver *plu_solver_named(const plu_extensions *extensions, const char *name);
const plu_local_method *plu_local_named(const plu_extensions *extensions, const char *name);

#endif
