/* walk.h: threads of a team share the tiles of a group.
 *
 * A free thread takes the next tile and already reserves the one after it: while it works on the
 * first it prefetches the second, block by block (base/fetch.h).
 *
 *     for (plu_walk w = plu_walk_group(problem, group, &taken); w.tile < w.end;
 *          plu_walk_on(problem, &w))
 *         visit(&problem->tiles[w.tile], &w.coming);
 */
#ifndef PROBLEM_WALK_H
#define PROBLEM_WALK_H

#include "problem/problem.h"

/* The slots of the next tile that are not prefetched yet: slot to end - 1. */
typedef struct plu_coming {
    int slot, end;
} plu_coming;

typedef struct plu_walk {
    int *taken;     /* shared by the team: how many tiles of the group are taken */
    int begin, end; /* tiles of the group */
    int tile, next; /* the present and the reserved tile; at least `end`: none */
    plu_coming coming;
} plu_walk;

/* Reserves a tile; at least w->end: none is left. */
static inline int plu_walk_take(const plu_walk *w)
{
    return w->begin + __atomic_fetch_add(w->taken, 1, __ATOMIC_RELAXED);
}

static inline plu_coming plu_coming_tile(const plu_problem *problem, int tile, int end)
{
    if (tile >= end)
        return (plu_coming){0, 0};
    const plu_tile *t = &problem->tiles[tile];
    return (plu_coming){problem->color_start[t->color_begin], plu_tile_end(problem, t)};
}

/* On to the next tile. */
static inline void plu_walk_on(const plu_problem *problem, plu_walk *w)
{
    w->tile = w->next;
    w->next = w->tile < w->end ? plu_walk_take(w) : w->end;
    w->coming = plu_coming_tile(problem, w->next, w->end);
}

/* Prefetches the rows of a whole tile: for the first tile, during whose predecessor nothing could
 * be prefetched. */
PLU_FETCH void plu_fetch_first(const plu_problem *problem, const plu_walk *w)
{
    const plu_coming all = plu_coming_tile(problem, w->tile, w->end);
    plu_fetch_rows(problem, problem->v, all.slot, all.end);
}

/* Starts a walk; every thread of a team calls it. `taken` is shared by the team, zero before the
 * first call, and must live until the last thread is done. */
static inline plu_walk plu_walk_group(const plu_problem *problem, int group, int *taken)
{
    plu_walk w = {.taken = taken,
                  .begin = problem->group_start[group],
                  .end = problem->group_start[group + 1]};
    w.next = plu_walk_take(&w);
    plu_walk_on(problem, &w);
    return w;
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
