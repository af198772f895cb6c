/* stage_run.h: a run of a scene with stages: whether the present one is over, and the next one.
 * After each step, as `pluvia run` does:
 *
 *     if (plu_stage_run_over(&run, &info)) the last one: the run is over; else plu_stage_run_next
 *     else plu_stage_run_overdue
 */
#ifndef PLUVIA_STAGE_RUN_H
#define PLUVIA_STAGE_RUN_H

#include "pluvia/checkpoint.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default) /* what the library exports */

/* Nothing is owned. `scene` is changed: it becomes that of the present stage. */
typedef struct plu_stage_run {
    struct plu_scene *scene;
    plu_world *world;
    plu_stepper *stepper;
    plu_run_record *record; /* the stage, and since when */
    const plu_log *log;     /* NULL: none */
    long undefined;         /* steps for which the number that ends the stage is NAN */
} plu_stage_run;

/* Whether all bodies have been at rest, as the scene says (until_rest), for the time of a fall
 * through one diameter. A shorter time would not do, because a sphere at the top of its flight is
 * at rest for a moment. Also of scenes without stages. */
bool plu_stage_run_rests(plu_stage_run *run);

/* Whether the present stage is over, after a step. A message says once that its number is
 * undefined. */
bool plu_stage_run_over(plu_stage_run *run, const plu_step_info *info);

/* PLU_BREAKDOWN: it is not, though its limit (until.within) has passed. */
plu_status plu_stage_run_overdue(const plu_stage_run *run, const plu_step_info *info,
                                 plu_error *err);

/* Takes over the stage of the record; `goes_on`, and status, as of plu_stepper_restage. */
plu_status plu_stage_run_enter(plu_stage_run *run, bool goes_on, plu_error *err);

/* Begins the next stage, which there is. Status as that of plu_stepper_restage. */
plu_status plu_stage_run_next(plu_stage_run *run, plu_error *err);

/* Says at the end of a run which stages it did not come to. */
void plu_stage_run_warn(const plu_stage_run *run);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
