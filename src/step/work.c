/* Contacts after the solve: their impulses back to the list, their work for the energy balance
 * (src/theory.md), their depths. */
#include "assemble/cohesion.h"
#include "base/memory.h"
#include "base/vec3.h"
#include "step/projection.h"
#include "step/stepper.h"

static int chunks_of(const plu_problem *problem)
{
    return (problem->slots + PLU_SUM_CHUNK - 1) / PLU_SUM_CHUNK;
}

/* Where walls begin among the live contacts. */
static int first_wall(const plu_contacts *list)
{
    const int wall = plu_contact_place(list, PLU_FIRST_WALL, 0);
    int low = 0, high = list->live_count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (list->live[middle] < wall)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

plu_status plu_finish_begin(plu_stepper *s, plu_error *err)
{
    const size_t blocks = (size_t)s->problem.slots / PLU_LANES;
    const size_t chunks = (size_t)chunks_of(&s->problem);
    plu_status status =
        plu_reserve(&s->too_deep, &s->too_deep_capacity, blocks, sizeof *s->too_deep, 0, err);
    if (status == PLU_OK)
        status = plu_reserve(&s->apart, &s->apart_capacity, blocks, sizeof *s->apart, 0, err);
    if (status == PLU_OK)
        status = plu_reserve(&s->chunk, &s->chunk_capacity, chunks, sizeof *s->chunk, 0, err);
    if (status == PLU_OK && s->contacts->carried)
        plu_poison(s->contacts->impulse, (size_t)s->contacts->count * sizeof(plu_impulse));
    s->first_wall = first_wall(s->contacts);
    return status;
}

void plu_bear_wall(const plu_stepper *s, const double normal[3], double n, const double t[3],
                   plu_bearing *sum)
{
    sum->walls++;
    for (int k = 0; k < 3; k++)
        sum->load += (n * normal[k] + t[k]) * s->up[k];
}

static double attraction_at(const plu_stepper *s, int slot)
{
    const plu_contacts *list = s->contacts;
    return plu_attraction(s->world, &list->contact[list->live[s->problem.contact_of_slot[slot]]]);
}

/* Walls are few: they are looked for one by one. */
static plu_bearing bearing_of(const plu_stepper *s, const plu_work *work, int begin, int end)
{
    plu_bearing sum = {.contacts = work->bearing};
    for (int slot = begin; slot < end; slot++) {
        if (s->problem.contact_of_slot[slot] < s->first_wall)
            continue;
        const plu_block *c = plu_block_of(&s->problem, slot);
        const int k = slot % PLU_LANES;
        const double normal[3] = {c->normal[0][k], c->normal[1][k], c->normal[2][k]};
        const double t[3] = {c->p[1][k], c->p[2][k], c->p[3][k]};
        if (c->p[0][k] > 0.0)
            plu_bear_wall(s, normal, c->p[0][k] - attraction_at(s, slot), t, &sum);
    }
    return sum;
}

/* One pass over the blocks for all, while they are at hand. */
void plu_finish_slots(void *stepper, int begin, int end)
{
    const plu_stepper *s = stepper;
    const plu_step_end step = {.v_start = s->world->velocity,
                               .step = s->scene->step,
                               .theta = s->scene->theta,
                               .lands = s->world->lands,
                               .depth = 2.0 * PLU_SLOP_MARGIN * s->scene->slop,
                               .too_deep = s->too_deep};
    plu_scatter_impulses(&s->problem, begin, end, s->contacts);
    const plu_work work = PLU_ISA_BEST(plu_work_blocks)(&s->problem, &step, begin, end);
    s->chunk[begin / PLU_SUM_CHUNK] = (plu_slot_chunk){work, bearing_of(s, &work, begin, end)};
}

/* A step in which contacts do positive work, beyond what attraction takes at the same time, creates
 * energy: where bounces keep account of it, less
 * what the landings of the step before have taken. */
static void count_created(plu_totals *t, double work, bool rebounds)
{
    static const double rounding = 1e-12;
    const double turned_over = fabs(t->initial) + fabs(t->inserted) + fabs(t->work_impact) +
                               fabs(t->work_friction) + fabs(t->work_rolling) +
                               fabs(t->work_cohesion);
    const double created = rebounds ? work + plu_min(t->last_work, 0.0) : work;
    if (created > rounding * turned_over) {
        t->created += created;
        t->creating++;
    }
    t->last_work = work;
}

void plu_finish_contacts(plu_stepper *s, plu_step_info *info)
{
    const int chunks = chunks_of(&s->problem);
    plu_flow_end(&s->problem);
    s->bearing = s->dormant;
    const double attracted =
        plu_attraction_work(s->world, s->contacts, s->world->velocity, s->problem.v);
    s->totals.work_cohesion += attracted;
    info->penetration = s->dormant_depth;
    info->penetration_ratio = s->dormant_ratio;
    double sum = 0.0;
    for (int i = 0; i < chunks; i++) {
        const plu_work *work = &s->chunk[i].work;
        s->totals.work_impact += work->impact;
        s->totals.work_friction += work->friction;
        s->totals.work_rolling += work->rolling;
        sum += work->impact + work->friction + work->rolling;
        info->penetration = plu_max(info->penetration, work->depth);
        info->penetration_ratio = plu_max(info->penetration_ratio, work->depth_ratio);
        s->bearing.contacts += s->chunk[i].bearing.contacts;
        s->bearing.walls += s->chunk[i].bearing.walls;
        s->bearing.load += s->chunk[i].bearing.load;
    }
    if (s->scene->method != PLU_PENALTY) /* springs give back */
        count_created(&s->totals, sum + plu_min(attracted, 0.0), s->world->rebounds);
    info->contacts = s->bearing.contacts;
    info->wall_contacts = s->bearing.walls;
    info->pairs = s->problem.contacts;
}
