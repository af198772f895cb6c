/* Position projection (src/theory.md, "Position projection"): nonlinear Gauss-Seidel on positions,
 * as position based dynamics has it (Mueller et al., J. Vis. Commun. Image R. 18 (2007) 109), for
 * what errors of the solves leave of overlaps. Velocities and impulses stay as they are.
 *
 *        depth                      excess e = min(depth - slop d, stride d)
 *        |-->|                      x_b += e w_b / (w_a + w_b) n
 *     (  a  (:)  b  )   n -->       x_a -= e w_a / (w_a + w_b) n ,   w = 1/m, 0 for walls and
 *                                                                     bodies that sleep
 *
 * Pairs of one color share no body, so threads take them at once and the order does not matter.
 * The stride bounds what one pass moves: a deep overlap opens over several steps instead of
 * pushing its bodies into their neighbors. */
#include "base/team.h"
#include "base/vec3.h"
#include "pluvia/scene.h"
#include "step/bonds.h"
#include "step/project_lanes.h"
#include "step/projection.h"
#include "step/stepper.h"
#include <string.h>

enum {
    PASSES = 5,
    TILE_ROUNDS = 2, /* over all tiles of a tiled island */
    TILE_PASSES = 2, /* at most, over a tile in a round: the bodies are in cache then */
    RUN = 64         /* blocks between two looks at what moved */
};

/* One pass over some pairs. The first looks at the pairs that the step may have left too deep, each
 * later one at the pairs of which a body has moved since. A body that pass k moves gets mark k + 1:
 * pass k looks at pairs with a body of mark `since` or above. */
typedef struct pass {
    int number; /* from 0 on */
    int since;  /* the least mark of a body that has moved since the last look */
    bool first;
    bool tiled; /* all passes leave the same mark */
} pass;

static pass plain_pass(int number)
{
    return (pass){number, number > 0 ? number : 1, number == 0, false};
}

/* Visits of tiles leave the same mark: what has moved at all in this step is looked at. */
static pass tile_pass(int round, int visit)
{
    return (pass){0, 1, round == 0 && visit == 0, true};
}

/* A body that sleeps stays where it is. */
static double weight(const plu_world *w, int body)
{
    return plu_awake(w, body) ? w->bodies.row[body][6] : 0.0;
}

/* What a pass leaves at bodies that it moves. */
static unsigned char mark_of(const pass *now)
{
    return (unsigned char)(now->number + 1);
}

static void note(const plu_stepper *s, int body, const pass *now)
{
    s->moved[body] = mark_of(now);
}

static void shift(const plu_stepper *s, int body, double way, const double normal[3],
                  const pass *now)
{
    if (way == 0.0)
        return;
    PLU_SPHERES_ARE_BODIES; /* to move the sphere is to move its body, without a turn */
    plu_add_scaled(s->world->spheres.at[body], way, normal);
    note(s, body, now);
}

/* Whether the pair has to be looked at: what was in order before and has not moved since is still
 * in order. */
static bool touched(const plu_stepper *s, int slot, const pass *now)
{
    const plu_contact_pair pair = s->problem.pair_of_slot[slot];
    if (plu_is_given(&s->problem, pair.b))
        return false; /* an empty slot */
    return s->moved[pair.b] >= now->since ||
           (!plu_is_given(&s->problem, pair.a) && s->moved[pair.a] >= now->since) ||
           (now->first && s->too_deep[slot / PLU_LANES] >> slot % PLU_LANES & 1);
}

/* How deep the spheres of a slot, a of which may be an image, overlap; where they do by more than
 * `least`, the normal too. */
static double overlap(const plu_stepper *s, int slot, const double a[4], const double b[4],
                      double least, double normal[3])
{
    const plu_crossing *crossing = plu_block_of(&s->problem, slot)->crossing;
    plu_sub(b, a, normal);
    for (int k = 0; k < 3 && crossing; k++)
        normal[k] -= crossing->shift[k][slot % PLU_LANES];
    const double distance = plu_norm(normal), depth = -(distance - a[3] - b[3]);
    if (distance == 0.0)
        return 0.0; /* same center: no direction to move along */
    if (depth > least)
        for (int k = 0; k < 3; k++)
            normal[k] /= distance;
    return depth;
}

