/* walk.h: the tiles of a group, shared by the threads of a team.
 *
 * A thread that becomes free takes the next tile, and knows the one after it: while it works on the
 * first it asks for the second, little by little (base/fetch.h).
 *
 *     for (plu_walk w = plu_walk_group(problem, group, &taken); w.tile < w.end;
 *          plu_walk_on(problem, &w))
 *         visit(&problem->tiles[w.tile], &w.coming);
 */
#ifndef PROBLEM_WALK_H
#define PROBLEM_WALK_H

#include "problem/problem.h"

/* Slots of the tile that comes next which are not prefetched yet. */
typedef struct plu_coming {
    int slot, end;
} plu_coming;

typedef struct plu_walk {
    int *taken;     /* tiles of the group that threads have taken */
    int begin, end; /* the group's */
    int tile, next; /* from `end` on: none */
    plu_coming coming;
} plu_walk;

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

/* Asks for the rows of the bodies of a whole tile: there was nothing before the first. */
PLU_FETCH void plu_fetch_first(const plu_problem *problem, const plu_walk *w)
{
    const plu_coming all = plu_coming_tile(problem, w->tile, w->end);
    plu_fetch_rows(problem, problem->v, all.slot, all.end);
}

/* By all threads of a team; `taken` is zero before the first of them comes, and theirs until the
 * last has left. */
static inline plu_walk plu_walk_group(const plu_problem *problem, int group, int *taken)
{
    plu_walk w = {.taken = taken,
                  .begin = problem->group_start[group],
                  .end = problem->group_start[group + 1]};
    w.next = plu_walk_take(&w);
    plu_walk_on(problem, &w);
    return w;
}

/* Asks for one more block and the rows of its bodies. */
PLU_FETCH void plu_fetch_coming(const plu_problem *problem, plu_coming *coming)
{
    if (coming->slot >= coming->end)
        return;
    plu_fetch_rows(problem, problem->v, coming->slot, coming->slot + PLU_LANES);
    plu_fetch_record(plu_block_of(problem, coming->slot), sizeof(plu_block));
    coming->slot += PLU_LANES;
}

#endif
