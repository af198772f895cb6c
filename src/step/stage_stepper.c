/* A stepper in the next stage of its scene: made anew, with what it keeps from step to step, as a
 * run that goes on from a checkpoint makes it, so that both give the same bits. */
#include "base/state.h"
#include "base/vec3.h"
#include "pluvia/control.h"
#include "step/ladder.h"
#include "step/stepper.h"
#include "world/body_energy.h"
#include <string.h>

static void wake_all(plu_world *w)
{
    for (int i = 0; i < w->bodies.count; i++) {
        if (w->bodies.state[i] != PLU_ACTIVE || plu_is_fixed(w, i))
            continue;
        if (plu_asleep(w, i))
            plu_wake(w, i);
        w->bodies.rest[i] = 0;
    }
}

/* Makes anew all that a stepper works with, in the same place. */
static plu_status renew(plu_stepper *s, plu_error *err)
{
    const plu_stop before = s->stop;
    const plu_stepper kept = {.world = s->world,
                              .scene = s->scene,
                              .log = s->log,
                              .extensions = s->extensions,
                              .before = s->before,
                              .after = s->after,
                              .user = s->user,
                              .keep_start = s->keep_start};
    plu_stepper_strip(s);
    memcpy(s, &kept, sizeof kept);
    const plu_status status = plu_stepper_furnish(s, err);
    plu_stepper_set_stop(s, before.call, before.user);
    return status;
}

/* Between two stages the scene changes, and with it sizes and kinds of all that is derived. What a
 * run carries on goes through a copy in memory, by the same list that checkpoints use:
 *
 *     state -> copy;  the world takes the new scene;  the stepper is made anew;  copy -> state
 *
 * Limits of speed keep the larger of both stages, or grains still fast from the last one would
 * count as errors in the next. What the change does to energy counts as inserted. */
plu_status plu_stepper_restage(plu_stepper *s, bool goes_on, plu_error *err)
{
    plu_state_copy kept = {0};
    static const char *const misfit = "what a run keeps is not the same in all stages";
    plu_state_copier saved = plu_state_copier_begin(&kept, false, "stage", misfit, err);
    plu_state_copier given = plu_state_copier_begin(&kept, true, "stage", misfit, err);
    const double before = plu_energy_sum(plu_world_energy(s->world));
    wake_all(s->world);
    plu_ladder_restage(s);
    plu_stepper_own_state(s, &saved.state);
    plu_status status = saved.state.status;
    if (status == PLU_OK)
        status = plu_world_restage(s->world, goes_on, err);
    if (status == PLU_OK && goes_on)
        status = plu_world_check_added(s->world, err);
    if (status == PLU_OK)
        status = renew(s, err);
    if (status == PLU_OK) {
        const double speed = s->base_speed, highest = s->highest, lowest = s->lowest,
                     pushed = s->strength.speed;
        plu_stepper_own_state(s, &given.state);
        status = given.state.status;
        plu_sensors_restage(s);
        s->base_speed = plu_max(s->base_speed, speed);
        s->highest = highest;
        s->lowest = plu_min(s->lowest, lowest);
        s->strength.speed = plu_max(s->strength.speed, pushed);
        s->totals.inserted += plu_energy_sum(plu_world_energy(s->world)) - before;
    }
    plu_state_copy_free(&kept);
    return status;
}
