/* One sweep over an island in doubles. What may run at once follows from what shares no body:
 *
 *     island
 *       group 0 | group 1 | ...                tiles of a group share no body (cuts.h)
 *        tile tile tile                        a thread has a tile: its blocks stay in cache
 *          color color color | overflow        contacts of a color share no body: SIMD lanes;
 *            block of 8 contacts               the overflow color may, and goes one by one
 *
 * tiled          threads take tiles, in turns (turns.h), and sweep each twice while it is in cache
 * large          one tile: all threads share the chunks of a color, with a barrier after each
 * small          one thread, from color to color
 *
 * Whoever works, sums are made by tile or chunk and joined in their order (parts.h), so that bits
 * do not depend on the number of threads. Local solvers that have no SIMD code take the contacts
 * one by one (`visit`): q = y - W_cc p, p' = local(q), rows += M^-1 H (p' - p), as in gs.c. */
#include "sweep/island_sweep.h"
#include "base/team.h"
#include "base/vec3.h"
#include "blocks/parts.h"
#include "blocks/yield.h"
#include "sweep/sweep_lanes.h"
#include <math.h>
#include <omp.h>

/* q of the local problem: y - W p. */
static inline void local_q(const plu_local *c, const double y[7], const double p[7], double q[7])
{
    double nt[3], nm[3];
    plu_cross(c->normal, p + 1, nt);
    plu_cross(c->normal, p + 4, nm);
    q[0] = y[0] - c->wn * p[0];
    for (int i = 0; i < 3; i++) {
        q[1 + i] = y[1 + i] - c->wt * p[1 + i] + c->wc * nm[i]; /* J m = -n x m */
        q[4 + i] = y[4 + i] - c->wr * p[4 + i] - c->wc * nt[i]; /* J^T r = n x r */
    }
}

static inline plu_local contact_of(const plu_block *c, int k, double tolerance, double most)
{
    return (plu_local){.normal = {c->normal[0][k], c->normal[1][k], c->normal[2][k]},
                       .wn = c->pair->wn[k],
                       .wt = c->pair->wt[k],
                       .wr = c->pair->wr[k],
                       .wc = c->pair->wc[k],
                       .mu = plu_slot_slope(c, k),
                       .mu_r = plu_slot_slope_r(c, k),
                       .mu_p = plu_slope_of(plu_slot_mu_p(c, k)),
                       .length = 1.0 / c->pair->inverse_length[k],
                       .most = most,
                       .tolerance = tolerance};
}

double plu_slot_change(const plu_problem *problem, int slot)
{
    const int k = slot % PLU_LANES;
    const plu_block *c = plu_block_of(problem, slot);
    const plu_local contact = contact_of(c, k, 0.0, plu_slot_most(problem, slot));
    double y[7], p[7], q[7], fresh[7], change[7];
    for (int i = 0; i < 7; i++)
        p[i] = fresh[i] = c->p[i][k];
    plu_slot_velocity(c, k, problem->v[c->a[k]], problem->v[c->b[k]], y);
    local_q(&contact, y, p, q);
    plu_local_exact(&contact, q, fresh);
    for (int i = 0; i < 7; i++)
        change[i] = (fresh[i] - p[i]) / (i < 4 ? 1.0 : contact.length);
    return sqrt(change[0] * change[0] + plu_dot(change + 1, change + 1) +
                plu_dot(change + 4, change + 4));
}

/* One local solve: all other impulses held, q = y - W p is what they alone would do at the
 * contact, and `fresh` solves the law for it. `p` is `last` carried on by beta of its latest
 * change (Nesterov's momentum, per contact); sums weigh moments by the length of the contact, so
 * that all have the unit of an impulse. */
