#include "base/memory.h"
#include "base/state.h"
#include "io/run/checkpoint.h"
#include <stdlib.h>

struct plu_snapshot {
    long step; /* -1: it is empty */
    plu_state_copy state;
};

static const char *const misfit = "it belongs to another run";

plu_snapshot *plu_snapshot_create(plu_error *err)
{
    plu_snapshot *s = plu_alloc(1, sizeof *s, err);
    if (s)
        s->step = -1;
    return s;
}

void plu_snapshot_destroy(plu_snapshot *s)
{
    if (!s)
        return;
    plu_state_copy_free(&s->state);
    free(s);
}

long plu_snapshot_step(const plu_snapshot *s)
{
    return s->step;
}

plu_status plu_snapshot_take(plu_snapshot *s, const plu_world *world, plu_stepper *stepper,
                             plu_run_record *record, plu_error *err)
{
    plu_state_copier c = plu_state_copier_begin(&s->state, false, "snapshot", misfit, err);
    s->step = -1;
    plu_checkpoint_state(stepper, record, &c.state);
    if (c.state.status == PLU_OK)
        s->step = plu_world_steps(world);
    return c.state.status;
}

plu_status plu_snapshot_restore(plu_snapshot *s, plu_stepper *stepper, plu_run_record *record,
                                plu_error *err)
{
    plu_state_copier c = plu_state_copier_begin(&s->state, true, "snapshot", misfit, err);
    if (s->step < 0)
        return plu_fail(err, PLU_USAGE, "the snapshot is empty");
    plu_checkpoint_state(stepper, record, &c.state);
    return c.state.status;
}
