/* search.h: the state of the solve of an island by sweeps (gs.c), and when it is solved. */
#ifndef SWEEP_SEARCH_H
#define SWEEP_SEARCH_H

#include "general/pace.h"
#include "sweep/engine.h"

/* When to check whether sweeps have solved an island by errors as velocities (blocks/errors.h),
 * which fall as a power of the number of sweeps: extrapolated from the last two checks. Zero at
 * first. */
typedef struct plu_checks {
    int next;      /* number of sweeps before the next check */
    int last;      /* number of sweeps before the last check; 0: none */
    double missed; /* errors there, over what is allowed */
    bool falls;    /* they have fallen since the check before, and not slowly */
} plu_checks;

/* After a check at `now` sweeps with the errors `missed`: sets c->next. `cheap`: errors are those
 * of floats, which cost no more than a pass of sweeps. */
void plu_checks_plan(plu_checks *c, int now, double missed, bool cheap);

/* The state of the solve of one island. */
typedef struct plu_search {
    plu_engine_state state;
    const plu_solve_settings *settings; /* of `state` */
    plu_island_result *result;
    plu_checks checks;
    int next_handed;  /* number of sweeps before contacts are handed over again */
    int next_jam;     /* number of sweeps before a jam is looked for again */
    int next_pressed; /* number of sweeps before the impulses are looked through again */
    double load;      /* of the criterion's `pressed` over g h; large before a check in floats */
    bool stuck;       /* momentum has found no end */
    bool blurred;     /* rounding dominates the errors, or hides them from estimates */
    plu_pace pace;
} plu_search;

/* What the scaled residual has to be at most. */
double plu_search_tolerance(plu_search *search, const plu_sweep_sums *sweep);

/* Computes the true residual of the impulses in doubles, and sets the island's result. `likely`: it
 * may be the last check. The natural map of a tiled island is left out: it can be computed later.
 */
void plu_search_judge(plu_search *search, const plu_sweep_sums *sweep, bool likely);

/* Whether to stop. The true residual costs about a sweep, so it is computed only when due. A sweep
 * that changes nothing has converged. */
bool plu_search_finished(plu_search *search, const plu_sweep_sums *sweep);

/* Whether contacts are to be handed over (hand_over.h): not if the next check comes soon and the
 * errors fall towards it. */
bool plu_search_hands_over(const plu_search *search);

/* Whether errors are large and do not fall, so that it pays to look whether a boundary presses
 * bodies together that cannot give way (jam.h); or another method is `due`, which is expensive and
 * would find no balance either. */
bool plu_search_may_jam(const plu_search *search, bool due);

/* Whether momentum finds no end, as where contacts slip or roll all over: the errors of many sweeps
 * go up and down. Deep beds are left to it. */
bool plu_search_is_stuck(const plu_search *search);

/* Whether the next sweep may have momentum: not those of tiled islands that are stuck. */
bool plu_search_has_momentum(const plu_search *search);

/* Whether Anderson's combination of sweeps takes over: in doubles, of islands that nothing drives.
 */
bool plu_search_may_combine(const plu_search *search);

#endif
