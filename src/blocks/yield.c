#include "base/vec3.h"
#include "blocks/blocks.h"

double plu_slot_bears(const plu_problem *p, int slot, plu_bound bound)
{
    const double own = plu_block_of(p, slot)->pair->strength[slot % PLU_LANES];
    return plu_min(own > 0.0 ? own * p->yield.step : bound.most, bound.now);
}

static const plu_island *island_of(const plu_problem *p, int slot)
{
    int low = 0, high = p->islands_count - 1;
    while (low < high) {
        const int middle = low + (high - low + 1) / 2;
        if (p->islands[middle].slot_begin <= slot)
            low = middle;
        else
            high = middle - 1;
    }
    return &p->islands[low];
}

double plu_slot_most(const plu_problem *p, int slot)
{
    const plu_bound bound = p->yield.least > 0.0 ? island_of(p, slot)->bound : (plu_bound){0};
    return bound.most > 0.0 ? plu_slot_bears(p, slot, bound) : 0.0;
}
