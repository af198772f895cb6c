/* solve.h: solves a contact problem by a solver of the table. */
#ifndef SOLVE_SOLVE_H
#define SOLVE_SOLVE_H

#include "base/vec3.h"
#include "problem/problem.h"
#include "solve/portfolio.h"

/* The largest islands that are handed over: the factors of larger ones would cost more than all
 * other steps together. */
enum { PLU_FALLBACK_CONTACTS = 2000 };

#define PLU_DEEP 3.0
#define PLU_LEAST_SHARE 0.1

struct plu_solve_settings {
    bool natural;       /* stop on the natural map (SI) instead of the scaled residual */
    bool velocity;      /* stop on velocities (criterion.h) */
    bool deep;          /* the scaled residual is judged sharper in deep beds (plu_solve_gs) */
    double pull[3];     /* h g (m/s), whose length is the scale of velocities */
    double step;        /* h (s) */
    double restitution; /* the largest of any law */
    double tolerance;
    int min_iterations; /* sweeps that are made in any case, unless one changes nothing or,
                         * with `velocity`, a tiled island is at rest */
    int max_iterations;
    bool associated; /* the associated law; not by `velocity` */
    bool momentum;
    int anderson_after; /* sweeps; 0: never */
    bool single;        /* sweeps in single precision where that is enough (plu_solve_gs) */
    const plu_portfolio_solver *solver;
    const plu_local_method *local;
    const plu_portfolio_solver *fallback; /* for islands that did not converge; NULL: none */
};

/* g h (m/s) */
static inline double plu_fall(const plu_solve_settings *s)
{
    return plu_norm(s->pull);
}

/* What became of one island. */
typedef struct plu_island_result {
    int iterations;
    bool converged;
    double tolerance; /* what the residual had to reach */
    double missed;    /* how many times the residual is what it may be: <= 1 converged */
    plu_residuals residuals;
    double velocity, sinking; /* of plu_errors, by the criterion of velocities */
} plu_island_result;

/* plu_workspace: memory that solvers keep from call to call. */
plu_workspace *plu_workspace_create(plu_error *err);
void plu_workspace_destroy(plu_workspace *workspace); /* accepts NULL */

/* Results of the last solve, one for each island; its wall time in s. */
const plu_island_result *plu_workspace_results(const plu_workspace *workspace);
double plu_workspace_seconds(const plu_workspace *workspace);

/* Processor time (s) that the process spent while the fallback worked; 0 where it was not called.
 */
double plu_workspace_fallback_seconds(const plu_workspace *workspace);

/* Starts from the impulses in problem->blocks, leaves the solution there and v_{k+1} in
 * problem->v. Methods without a way of their own for steps solve island by island as general
 * contact problems. Not reaching the tolerance is a result, not an error. Where the step is solved
 * once (flow.h) the natural map of tiled islands, or of all by `velocity`, is left open: NAN.
 * PLU_OK or PLU_IO. */
plu_status plu_solve_step(plu_problem *problem, const plu_solve_settings *settings,
                          plu_workspace *workspace, plu_error *err);

/* The Gauss-Seidel method for spheres; needs a local method with a form for them.
 *
 * Impulses grow with depth, and an error of a percent of them, which does no harm in a pile of five
 * layers, is half the weight of a sphere under a hundred. The residual may therefore be at most
 *   |F| <= tolerance |p| min(1, max(PLU_DEEP m h g / |p|, PLU_LEAST_SHARE)) ,
 * m: plu_problem_mass. PLU_DEEP is such that piles of some hundred spheres are judged by |p| alone.
 *
 * With `velocity` the criterion is that of criterion.h instead.
 *
 * With `single`, tiled islands are swept in single precision, and judged in
 * doubles, where tolerance >= 1e-4, the criterion is not the natural map and the local method is
 * the exact one; doubles go on where floats do not get there. */
plu_status plu_solve_gs(plu_problem *problem, const plu_solve_settings *settings,
                        plu_workspace *workspace, plu_error *err);

#endif
