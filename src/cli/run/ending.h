/* ending.h: how a run ends before its time: by a signal or by --max-time, after the step under way
 * or, if that takes too long, within it; or with its last good step, when one has failed. */
#ifndef CLI_RUN_ENDING_H
#define CLI_RUN_ENDING_H

#include "cli/run/simulation.h"
#include "pluvia/tool/snapshot.h"
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

/* --- after a failed step: back to the last good one --- */

/* Copies of the state at two earlier steps. Two are needed because the newer one may be the last
 * good step itself, and a copy does not hold the contacts of its step; these are obtained by
 * computing the step again. Copies are taken so rarely that they cost almost nothing; the steps
 * since then are computed again, with the same bits. */
typedef struct plu_rescue {
    plu_snapshot *older, *newer;
} plu_rescue;

/* Allocates both copies and takes the first. PLU_OK or PLU_IO; call plu_rescue_close in any case.
 */
plu_status plu_rescue_open(plu_rescue *rescue, const plu_simulation *simulation,
                           plu_run_record *record, plu_error *err);
void plu_rescue_close(plu_rescue *rescue);

/* After each good step; takes a copy when one is due. Same status. */
plu_status plu_rescue_note(plu_rescue *rescue, const plu_simulation *simulation,
                           plu_run_record *record, plu_error *err);

/* How many steps plu_rescue_return would compute again to get to step `step`. */
long plu_rescue_steps(const plu_rescue *rescue, long step);

/* Restores the state after `step` steps, the last good one. *info receives the info of that step;
 * it is zeroed if no step was good. PLU_OK, or the status of what failed. */
plu_status plu_rescue_return(plu_rescue *rescue, const plu_simulation *simulation,
                             plu_run_record *record, long step, plu_step_info *info,
                             plu_error *err);

#endif
