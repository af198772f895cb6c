/* v = v_free + M^-1 H p of an island, from the impulses in its blocks. A slot changes both of its
 * bodies; who does it at once depends on what shares none:
 *
 *     small island   one thread, one color after the other
 *     large island   all threads on a color, whose slots share no body, then on the next
 *     tiled island   each thread a tile, in the order of turns.h
 *
 *   1. v of each body = v_free      2. each slot adds its impulse over the masses to both bodies
 *
 * The order of additions is fixed by colors and tiles, never by which thread comes first: the same
 * bits for any number of threads. Slots swept in single precision are converted to doubles first.
 */
#include "base/team.h"
#include "blocks/parts.h"
#include "blocks/problem_lanes.h"
#include <string.h>

/* The slot adds nothing to a sum for any constants, because a spare slot may share those of a pair.
 */
void plu_block_clear(plu_block *block, int k, int still)
{
    for (int i = 0; i < 7; i++)
        block->p[i][k] = 0.0;
    for (int i = 0; i < 3; i++)
        block->normal[i][k] = 0.0;
    block->bias[k] = 0.0;
    block->friction[k] = 1.0;
    block->a[k] = block->b[k] = still;
}

void plu_constants_clear(plu_pair_constants *t, int k)
{
    t->wn[k] = t->wt[k] = t->wr[k] = t->inverse_length[k] = 1.0;
    t->inverse_wn[k] = t->inverse_wt[k] = t->inverse_wr[k] = 1.0;
    t->wc[k] = t->mu[k] = t->mu_r[k] = t->mu_p[k] = t->arm_a[k] = t->arm_b[k] = t->mass_share[k] =
        t->strength[k] = 0.0;
}

void plu_problem_clear(plu_problem *problem)
{
    for (int k = 0; k < problem->islands_count; k++)
        problem->islands[k].stage = PLU_STAGE_IN_WORK;
    for (int slot = 0; slot < problem->slots; slot++) {
        plu_block *block = plu_block_of(problem, slot);
        block->pair = &problem->own_constants[slot / PLU_LANES];
        block->share = block->pair->mass_share;
        block->crossing = NULL;
        plu_block_clear(block, slot % PLU_LANES, plu_still_row(problem));
        plu_constants_clear(block->pair, slot % PLU_LANES);
    }
}

static void free_row(plu_problem *p, const plu_island *island, int row)
{
    if (island->stage > PLU_STAGE_FILLED)
        memcpy(p->v[row], p->v_free[row], sizeof *p->v);
}

/* Applies the impulses of the slots begin to end - 1 of one color; the overflow color needs
 * by_lanes = false, because its contacts may share bodies. */
static void apply_range(plu_problem *p, bool by_lanes, int begin, int end, plu_coming *coming)
{
    if (by_lanes)
        PLU_ISA_BEST(plu_apply_blocks)(p, begin, begin + plu_round_up(end - begin), coming);
    else
        plu_apply_blocks_one(p, begin, end, coming);
}

static void apply_tile(plu_problem *p, bool padded, const plu_tile *tile, plu_coming *coming)
{
    for (int c = tile->color_begin; c < tile->color_end; c++)
        apply_range(p, padded && !plu_is_overflow(tile, c), p->color_start[c],
                    p->color_start[c] + p->color_count[c], coming);
}

/* Converts the impulses of slots that were swept in single precision back first. */
static void give_range(plu_problem *p, const plu_single *single, int begin, int end)
{
    if (single)
        plu_single_give(single, p, begin, begin + plu_round_up(end - begin));
}

/* The colors of a large tile, by all threads of the team. */
static void share_tile(plu_problem *p, const plu_single *single, const plu_tile *tile)
{
    plu_coming none = {0, 0};
    for (int c = tile->color_begin; c < tile->color_end; c++) {
        const int begin = p->color_start[c], end = begin + p->color_count[c];
        const bool overflow = plu_is_overflow(tile, c);
        const int stride = overflow ? end - begin : PLU_SUM_CHUNK;
#pragma omp for schedule(static)
        for (int from = begin; from < end; from += stride) {
            give_range(p, single, from, from + stride < end ? from + stride : end);
            apply_range(p, !overflow, from, from + stride < end ? from + stride : end, &none);
        }
    }
}

/* Applies the impulses of a tile; if it was swept in single precision, converts them first. */
static void apply_cut_tile(plu_problem *p, const plu_single *single, const plu_tile *tile,
                           plu_coming *coming)
{
    give_range(p, single, p->color_start[tile->color_begin], plu_tile_end(p, tile));
    apply_tile(p, true, tile, coming);
}

static void free_cell(plu_problem *p, const plu_island *island, int cell)
{
    for (int i = p->cell_start[cell]; i < p->cell_start[cell + 1]; i++) {
        plu_fetch_body(p, island, p->v_free, sizeof *p->v_free, i);
        plu_fetch_body(p, island, p->v, sizeof *p->v, i);
        free_row(p, island, p->island_body[i]);
    }
}

static void apply_tiled(plu_problem *p, const plu_single *single, plu_tour *tour)
{
    plu_walk w = plu_walk_begin(tour);
    for (; w.tile < w.end; plu_walk_on(&w)) {
        for (int at = 0, cell; (cell = plu_walk_cell(&w, &at)) >= 0;)
            free_cell(p, tour->island, cell);
        apply_cut_tile(p, single, &p->tiles[w.tile], &w.coming);
    }
}

static void apply_shared(plu_problem *p, const plu_single *single, const plu_island *island)
{
#pragma omp for schedule(static)
    for (int i = island->body_begin; i < island->body_end; i++)
        free_row(p, island, p->island_body[i]);
    share_tile(p, single, &p->tiles[p->group_start[island->group_begin]]);
}

static void apply_small(plu_problem *p, const plu_island *island)
{
    for (int i = island->body_begin; i < island->body_end; i++)
        free_row(p, island, p->island_body[i]);
    plu_coming none = {0, 0};
    for (int t = p->group_start[island->group_begin]; t < p->group_start[island->group_end]; t++)
        apply_tile(p, island->padded, &p->tiles[t], &none);
}

static void apply(plu_problem *p, plu_island *island, const plu_single *single)
{
    if (island->tiled) {
        plu_tour tour;
        plu_tour_begin(&tour, p, island);
        PLU_TEAM(true, apply_tiled(p, single, &tour));
    } else if (island->large) {
        PLU_TEAM(true, apply_shared(p, single, island));
    } else {
        give_range(p, single, island->slot_begin, plu_padded_end(island));
        apply_small(p, island);
    }
    plu_servos_apply(p, island);
    island->stage = PLU_STAGE_IN_WORK;
}

void plu_problem_apply(plu_problem *p, plu_island *island)
{
    apply(p, island, NULL);
}

void plu_problem_apply_single(plu_problem *p, plu_island *island, const plu_single *single)
{
    apply(p, island, single);
}
