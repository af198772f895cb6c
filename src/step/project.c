#include "base/memory.h"
#include "base/team.h"
#include "base/vec3.h"
#include "step/project_lanes.h"
#include "step/stepper.h"
#include <string.h>

enum { PASSES = 5 };

/* A body that sleeps stays where it is. */
static double weight(const plu_world *w, int body)
{
    return plu_awake(w, body) ? w->velocity[body][6] : 0.0;
}

/* Notes the pass in which a body moved. */
static void note(const plu_stepper *s, int body, int pass)
{
    s->moved[body] = (unsigned char)(pass + 1);
    s->world->quiet[body] = 0;
}

static void shift(const plu_stepper *s, int body, double way, const double normal[3], int pass)
{
    if (way == 0.0)
        return;
    plu_add_scaled(s->world->position[body], way, normal);
    note(s, body, pass);
}

/* Whether the pair has to be looked at: what was in order before and has not moved since is still
 * in order. */
static bool touched(const plu_stepper *s, int slot, int pass)
{
    const int a = s->problem.ends_of_slot[slot].a, b = s->problem.ends_of_slot[slot].b;
    const int since = pass > 0 ? pass : 1;
    return (b >= 0 && s->moved[b] >= since) || (a >= 0 && s->moved[a] >= since) ||
           (pass == 0 && b >= 0 && s->too_deep[slot]);
}

/* How deep the spheres a and b overlap; where they do by more than `least`, the normal too. */
static double overlap(const double a[4], const double b[4], double least, double normal[3])
{
    plu_sub(b, a, normal);
    const double distance = plu_norm(normal), depth = -(distance - a[3] - b[3]);
    if (distance == 0.0)
        return 0.0; /* same centre: no direction to move along */
    if (depth > least)
        for (int k = 0; k < 3; k++)
            normal[k] /= distance;
    return depth;
}

static double overlap_with_wall(const plu_stepper *s, int slot, double normal[3])
{
    const plu_contacts *list = s->contacts;
    const int a = list->contact[list->live[s->problem.contact_of_slot[slot]]].a;
    return -plu_part_gap(&s->world->parts[-1 - a],
                         s->world->position[s->problem.ends_of_slot[slot].b], normal);
}

/* Moves the pair apart by what exceeds the slop, the lighter body more. */
static bool separate(const plu_stepper *s, int slot, int pass)
{
    if (!touched(s, slot, pass))
        return false;
    plu_world *w = s->world;
    const int a = s->problem.ends_of_slot[slot].a, b = s->problem.ends_of_slot[slot].b;
    double normal[3];
    const double *xb = w->position[b], *xa = a >= 0 ? w->position[a] : NULL;
    const double d = 2.0 * (xa ? plu_min(xa[3], xb[3]) : xb[3]), slop = w->scene->slop * d;
    const double least = PLU_SLOP_MARGIN * slop;
    const double depth = xa ? overlap(xa, xb, least, normal) : overlap_with_wall(s, slot, normal);
    if (depth <= least)
        return false;
    const double excess = plu_min(depth - slop, PLU_STRIDE * d);
    const double wa = xa ? weight(w, a) : 0.0, wb = weight(w, b);
    shift(s, b, excess * wb / (wa + wb), normal, pass);
    if (xa)
        shift(s, a, -excess * wa / (wa + wb), normal, pass);
    return true;
}

/* The part of the way that body b of each pair of a block goes. */
static void find_shares(const plu_stepper *s, int slot)
{
    for (int k = slot; k < slot + PLU_LANES; k++) {
        const plu_ends ends = s->problem.ends_of_slot[k];
        s->share[k] = 0.0;
        if (ends.a < 0 || ends.b < 0)
            continue;
        const double wa = weight(s->world, ends.a), wb = weight(s->world, ends.b);
        s->share[k] = wb / (wa + wb);
    }
}

/* A block of one colour: pairs of spheres by lanes, contacts with walls one by one. */
static bool separate_block(const plu_stepper *s, const plu_overlaps *o, int slot, int pass)
{
    int k = 0, walls = 0;
    while (k < PLU_LANES && !touched(s, slot + k, pass))
        k++;
    if (k == PLU_LANES)
        return false;
    if (s->share[slot] < 0.0)
        find_shares(s, slot);
    const unsigned moved = PLU_ISA_BEST(plu_separate_pairs)(o, slot);
    bool any = moved != 0;
    for (k = 0; k < PLU_LANES; k++) {
        const plu_ends ends = s->problem.ends_of_slot[slot + k];
        walls |= ends.a;
        if (!(moved >> k & 1))
            continue;
        if (s->share[slot + k] != 0.0)
            note(s, ends.b, pass);
        if (s->share[slot + k] != 1.0)
            note(s, ends.a, pass);
    }
    for (k = 0; walls < 0 && k < PLU_LANES; k++)
        if (s->problem.ends_of_slot[slot + k].a < 0)
            any |= separate(s, slot + k, pass);
    return any;
}

