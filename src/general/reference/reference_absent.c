/* The table of a build without the solvers of this folder (-Dportfolio=disabled): their names, so
 * that a request for one is answered by the reason why it is not there. */
#include "general/reference/reference.h"

const plu_portfolio_solver plu_reference_solvers[] = {{.name = NULL}};
const int plu_reference_solvers_count = 0;

const char *const plu_reference_absent[] = {"newton-glocker", "convex", "ipm",
                                            "apgd",           "admm",   NULL};
