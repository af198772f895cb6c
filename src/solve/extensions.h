/* extensions.h: finds solvers by name, in the tables of the library and among those from outside.
 */
#ifndef SOLVE_EXTENSIONS_H
#define SOLVE_EXTENSIONS_H

#include "pluvia/extension.h"
#include "solve/portfolio.h"

/* `extensions` may be NULL. NULL: there is none of that name. */
const plu_portfolio_solver *plu_solver_named(const plu_extensions *extensions, const char *name);
const plu_local_method *plu_local_named(const plu_extensions *extensions, const char *name);

#endif
