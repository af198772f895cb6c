/* Contacts after the solve: their impulses back to the list, their work for the energy balance
 * (src/README.md), their depths. */
#include "base/memory.h"
#include "base/team.h"
#include "base/vec3.h"
#include "problem/problem_lanes.h"
#include "step/stepper.h"

/* One pass over the blocks for both, while they are at hand. */
static void finish_chunks(plu_stepper *s, const plu_step_end *end, int chunks, plu_work *part)
{
    plu_problem *problem = &s->problem;
#pragma omp for schedule(static) nowait
    for (int i = 0; i < chunks; i++) {
        const int from = i * PLU_SUM_CHUNK, next = from + PLU_SUM_CHUNK;
        const int to = next < problem->slots ? next : problem->slots;
        plu_scatter_impulses(problem, from, to, s->contacts);
        part[i] = PLU_ISA_BEST(plu_work_blocks)(problem, end, from, to);
    }
}

plu_status plu_finish_contacts(plu_stepper *s, plu_step_info *info, plu_error *err)
{
    const int slots = s->problem.slots, chunks = (slots + PLU_SUM_CHUNK - 1) / PLU_SUM_CHUNK;
    const size_t blocks = (size_t)slots / PLU_LANES;
    plu_status status =
        plu_reserve(&s->too_deep, &s->too_deep_capacity, blocks, sizeof *s->too_deep, 0, err);
    if (status == PLU_OK)
        status = plu_reserve(&s->apart, &s->apart_capacity, blocks, sizeof *s->apart, 0, err);
    if (status != PLU_OK)
        return status;
    const plu_step_end end = {.v_start = s->world->velocity,
                              .step = s->scene->step,
                              .theta = s->scene->theta,
                              .depth = 2.0 * PLU_SLOP_MARGIN * s->scene->slop,
                              .too_deep = s->too_deep};
    _Static_assert(sizeof(plu_work) <= PLU_SUMS * sizeof(double), "room for a partial sum");
    plu_work *part = (plu_work *)(void *)s->problem.sums;
    PLU_TEAM(chunks > 8, finish_chunks(s, &end, chunks, part));
    for (int i = 0; i < chunks; i++) {
        s->totals.work_impact += part[i].impact;
        s->totals.work_friction += part[i].friction;
        s->totals.work_rolling += part[i].rolling;
        info->penetration = plu_max(info->penetration, part[i].depth);
        info->penetration_ratio = plu_max(info->penetration_ratio, part[i].depth_ratio);
    }
    return PLU_OK;
}
