/* Fewer passes over the blocks of a step (flow.h has the stages). Of a tiled island, whose blocks
 * do not fit into a cache:
 *
 *     without                                  with
 *     fill all blocks       (write memory)     first sweep: fill tile, sweep tile     (in cache)
 *     sweep, sweep, ...     (read, write)      sweep, ...
 *     residual check        (read)             check: errors of a strip, then its impulses go back
 *     impulses to the list  (read)                    to the list and into the energy balance
 *
 * Others are filled at once by plu_flow_begin, and what no check has handed on plu_flow_end does.
 */
#include "blocks/flow.h"
#include "base/memory.h"
#include "base/team.h"
#include "blocks/parts.h"

enum { FEW = 4000 }; /* slots up to which more than one thread does not pay */

/* Chunk by chunk, shared by the threads of a team (base/team.h). */
static void share_slots(const plu_flow_call *call, int begin, int end)
{
#pragma omp for schedule(static) nowait
    for (int slot = begin; slot < end; slot += PLU_SUM_CHUNK)
        call->slots(call->context, slot, end - slot < PLU_SUM_CHUNK ? end : slot + PLU_SUM_CHUNK);
}

static void pass_slots(const plu_flow_call *call, int begin, int end)
{
    PLU_TEAM(plu_many(end - begin, FEW), share_slots(call, begin, end));
}

typedef void strip_visit(const plu_problem *problem, int strip);

/* The strips of a tiled island, shared by the threads of a team as its tiles are. */
static void share_tiled(const plu_problem *p, plu_shares *shares, strip_visit *visit)
{
    int range = 0;
    for (int i; (i = plu_shares_take(shares, &range)) >= 0;)
        visit(p, i);
}

static void pass_tiled(const plu_problem *p, const plu_island *island, strip_visit *visit)
{
    plu_shares shares;
    plu_share_strips(&shares, p, island);
    PLU_TEAM(true, share_tiled(p, &shares, visit));
}

static void fill_strip(const plu_problem *p, int strip)
{
    p->flow.fill.slots(p->flow.fill.context, p->strips[strip].begin, p->strips[strip].end);
}

/* Fills all slots except those of empty tiled islands, which are filled tile by tile later. */
static void fill_others(const plu_problem *p)
{
    int begin = 0;
    for (int k = 0; k < p->islands_count; k++) {
        const plu_island *island = &p->islands[k];
        if (!island->tiled)
            continue;
        pass_slots(&p->flow.fill, begin, island->slot_begin);
        if (island->stage != PLU_STAGE_EMPTY)
            pass_tiled(p, island, fill_strip);
        begin = plu_padded_end(island);
    }
    pass_slots(&p->flow.fill, begin, p->slots);
}

/* Fills blocks with NaN but with valid row indices, so that a read too early makes a test fail
 * instead of accessing invalid memory. */
static void poison_blocks(plu_problem *p)
{
    for (int slot = 0; PLU_POISONS && slot < p->slots; slot++) {
        plu_block *block = plu_block_of(p, slot);
        const int number = slot / PLU_LANES, k = slot % PLU_LANES;
        if (k == 0) {
            plu_poison(block, sizeof *block);
            plu_poison(&p->own_constants[number], sizeof *p->own_constants);
            plu_poison(&p->start[number], sizeof *p->start);
            block->pair = &p->own_constants[number];
            block->share = block->pair->mass_share;
            block->crossing = NULL;
        }
        block->a[k] = p->pair_of_slot[slot].a;
        block->b[k] = p->pair_of_slot[slot].b;
    }
}

void plu_flow_begin(plu_problem *p, bool once)
{
    p->flow.once = once;
    for (int k = 0; k < p->islands_count; k++) {
        plu_island *island = &p->islands[k];
        island->stage = !once           ? PLU_STAGE_IN_WORK
                        : island->tiled ? PLU_STAGE_EMPTY
                                        : PLU_STAGE_FILLED;
    }
    poison_blocks(p);
    fill_others(p);
}

void plu_flow_filled(plu_island *island)
{
    if (island->stage == PLU_STAGE_EMPTY)
        island->stage = PLU_STAGE_FILLED;
}

/* Only tiled islands are ever empty. */
void plu_flow_fill(plu_problem *p, plu_island *island)
{
    if (island->stage == PLU_STAGE_EMPTY)
        pass_tiled(p, island, fill_strip);
    plu_flow_filled(island);
}

void plu_flow_fill_all(plu_problem *p)
{
    for (int k = 0; k < p->islands_count; k++)
        plu_flow_fill(p, &p->islands[k]);
}

/* Also fills the spare slots up to the next tile or to the end of the island. */
void plu_flow_fill_tile(const plu_problem *p, const plu_island *island, int tile)
{
    if (island->stage != PLU_STAGE_EMPTY)
        return;
    const plu_tile *t = &p->tiles[tile];
    const bool last = tile + 1 == p->group_start[island->group_end];
    const int begin = p->color_start[t->color_begin];
    const int end = last ? plu_padded_end(island) : p->color_start[t[1].color_begin];
    p->flow.fill.slots(p->flow.fill.context, begin, end);
}

bool plu_flow_hands_on(const plu_problem *p, const plu_island *island)
{
    return p->flow.once && island->tiled && p->flow.done.strip;
}

void plu_flow_done(const plu_problem *p, int strip)
{
    p->flow.done.strip(p->flow.done.context, strip);
}

void plu_flow_handed_on(plu_island *island)
{
    island->stage = PLU_STAGE_HANDED_ON;
}

static void share_strips(const plu_problem *p, int begin, int end)
{
#pragma omp for schedule(static) nowait
    for (int i = begin; i < end; i++)
        plu_flow_done(p, i);
}

static void pass_strips(const plu_problem *p, int begin, int end)
{
    if (begin < end)
        PLU_TEAM(plu_many(p->strips[end - 1].end - p->strips[begin].begin, FEW),
                 share_strips(p, begin, end));
}

void plu_flow_end(plu_problem *p)
{
    int begin = 0;
    for (int k = 0; k < p->islands_count; k++) {
        const plu_island *island = &p->islands[k];
        if (!island->tiled)
            continue;
        pass_strips(p, begin, island->strip_begin);
        if (island->stage != PLU_STAGE_HANDED_ON)
            pass_tiled(p, island, plu_flow_done);
        begin = island->strip_end;
    }
    pass_strips(p, begin, p->strips_count);
    for (int k = 0; k < p->islands_count; k++)
        plu_flow_handed_on(&p->islands[k]);
}
