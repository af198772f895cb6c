/* heard.h: the messages of a run, for tests that read them. */
#ifndef SUPPORT_HEARD_H
#define SUPPORT_HEARD_H

#include "run.h"

static char said[4096]; /* all messages */

static inline void hear(void *user, plu_log_level level, const char *text)
{
    (void)user, (void)level;
    strncat(said, text, sizeof said - strlen(said) - 1);
}

/* A stepper anew, whose messages are heard. */
static inline run *heard(run *r)
{
    static const plu_log log = {hear, NULL};
    said[0] = '\0';
    plu_stepper_destroy(r->stepper);
    run_check(r, plu_stepper_create(&r->stepper, r->world, &r->scene, &log, &r->err));
    return r;
}

#endif