static void visit(plu_problem *problem, int slot, const plu_sweep_way *way, plu_local_solve *local,
                  plu_sweep_sums *sum)
{
    const int k = slot % PLU_LANES;
    plu_block *c = plu_block_of(problem, slot);
    plu_block_before *before = &problem->before[slot / PLU_LANES];
    double *va = problem->v[c->a[k]], *vb = problem->v[c->b[k]];
    const plu_local contact = contact_of(c, k, way->tolerance, 0.0);
    const double floor = plu_noise(c, k, vb);
    double last[7], p[7], y[7], q[7], fresh[7], change[7];
    for (int i = 0; i < 7; i++) {
        last[i] = c->p[i][k];
        p[i] = fresh[i] =
            way->beta != 0.0 ? last[i] + way->beta * (last[i] - before->p[i][k]) : last[i];
    }
    plu_slot_velocity(c, k, va, vb, y);
    local_q(&contact, y, p, q);
    local(&contact, q, fresh);
    for (int i = 0; i < 7; i++) {
        change[i] = fresh[i] - p[i];
        if (way->keep)
            before->p[i][k] = last[i];
        c->p[i][k] = fresh[i];
    }
    plu_slot_apply(c, k, change, va, vb);
    const double g = c->pair->inverse_length[k] * c->pair->inverse_length[k];
    double momentum[7];
    for (int i = 0; i < 7; i++)
        momentum[i] = p[i] - last[i];
    sum->change += change[0] * change[0] + plu_dot(change + 1, change + 1) +
                   g * plu_dot(change + 4, change + 4);
    sum->size += fresh[0] * fresh[0] + plu_dot(fresh + 1, fresh + 1) +
                 g * plu_dot(fresh + 4, fresh + 4) + floor;
    sum->momentum += contact.wn * change[0] * momentum[0] +
                     contact.wt * plu_dot(change + 1, momentum + 1) +
                     contact.wr * plu_dot(change + 4, momentum + 4);
}

/* Sweeps slots one by one with any local solver; the exact one is compiled for a single lane. */
static plu_sweep_sums one_by_one(plu_problem *problem, int begin, int end, const plu_sweep_way *way,
                                 plu_local_solve *local)
{
    plu_sweep_sums sum = {0};
    if (local == plu_local_exact)
        return plu_sweep_blocks_one(problem, begin, end, way);
    for (int slot = begin; slot < end; slot++)
        visit(problem, slot, way, local, &sum);
    return sum;
}

typedef struct sweep_task { /* what the threads share */
    plu_problem *problem;
    const plu_island *island;
    const plu_sweep_way *way;
    plu_local_solve *local;
    plu_sweep_sums *part; /* by chunk or tile */
} sweep_task;

/* The number of chunks of a color that threads may sweep in parallel; 1 for the overflow color. */
static int chunks_of(const sweep_task *task, const plu_tile *tile, int color)
{
    const int count = task->problem->color_count[color];
    return plu_is_overflow(tile, color) ? 1 : (count + PLU_SUM_CHUNK - 1) / PLU_SUM_CHUNK;
}

/* Sweeps a chunk, in SIMD lanes if possible. */
static plu_sweep_sums sweep_chunk(const sweep_task *task, const plu_tile *tile, int color,
                                  int chunk)
{
    plu_problem *problem = task->problem;
    const int begin = problem->color_start[color], end = begin + problem->color_count[color];
    if (plu_is_overflow(tile, color))
        return one_by_one(problem, begin, end, task->way, task->local);
    const int from = begin + chunk * PLU_SUM_CHUNK;
    const int to = from + PLU_SUM_CHUNK < end ? from + PLU_SUM_CHUNK : end;
    if (!task->island->padded || task->local != plu_local_exact)
        return one_by_one(problem, from, to, task->way, task->local);
    return PLU_ISA_BEST(plu_sweep_blocks)(problem, from, to, task->way);
}

/* The further sweeps of a tile within a pass, which prefetch the next tile. */
static void sweep_again(const sweep_task *task, const plu_tile *tile, plu_coming *next)
{
    const plu_sweep_way again = {.tolerance = task->way->tolerance, .bound = task->way->bound};
    plu_problem *p = task->problem;
    for (int color = tile->color_begin; color < tile->color_end; color++) {
        const int begin = p->color_start[color], end = begin + p->color_count[color];
        if (plu_is_overflow(tile, color) || task->local != plu_local_exact)
            (void)one_by_one(p, begin, end, &again, task->local);
        else if (again.bound.most > 0.0)
            (void)PLU_ISA_BEST(plu_sweep_blocks)(p, begin, end, &again);
        else
            PLU_ISA_BEST(plu_sweep_again)(p, begin, end, next);
    }
}

