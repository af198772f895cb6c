#include "cli/run/rescue.h"

enum { EVERY = 128 }; /* steps: a copy costs about as much as a step */

plu_status plu_rescue_open(plu_rescue *rescue, const plu_simulation *simulation,
                           plu_run_record *record, plu_error *err)
{
    rescue->older = plu_snapshot_create(err);
    rescue->newer = rescue->older ? plu_snapshot_create(err) : NULL;
    if (!rescue->newer)
        return PLU_IO;
    return plu_snapshot_take(rescue->newer, simulation->world, simulation->stepper, record, err);
}

void plu_rescue_close(plu_rescue *rescue)
{
    plu_snapshot_destroy(rescue->older);
    plu_snapshot_destroy(rescue->newer);
    *rescue = (plu_rescue){0};
}

plu_status plu_rescue_note(plu_rescue *rescue, const plu_simulation *simulation,
                           plu_run_record *record, plu_error *err)
{
    if (plu_world_steps(simulation->world) % EVERY != 0)
        return PLU_OK;
    plu_snapshot *last = rescue->newer;
    rescue->newer = rescue->older;
    rescue->older = last;
    return plu_snapshot_take(rescue->newer, simulation->world, simulation->stepper, record, err);
}

static plu_snapshot *from_where(const plu_rescue *rescue, long step)
{
    const bool newer =
        plu_snapshot_step(rescue->newer) < step || plu_snapshot_step(rescue->older) < 0;
    return newer ? rescue->newer : rescue->older;
}

long plu_rescue_steps(const plu_rescue *rescue, long step)
{
    return step - plu_snapshot_step(from_where(rescue, step));
}

plu_status plu_rescue_return(plu_rescue *rescue, const plu_simulation *simulation,
                             plu_run_record *record, long step, plu_step_info *info, plu_error *err)
{
    plu_status status =
        plu_snapshot_restore(from_where(rescue, step), simulation->stepper, record, err);
    if (plu_world_steps(simulation->world) == step) /* that of a step that is undone */
        *info = (plu_step_info){0};
    while (status == PLU_OK && plu_world_steps(simulation->world) < step)
        status = plu_step(simulation->stepper, info, err);
    return status;
}
