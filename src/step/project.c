#include "base/vec3.h"
#include "step/stepper.h"
#include <omp.h>
#include <string.h>

enum { PASSES = 5 };
/* A pass moves a pair by at most this fraction of the smaller diameter: a deep overlap is taken
 * apart over several steps, or it would be pushed into neighbours that are no contacts of this
 * step. */
static const double stride = 2e-3;

static double gap_of(const plu_world *w, const plu_contact *c, double normal[3])
{
    if (c->a < 0)
        return plu_part_gap(&w->parts[-1 - c->a], w->position[c->b], normal);
    plu_sub(w->position[c->b], w->position[c->a], normal);
    const double distance = plu_norm(normal);
    if (distance == 0.0)
        return 0.0; /* same centre: no direction to move along */
    for (int k = 0; k < 3; k++)
        normal[k] /= distance;
    return distance - w->position[c->a][3] - w->position[c->b][3];
}

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

/* Moves the pair apart by what exceeds the slop, the lighter body more, and notes the pass in which
 * the bodies moved. */
static bool separate(const plu_stepper *s, int slot, int pass)
{
    plu_world *w = s->world;
    const int a = s->problem.ends_of_slot[slot].a, b = s->problem.ends_of_slot[slot].b;
    /* What was in order before and has not moved since is still in order. */
    const int since = pass > 0 ? pass : 1;
    const bool touched = s->moved[b] >= since || (a >= 0 && s->moved[a] >= since);
    if (!touched && !(pass == 0 && s->too_deep[slot]))
        return false;
    const plu_contact *c =
        &s->contacts->contact[s->contacts->live[s->problem.contact_of_slot[slot]]];
    double normal[3];
    const double d = 2.0 * plu_smaller_radius(w, c), slop = w->scene->slop * d;
    const double depth = -gap_of(w, c, normal);
    if (depth <= PLU_SLOP_MARGIN * slop)
        return false;
    const double excess = plu_min(depth - slop, stride * d);
    const double wa = a >= 0 ? weight(w, a) : 0.0, wb = weight(w, b);
    shift(s, b, excess * wb / (wa + wb), normal, pass);
    if (a >= 0)
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
