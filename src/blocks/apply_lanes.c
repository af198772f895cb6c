/* apply.c for a whole block at a time (compiled for each instruction set, base/cpu.h, and for both
 * precisions, blocks/precision.h). */
#include "blocks/block_lanes.h"
#include "blocks/problem_lanes.h"

static inline void apply(swept *problem, swept_block *c, int k)
{
    const impulses p = read_impulses(c, k);
    bodies a = read_rows(problem->v, c->a + k), b = read_rows(problem->v, c->b + k);
    apply_impulses(c, k, load3(c->normal, k), &p, &a, &b);
    write_rows(problem, c->a + k, false, &a);
    write_rows(problem, c->b + k, false, &b);
}

void PLU_ISA(plu_apply_blocks)(swept *problem, int begin, int end, plu_coming *coming)
{
    for (int slot = begin; slot < end; slot += STRIDE) {
        fetch_coming(problem, coming);
        for (int k = FIRST_LANE(slot); k < FIRST_LANE(slot) + STRIDE; k += WIDTH)
            apply(problem, &problem->blocks[slot / BLOCK], k);
    }
}
