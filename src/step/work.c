/* Contacts after the solve: their impulses back to the list, their work for the energy balance
 * (src/README.md), their depths. */
#include "base/memory.h"
#include "base/team.h"
#include "base/vec3.h"
#include "step/stepper.h"
#include <string.h>

static int chunks_of(const plu_problem *problem)
{
    return (problem->slots + PLU_SUM_CHUNK - 1) / PLU_SUM_CHUNK;
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
    if (status == PLU_OK)
        memset(s->chunk, 0, chunks * sizeof *s->chunk);
    return status;
}

/* One pass over the blocks for all, while they are at hand. */
void plu_finish_chunk(void *stepper, int begin)
{
    const plu_stepper *s = stepper;
    const plu_step_end step = {.v_start = s->world->velocity,
                               .step = s->scene->step,
                               .theta = s->scene->theta,
                               .lands = s->world->lands,
                               .depth = 2.0 * PLU_SLOP_MARGIN * s->scene->slop,
                               .too_deep = s->too_deep};
    const int next = begin + PLU_SUM_CHUNK;
    const int end = next < s->problem.slots ? next : s->problem.slots;
    plu_scatter_impulses(&s->problem, begin, end, s->contacts);
    s->chunk[begin / PLU_SUM_CHUNK] =
        (plu_slot_chunk){PLU_ISA_BEST(plu_work_blocks)(&s->problem, &step, begin, end), true};
}

static void finish_chunks(plu_stepper *s, int chunks)
{
#pragma omp for schedule(static) nowait
    for (int i = 0; i < chunks; i++)
        if (!s->chunk[i].finished)
            plu_finish_chunk(s, i * PLU_SUM_CHUNK);
}

void plu_finish_contacts(plu_stepper *s, plu_step_info *info)
{
    const int chunks = chunks_of(&s->problem);
    PLU_TEAM(chunks > 8, finish_chunks(s, chunks));
    for (int i = 0; i < chunks; i++) {
        const plu_work *work = &s->chunk[i].work;
        s->totals.work_impact += work->impact;
        s->totals.work_friction += work->friction;
        s->totals.work_rolling += work->rolling;
        info->penetration = plu_max(info->penetration, work->depth);
        info->penetration_ratio = plu_max(info->penetration_ratio, work->depth_ratio);
    }
}
