/* effort.h: the share of a run's processor time that the fallback of its solver takes. */
#ifndef CLI_RUN_EFFORT_H
#define CLI_RUN_EFFORT_H

#include "cli/run/simulation.h"

/* Processor times of the process (s), which do not depend on what else the machine does. */
typedef struct plu_effort {
    double all, fallback;
} plu_effort;

plu_effort plu_effort_now(const plu_simulation *simulation);

/* The share of the fallback (0 to 1) in the processor time between `before` and `now`. */
double plu_effort_fallback(const plu_effort *before, const plu_effort *now);

/* Advice against a slow fallback, and the alternative without one: parts of a sentence each. */
const char *plu_effort_advice(const plu_simulation *simulation);
#define PLU_EFFORT_WITHOUT                                                                         \
    "with solver.fallback = \"none\" all steps are fast, but some do not converge"

/* Warns, once only (*warned), if the fallback has taken at least half of the processor time of the
 * run, and no less than two seconds. */
void plu_effort_warn(const plu_simulation *simulation, const plu_log *log, bool *warned);

#endif
