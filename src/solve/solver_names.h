/* solver_names.h: finds solvers by name, in the tables of the library and among those from outside.
 */
#ifndef SOLVE_SOLVER_NAMES_H
#define SOLVE_SOLVER_NAMES_H

#include "general/solver.h"
#include "pluvia/extension.h"

/* Of the tables: the method of that name; NULL: there is none. */
const plu_portfolio_solver *plu_portfolio_find(const char *name);

/* What to say of a name that plu_portfolio_find does not know. */
void plu_portfolio_unknown(const char *name, char why[256]);

const plu_local_method *plu_local_method_find(const char *name);

/* And of those from outside. `extensions` may be NULL. NULL: there is none of that name. */
const plu_portfolio_solver *plu_solver_named(const plu_extensions *extensions, const char *name);
const plu_local_method *plu_local_named(const plu_extensions *extensions, const char *name);

#endif
