/* The floats of an island: what is converted, when, and in which units (single.h). With m a body's
 * mass and l its radius of gyration, both powers of two, so that converting rounds but never scales
 * away:
 *
 *     v     m/s          as it is                p_N, p_T     over m
 *     w     rad/s        times l                 p_R          over m l
 *     1/m, 1/I           times m, m l^2          W            times m, m l, m l^2
 *
 * so all numbers are near those of unit spheres. Two blocks of doubles make one of sixteen floats.
 * What stands still has a row of zeros: floats write rows without a branch, and threads must not
 * write the same one, so there is one for each tile, or for each chunk of a color. */
#include "blocks/single.h"
#include "base/memory.h"
#include "base/team.h"
#include "blocks/parts.h"
#include "blocks/problem_lanes.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int first_tile(const plu_problem *p, const plu_island *island)
{
    return p->group_start[island->group_begin];
}

static int end_tile(const plu_problem *p, const plu_island *island)
{
    return p->group_start[island->group_end];
}

bool plu_single_suits(const plu_problem *p, const plu_island *island)
{
    if (!island->wide)
        return false;
    for (int t = first_tile(p, island); t < end_tile(p, island); t++)
        if (p->tiles[t].serial_tail)
            return false;
    return true;
}

static void take_field(float *to, const double *from, double unit)
{
    for (int k = 0; k < PLU_LANES; k++)
        to[k] = (float)(from[k] * unit);
}

/* Converts pair constants to the lanes k to k + 7. */
static void take_terms(const plu_single *s, const plu_pair_constants *t, plu_single_terms *to,
                       int k)
{
    const double m = s->mass, l = s->length, i = m * l * l;
    take_field(to->arm_a + k, t->arm_a, 1.0 / l);
    take_field(to->arm_b + k, t->arm_b, 1.0 / l);
    take_field(to->wn + k, t->wn, m);
    take_field(to->wt + k, t->wt, m);
    take_field(to->wr + k, t->wr, i);
    take_field(to->wc + k, t->wc, m * l);
    take_field(to->inverse_wn + k, t->inverse_wn, 1.0 / m);
    take_field(to->inverse_wt + k, t->inverse_wt, 1.0 / m);
    take_field(to->inverse_wr + k, t->inverse_wr, 1.0 / i);
    take_field(to->mu + k, t->mu, 1.0);
    take_field(to->mu_r + k, t->mu_r, 1.0 / l);
    take_field(to->mu_p + k, t->mu_p, 1.0 / l);
    take_field(to->inverse_length + k, t->inverse_length, l);
}

static bool is_shared(const plu_problem *p, const plu_pair_constants *t)
{
    return p->shared > 0 && t >= p->shared_constants && t < p->shared_constants + p->shared;
}

static bool is_empty(const plu_problem *p, const plu_block *c)
{
    for (int k = 0; k < PLU_LANES; k++)
        if (c->b[k] != plu_still_row(p))
            return false;
    return true;
}

/* The constants of a block of floats, from two blocks of doubles. Empty blocks take those of the
 * block before. */
static const plu_single_terms *terms_of(plu_single *s, const plu_block *first,
                                        const plu_block *second, int block)
{
    const plu_problem *p = s->problem;
    const plu_pair_constants *t = first->pair, *u = is_empty(p, second) ? t : second->pair;
    if (t == u && is_shared(p, t))
        return &s->shared[t - p->shared_constants];
    take_terms(s, t, &s->own_constants[block], 0);
    take_terms(s, u, &s->own_constants[block], PLU_LANES);
    return &s->own_constants[block];
}

static void take_crossing(plu_single_crossing *to, const plu_crossing *from, int k)
{
    for (int i = 0; i < 3; i++)
        if (from)
            take_field(to->drift[i] + k, from->drift[i], 1.0);
        else
            memset(to->drift[i] + k, 0, PLU_LANES * sizeof **to->drift);
}

/* The crossings of a block of floats, from those of two blocks of doubles. */
static plu_single_crossing *crossing_of(plu_single *s, const plu_block *first,
                                        const plu_block *second, int block)
{
    if (!s->problem->drifts || (!first->crossing && !second->crossing))
        return NULL;
    take_crossing(&s->crossings[block], first->crossing, 0);
    take_crossing(&s->crossings[block], second->crossing, PLU_LANES);
    return &s->crossings[block];
}

/* Converts the slots begin to end - 1; number of their row of zeros: `still`. */
static void take_slots(plu_single *s, int begin, int end, int still)
{
    for (int slot = begin; slot < end; slot += PLU_WIDE) {
        plu_block *first = plu_block_of(s->problem, slot), *second = first + 1;
        plu_single_block *to = plu_single_block_of(s, slot);
        PLU_ISA_BEST(plu_to_single)(s, first, to, 0, still);
        PLU_ISA_BEST(plu_to_single)(s, second, to, PLU_LANES, still);
        to->pair = terms_of(s, first, second, slot / PLU_WIDE);
        to->crossing = crossing_of(s, first, second, slot / PLU_WIDE);
    }
}

