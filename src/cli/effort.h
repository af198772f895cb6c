/* effort.h: which share of a run's processor time goes to the fallback of its solver. */
#ifndef CLI_EFFORT_H
#define CLI_EFFORT_H

#include "simulation.h"

/* Processor times of the process (s), which do not depend on what else the machine does. */
typedef struct plu_effort {
    double all, fallback;
} plu_effort;

plu_effort plu_effort_now(const plu_simulation *simulation);

/* Of what was spent since `before`, 0 to 1. */
double plu_effort_fallback(const plu_effort *before, const plu_effort *now);

/* What to do about a slow fallback, and what is left to do else: half a sentence each. */
const char *plu_effort_advice(const plu_simulation *simulation);
#define PLU_EFFORT_WITHOUT                                                                         \
    "with solver.fallback = \"none\" all steps are fast, but some not converged"

/* Once it has taken most of a while: a warning, the first time only (`said`). */
void plu_effort_warn(const plu_simulation *simulation, const plu_log *log, bool *said);

#endif
