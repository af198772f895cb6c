/* The penalty method: the impulses of a step are forces of springs and dampers, times h, and
 * nothing is solved:
 *
 *     detect -> each contact alone, from v_k: F (penalty_law.c) -> p = h F -> v = v_free + M^-1 H p
 *
 * The rest of the step (integration, work, output, files) reads p as it reads that of the nonsmooth
 * method. Springs are the state of a contact: they follow its pair from list to list by the number
 * it had in the last one (`previous`), turned into the new tangent plane, and begin anew after a
 * gap. Being explicit, the method needs steps of at most a tenth of the shortest period of its
 * contacts (plu_penalty_step); energies of springs and dampers are summed exactly. */
#include "base/memory.h"
#include "base/team.h"
#include "pluvia/material.h"
#include "pluvia/scene.h"
#include "step/method.h"
#include "step/penalty_law.h"
#include "step/stepper.h"
#include <omp.h>
#include <stdlib.h>

/* One for each contact, in the order of the list of the last step and of the one before. */
struct plu_penalty_springs {
    int count;
    size_t now_capacity, before_capacity;
    plu_spring *now, *before;
};

static plu_status prepare(plu_stepper *s, plu_error *err)
{
    s->springs = plu_alloc(1, sizeof *s->springs, err);
    return s->springs ? plu_penalty_check_step(s->world, err) : PLU_IO;
}

static void discard(plu_stepper *s)
{
    if (!s->springs)
        return;
    free(s->springs->now);
    free(s->springs->before);
    free(s->springs);
}

static void carry_all(plu_stepper *s)
{
    struct plu_penalty_springs *p = s->springs;
    const plu_contacts *list = s->contacts;
#pragma omp for schedule(static) nowait
    for (int i = 0; i < list->count; i++) {
        p->now[i] = list->previous[i] >= 0 ? p->before[list->previous[i]] : (plu_spring){0};
        plu_spring_turn(&p->now[i], list->contact[i].normal);
    }
}

/* Springs follow their pair; a pair that was apart begins anew. */
static plu_status carry(plu_stepper *s, plu_error *err)
{
    struct plu_penalty_springs *p = s->springs;
    const plu_contacts *list = s->contacts;
    const struct plu_penalty_springs last = *p;
    p->now = last.before;
    p->now_capacity = last.before_capacity;
    p->before = last.now;
    p->before_capacity = last.now_capacity;
    const plu_status status =
        plu_reserve(&p->now, &p->now_capacity, (size_t)list->count, sizeof *p->now, 0, err);
    if (status != PLU_OK)
        return status;
    p->count = list->count;
    PLU_TEAM(plu_many(list->count, 4000), carry_all(s));
    return PLU_OK;
}

/* Energies of contacts. */
typedef struct energies {
    plu_exact elastic, used;
} energies;

/* The force of one contact; its impulse goes into the block, as the coefficient of friction that
 * holds. */
static void push(plu_stepper *s, int slot, energies *sum)
{
    const plu_world *w = s->world;
    const int live = s->problem.contact_of_slot[slot], k = slot % PLU_LANES;
    if (live < 0)
        return;
    const int contact = s->contacts->live[live]; /* all are: no body sleeps with springs */
    plu_block *block = plu_block_of(&s->problem, slot);
    const plu_contact *c = &s->contacts->contact[contact];
    plu_spring *spring = &s->springs->now[contact];
    const plu_penalty_law law = plu_penalty_law_of(
        &s->scene->laws[plu_law_of(w, c)->index], block->pair->wn[k], block->pair->wt[k],
        block->pair->wr[k], 1.0 / block->pair->inverse_length[k]);
    const double h = s->world->step;
    double y[7];
    plu_penalty_force f;
    const int a = block->a[k];
    const double *va = plu_is_given(&s->problem, a) ? s->problem.v_free[a] : w->bodies.row[a];
    plu_slot_velocity(block, k, va, w->bodies.row[plu_owner(&w->spheres, c->b)], y);
    plu_penalty_contact(&law, c->gap, y, h, spring, &f);
    block->pair->mu[k] = spring->slides != 0.0 ? law.mu_d : law.mu_s;
    block->p[0][k] = h * f.n;
    for (int i = 0; i < 3; i++) {
        block->p[1 + i][k] = h * f.t[i];
        block->p[4 + i][k] = h * f.m[i];
    }
    plu_exact_add(&sum->elastic, f.elastic);
    plu_exact_add(&sum->used, f.used);
}

static void push_slots(plu_stepper *s, energies *sum)
{
    energies own = {0};
#pragma omp for schedule(static) nowait
    for (int slot = 0; slot < s->problem.slots; slot++)
        push(s, slot, &own);
#pragma omp critical
    {
        plu_exact_join(&sum->elastic, &own.elastic);
        plu_exact_join(&sum->used, &own.used);
    }
}

static void push_all(plu_stepper *s)
{
    energies sum = {0};
    plu_flow_fill_all(&s->problem);
    PLU_TEAM(plu_many(s->problem.slots, 2 * PLU_SUM_CHUNK), push_slots(s, &sum));
    s->totals.elastic = plu_exact_value(&sum.elastic);
    s->totals.dissipated += plu_exact_value(&sum.used);
}

static void apply_small(plu_problem *problem)
{
#pragma omp for schedule(dynamic, 16) nowait
    for (int k = 0; k < problem->islands_count; k++)
        if (!problem->islands[k].large)
            plu_problem_apply(problem, &problem->islands[k]);
}

/* v = v_free + M^-1 H p: large islands by all threads one after the other, the others side by
 * side. */
static void apply_all(plu_problem *problem)
{
    for (int k = 0; k < problem->islands_count; k++)
        if (problem->islands[k].large)
            plu_problem_apply(problem, &problem->islands[k]);
    PLU_TEAM(plu_many(problem->islands_count, 100), apply_small(problem));
}

static plu_status impulses(plu_stepper *s, plu_step_info *info, plu_error *err)
{
    const plu_status status = carry(s, err);
    if (status != PLU_OK)
        return status;
    push_all(s);
    apply_all(&s->problem);
    info->converged = true;
    return PLU_OK;
}

static void state(plu_stepper *s, plu_state *state)
{
    enum { NUMBERS = sizeof(plu_spring) / sizeof(double) };
    struct plu_penalty_springs *p = s->springs;
    plu_state_real(state, "penalty/elastic", 1, 1, &s->totals.elastic);
    plu_state_real(state, "penalty/dissipated", 1, 1, &s->totals.dissipated);
    if (state->loading && s->world->asleep > 0)
        plu_state_refuse(state, "some bodies sleep, which is impossible with method = \"penalty\"");
    if (state->loading && state->status == PLU_OK) {
        p->count = plu_detector_count(s->detector);
        state->status =
            plu_reserve(&p->now, &p->now_capacity, (size_t)p->count, sizeof *p->now, 0, state->err);
    }
    if (state->status == PLU_OK && p->count > 0)
        plu_state_real(state, "penalty/springs", (size_t)p->count, NUMBERS, p->now[0].t);
}

const plu_step_method plu_penalty = {
    .prepare = prepare, .impulses = impulses, .state = state, .discard = discard};
