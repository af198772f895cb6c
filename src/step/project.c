#include "base/team.h"
#include "base/vec3.h"
#include "step/project_lanes.h"
#include "step/stepper.h"
#include <string.h>

enum {
    PASSES = 5,
    TILE_ROUNDS = 2, /* over all tiles of an island that is cut */
    TILE_PASSES = 2  /* at most, over a tile in a round: the bodies are at hand then */
};

/* One pass over some pairs. Only those are looked at that the step may have left too deep, in the
 * first, or of which a body moved since they were looked at. */
typedef struct pass {
    int number; /* from 0 on */
    int since;  /* earliest pass + 1 that moved bodies not seen yet */
    bool first;
} pass;

static pass plain_pass(int number)
{
    return (pass){number, number > 0 ? number : 1, number == 0};
}

/* Visits of tiles leave the same mark: what has moved at all in this step is looked at. */
static pass tile_pass(int round, int visit)
{
    return (pass){0, 1, round == 0 && visit == 0};
}

/* A body that sleeps stays where it is. */
static double weight(const plu_world *w, int body)
{
    return plu_awake(w, body) ? w->velocity[body][6] : 0.0;
}

/* What a pass leaves at bodies that it moves. */
static unsigned char mark_of(const pass *now)
{
    return (unsigned char)(now->number + 1);
}

static void note(const plu_stepper *s, int body, const pass *now)
{
    s->moved[body] = mark_of(now);
    s->world->quiet[body] = 0;
}

static void shift(const plu_stepper *s, int body, double way, const double normal[3],
                  const pass *now)
{
    if (way == 0.0)
        return;
    plu_add_scaled(s->world->position[body], way, normal);
    note(s, body, now);
}

/* Whether the pair has to be looked at: what was in order before and has not moved since is still
 * in order. */
