/* rescue.h: a way back to the last good step of a run, when one goes wrong. */
#ifndef CLI_RESCUE_H
#define CLI_RESCUE_H

#include "pluvia/checkpoint.h"
#include "simulation.h"

/* The states of two moments: one may be that of the last good step itself, from which its contacts
 * are not to be had. Copies are taken so rarely that they cost nothing; what lies between is
 * computed again, with the same bits. */
typedef struct plu_rescue {
    plu_snapshot *older, *newer;
} plu_rescue;

/* Makes the two and takes the first. PLU_OK or PLU_IO; plu_rescue_close in any case. */
plu_status plu_rescue_open(plu_rescue *rescue, const plu_simulation *simulation,
                           plu_run_record *record, plu_error *err);
void plu_rescue_close(plu_rescue *rescue);

/* After each good step; takes a copy when one is due. Same status. */
plu_status plu_rescue_note(plu_rescue *rescue, const plu_simulation *simulation,
                           plu_run_record *record, plu_error *err);

/* Goes back to the state after `step` steps, the last good one; `info` becomes that of this step
 * (as it was where no step was made). PLU_OK, or what went wrong. */
plu_status plu_rescue_return(plu_rescue *rescue, const plu_simulation *simulation,
                             plu_run_record *record, long step, plu_step_info *info,
                             plu_error *err);

#endif
