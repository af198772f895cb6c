/* A copy of the state of a run in memory, array by array in the order of the calls, without names.
 */
#include "base/memory.h"
#include "base/team.h"
#include "io/run/checkpoint.h"
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1 << 20 /* bytes that a thread copies at a time */ };

/* The copy of one array; its memory is reused by the next state. */
typedef struct saved {
    size_t size, capacity;
    unsigned char *bytes;
} saved;

struct plu_snapshot {
    long step;
    size_t count, capacity;
    saved *array;
};

typedef struct copier {
    plu_state state;
    plu_snapshot *snapshot;
    size_t next; /* array */
} copier;

static void copy_chunks(unsigned char *to, const unsigned char *from, size_t size)
{
#pragma omp for schedule(static) nowait
    for (size_t at = 0; at < size; at += CHUNK)
        memcpy(to + at, from + at, size - at < CHUNK ? size - at : CHUNK);
}

/* Copies with all threads. One thread would take as long as a time step, for a million spheres. */
static void copy_bytes(unsigned char *to, const unsigned char *from, size_t size)
{
    PLU_TEAM(size > 4 * CHUNK, copy_chunks(to, from, size));
}

static void snapshot_load(copier *c, unsigned char *data, size_t size)
{
    const plu_snapshot *s = c->snapshot;
    if (c->next >= s->count || s->array[c->next].size != size) {
        plu_state_refuse(&c->state, "it belongs to another run");
        return;
    }
    copy_bytes(data, s->array[c->next++].bytes, size);
}

/* The place of the next array; NULL when there is no memory. */
static saved *place_of(plu_snapshot *s, size_t next, plu_error *err)
{
    if (next == s->count) {
        if (plu_reserve(&s->array, &s->capacity, next + 1, sizeof *s->array, 1, err) != PLU_OK)
            return NULL;
        s->array[s->count++] = (saved){0};
    }
    return &s->array[next];
}

static void snapshot_save(copier *c, const unsigned char *data, size_t size)
{
    saved *to = place_of(c->snapshot, c->next, c->state.err);
    if (!to || plu_reserve(&to->bytes, &to->capacity, size, 1, 0, c->state.err) != PLU_OK) {
        c->state.status = PLU_IO;
        return;
    }
    to->size = size;
    copy_bytes(to->bytes, data, size);
    c->next++;
}

static void copy(plu_state *state, const char *name, plu_state_type type, size_t rows,
                 size_t columns, void *data)
{
    static const size_t sizes[] = {[PLU_STATE_REAL] = sizeof(double),
                                   [PLU_STATE_INT] = sizeof(int),
                                   [PLU_STATE_LONG] = sizeof(long),
                                   [PLU_STATE_BYTE] = 1};
    _Static_assert(sizeof sizes / sizeof *sizes == PLU_STATE_TYPES, "a size for each type");
    (void)name;
    copier *c = (copier *)state;
    const size_t size = rows * columns * sizes[type];
    if (state->loading)
        snapshot_load(c, data, size);
    else
        snapshot_save(c, data, size);
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
    for (size_t k = 0; k < s->count; k++)
        free(s->array[k].bytes);
    free(s->array);
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
        return plu_fail(err, PLU_USAGE, "the snapshot is empty");
    plu_checkpoint_state(stepper, record, &c.state);
    return c.state.status;
}
