#include "step/undo.h"
#include "base/memory.h"
#include "base/state.h"
#include "step/stepper.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGES = 16, LONG = 512 };

typedef struct kept {
    size_t size, capacity;
    unsigned char *bytes;
} kept;

typedef struct message {
    plu_log_level level;
    char text[LONG];
} message;

struct plu_undo {
    size_t count, capacity;
    kept *array;
    plu_log log; /* of the stepper, while messages wait */
    bool waits;
    int messages;
    message waiting[MESSAGES];
};

typedef struct copier {
    plu_state state;
    plu_undo *undo;
    size_t next;
} copier;

static void copy(plu_state *state, const char *name, plu_state_type type, size_t rows,
                 size_t columns, void *data)
{
    static const size_t sizes[] = {[PLU_STATE_REAL] = sizeof(double),
                                   [PLU_STATE_INT] = sizeof(int),
                                   [PLU_STATE_LONG] = sizeof(long),
                                   [PLU_STATE_BYTE] = 1};
    (void)name;
    copier *c = (copier *)state;
    plu_undo *u = c->undo;
    const size_t size = rows * columns * sizes[type];
    if (state->loading) {
        if (size > 0)
            memcpy(data, u->array[c->next].bytes, size);
        c->next++;
        return;
    }
    if (c->next == u->count) {
        state->status =
            plu_reserve(&u->array, &u->capacity, u->count + 1, sizeof *u->array, 1, state->err);
        if (state->status != PLU_OK)
            return;
        u->array[u->count++] = (kept){0};
    }
    kept *to = &u->array[c->next++];
    state->status = plu_reserve(&to->bytes, &to->capacity, size, 1, 0, state->err);
    if (state->status == PLU_OK && size > 0)
        memcpy(to->bytes, data, size);
}

plu_undo *plu_undo_create(plu_error *err)
{
    return plu_alloc(1, sizeof(plu_undo), err);
}

void plu_undo_destroy(plu_undo *u)
{
    if (!u)
        return;
    for (size_t k = 0; k < u->count; k++)
        free(u->array[k].bytes);
    free(u->array);
    free(u);
}

static void hold(void *user, plu_log_level level, const char *text)
{
    plu_undo *u = user;
    if (u->messages == MESSAGES)
        return;
    message *m = &u->waiting[u->messages++];
    m->level = level;
    snprintf(m->text, sizeof m->text, "%s", text);
}

plu_status plu_undo_keep(plu_undo *u, plu_stepper *s, plu_error *err)
{
    copier c = {.state = {.source = "step", .err = err, .array = copy}, .undo = u};
    plu_stepper_state(s, &c.state);
    u->log = s->log;
    u->waits = true;
    u->messages = 0;
    s->log = (plu_log){hold, u};
    return c.state.status;
}

static void stop_holding(plu_undo *u, plu_stepper *s)
{
    if (u->waits)
        s->log = u->log;
    u->waits = false;
}

plu_status plu_undo_return(plu_undo *u, plu_stepper *s, plu_error *err)
{
    copier c = {.state = {.loading = true, .source = "step", .err = err, .array = copy}, .undo = u};
    plu_stepper_state(s, &c.state);
    stop_holding(u, s);
    return c.state.status;
}

void plu_undo_release(plu_undo *u, plu_stepper *s)
{
    if (!u->waits)
        return;
    stop_holding(u, s);
    for (int k = 0; k < u->messages; k++)
        plu_log_write(&s->log, u->waiting[k].level, "%s", u->waiting[k].text);
}