/* The colors of a large tile, by all threads of the team. */
static void share_tile(const sweep_task *task, const plu_tile *tile)
{
    for (int color = tile->color_begin, first = 0; color < tile->color_end; color++) {
        const int chunks = chunks_of(task, tile, color);
#pragma omp for schedule(static)
        for (int i = 0; i < chunks; i++)
            task->part[first + i] = sweep_chunk(task, tile, color, i);
        first += chunks;
    }
}

static plu_sweep_sums sum_of_parts(const sweep_task *task, int parts)
{
    plu_sweep_sums sum = {0};
    plu_join_parts(task->island, task->part, parts, sizeof *task->part, PLU_SWEEP_SUMS,
                   &sum.change);
    return sum;
}

static plu_sweep_sums sweep_shared(const sweep_task *task, const plu_tile *tile)
{
    int parts = 0;
    for (int color = tile->color_begin; color < tile->color_end; color++)
        parts += chunks_of(task, tile, color);
    PLU_TEAM(true, share_tile(task, tile));
    return sum_of_parts(task, parts);
}

/* The chunks of sweep_shared, by one thread. */
static plu_sweep_sums sweep_tile(const sweep_task *task, const plu_tile *tile)
{
    plu_sweep_sums sum = {0};
    for (int color = tile->color_begin; color < tile->color_end; color++)
        for (int i = 0; i < chunks_of(task, tile, color); i++) {
            const plu_sweep_sums part = sweep_chunk(task, tile, color, i);
            plu_sweep_add(&sum, &part);
        }
    return sum;
}

static void sweep_tiles(const sweep_task *task, plu_tour *tour)
{
    const plu_problem *p = task->problem;
    const int first = p->group_start[task->island->group_begin];
    plu_walk w = plu_walk_begin(tour);
    plu_fetch_first(p, &w);
    for (; w.tile < w.end; plu_walk_on(&w)) {
        task->part[w.tile - first] = sweep_tile(task, &p->tiles[w.tile]);
        for (int i = 1; i < PLU_TILE_SWEEPS; i++)
            sweep_again(task, &p->tiles[w.tile], &w.coming);
    }
}

static plu_sweep_sums sweep_tiled(const sweep_task *task)
{
    const plu_island *island = task->island;
    const int *start = task->problem->group_start;
    plu_tour tour;
    plu_tour_begin(&tour, task->problem, island);
    PLU_TEAM(true, sweep_tiles(task, &tour));
    return sum_of_parts(task, start[island->group_end] - start[island->group_begin]);
}

plu_sweep_sums plu_sweep_island(plu_problem *problem, plu_island *island, const plu_sweep_way *way,
                                plu_local_solve *local)
{
    _Static_assert(sizeof(plu_sweep_sums) <= PLU_SUMS * sizeof(double), "room for a partial sum");
    const sweep_task task = {problem, island, way, local, (plu_sweep_sums *)problem->sums};
    const plu_tile *tile = &problem->tiles[problem->group_start[island->group_begin]];
    island->stage = PLU_STAGE_IN_WORK;
    if (island->tiled)
        return sweep_tiled(&task);
    return island->large ? sweep_shared(&task, tile) : sweep_tile(&task, tile);
}

void plu_momentum(plu_problem *problem, const plu_island *island, double beta)
{
    plu_move_on_function *move_on = PLU_ISA_BEST(plu_move_on);
    const int *body = problem->island_body, end = island->body_end;
    if (!island->large || omp_get_max_threads() == 1) {
        move_on(problem, body + island->body_begin, end - island->body_begin, beta);
        return;
    }
#pragma omp parallel for schedule(static)
    for (int i = island->body_begin; i < end; i += PLU_SUM_CHUNK)
        move_on(problem, body + i, end - i < PLU_SUM_CHUNK ? end - i : PLU_SUM_CHUNK, beta);
}