static double overlap_with_wall(const plu_stepper *s, int slot, double normal[3])
{
    const plu_contacts *list = s->contacts;
    const plu_side a = list->contact[list->live[s->problem.contact_of_slot[slot]]].a;
    return -plu_part_gap(plu_side_surface(s->world, a),
                         s->world->spheres.at[s->problem.pair_of_slot[slot].b], normal);
}

/* Moves the pair apart by what exceeds the slop, the lighter body more. */
static bool separate(const plu_stepper *s, int slot, const pass *now)
{
    PLU_SPHERES_ARE_BODIES; /* slots name bodies, what overlaps are spheres */
    if (!touched(s, slot, now))
        return false;
    plu_world *w = s->world;
    const int a = s->problem.pair_of_slot[slot].a, b = s->problem.pair_of_slot[slot].b;
    double normal[3];
    const bool wall = plu_is_given(&s->problem, a);
    const double *xb = w->spheres.at[b], *xa = wall ? NULL : w->spheres.at[a];
    const double d = 2.0 * (xa ? plu_min(xa[3], xb[3]) : xb[3]), slop = w->scene->slop * d;
    const double least = PLU_SLOP_MARGIN * slop;
    const double depth =
        xa ? overlap(s, slot, xa, xb, least, normal) : overlap_with_wall(s, slot, normal);
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
        if (plu_is_given(&s->problem, s->problem.pair_of_slot[slot].a))
            any |= separate(s, slot, now);
    return any;
}

/* Marks the bodies of the pairs of a block that moved. Marks are written where they change only:
 * threads whose bodies are neighbors in memory would take their cache line from each other. */
static void mark_block(const plu_stepper *s, const plu_overlaps *o, int slot, unsigned moved,
                       const pass *now)
{
    const plu_contact_pair *pairs = o->pairs + slot;
    const unsigned char mark = mark_of(now);
    const double *share = plu_block_of(&s->problem, slot)->share;
    for (; moved; moved &= moved - 1) {
        const int k = __builtin_ctz(moved);
        if (s->moved[pairs[k].b] != mark && share[k] != 0.0)
            s->moved[pairs[k].b] = mark;
        if (s->moved[pairs[k].a] != mark && share[k] != 1.0)
            s->moved[pairs[k].a] = mark;
    }
}

/* Whether pairs of a block moved. Those that moved before have left their mark. */
static bool note_block(const plu_stepper *s, const plu_overlaps *o, int slot, unsigned moved,
                       const pass *now)
{
    unsigned char *apart = &s->apart[slot / PLU_LANES];
    const unsigned fresh = now->tiled ? moved & ~*apart : moved;
    if (fresh) {
        mark_block(s, o, slot, fresh, now);
        *apart |= (unsigned char)fresh;
    }
    return moved != 0;
}

/* Whole blocks of one color: pairs of spheres by lanes. */
static bool separate_blocks(const plu_stepper *s, const plu_overlaps *o, int begin, int count,
                            const pass *now, plu_coming *coming)
{
    unsigned char moved[RUN];
    bool any = false, walls = false;
    for (int from = begin; from < begin + count; from += RUN * PLU_LANES) {
        const int left = plu_round_up(begin + count - from),
                  blocks = left < RUN * PLU_LANES ? left / PLU_LANES : RUN;
        walls |=
            PLU_ISA_BEST(plu_separate_blocks)(o, from, from + blocks * PLU_LANES, moved, coming);
        for (int i = 0; i < blocks; i++)
            any |= note_block(s, o, from + i * PLU_LANES, moved[i], now);
    }
    return walls ? any | separate_walls(s, begin, begin + count, now) : any;
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
    plu_coming none = {0, 0};
    return any_touched(s, slot, slot + PLU_LANES, now) &&
           separate_blocks(s, o, slot, PLU_LANES, now, &none);
}

