/* walk.h: threads of a team share the tiles of an island.
 *
 * A free thread takes a tile, by preference one of those that it had in the last walk
 * (base/team.h), and already reserves another: while it works on the first it prefetches the
 * second, block by block (base/memory.h). It starts a tile when those before it that share bodies
 * with it are done (turns.h). Threads take the tiles of a group before those of the next one, so
 * that there is always a thread whose tile waits for none that is still to be taken.
 *
 *     plu_tour tour;
 *     plu_tour_begin(&tour, problem, island);
 *
 * once, then each thread of a team
 *
 *     for (plu_walk w = plu_walk_begin(&tour); w.tile < w.end; plu_walk_on(&w))
 *         visit(&problem->tiles[w.tile], &w.coming);
 */
#ifndef BLOCKS_WALK_H
#define BLOCKS_WALK_H

#include "blocks/parts.h"

/* The slots of the next tile that are not prefetched yet: slot to end - 1. */
typedef struct plu_coming {
    int slot, end;
} plu_coming;

/* Shared by a team. */
typedef struct plu_tour {
    const plu_problem *problem;
    const plu_island *island;
    plu_shares shares; /* a range for each group of tiles */
} plu_tour;

typedef struct plu_walk {
    plu_tour *tour;
    int end;        /* of the tiles */
    int group;      /* of the reserved tile, from 0 on */
    int tile, next; /* the present and the reserved tile; `end`: none */
    plu_coming coming;
} plu_walk;

/* Reserves a tile; w->end: none is left. */
static inline int plu_walk_take(plu_walk *w)
{
    const int tile = plu_shares_take(&w->tour->shares, &w->group);
    return tile >= 0 ? tile : w->end;
}

static inline plu_coming plu_coming_tile(const plu_problem *problem, int tile, int end)
{
    if (tile >= end)
        return (plu_coming){0, 0};
    const plu_tile *t = &problem->tiles[tile];
    return (plu_coming){problem->color_start[t->color_begin], plu_tile_end(problem, t)};
}

/* On to the reserved tile, when it is its turn. */
static inline void plu_walk_enter(plu_walk *w)
{
    const plu_tour *tour = w->tour;
    w->tile = w->next;
    w->next = w->tile < w->end ? plu_walk_take(w) : w->end;
    w->coming = plu_coming_tile(tour->problem, w->next, w->end);
    if (w->tile < w->end)
        plu_turns_await(tour->problem, tour->island, w->tile);
}

/* The tile is done. */
static inline void plu_walk_on(plu_walk *w)
{
    plu_turns_end(w->tour->problem, w->tile);
    plu_walk_enter(w);
}

/* Prefetches the rows of a whole tile: for the first tile, during whose predecessor nothing could
 * be prefetched. */
PLU_FETCH void plu_fetch_first(const plu_problem *problem, const plu_walk *w)
{
    const plu_coming all = plu_coming_tile(problem, w->tile, w->end);
    plu_fetch_rows(problem, problem->v, all.slot, all.end);
}

/* Before threads begin to walk. */
static inline void plu_tour_begin(plu_tour *tour, const plu_problem *problem,
                                  const plu_island *island)
{
    tour->problem = problem;
    tour->island = island;
    plu_turns_begin(problem, island);
    plu_share_tiles(&tour->shares, problem, island);
}

/* Starts a walk; every thread of a team calls it. The tour must live until the last one is done. */
static inline plu_walk plu_walk_begin(plu_tour *tour)
{
    plu_walk w = {.tour = tour, .end = tour->problem->group_start[tour->island->group_end]};
    w.next = plu_walk_take(&w);
    plu_walk_enter(&w);
    return w;
}

/* A cell that no tile has visited before in this walk; -1: no further one. *at: 0 for the first
 * call. */
static inline int plu_walk_cell(const plu_walk *w, int *at)
{
    return plu_turns_first(w->tour->problem, w->tour->island, w->tile, at);
}

/* Prefetches one more block of the next tile and the rows of its bodies. */
PLU_FETCH void plu_fetch_coming(const plu_problem *problem, plu_coming *coming)
{
    if (coming->slot >= coming->end)
        return;
    plu_fetch_rows(problem, problem->v, coming->slot, coming->slot + PLU_LANES);
    plu_fetch_record(plu_block_of(problem, coming->slot), sizeof(plu_block));
    coming->slot += PLU_LANES;
}

#endif
