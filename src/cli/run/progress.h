/* progress.h: shows the progress of a run and the messages of the library on stderr, and knows what
 * the fallback of the solver costs. */
#ifndef CLI_RUN_PROGRESS_H
#define CLI_RUN_PROGRESS_H

#include "cli/run/eta.h"
#include "cli/run/simulation.h"

/* --- the share of a run's processor time that the fallback of its solver takes --- */

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

typedef struct plu_progress {
    const plu_simulation *simulation; /* NULL: not started */
    bool quiet;                       /* warnings only */
    bool bar;                         /* one line rewritten, else a line now and then */
    double interval;                  /* s of wall time between two lines; infinite: none */
    int drawn;                        /* columns that the line on the screen takes, 0: none */
    double next;                      /* wall time of the next line */

    /* since the last line */
    double since;
    long steps, iterations; /* totals at that moment */
    double rate;            /* steps/s, smoothed over a few seconds */
    plu_effort effort;
    plu_error_work errors;
    plu_eta eta;
    long stage, staged; /* the present stage, and the step at which it began */
    bool warned;        /* of a fallback that takes most of the time */
} plu_progress;

/* `mode` is "auto", "bar", "plain" or "none"; else PLU_USAGE. auto: a bar on a terminal. */
plu_status plu_progress_open(plu_progress *progress, const char *mode, bool quiet, plu_error *err);

/* A log that writes to stderr without breaking the bar; `progress` must outlive it. */
plu_log plu_progress_log(plu_progress *progress);

/* The steps begin; `simulation` must outlive the progress. */
void plu_progress_start(plu_progress *progress, const plu_simulation *simulation);

/* The present stage of a run with stages, and the step at which it began. */
void plu_progress_stage(plu_progress *progress, long stage, long staged);

/* After each step; writes a line when one is due. */
void plu_progress_step(plu_progress *progress, const plu_step_info *info);

/* The steps ended: the last state of the bar stays on the screen. */
void plu_progress_finish(plu_progress *progress, const plu_step_info *info);

/* Columns of the terminal on stderr; 80 where there is none. */
int plu_terminal_width(void);

#endif
