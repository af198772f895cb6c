/* solver.h: the solvers and the local solvers that a scene can name (solver.name, solver.local). */
/* Of the tool: neither installed nor exported by the shared library. */
#ifndef PLUVIA_TOOL_SOLVER_H
#define PLUVIA_TOOL_SOLVER_H

#ifdef __cplusplus
extern "C" {
#endif

/* Solvers of a whole contact problem, in the order of their table; the first one is the default.
 * `i` is in [0, plu_solvers_count()); the texts are constants. The summary is one line. */
int plu_solvers_count(void);
const char *plu_solver_name(int i);
const char *plu_solver_summary(int i);

/* The same for the solvers of one contact, which the solver "gs" calls for each contact in turn. */
int plu_local_solvers_count(void);
const char *plu_local_solver_name(int i);
const char *plu_local_solver_summary(int i);

#ifdef __cplusplus
}
#endif

#endif
