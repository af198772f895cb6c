/* rescue.h: restores the last good step of a run after a step has failed. */
#ifndef CLI_RUN_RESCUE_H
#define CLI_RUN_RESCUE_H

#include "cli/run/simulation.h"
#include "pluvia/checkpoint.h"

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