static bool touched(const plu_stepper *s, int slot, const pass *now)
{
    const int a = s->problem.ends_of_slot[slot].a, b = s->problem.ends_of_slot[slot].b;
    return (b >= 0 && s->moved[b] >= now->since) || (a >= 0 && s->moved[a] >= now->since) ||
           (now->first && b >= 0 && s->too_deep[slot]);
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
static bool separate(const plu_stepper *s, int slot, const pass *now)
{
    if (!touched(s, slot, now))
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
    shift(s, b, excess * wb / (wa + wb), normal, now);
    if (xa)
        shift(s, a, -excess * wa / (wa + wb), normal, now);
    return true;
}

/* Contacts with walls among the slots, one by one. */
static bool separate_walls(const plu_stepper *s, int begin, int end, const pass *now)
{
    bool any = false;
    for (int slot = begin; slot < end; slot++)
        if (s->problem.ends_of_slot[slot].a < 0)
            any |= separate(s, slot, now);
    return any;
}

/* Whole blocks of one colour: pairs of spheres by lanes. */
static bool separate_blocks(const plu_stepper *s, const plu_overlaps *o, int begin, int count,
                            const pass *now)
{
    const bool any =
        PLU_ISA_BEST(plu_separate_blocks)(o, begin, begin + plu_round_up(count), mark_of(now));
    return any | separate_walls(s, begin, begin + count, now);
}

static bool any_touched(const plu_stepper *s, int begin, int end, const pass *now)
{
    while (begin < end && !touched(s, begin, now))
        begin++;
    return begin < end;
}

/* A block, if one of its pairs has to be looked at. */
static bool separate_block(const plu_stepper *s, const plu_overlaps *o, int slot, const pass *now)
{
    return any_touched(s, slot, slot + PLU_LANES, now) &&
           separate_blocks(s, o, slot, PLU_LANES, now);
}

static bool separate_range(const plu_stepper *s, int begin, int count, const pass *now)
{
    bool any = false;
    for (int slot = begin; slot < begin + count; slot++)
        any |= separate(s, slot, now);
    return any;
}

/* A colour, block by block, or all of it where most is to be looked at. */
static bool separate_color(const plu_stepper *s, const plu_overlaps *o, int begin, int count,
                           bool whole, const pass *now)
{
    if (whole)
        return separate_blocks(s, o, begin, count, now);
    bool any = false;
    for (int slot = begin; slot < begin + count; slot += PLU_LANES)
        any |= separate_block(s, o, slot, now);
    return any;
}

static bool pass_tile(const plu_stepper *s, bool padded, bool whole, const plu_tile *tile,
                      const plu_overlaps *o, const pass *now)
{
    bool any = false;
    for (int c = tile->color_begin; c < tile->color_end; c++) {
        const int begin = s->problem.color_start[c], count = s->problem.color_count[c];
        any |= padded && !plu_is_overflow(tile, c) ? separate_color(s, o, begin, count, whole, now)
                                                   : separate_range(s, begin, count, now);
    }
    return any;
}

/* One colour, by all threads of the team that calls. */
static bool share_color(const plu_stepper *s, const plu_tile *tile, const plu_overlaps *o, int c,
                        const pass *now)
{
    const int begin = s->problem.color_start[c], count = s->problem.color_count[c];
    int any = 0;
    if (plu_is_overflow(tile, c)) {
#pragma omp single
        any = separate_range(s, begin, count, now);
        return any;
    }
#pragma omp for schedule(static)
    for (int slot = begin; slot < begin + count; slot += PLU_LANES)
        any |= separate_block(s, o, slot, now);
    return any;
}

/* A small island, or the one tile of a large one by all threads. */
static void pass_island(const plu_stepper *s, const plu_island *island, const plu_overlaps *o,
                        const pass *now, bool *any)
{
    const plu_tile *tile = &s->problem.tiles[s->problem.group_start[island->group_begin]];
    bool moved = false;
    if (island->large)
        for (int c = tile->color_begin; c < tile->color_end; c++)
            moved |= share_color(s, tile, o, c, now);
    else
        moved = pass_tile(s, island->padded, false, tile, o, now);
    if (moved) {
#pragma omp atomic write
        *any = true;
    }
}

/* Asks for what a tile is looked at for: the visit waits for each block, since it decides by it
 * what to do next. */
PLU_FETCH void fetch_places(const plu_stepper *s, int begin, int end)
{
    for (int slot = begin; slot < end; slot++) {
        const plu_ends ends = s->problem.ends_of_slot[slot];
        plu_fetch(s->world->position[ends.a >= 0 ? ends.a : 0]);
        plu_fetch(s->world->position[ends.b >= 0 ? ends.b : 0]);
        plu_fetch(&s->moved[ends.b >= 0 ? ends.b : 0]);
        plu_fetch(&s->world->quiet[ends.b >= 0 ? ends.b : 0]);
        if (slot % PLU_LANES == 0)
            plu_fetch(&plu_block_of(&s->problem, slot)->pair);
    }
}

/* A tile until it is in order. Where there is something to do in it there is much, as a rule: then
 * asking block by block would take longer than looking. */
static bool settle_tile(const plu_stepper *s, const plu_tile *tile, const plu_overlaps *o,
                        int round)
{
    const plu_problem *p = &s->problem;
    const int begin = p->color_start[tile->color_begin], end = plu_tile_end(p, tile);
    bool moved = false;
    for (int visit = 0; visit < TILE_PASSES; visit++) {
        const pass now = tile_pass(round, visit);
        if (visit == 0 && !any_touched(s, begin, end, &now))
            break;
        if (visit == 0)
            fetch_places(s, begin, end);
        if (!pass_tile(s, true, true, tile, o, &now))
            break;
        moved = true;
    }
    return moved;
}

/* Tiles of a group side by side. */
static void pass_tiles(const plu_stepper *s, const plu_island *island, const plu_overlaps *o,
                       int round, bool *any)
{
    const plu_problem *p = &s->problem;
    bool moved = false;
    for (int g = island->group_begin; g < island->group_end; g++) {
#pragma omp for schedule(dynamic)
        for (int t = p->group_start[g]; t < p->group_start[g + 1]; t++)
            moved |= settle_tile(s, &p->tiles[t], o, round);
    }
    if (moved) {
#pragma omp atomic write
        *any = true;
    }
}

/* Whether something moved. */
static bool project_once(const plu_stepper *s, const plu_island *island, const plu_overlaps *o,
                         int number)
{
    bool any = false;
    if (island->tiled) {
        PLU_TEAM(true, pass_tiles(s, island, o, number, &any));
    } else {
        const pass now = plain_pass(number);
        PLU_TEAM(island->large, pass_island(s, island, o, &now, &any));
    }
    return any;
}

static bool project_island(const plu_stepper *s, const plu_island *island, const plu_overlaps *o)
{
    const int times = island->tiled ? TILE_ROUNDS : PASSES;
    bool moved = false;
    for (int number = 0; number < times && project_once(s, island, o, number); number++)
        moved = true;
    return moved;
}

void plu_project_positions(plu_stepper *s)
{
    const size_t slots = (size_t)s->problem.slots;
    if (!memchr(s->too_deep, 1, slots))
        return;
    const plu_overlaps o = {.position = s->world->position,
                            .moved = s->moved,
                            .quiet = s->world->quiet,
                            .ends = s->problem.ends_of_slot,
                            .blocks = s->problem.blocks,
                            .least = PLU_SLOP_MARGIN * s->world->scene->slop,
                            .slop = s->world->scene->slop};
    const double before = plu_world_energy(s->world).potential;
    bool moved = false;
    memset(s->moved, 0, (size_t)s->world->count);
    for (int i = 0; i < s->problem.islands_count; i++)
        moved |= project_island(s, &s->problem.islands[i], &o);
    if (moved)
        s->totals.projection += plu_world_energy(s->world).potential - before;
}