static bool separate_range(const plu_stepper *s, int begin, int count, const pass *now)
{
    bool any = false;
    for (int slot = begin; slot < begin + count; slot++)
        any |= separate(s, slot, now);
    return any;
}

/* A color, block by block, or (with what comes next) all of it where most is to be looked at. */
static bool separate_color(const plu_stepper *s, const plu_overlaps *o, int begin, int count,
                           plu_coming *coming, const pass *now)
{
    if (coming)
        return separate_blocks(s, o, begin, count, now, coming);
    bool any = false;
    for (int slot = begin; slot < begin + count; slot += PLU_LANES)
        any |= separate_block(s, o, slot, now);
    return any;
}

static bool pass_tile(const plu_stepper *s, bool padded, plu_coming *coming, const plu_tile *tile,
                      const plu_overlaps *o, const pass *now)
{
    bool any = false;
    for (int c = tile->color_begin; c < tile->color_end; c++) {
        const int begin = s->problem.color_start[c], count = s->problem.color_count[c];
        any |= padded && !plu_is_overflow(tile, c) ? separate_color(s, o, begin, count, coming, now)
                                                   : separate_range(s, begin, count, now);
    }
    return any;
}

/* One color, by all threads of the team that calls. */
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
        moved = pass_tile(s, island->padded, NULL, tile, o, now);
    if (moved) {
#pragma omp atomic write
        *any = true;
    }
}

/* A tile until it is in order. Where there is something to do in it there is much, as a rule: then
 * asking block by block would take longer than looking. */
static bool settle_tile(const plu_stepper *s, const plu_tile *tile, const plu_overlaps *o,
                        int round, plu_coming *coming)
{
    const plu_problem *p = &s->problem;
    const int begin = p->color_start[tile->color_begin], end = plu_tile_end(p, tile);
    bool moved = false;
    for (int visit = 0; visit < TILE_PASSES; visit++) {
        const pass now = tile_pass(round, visit);
        if (visit == 0 && !any_touched(s, begin, end, &now))
            break;
        if (!pass_tile(s, true, coming, tile, o, &now))
            break;
        moved = true;
    }
    return moved;
}

static void pass_tiles(const plu_stepper *s, const plu_overlaps *o, int round, plu_tour *tour,
                       bool *any)
{
    bool moved = false;
    for (plu_walk w = plu_walk_begin(tour); w.tile < w.end; plu_walk_on(&w))
        moved |= settle_tile(s, &s->problem.tiles[w.tile], o, round, &w.coming);
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
        plu_tour tour;
        plu_tour_begin(&tour, &s->problem, island);
        PLU_TEAM(true, pass_tiles(s, o, number, &tour, &any));
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

bool plu_projects(const plu_stepper *s)
{
    const size_t blocks = (size_t)s->problem.slots / PLU_LANES;
    size_t i = 0;
    while (i < blocks && !s->too_deep[i])
        i++;
    return s->scene->stabilization == PLU_PROJECTION && (i < blocks || plu_bonds_open(s));
}

void plu_project_positions(plu_stepper *s)
{
    const size_t blocks = (size_t)s->problem.slots / PLU_LANES;
    if (!s->projects)
        return;
    const plu_overlaps o = {.position = s->world->spheres.at,
                            .moved = s->moved,
                            .pairs = s->problem.pair_of_slot,
                            .moving = s->problem.moving,
                            .blocks = s->problem.blocks,
                            .least = PLU_SLOP_MARGIN * s->world->scene->slop,
                            .slop = s->world->scene->slop};
    bool moved = false;
    plu_walls_integrated(s);
    plu_lift_begin(s);
    memset(s->moved, 0, (size_t)s->world->bodies.count);
    memset(s->apart, 0, blocks);
    for (int i = 0; i < s->problem.islands_count; i++)
        moved |= project_island(s, &s->problem.islands[i], &o);
    moved |= plu_bonds_close(s);
    if (!moved)
        return;
    plu_walls_hold(s);
    plu_lift_end(s);
}