static bool separate_range(const plu_stepper *s, int begin, int count, int pass)
{
    bool any = false;
    for (int slot = begin; slot < begin + count; slot++)
        any |= separate(s, slot, pass);
    return any;
}

static bool separate_blocks(const plu_stepper *s, const plu_overlaps *o, int begin, int count,
                            int pass)
{
    bool any = false;
    for (int slot = begin; slot < begin + count; slot += PLU_LANES)
        any |= separate_block(s, o, slot, pass);
    return any;
}

static bool pass_tile(const plu_stepper *s, bool padded, const plu_tile *tile,
                      const plu_overlaps *o, int pass)
{
    bool any = false;
    for (int c = tile->color_begin; c < tile->color_end; c++) {
        const int begin = s->problem.color_start[c], count = s->problem.color_count[c];
        any |= padded && !plu_is_overflow(tile, c) ? separate_blocks(s, o, begin, count, pass)
                                                   : separate_range(s, begin, count, pass);
    }
    return any;
}

/* One colour, by all threads of the team that calls. */
static bool share_color(const plu_stepper *s, const plu_tile *tile, const plu_overlaps *o, int c,
                        int pass)
{
    const int begin = s->problem.color_start[c], count = s->problem.color_count[c];
    int any = 0;
    if (plu_is_overflow(tile, c)) {
#pragma omp single
        any = separate_range(s, begin, count, pass);
        return any;
    }
#pragma omp for schedule(static)
    for (int slot = begin; slot < begin + count; slot += PLU_LANES)
        any |= separate_block(s, o, slot, pass);
    return any;
}

static bool pass_group(const plu_stepper *s, const plu_island *island, const plu_overlaps *o,
                       int group, int pass)
{
    const plu_problem *p = &s->problem;
    bool moved = false;
    if (island->large && !island->tiled) {
        const plu_tile *tile = &p->tiles[p->group_start[group]];
        for (int c = tile->color_begin; c < tile->color_end; c++)
            moved |= share_color(s, tile, o, c, pass);
        return moved;
    }
#pragma omp for schedule(dynamic)
    for (int t = p->group_start[group]; t < p->group_start[group + 1]; t++)
        moved |= pass_tile(s, island->padded, &p->tiles[t], o, pass);
    return moved;
}

static void pass_groups(const plu_stepper *s, const plu_island *island, const plu_overlaps *o,
                        int pass, bool *any)
{
    bool moved = false;
    for (int g = island->group_begin; g < island->group_end; g++)
        moved |= pass_group(s, island, o, g, pass);
    if (moved) {
#pragma omp atomic write
        *any = true;
    }
}

static bool project_pass(const plu_stepper *s, const plu_island *island, const plu_overlaps *o,
                         int pass)
{
    bool any = false;
    PLU_TEAM(island->large, pass_groups(s, island, o, pass, &any));
    return any;
}

static bool project_island(const plu_stepper *s, const plu_island *island, const plu_overlaps *o)
{
    bool moved = false;
    for (int k = island->body_begin; k < island->body_end; k++)
        s->moved[s->problem.island_body[k]] = 0;
    for (int pass = 0; pass < PASSES; pass++) {
        if (!project_pass(s, island, o, pass))
            break;
        moved = true;
    }
    return moved;
}

plu_status plu_project_positions(plu_stepper *s, plu_error *err)
{
    const size_t slots = (size_t)s->problem.slots;
    if (!memchr(s->too_deep, 1, slots))
        return PLU_OK;
    const plu_status status =
        plu_reserve(&s->share, &s->share_capacity, slots, sizeof *s->share, 0, err);
    if (status != PLU_OK)
        return status;
    for (size_t slot = 0; slot < slots; slot += PLU_LANES)
        s->share[slot] = -1.0; /* of the block: not known yet */
    const plu_overlaps o = {.position = s->world->position,
                            .ends = s->problem.ends_of_slot,
                            .share = s->share,
                            .least = PLU_SLOP_MARGIN * s->world->scene->slop,
                            .slop = s->world->scene->slop};
    const double before = plu_world_energy(s->world).potential;
    bool moved = false;
    for (int i = 0; i < s->problem.islands_count; i++)
        moved |= project_island(s, &s->problem.islands[i], &o);
    if (moved)
        s->totals.projection += plu_world_energy(s->world).potential - before;
    return PLU_OK;
}
