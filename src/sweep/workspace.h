/* workspace.h: the fields of a workspace, for the solvers of this folder. */
#ifndef SWEEP_WORKSPACE_H
#define SWEEP_WORKSPACE_H

#include "blocks/single.h"
#include "sweep/anderson.h"
#include "sweep/settings.h"

struct plu_workspace {
    size_t results_capacity;
    plu_island_result *results; /* of the islands of the problem; every solver fills them */
    double seconds;             /* wall time of the solve; every solver sets it */
    double fallback_seconds;    /* processor time of the fallback in it */
    bool handed;                /* it was called */
    size_t teams;               /* length of `anderson`: threads */
    plu_anderson *anderson;     /* by thread, kept from solve to solve */
    plu_single single;          /* floats of the large island that is being solved */
};

/* Room for the results of `islands` islands and for what each thread keeps. PLU_OK or PLU_IO. */
plu_status plu_workspace_reserve(plu_workspace *workspace, int islands, plu_error *err);

/* Solves an island whose impulses are beyond what contacts bear (blocks/yield.h), or (`now`) grow
 * without end, by sweeps, and adds to its result. PLU_OK or PLU_IO. */
plu_status plu_solve_yielding(plu_problem *problem, plu_island *island,
                              const plu_solve_settings *settings, bool now,
                              plu_island_result *result, plu_error *err);

/* Processor time of the process (s). */
double plu_processor_time(void);

#endif
