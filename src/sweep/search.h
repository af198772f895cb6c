/* search.h: the state of the solve of an island by sweeps (gs.c), and when it is solved. */
#ifndef SWEEP_SEARCH_H
#define SWEEP_SEARCH_H

#include "blocks/single.h"
#include "general/pace.h"
#include "sweep/island_sweep.h"
#include "sweep/settings.h"

/* The state of the solve of one island. */
typedef struct plu_search {
    plu_problem *problem;
    plu_island *island;
    const plu_solve_settings *settings;
    plu_single *single; /* holds the impulses during sweeps in floats; else NULL */
    plu_single own;     /* of an island of a single thread: its copy of the workspace's */
    plu_island_result *result;
    double weight; /* plu_problem_mass times g h (N s); < 0: not computed yet */
    plu_checks checks;
    int misses;       /* checks that were not passed */
    int next_handed;  /* number of sweeps before contacts are handed over again */
    int next_jam;     /* number of sweeps before a jam is looked for again */
    int next_pressed; /* number of sweeps before the impulses are looked through again */
    double load;      /* of the criterion's `pressed` over g h; large before a check in floats */
    bool blurred;     /* criterion "velocity": rounding of floats dominates the errors */
    plu_pace pace;
} plu_search;

/* What the scaled residual has to be at most. */
double plu_search_tolerance(plu_search *search, const plu_sweep *sweep);

/* Copies the impulses from the floats, if they are there, back to the problem. */
void plu_search_return(const plu_search *search);

/* Computes the true residual of the impulses in doubles, and sets the island's result. `likely`: it
 * may be the last check. The natural map of a tiled island is left out: it can be computed later.
 */
void plu_search_judge(plu_search *search, const plu_sweep *sweep, bool likely);

/* Whether to stop. The true residual costs about a sweep, so it is computed only when due. A sweep
 * that changes nothing has converged. */
bool plu_search_finished(plu_search *search, const plu_sweep *sweep);

#endif
