/* A stepper in the next stage of its scene: made anew, with what it keeps from step to step, as a
 * run that goes on from a checkpoint makes it, so that both give the same bits. */
#include "base/memory.h"
#include "base/vec3.h"
#include "step/stepper.h"
#include "world/body_energy.h"
#include <stdlib.h>
#include <string.h>

/* One array after the other, in the order in which they are listed. */
typedef struct parcel {
    plu_state state;
    unsigned char *bytes;
    size_t size, capacity, at;
} parcel;

static void carry(plu_state *state, const char *name, plu_state_type type, size_t rows,
                  size_t columns, void *data)
{
    static const size_t sizes[] = {[PLU_STATE_REAL] = sizeof(double),
                                   [PLU_STATE_INT] = sizeof(int),
                                   [PLU_STATE_LONG] = sizeof(long),
                                   [PLU_STATE_BYTE] = 1};
    parcel *p = (parcel *)state;
    const size_t size = rows * columns * sizes[type];
    if (size == 0)
        return;
    if (state->loading && p->at + size > p->size) {
        plu_state_refuse(state, "%s is not the same in all stages", name);
    } else if (state->loading) {
        memcpy(data, p->bytes + p->at, size);
        p->at += size;
    } else if (plu_reserve(&p->bytes, &p->capacity, p->size + size, 1, 1, state->err) != PLU_OK) {
        state->status = PLU_IO;
    } else {
        memcpy(p->bytes + p->size, data, size);
        p->size += size;
    }
}

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

/* The same stepper, with nothing of what it worked with. */
static plu_status renew(plu_stepper *s, plu_error *err)
{
    const plu_solve_settings before = s->settings;
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
    plu_stepper_set_stop(s, before.stop, before.stop_user);
    return status;
}

plu_status plu_stepper_restage(plu_stepper *s, bool goes_on, plu_error *err)
{
    parcel p = {.state = {.source = "stage", .err = err, .array = carry}};
    const double before = plu_energy_sum(plu_world_energy(s->world));
    wake_all(s->world);
    plu_stepper_own_state(s, &p.state);
    plu_status status = p.state.status;
    if (status == PLU_OK)
        status = plu_world_restage(s->world, err);
    if (status == PLU_OK && goes_on)
        status = plu_world_check_added(s->world, err);
    if (status == PLU_OK)
        status = renew(s, err);
    if (status == PLU_OK) {
        const double speed = s->base_speed, highest = s->highest, pushed = s->strength.speed;
        p.state.loading = true;
        plu_stepper_own_state(s, &p.state);
        status = p.state.status;
        s->base_speed = plu_max(s->base_speed, speed);
        s->highest = highest;
        s->strength.speed = plu_max(s->strength.speed, pushed);
        s->totals.inserted += plu_energy_sum(plu_world_energy(s->world)) - before;
    }
    free(p.bytes);
    return status;
}
