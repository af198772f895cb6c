/* Arrays of a state by their types (state.h): who saves or loads gives `array` and gets each of
 * them by name, so that checkpoints (io/run) and steps that are undone (step/undo.c) are uses of
 * one list. After the first failure nothing is done any more, and that failure is what is
 * reported.
 *
 *   plu_world_state(w, state)        one list of calls: plu_state_real(state, "world/time", ...),
 * ... |                             state->array decides what each call does:
 *      +-- checkpoint written        an HDF5 data set of that name
 *      +-- checkpoint read           its numbers, after a check of type and size
 *      '-- copy in memory (below)    bytes, array by array in their order, names unused
 *
 * Copies keep their memory from one use to the next; for a million bodies all threads copy. */
#include "base/state.h"
#include "base/memory.h"
#include "base/team.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t plu_state_size(plu_state_type type)
{
    static const size_t sizes[] = {[PLU_STATE_REAL] = sizeof(double),
                                   [PLU_STATE_INT] = sizeof(int),
                                   [PLU_STATE_LONG] = sizeof(long),
                                   [PLU_STATE_BYTE] = 1,
                                   [PLU_STATE_REAL_OR_NONE] = sizeof(double)};
    _Static_assert(sizeof sizes / sizeof *sizes == PLU_STATE_TYPES, "a size for each type");
    return sizes[type];
}

static void visit(plu_state *state, const char *name, plu_state_type type, size_t rows,
                  size_t columns, void *data)
{
    if (state->status == PLU_OK)
        state->array(state, name, type, rows, columns, data);
}

void plu_state_real(plu_state *state, const char *name, size_t rows, size_t columns, double *data)
{
    visit(state, name, PLU_STATE_REAL, rows, columns, data);
}

void plu_state_real_or_none(plu_state *state, const char *name, size_t rows, size_t columns,
                            double *data)
{
    visit(state, name, PLU_STATE_REAL_OR_NONE, rows, columns, data);
}

void plu_state_int(plu_state *state, const char *name, size_t rows, size_t columns, int *data)
{
    visit(state, name, PLU_STATE_INT, rows, columns, data);
}

void plu_state_long(plu_state *state, const char *name, size_t rows, size_t columns, long *data)
{
    _Static_assert(sizeof(long) == 8, "counters of a run have 64 bits");
    visit(state, name, PLU_STATE_LONG, rows, columns, data);
}

void plu_state_byte(plu_state *state, const char *name, size_t rows, size_t columns,
                    unsigned char *data)
{
    visit(state, name, PLU_STATE_BYTE, rows, columns, data);
}

void plu_state_refuse(plu_state *state, const char *format, ...)
{
    if (state->status != PLU_OK)
        return;
    char what[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    state->status = plu_fail(state->err, PLU_BAD_INPUT, "%s: %s", state->source, what);
}

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

/* A copy of another list of arrays is refused: `misfit` says so. */
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
