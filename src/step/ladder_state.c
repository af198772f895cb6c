/* What of steps that are chosen is kept from one to the next, and the clock. */
#include "base/state.h"
#include "pluvia/scene.h"
#include "step/ladder.h"
#include "step/stepper.h"

void plu_ladder_tick(plu_stepper *s)
{
    plu_world *w = s->world;
    if (w->split) {
        w->time = s->ladder.end;
        return;
    }
    w->steps++;
    w->time = (double)w->steps * w->step;
}

void plu_ladder_state(plu_stepper *s, plu_state *state)
{
    plu_ladder *l = &s->ladder;
    double h = s->world->step, longest = s->scene->step;
    plu_state_real(state, "ladder/longest", 1, 1, &longest);
    if (state->status == PLU_OK && longest != s->scene->step)
        plu_state_refuse(state,
                         "its longest step is %.9g s, but %.9g s by the scene now: choose a "
                         "time.end that is a multiple of output.interval",
                         longest, s->scene->step);
    plu_state_int(state, "ladder/level", 1, 1, &l->level);
    plu_state_int(state, "ladder/calm", 1, 1, &l->calm);
    plu_state_real(state, "ladder/rate", 1, 1, &l->rate);
    plu_state_real(state, "ladder/step", 1, 1, &h);
    if (!state->loading || state->status != PLU_OK)
        return;
    if (l->level < 0 || l->level > l->most || !(h > 0.0 && h <= s->scene->step)) {
        plu_state_refuse(state, "its steps are not those of the scene");
        return;
    }
    s->world->step = h; /* impulses of the state are of this step */
    s->settings.step = h;
    plu_world_reach(s->world);
    plu_stepper_weigh(s);
}
