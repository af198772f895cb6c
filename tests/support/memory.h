/* memory.h: the state of a run, saved in memory and set in another one of the same scene, which
 * then has the same bits. */
#ifndef SUPPORT_MEMORY_H
#define SUPPORT_MEMORY_H

#include "base/state.h"
#include "pluvia/tool/state.h"
#include "run.h"

enum { MEMORY_ARRAYS = 96 };

typedef struct memory_part {
    char name[64];
    size_t bytes;
    void *data;
} memory_part;

typedef struct memory {
    plu_state state;
    int count;
    memory_part arrays[MEMORY_ARRAYS];
} memory;

static inline memory_part *memory_find(memory *m, const char *name)
{
    for (int i = 0; i < m->count; i++)
        if (strcmp(m->arrays[i].name, name) == 0)
            return &m->arrays[i];
    return NULL;
}

static inline void memory_array(plu_state *state, const char *name, plu_state_type type,
                                size_t rows, size_t columns, void *data)
{
    memory *m = (memory *)state;
    const size_t bytes = rows * columns * plu_state_size(type);
    memory_part *a = memory_find(m, name);
    if (state->loading) {
        if (!a || a->bytes != bytes)
            plu_state_refuse(state, "%s does not fit", name);
        else if (bytes > 0)
            memcpy(data, a->data, bytes);
        return;
    }
    assert_null(a); /* a name stands for one array */
    assert_true(m->count < MEMORY_ARRAYS);
    a = &m->arrays[m->count++];
    snprintf(a->name, sizeof a->name, "%s", name);
    a->bytes = bytes;
    a->data = malloc(bytes + 1);
    if (bytes > 0)
        memcpy(a->data, data, bytes);
}

static inline memory *memory_save(run *r)
{
    memory *m = calloc(1, sizeof *m);
    m->state = (plu_state){.source = "memory", .err = &r->err, .array = memory_array};
    plu_stepper_state(r->stepper, &m->state);
    assert_int_equal(m->state.status, PLU_OK);
    return m;
}

static inline plu_status memory_set(run *r, memory *m)
{
    m->state =
        (plu_state){.loading = true, .source = "memory", .err = &r->err, .array = memory_array};
    plu_stepper_state(r->stepper, &m->state);
    return m->state.status;
}

static inline void memory_free(memory *m)
{
    for (int i = 0; i < m->count; i++)
        free(m->arrays[i].data);
    free(m);
}

#endif
