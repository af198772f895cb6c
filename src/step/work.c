/* The work of the contacts, for the energy balance (src/README.md). */
#include "base/memory.h"
#include "base/team.h"
#include "problem/problem_lanes.h"
#include "step/stepper.h"

static void work_of_chunks(plu_problem *problem, const plu_step_end *end, int chunks,
                           plu_work *part)
{
    const int slots = problem->slots;
#pragma omp for schedule(static) nowait
    for (int i = 0; i < chunks; i++) {
        const int from = i * PLU_SUM_CHUNK, to = from + PLU_SUM_CHUNK;
        part[i] = PLU_ISA_BEST(plu_work_blocks)(problem, end, from, to < slots ? to : slots);
    }
}

plu_status plu_add_contact_work(plu_stepper *s, plu_error *err)
{
    const int slots = s->problem.slots, chunks = (slots + PLU_SUM_CHUNK - 1) / PLU_SUM_CHUNK;
    const plu_status status = plu_reserve(&s->too_deep, &s->too_deep_capacity, (size_t)slots,
                                          sizeof *s->too_deep, 0, err);
    if (status != PLU_OK)
        return status;
    const plu_step_end end = {.v_start = s->world->velocity,
                              .step = s->scene->step,
                              .theta = s->scene->theta,
                              .depth = 2.0 * PLU_SLOP_MARGIN * s->scene->slop,
                              .too_deep = s->too_deep};
    _Static_assert(sizeof(plu_work) <= PLU_SUMS * sizeof(double), "room for a partial sum");
    plu_work *part = (plu_work *)(void *)s->problem.sums;
    PLU_TEAM(chunks > 8, work_of_chunks(&s->problem, &end, chunks, part));
    for (int i = 0; i < chunks; i++) {
        s->totals.work_impact += part[i].impact;
        s->totals.work_friction += part[i].friction;
        s->totals.work_rolling += part[i].rolling;
    }
    return PLU_OK;
}