/* The number of row of zeros `number`. */
static int still_row(const plu_problem *p, int number)
{
    return p->moving + p->given + number;
}

static void take_tile(plu_single *s, const plu_island *island, int number)
{
    const plu_problem *p = s->problem;
    const plu_tile *tile = &p->tiles[number];
    plu_flow_fill_tile(p, island, number);
    take_slots(s, p->color_start[tile->color_begin], plu_tile_end(p, tile),
               still_row(p, number - first_tile(p, island)));
}

static void take_row(const plu_single *s, const double *row, float *to)
{
    const double m = s->mass, l = s->length;
    const double unit[8] = {1.0, 1.0, 1.0, l, l, l, m, m * l * l};
    for (int k = 0; k < 8; k++)
        to[k] = (float)(row[k] * unit[k]);
}

/* Converts the rows of a part of the bodies; returns their mass (kg). */
static double take_bodies(const plu_single *s, const plu_island *island, plu_body_part part)
{
    const plu_problem *p = s->problem;
    double mass = 0.0;
    for (int k = part.begin; k < part.end; k++) {
        const int body = p->island_body[k];
        plu_fetch_body(p, island, p->v_free, sizeof *p->v_free, k);
        plu_fetch_body(p, island, s->v, sizeof *s->v, k);
        take_row(s, p->v_free[body], s->v[body]);
        mass += 1.0 / p->v_free[body][6];
    }
    return mass;
}

/* Copies the given rows. */
static void take_given(const plu_single *s)
{
    const plu_problem *p = s->problem;
    for (int row = p->moving; row < p->moving + p->given; row++) {
        take_row(s, p->v_free[row], s->v[row]);
        take_row(s, p->v_free[row], s->v_before[row]);
    }
}

/* The number of rows of zeros that an island needs. */
static int stills(const plu_problem *p, const plu_island *island)
{
    const plu_tile *tile = &p->tiles[first_tile(p, island)];
    int most = end_tile(p, island) - first_tile(p, island);
    for (int c = tile->color_begin; c < tile->color_end && !island->tiled; c++)
        most = most < plu_single_chunks(p, c) ? plu_single_chunks(p, c) : most;
    return most;
}

static void apply_tile(plu_single *s, const plu_tile *tile, plu_coming *coming)
{
    plu_apply_single_function *apply = PLU_ISA_BEST(plu_apply_blocks_single);
    const plu_problem *p = s->problem;
    for (int c = tile->color_begin; c < tile->color_end; c++)
        apply(s, p->color_start[c], plu_single_end_of(p, c), coming);
}

static void apply_slots(plu_single *s, int begin, int end)
{
    plu_coming none = {0, 0};
    PLU_ISA_BEST(plu_apply_blocks_single)(s, begin, end, &none);
}

/* v = v_free + M^-1 H p, converted to floats on the way, of an island of a single thread. */
static void take_alone(plu_single *s, const plu_island *island, int still)
{
    const plu_body_part all = {island->body_begin, island->body_end};
    const double mass = take_bodies(s, island, all);
    take_slots(s, island->slot_begin, plu_padded_end(island), still);
    apply_slots(s, island->slot_begin, plu_padded_end(island));
    s->island_mass = mass / sqrt((double)(all.end - all.begin));
}

/* v = v_free + M^-1 H p over all tiles, converted to floats on the way; part[i]: the mass of the
 * bodies of cell i. */
static void take_tiles(plu_single *s, plu_tour *tour, double *part)
{
    const plu_problem *p = s->problem;
    const plu_island *island = tour->island;
    for (plu_walk w = plu_walk_begin(tour); w.tile < w.end; plu_walk_on(&w)) {
        for (int at = 0, cell; (cell = plu_walk_cell(&w, &at)) >= 0;)
            part[cell - island->cell_begin] =
                take_bodies(s, island, plu_body_part_of(p, island, cell - island->cell_begin));
        take_tile(s, island, w.tile);
        apply_tile(s, &p->tiles[w.tile], &w.coming);
    }
}

/* As take_tiles for an island that is not tiled: threads share the chunks of a color. */
static void take_colors(plu_single *s, const plu_island *island, double *part)
{
    const plu_problem *p = s->problem;
    const plu_tile *tile = &p->tiles[first_tile(p, island)];
#pragma omp for schedule(static)
    for (int i = 0; i < plu_body_parts(island); i++)
        part[i] = take_bodies(s, island, plu_body_part_of(p, island, i));
    for (int c = tile->color_begin; c < tile->color_end; c++) {
#pragma omp for schedule(static)
        for (int i = 0; i < plu_single_chunks(p, c); i++) {
            const plu_coming at = plu_single_chunk(p, c, i);
            take_slots(s, at.slot, at.end, still_row(p, i));
            apply_slots(s, at.slot, at.end);
        }
    }
}

