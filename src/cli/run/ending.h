/* ending.h: whether a run is to end early, by a signal or by --max-time: after the step under way,
 * or, if that takes too long, within it. */
#ifndef CLI_RUN_ENDING_H
#define CLI_RUN_ENDING_H

#include <stdbool.h>

typedef struct plu_ending {
    double started;   /* wall time of the command (s) */
    double max_time;  /* s; 0: no limit */
    bool out_of_time; /* the limit is why the run ends */
    bool given_up;    /* a step */
    double asked;     /* when the end was first asked for in the step under way; 0: not yet */
    double redo;      /* s: about what it takes to get back to the step before */
} plu_ending;

/* Whether the run is to end after the present step. */
bool plu_ending_due(plu_ending *ending);

/* Before each step: `redo` as above. */
void plu_ending_step(plu_ending *ending, double redo);

/* Whether to give up the step under way, as plu_stop_call (pluvia/control.h) of a plu_ending. The
 * step before has to be restored then, which may take longer than the step; so it has as much time
 * as that takes, and at least a second. */
bool plu_ending_gives_up(void *ending);

/* Says how the run ended, and returns its exit code: of the signal, or 75 (README.md). */
int plu_ending_say(const plu_ending *ending);

#endif
