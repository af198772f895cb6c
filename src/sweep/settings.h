/* settings.h: how the contact problem of a step is to be solved, and what comes of it: for all that
 * sweeps.
 */
#ifndef SWEEP_SETTINGS_H
#define SWEEP_SETTINGS_H

#include "base/vec3.h"
#include "blocks/blocks.h"
#include "general/solver.h"

struct plu_solve_settings {
    bool natural;       /* stop on the natural map (SI) instead of the scaled residual */
    bool velocity;      /* stop on velocities (criterion.h) */
    bool deep;          /* the tolerance of the scaled residual falls in deep beds (plu_solve_gs) */
    double pull[3];     /* h g (m/s), whose length is the scale of velocities */
    double step;        /* h (s) */
    double restitution; /* the largest coefficient of restitution of all pairs */
    double bond;        /* m/s: contacts that hold may open by that speed; 0: none holds */
    double unequal;     /* largest over smallest radius; 0: not known */
    double tolerance;
    int min_iterations; /* least number of sweeps, unless a sweep changes nothing or, with
                         * `velocity`, a large island is at rest */
    int max_iterations;
    bool associated;    /* the associated law (contact_problem.h); not with `velocity` */
    bool momentum;      /* Nesterov momentum */
    int anderson_after; /* sweeps before Anderson acceleration begins; 0: never */
    bool jammed;        /* contacts yielded in the step before: they are likely to again */
    bool single;        /* sweeps in single precision where that suffices (plu_solve_gs) */
    const plu_portfolio_solver *solver;
    const plu_local_method *local;
    const plu_portfolio_solver *fallback; /* for islands that did not converge; NULL: none */
    bool (*stop)(void *user);             /* plu_stop_call (pluvia/control.h); NULL: none */
    void *stop_user;
};

/* Whether the solve is to be given up: what it leaves is then of no use. */
static inline bool plu_gives_up(const plu_solve_settings *s)
{
    return s->stop && s->stop(s->stop_user);
}

/* g h (m/s): the speed that a body gains in a step of free fall. */
static inline double plu_fall(const plu_solve_settings *s)
{
    return plu_norm(s->pull);
}

/* The result of one island. */
typedef struct plu_island_result {
    int iterations;
    int exact;  /* of them, by the engine that suits all islands (engine.h) */
    int checks; /* of the impulses in the problem, each of which costs about a sweep of that engine
                 */
    bool converged;
    double tolerance; /* the residual had to be at most this */
    double missed;    /* residual over tolerance; at most 1: converged */
    plu_residuals residuals;
    double velocity, sinking; /* of plu_errors; set with the criterion "velocity" only */
    /* A stress presses the island (plu_errors). Set with the criterion "velocity", and with others
     * where there may be such an island (criterion.h). */
    bool driven;
    bool handed; /* the fallback was called, for all or some contacts (no clock says so) */
    double fallback_seconds; /* processor time of the process during the fallback */
} plu_island_result;

/* plu_workspace: memory that solvers keep from call to call. NULL and a message if there is no
 * memory. */
plu_workspace *plu_workspace_create(plu_error *err);
void plu_workspace_destroy(plu_workspace *workspace); /* accepts NULL */

/* Results of the last solve, one for each island (owned by the workspace, valid until the next
 * solve), and its wall time in s. */
const plu_island_result *plu_workspace_results(const plu_workspace *workspace);
double plu_workspace_seconds(const plu_workspace *workspace);

/* Processor time (s) of the process during the fallback in the last solve, of whole islands or of
 * some of their contacts. */
double plu_workspace_fallback_seconds(const plu_workspace *workspace);
/* Whether it was called. */
bool plu_workspace_handed(const plu_workspace *workspace);

/* The Gauss-Seidel method for spheres; the local method needs a `sphere` function (solver.h).
 *
 * Impulses grow with depth: an error of one percent of them is harmless in a pile of five layers,
 * but half the weight of a sphere under a hundred layers. With `deep` the tolerance of the scaled
 * residual therefore falls with depth,
 *   |F| <= tolerance |p| min(1, max(PLU_DEEP m h g / |p|, PLU_LEAST_SHARE)) ,
 * where m is plu_problem_mass. PLU_DEEP is chosen such that the minimum is 1 in piles of some
 * hundred spheres. With `velocity` the criterion of criterion.h applies instead.
 *
 * With `single`, large islands are swept in single precision, while residuals are computed in
 * doubles. That requires tolerance >= 1e-4, another criterion than the natural map, and the exact
 * local method. If the floats do not reach the tolerance, sweeps continue in doubles. */
plu_status plu_solve_gs(plu_problem *problem, const plu_solve_settings *settings,
                        plu_workspace *workspace, plu_error *err);

#endif
