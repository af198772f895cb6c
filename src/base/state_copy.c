#include "base/state_copy.h"
#include "base/memory.h"
#include "base/team.h"
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1 << 20 /* bytes that a thread copies at a time */ };

struct plu_state_array {
    size_t size, capacity;
    unsigned char *bytes;
};

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

static void load(plu_state_copier *c, unsigned char *data, size_t size)
{
    const plu_state_copy *s = c->copy;
    if (c->next >= s->count || s->array[c->next].size != size) {
        plu_state_refuse(&c->state, "%s", c->misfit);
        return;
    }
    copy_bytes(data, s->array[c->next++].bytes, size);
}

/* The place of the next array; NULL when there is no memory. */
static struct plu_state_array *place_of(plu_state_copy *s, size_t next, plu_error *err)
{
    if (next == s->count) {
        if (plu_reserve(&s->array, &s->capacity, next + 1, sizeof *s->array, 1, err) != PLU_OK)
            return NULL;
        s->array[s->count++] = (struct plu_state_array){0};
    }
    return &s->array[next];
}

static void save(plu_state_copier *c, const unsigned char *data, size_t size)
{
    struct plu_state_array *to = place_of(c->copy, c->next, c->state.err);
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
    plu_state_copier *c = (plu_state_copier *)state;
    const size_t size = rows * columns * plu_state_size(type);
    (void)name;
    if (state->loading)
        load(c, data, size);
    else
        save(c, data, size);
}

plu_state_copier plu_state_copier_begin(plu_state_copy *s, bool loading, const char *source,
                                        const char *misfit, plu_error *err)
{
    return (plu_state_copier){
        .state = {.loading = loading, .source = source, .err = err, .array = copy},
        .copy = s,
        .misfit = misfit};
}

void plu_state_copy_free(plu_state_copy *s)
{
    for (size_t k = 0; k < s->count; k++)
        free(s->array[k].bytes);
    free(s->array);
    *s = (plu_state_copy){0};
}
