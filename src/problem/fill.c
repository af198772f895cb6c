/* Blocks come from the problem's source, some of them late. */
#include "base/team.h"
#include "problem/problem.h"

static void fill(const plu_problem *p, int begin, int end)
{
#pragma omp for schedule(static) nowait
    for (int slot = begin; slot < end; slot += PLU_SUM_CHUNK)
        p->source.fill(p->source.context, slot,
                       end - slot < PLU_SUM_CHUNK ? end : slot + PLU_SUM_CHUNK);
}

void plu_problem_fill_slots(plu_problem *p, int begin, int end)
{
    PLU_TEAM(end - begin > 4000, fill(p, begin, end));
}

void plu_problem_fill(plu_problem *p)
{
    for (int k = 0; k < p->islands_count; k++) {
        plu_island *island = &p->islands[k];
        if (island->unfilled)
            plu_problem_fill_slots(p, island->slot_begin, plu_cut_end(island));
        island->unfilled = false;
    }
}
