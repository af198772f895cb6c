/* A state in memory: the arrays one after the other, without names. */
#include "base/memory.h"
#include "io/checkpoint.h"
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1 << 20 /* bytes that a thread copies at a time */ };

struct plu_snapshot {
    long step;
    size_t size, capacity;
    unsigned char *bytes;
};

typedef struct copier {
    plu_state state;
    plu_snapshot *snapshot;
    size_t at;
} copier;

/* By all threads: one alone would hold up a run of a million spheres for as long as a step. */
static void copy_bytes(unsigned char *to, const unsigned char *from, size_t size)
{
#pragma omp parallel for schedule(static) if (size > 4 * CHUNK)
    for (size_t at = 0; at < size; at += CHUNK)
        memcpy(to + at, from + at, size - at < CHUNK ? size - at : CHUNK);
}

static void copy(plu_state *state, const char *name, plu_state_type type, size_t rows,
                 size_t columns, void *data)
{
    static const size_t sizes[] = {[PLU_STATE_REAL] = sizeof(double),
                                   [PLU_STATE_INT] = sizeof(int),
                                   [PLU_STATE_LONG] = sizeof(long),
                                   [PLU_STATE_BYTE] = 1};
    (void)name;
    copier *c = (copier *)state;
    plu_snapshot *s = c->snapshot;
    const size_t size = rows * columns * sizes[type];
    if (state->loading && c->at + size > s->size) {
        plu_state_refuse(state, "it is of another run");
        return;
    }
    if (!state->loading)
        state->status = plu_reserve(&s->bytes, &s->capacity, c->at + size, 1, true, state->err);
    if (state->status != PLU_OK || size == 0)
        return;
    if (state->loading)
        copy_bytes(data, s->bytes + c->at, size);
    else
        copy_bytes(s->bytes + c->at, data, size);
    c->at += size;
}

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
    free(s->bytes);
    free(s);
}

long plu_snapshot_step(const plu_snapshot *s)
{
    return s->step;
}

plu_status plu_snapshot_take(plu_snapshot *s, const plu_world *world, plu_stepper *stepper,
                             plu_run_record *record, plu_error *err)
{
    copier c = {.state = {.source = "snapshot", .err = err, .array = copy}, .snapshot = s};
    s->step = -1;
    plu_checkpoint_state(stepper, record, &c.state);
    s->size = c.at;
    if (c.state.status == PLU_OK)
        s->step = plu_world_steps(world);
    return c.state.status;
}

plu_status plu_snapshot_restore(plu_snapshot *s, plu_stepper *stepper, plu_run_record *record,
                                plu_error *err)
{
    copier c = {.state = {.loading = true, .source = "snapshot", .err = err, .array = copy},
                .snapshot = s};
    if (s->step < 0)
        return plu_fail(err, PLU_USAGE, "the snapshot holds nothing");
    plu_checkpoint_state(stepper, record, &c.state);
    return c.state.status;
}
