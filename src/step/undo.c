#include "step/undo.h"
#include "base/memory.h"
#include "base/state.h"
#include "pluvia/tool/state.h"
#include "step/stepper.h"
#include <stdio.h>
#include <stdlib.h>

enum { LONG = 1024 }; /* lines are no longer (pluvia/log.h) */

typedef struct message {
    plu_log_level level;
    char text[LONG];
} message;

struct plu_undo {
    plu_state_copy state;
    plu_log log; /* of the stepper, while messages wait */
    bool waits;
    size_t messages, capacity;
    message *waiting;
};

static const char *const misfit = "a step is returned to another state";

plu_undo *plu_undo_create(plu_error *err)
{
    return plu_alloc(1, sizeof(plu_undo), err);
}

void plu_undo_destroy(plu_undo *u)
{
    if (!u)
        return;
    plu_state_copy_free(&u->state);
    free(u->waiting);
    free(u);
}

static void hold(void *user, plu_log_level level, const char *text)
{
    plu_undo *u = user;
    if (plu_reserve(&u->waiting, &u->capacity, u->messages + 1, sizeof *u->waiting, 1, NULL) !=
        PLU_OK) {
        plu_log_write(&u->log, level, "%s", text); /* too early, but not lost */
        return;
    }
    message *m = &u->waiting[u->messages++];
    m->level = level;
    snprintf(m->text, sizeof m->text, "%s", text);
}

plu_status plu_undo_keep(plu_undo *u, plu_stepper *s, plu_error *err)
{
    plu_state_copier c = plu_state_copier_begin(&u->state, false, "step", misfit, err);
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
    plu_state_copier c = plu_state_copier_begin(&u->state, true, "step", misfit, err);
    plu_stepper_state(s, &c.state);
    stop_holding(u, s);
    return c.state.status;
}

void plu_undo_release(plu_undo *u, plu_stepper *s)
{
    if (!u->waits)
        return;
    stop_holding(u, s);
    for (size_t k = 0; k < u->messages; k++)
        plu_log_write(&s->log, u->waiting[k].level, "%s", u->waiting[k].text);
}
