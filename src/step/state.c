#include "base/state.h"
#include "step/stepper.h"

static void totals(plu_totals *t, plu_state *state)
{
    plu_state_long(state, "totals/steps", 1, 1, &t->steps);
    plu_state_long(state, "totals/unconverged", 1, 1, &t->unconverged);
    plu_state_long(state, "totals/iterations", 1, 1, &t->iterations);
    plu_state_long(state, "totals/updates", 1, 1, &t->updates);
    plu_state_real(state, "totals/worst_scaled", 1, 1, &t->worst_scaled);
    plu_state_real(state, "totals/worst_natural", 1, 1, &t->worst_natural);
    plu_state_real(state, "totals/worst_penetration", 1, 1, &t->worst_penetration);
    plu_state_real(state, "totals/worst_penetration_ratio", 1, 1, &t->worst_penetration_ratio);
    plu_state_real(state, "totals/inserted", 1, 1, &t->inserted);
    plu_state_real(state, "totals/removed", 1, 1, &t->removed);
    plu_state_real(state, "totals/work_impact", 1, 1, &t->work_impact);
    plu_state_real(state, "totals/work_friction", 1, 1, &t->work_friction);
    plu_state_real(state, "totals/work_rolling", 1, 1, &t->work_rolling);
    plu_state_real(state, "totals/theta", 1, 1, &t->theta);
    plu_state_real(state, "totals/projection", 1, 1, &t->projection);
    plu_state_real(state, "totals/initial", 1, 1, &t->initial);
    plu_state_real(state, "totals/seconds", PLU_PHASES, 1, t->seconds);
    plu_state_real(state, "totals/solver_seconds", 1, 1, &t->solver_seconds);
}

void plu_stepper_state(plu_stepper *s, plu_state *state)
{
    plu_world_state(s->world, state);
    plu_detector_state(s->detector, state);
    totals(&s->totals, state);
    if (state->loading)
        s->contacts = NULL; /* none until the next step */
}
