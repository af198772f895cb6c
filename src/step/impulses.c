/* Stages 3 and 4 of a step: the live contacts become a problem, the problem impulses, and both are
 * done again while the new velocities wake sleepers or bring together what was no contact:
 *
 *     contacts -> assemble -> solve -> who wakes, who meets? -> nobody: done
 *         ^                                   |
 *         +------------ more contacts --------+
 */
#include "assemble/servo_rows.h"
#include "pluvia/scene.h"
#include "step/impacts.h"
#include "step/method.h"
#include "step/stepper.h"

enum { MOST_FOUND = 7, MOST_LATE = 32 }; /* solves after which contacts are looked for */

/* After a solve: more contacts for the step, where it sets bodies in motion that sleep or, if not,
 * brings bodies together that were no contact, which counts in *found. *again: there are some. */
static plu_status add_contacts(plu_stepper *s, int *woken, int *found, bool *again, plu_error *err)
{
    *again = s->world->asleep > 0 && plu_sleep_wake(s, *woken + 1);
    *woken += *again;
    if (*again)
        return plu_detect_woken(s->detector, err);
    if (s->scene->method != PLU_NONSMOOTH || *found >= MOST_LATE)
        return PLU_OK;
    bool late = false;
    plu_status status = *found < MOST_FOUND ? plu_impacts_look(s, found, again, err) : PLU_OK;
    if (status == PLU_OK && !*again) {
        status = plu_detect_late(s->detector, (const double(*)[8])s->problem.v, &late, err);
        *found += late;
        *again = late;
    }
    return status;
}

/* What holds sleepers of the border is that of the last step while their contacts are the same; the
 * attraction of those that live changes with their gaps, and all with the length of the step. */
static bool is_held_anew(const plu_stepper *s, bool same)
{
    const plu_world *w = s->world;
    const bool other = w->coheres || s->sleep.held_step != w->step;
    return !same || (w->asleep > 0 && other);
}

/* Solves the live contacts (`same`: those of the last step), and again while there are others. */
plu_status plu_step_impulses(plu_stepper *s, bool same, double *since, plu_step_info *info,
                             plu_error *err)
{
    int woken = 0, found = 0;
    bool again = false;
    for (;; same = false) {
        if (plu_gives_up(&s->settings))
            return plu_world_given_up(s->world, err);
        const bool anew = is_held_anew(s, same);
        plu_status status = anew ? plu_border_prepare(s, err) : PLU_OK;
        if (status == PLU_OK)
            status = plu_bodies_reserve_given(&s->world->bodies,
                                              plu_given_rows(s->world, s->contacts), err);
        if (status == PLU_OK)
            status = plu_assemble(s->assembler, s->contacts, same, &s->problem, err);
        if (status == PLU_OK && anew)
            plu_border_place(s);
        if (status == PLU_OK)
            status = plu_finish_begin(s, err);
        plu_lap(s, PLU_PHASE_ASSEMBLE, since);
        if (status == PLU_OK)
            status = s->method->impulses(s, info, err);
        if (status == PLU_OK)
            status = add_contacts(s, &woken, &found, &again, err);
        plu_lap(s, PLU_PHASE_SOLVE, since);
        if (status == PLU_OK && (plu_gives_up(&s->settings) || (!again && plu_impacts_check(s))))
            continue;
        if (status != PLU_OK || !again)
            return status == PLU_OK ? plu_created_restrain(s, err) : status;
        plu_sleepers_look(s);
    }
}
