/* One sweep over an island in floats, the twin of island_sweep.c: the same tiles, colors and order,
 * with blocks of 16 contacts. There is no overflow color here (plu_single_suits), so nothing
 * branches. Momentum is part of the sweep: the first tile that visits a cell of bodies carries
 * their velocities on, while they are in cache,
 *
 *     v <- v + beta (v - v_before)         v and v_before change their places before the sweep, so
 *                                          that each body has one row written, not two
 *
 * and its sums, in the units of the floats (single.h), are converted to SI at the end. */
#include "base/team.h"
#include "blocks/parts.h"
#include "sweep/island_sweep.h"
#include "sweep/sweep_lanes.h"
#include <omp.h>

typedef struct sweep_task { /* what the threads share */
    plu_single *single;
    const plu_island *island;
    const plu_sweep_way *way;
    plu_sweep_sums *part; /* by tile, or by chunk of colors */
} sweep_task;

static plu_sweep_sums sweep_tile(const sweep_task *task, const plu_tile *tile)
{
    const plu_problem *p = task->single->problem;
    plu_sweep_sums sum = {0};
    for (int color = tile->color_begin; color < tile->color_end; color++) {
        const plu_sweep_sums part = PLU_ISA_BEST(plu_sweep_blocks_single)(
            task->single, p->color_start[color], plu_single_end_of(p, color), task->way);
        plu_sweep_add(&sum, &part);
    }
    return sum;
}

/* Moves on the bodies that nobody has visited before, which are in cache then. */
static void move_cells(const sweep_task *task, const plu_walk *w)
{
    plu_move_on_single_function *move_on = PLU_ISA_BEST(plu_move_on_single);
    const plu_problem *p = task->single->problem;
    for (int at = 0, cell; (cell = plu_walk_cell(w, &at)) >= 0;)
        move_on(task->single, p->island_body + p->cell_start[cell],
                p->cell_start[cell + 1] - p->cell_start[cell], task->way->beta);
}

/* The further sweeps of a tile within a pass, which prefetch the next tile. */
static void sweep_again(const sweep_task *task, const plu_tile *tile, plu_coming *next)
{
    plu_sweep_single_again_function *again = PLU_ISA_BEST(plu_sweep_again_single);
    const plu_problem *p = task->single->problem;
    for (int color = tile->color_begin; color < tile->color_end; color++)
        again(task->single, p->color_start[color], plu_single_end_of(p, color), next);
}

static void sweep_tiles(const sweep_task *task, plu_tour *tour)
{
    const plu_problem *p = task->single->problem;
    const int first = p->group_start[task->island->group_begin];
    plu_walk w = plu_walk_begin(tour);
    plu_single_fetch_first(task->single, &w);
    for (; w.tile < w.end; plu_walk_on(&w)) {
        if (task->way->moves)
            move_cells(task, &w);
        task->part[w.tile - first] = sweep_tile(task, &p->tiles[w.tile]);
        for (int i = 1; i < PLU_TILE_SWEEPS; i++)
            sweep_again(task, &p->tiles[w.tile], &w.coming);
    }
}

/* Moves on strips of the bodies of an island that is not tiled. */
static void move_strips(const sweep_task *task)
{
    plu_move_on_single_function *move_on = PLU_ISA_BEST(plu_move_on_single);
    const int end = task->island->body_end, *body = task->single->problem->island_body;
#pragma omp for schedule(static)
    for (int i = task->island->body_begin; i < end; i += PLU_SUM_CHUNK)
        move_on(task->single, body + i, end - i < PLU_SUM_CHUNK ? end - i : PLU_SUM_CHUNK,
                task->way->beta);
}

/* The colors of an island that is not tiled, by all threads of the team. */
static void sweep_colors(const sweep_task *task, const plu_tile *tile)
{
    const plu_problem *p = task->single->problem;
    if (task->way->moves)
        move_strips(task);
    for (int c = tile->color_begin, first = 0; c < tile->color_end; c++) {
        const int chunks = plu_single_chunks(p, c);
#pragma omp for schedule(static)
        for (int i = 0; i < chunks; i++) {
            const plu_coming at = plu_single_chunk(p, c, i);
            task->part[first + i] =
                PLU_ISA_BEST(plu_sweep_blocks_single)(task->single, at.slot, at.end, task->way);
        }
        first += chunks;
    }
}

/* Sweeps the island; returns the number of partial sums. */
static int sweep_parts(const sweep_task *task)
{
    const plu_problem *p = task->single->problem;
    const int first = p->group_start[task->island->group_begin];
    if (task->island->tiled) {
        plu_tour tour;
        plu_tour_begin(&tour, p, task->island);
        PLU_TEAM(true, sweep_tiles(task, &tour));
        return p->group_start[task->island->group_end] - first;
    }
    int parts = 0;
    for (int c = p->tiles[first].color_begin; c < p->tiles[first].color_end; c++)
        parts += plu_single_chunks(p, c);
    PLU_TEAM(true, sweep_colors(task, &p->tiles[first]));
    return parts;
}

/* An island of a single thread. */
static plu_sweep_sums sweep_alone(const sweep_task *task)
{
    plu_move_on_single_function *move_on = PLU_ISA_BEST(plu_move_on_single);
    const plu_island *island = task->island;
    const int *body = task->single->problem->island_body + island->body_begin;
    if (task->way->moves)
        move_on(task->single, body, island->body_end - island->body_begin, task->way->beta);
    return PLU_ISA_BEST(plu_sweep_blocks_single)(task->single, island->slot_begin,
                                                 plu_padded_end(island), task->way);
}

plu_sweep_sums plu_sweep_single(plu_single *single, const plu_island *island,
                                const plu_sweep_way *way)
{
    const sweep_task task = {single, island, way, (plu_sweep_sums *)single->problem->sums};
    if (way->moves) {
        float(*old)[8] = single->v_before;
        single->v_before = single->v;
        single->v = old;
    }
    plu_sweep_sums sum;
    if (island->large)
        plu_join_parts(island, task.part, sweep_parts(&task), sizeof *task.part, PLU_SWEEP_SUMS,
                       &sum.change);
    else
        sum = sweep_alone(&task);
    const double square = single->mass * single->mass;
    return (plu_sweep_sums){square * sum.change, square * sum.size, single->mass * sum.momentum,
                            square * sum.rounding};
}
