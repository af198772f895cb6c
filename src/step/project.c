#include "base/vec3.h"
#include "step/stepper.h"
#include <omp.h>
#include <string.h>

enum { PASSES = 5 };
/* A pass moves a pair by at most this fraction of the smaller diameter: a deep overlap is taken
 * apart over several steps, or it would be pushed into neighbours that are no contacts of this
 * step. */
static const double stride = 2e-3;

/* A body that sleeps stays where it is. */
static double weight(const plu_world *w, int body)
{
    return plu_awake(w, body) ? w->velocity[body][6] : 0.0;
}

static void shift(const plu_stepper *s, int body, double way, const double normal[3], int pass)
{
    if (way == 0.0)
        return;
    plu_add_scaled(s->world->position[body], way, normal);
    s->moved[body] = (unsigned char)(pass + 1);
    s->world->quiet[body] = 0;
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

/* Moves the pair apart by what exceeds the slop, the lighter body more, and notes the pass in which
 * the bodies moved. Most pairs are in order: nothing but the two centres is read for them. */
static bool separate(const plu_stepper *s, int slot, int pass)
{
    plu_world *w = s->world;
    const int a = s->problem.ends_of_slot[slot].a, b = s->problem.ends_of_slot[slot].b;
    /* What was in order before and has not moved since is still in order. */
    const int since = pass > 0 ? pass : 1;
    const bool touched = s->moved[b] >= since || (a >= 0 && s->moved[a] >= since);
    if (!touched && !(pass == 0 && s->too_deep[slot]))
        return false;
    double normal[3];
    const double *xb = w->position[b], *xa = a >= 0 ? w->position[a] : NULL;
    const double d = 2.0 * (xa ? plu_min(xa[3], xb[3]) : xb[3]), slop = w->scene->slop * d;
    const double least = PLU_SLOP_MARGIN * slop;
    const double depth = xa ? overlap(xa, xb, least, normal) : overlap_with_wall(s, slot, normal);
    if (depth <= least)
        return false;
    const double excess = plu_min(depth - slop, stride * d);
    const double wa = xa ? weight(w, a) : 0.0, wb = weight(w, b);
    shift(s, b, excess * wb / (wa + wb), normal, pass);
    if (xa)
        shift(s, a, -excess * wa / (wa + wb), normal, pass);
    return true;
}

static bool separate_range(const plu_stepper *s, int begin, int count, int pass)
{
    bool any = false;
    for (int slot = begin; slot < begin + count; slot++)
        any |= separate(s, slot, pass);
    return any;
}

static bool pass_small(const plu_stepper *s, const plu_island *island, int pass)
{
    bool any = false;
    for (int c = island->color_begin; c < island->color_end; c++)
        any |= separate_range(s, s->problem.color_start[c], s->problem.color_count[c], pass);
    return any;
}

static bool pass_large(const plu_stepper *s, const plu_island *island, int pass)
{
    int any = 0;
#pragma omp parallel reduction(| : any)
    for (int c = island->color_begin; c < island->color_end; c++) {
        const int begin = s->problem.color_start[c], count = s->problem.color_count[c];
        if (plu_is_overflow(island, c)) {
#pragma omp single
            any |= separate_range(s, begin, count, pass);
        } else {
#pragma omp for schedule(static)
            for (int k = 0; k < count; k++)
                any |= separate(s, begin + k, pass);
        }
    }
    return any;
}

static bool project_island(const plu_stepper *s, const plu_island *island)
{
    const bool threads = island->large && omp_get_max_threads() > 1;
    bool moved = false;
    for (int k = island->body_begin; k < island->body_end; k++)
        s->moved[s->problem.island_body[k]] = 0;
    for (int pass = 0; pass < PASSES; pass++) {
        if (!(threads ? pass_large(s, island, pass) : pass_small(s, island, pass)))
            break;
        moved = true;
    }
    return moved;
}

void plu_project_positions(plu_stepper *s)
{
    if (!memchr(s->too_deep, 1, (size_t)s->problem.slots))
        return;
    const double before = plu_world_energy(s->world).potential;
    bool moved = false;
    for (int i = 0; i < s->problem.islands_count; i++)
        moved |= project_island(s, &s->problem.islands[i]);
    if (moved)
        s->totals.projection += plu_world_energy(s->world).potential - before;
}
