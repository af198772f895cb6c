/* Blocks that are filled late. */
#include "base/team.h"
#include "problem/problem.h"

static void fill(const plu_problem *p, int begin, int end)
{
#pragma omp for schedule(static) nowait
    for (int slot = begin; slot < end; slot += PLU_SUM_CHUNK)
        p->source.fill(p->source.context, slot, slot + PLU_SUM_CHUNK);
}

void plu_problem_fill(plu_problem *p)
{
    for (int k = 0; k < p->islands_count; k++) {
        plu_island *island = &p->islands[k];
        if (island->unfilled)
            PLU_TEAM(true, fill(p, island->slot_begin, island->slot_end));
        island->unfilled = false;
    }
}