static plu_status reserve(plu_single *s, const plu_problem *p, int zeros, plu_error *err)
{
    const size_t rows = (size_t)(p->moving + p->given + zeros);
    const size_t blocks = (size_t)p->slots / PLU_WIDE + 1;
    plu_status status = plu_reserve(&s->v, &s->v_capacity, rows, sizeof *s->v, 0, err);
    if (status == PLU_OK)
        status = plu_reserve(&s->v_before, &s->v_before_capacity, rows, sizeof *s->v, 0, err);
    if (status == PLU_OK)
        status = plu_reserve(&s->blocks, &s->blocks_capacity, blocks, sizeof *s->blocks, 0, err);
    if (status == PLU_OK)
        status = plu_reserve(&s->before, &s->before_capacity, blocks, sizeof *s->before, 0, err);
    if (status == PLU_OK)
        status = plu_reserve(&s->own_constants, &s->own_capacity, blocks, sizeof *s->own_constants,
                             0, err);
    if (status == PLU_OK)
        status = plu_reserve(&s->shared, &s->shared_capacity, (size_t)p->shared + 1,
                             sizeof *s->shared, 0, err);
    if (status == PLU_OK && p->drifts)
        status = plu_reserve(&s->crossings, &s->crossings_capacity, blocks, sizeof *s->crossings, 0,
                             err);
    return status;
}

plu_status plu_single_prepare(plu_single *s, const plu_problem *p, int zeros, plu_error *err)
{
    const plu_status status = reserve(s, p, zeros, err);
    if (status != PLU_OK)
        return status;
    const bool same = s->shared_of == p->shared_constants && s->mass == p->unit_mass &&
                      s->length == p->unit_length;
    s->problem = p;
    s->tangential = false;
    s->shared_of = p->shared_constants;
    s->mass = p->unit_mass;
    s->length = p->unit_length;
    for (int i = 0; i < p->shared && !same; i++)
        for (int k = 0; k < PLU_WIDE; k += PLU_LANES)
            take_terms(s, &p->shared_constants[i], &s->shared[i], k);
    take_given(s);
    for (int i = 0; i < zeros; i++) {
        memset(s->v[still_row(p, i)], 0, sizeof *s->v);
        memset(s->v_before[still_row(p, i)], 0, sizeof *s->v_before);
    }
    return PLU_OK;
}

void plu_single_begin_alone(plu_single *s, plu_island *island, int zero)
{
    s->tangential = true;
    take_alone(s, island, still_row(s->problem, zero));
    plu_flow_filled(island);
}

plu_status plu_single_begin(plu_single *s, const plu_problem *p, plu_island *island, plu_error *err)
{
    const plu_status status = plu_single_prepare(s, p, stills(p, island), err);
    if (status != PLU_OK)
        return status;
    if (island->tiled) {
        plu_tour tour;
        plu_tour_begin(&tour, p, island);
        PLU_TEAM(true, take_tiles(s, &tour, p->sums));
    } else {
        PLU_TEAM(true, take_colors(s, island, p->sums));
    }
    plu_flow_filled(island);
    s->island_mass = plu_mass_of_parts(island, p->sums);
    return PLU_OK;
}

/* Takes over a body's velocity; v_before, kept for momentum, changes by the same amount. */
static void renew_row(plu_single *s, int body)
{
    float *v = s->v[body], *before = s->v_before[body];
    for (int k = 0; k < 6; k++)
        before[k] -= v[k];
    take_row(s, s->problem->v[body], v);
    for (int k = 0; k < 6; k++)
        before[k] += v[k];
}

static void renew(plu_single *s, const plu_island *island)
{
    const plu_problem *p = s->problem;
#pragma omp for schedule(static)
    for (int i = island->body_begin; i < island->body_end; i++) {
        plu_fetch_body(p, island, p->v, sizeof *p->v, i);
        plu_fetch_body(p, island, s->v, sizeof *s->v, i);
        plu_fetch_body(p, island, s->v_before, sizeof *s->v_before, i);
        renew_row(s, p->island_body[i]);
    }
}

void plu_single_renew(plu_single *s, const plu_island *island)
{
    PLU_TEAM(island->large, renew(s, island));
}

void plu_single_give(const plu_single *s, plu_problem *p, int begin, int end)
{
    plu_from_single_function *give = PLU_ISA_BEST(plu_from_single);
    for (int slot = begin; slot < end; slot += PLU_LANES)
        give(s, plu_single_block_of(s, slot), slot % PLU_WIDE, plu_block_of(p, slot));
}

void plu_single_free(plu_single *s)
{
    free(s->v);
    free(s->v_before);
    free(s->blocks);
    free(s->before);
    free(s->shared);
    free(s->own_constants);
    free(s->crossings);
}
