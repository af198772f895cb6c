/* solve.h: solves a contact problem by a solver of the table. */
#ifndef SOLVE_SOLVE_H
#define SOLVE_SOLVE_H

#include "problem/problem.h"
#include "solve/local.h"

typedef struct plu_solve_settings {
    bool natural; /* stop on the natural map (SI) instead of the scaled residual */
    double tolerance;
    int min_iterations; /* sweeps that are made in any case, unless a sweep changes nothing
                         */
    int max_iterations;
    bool momentum;
    int anderson_after; /* sweeps; 0: never */
    const plu_local_solver *local;
} plu_solve_settings;

/* What became of one island. */
typedef struct plu_island_result {
    int iterations;
    bool converged;
    plu_residuals residuals;
} plu_island_result;

typedef struct plu_workspace plu_workspace; /* memory that solvers keep from call to call */

plu_workspace *plu_workspace_create(plu_error *err);
void plu_workspace_destroy(plu_workspace *workspace); /* accepts NULL */

/* Results of the last solve, one for each island; its wall time in s. */
const plu_island_result *plu_workspace_results(const plu_workspace *workspace);
double plu_workspace_seconds(const plu_workspace *workspace);

typedef struct plu_solver {
    const char *name, *summary;
    /* Starts from the impulses in problem->blocks, leaves the solution there and v_{k+1} in
     * problem->v. Not reaching the tolerance is a result, not an error. PLU_OK or PLU_IO. */
    plu_status (*solve)(plu_problem *problem, const plu_solve_settings *settings,
                        plu_workspace *workspace, plu_error *err);
} plu_solver;

/* NULL when there is none of that name. */
const plu_solver *plu_solver_find(const char *name);

plu_status plu_solve_gs(plu_problem *problem, const plu_solve_settings *settings,
                        plu_workspace *workspace, plu_error *err);

#endif
