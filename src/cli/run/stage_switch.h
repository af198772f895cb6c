/* stages.h: pluvia run: when stages end, and the next ones. */
#ifndef CLI_RUN_STAGE_SWITCH_H
#define CLI_RUN_STAGE_SWITCH_H

#include "cli/run/simulation.h"

/* Whether all bodies have been at rest, as the scene says (until_rest), for the time of a fall
 * through one diameter. A shorter time would not do, because a sphere at the top of its flight is
 * at rest for a moment. */
bool plu_stage_rests(const plu_simulation *simulation, plu_run_record *record);

/* Whether the present stage is over, after a step. */
bool plu_stage_over(const plu_simulation *simulation, plu_run_record *record,
                    const plu_step_info *info);

/* PLU_BREAKDOWN: it is not, though its limit (until.within) has passed. */
plu_status plu_stage_overdue(const plu_simulation *simulation, const plu_run_record *record,
                             const plu_step_info *info, plu_error *err);

/* Begins the next stage. Status as that of plu_stepper_restage. */
plu_status plu_stage_next(plu_simulation *simulation, plu_run_record *record, const plu_log *log,
                          plu_error *err);

/* Says at the end of a run which stages it did not come to. */
void plu_stage_warn(const plu_simulation *simulation, const plu_run_record *record,
                    const plu_log *log);

#endif
