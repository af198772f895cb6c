/* Spheres at walls: where they were at the start of the step, and what the position projection must
 * not do to them. Contacts with walls are the end of the list, by sphere.
 *
 *     start ---- integrate ----> integrated ---- project ----> now
 *
 *     passed?   the center has crossed a part between `start` and `now`: an error of the run, which
 *               no later step can mend. A sphere that is deep in a wall is compared with the parts
 *               beside it as well, which need not be contacts.
 *     hold      where the projection of other overlaps has pushed a sphere deeper into a wall than
 *               it was after the integration, and than the slop allows, the sphere is put back
 *               along the normal of the wall; where its walls are at odds it stays where it was. */
#include "base/memory.h"
#include "base/team.h"
#include "base/vec3.h"
#include "pluvia/scene.h"
#include "step/projection.h"
#include "step/stepper.h"
#include <string.h>

#define ROUNDING 1e-9 /* over the radius */

/* Over the radius: how deep what a center passes with a shorter stride than limits.c looks at was
 * at the start of the step. */
#define DEEP 0.25

static int first_wall(const plu_stepper *s)
{
    return s->contacts->count - s->walls;
}

static const plu_contact *wall(const plu_stepper *s, int k)
{
    return &s->contacts->contact[first_wall(s) + k];
}

static const plu_part *part_of(const plu_stepper *s, int k)
{
    return plu_side_surface(s->world, wall(s, k)->a);
}

static void note_all(plu_stepper *s, bool start)
{
#pragma omp for schedule(static) nowait
    for (int k = 0; k < s->walls; k++) {
        plu_wall_way *way = &s->way[k];
        memcpy(start ? way->start : way->integrated, s->world->spheres.at[wall(s, k)->b],
               sizeof way->start);
    }
}

plu_status plu_walls_start(plu_stepper *s, plu_error *err)
{
    s->walls = s->contacts->count - plu_contact_place(s->contacts, PLU_FIRST_WALL, 0);
    const plu_status status =
        plu_reserve(&s->way, &s->way_capacity, (size_t)s->walls, sizeof *s->way, 0, err);
    if (status == PLU_OK)
        PLU_TEAM(plu_many(s->walls, 4000), note_all(s, true));
    return status;
}

/* Whether the center of a sphere that is deep in a wall passed what is beside it, as the next facet
 * of a mesh, which need not be a contact. */
static bool passed_beside(const plu_stepper *s, int k)
{
    const plu_world *w = s->world;
    const double *end = w->spheres.at[wall(s, k)->b], *start = s->way[k].start;
    const double from[4] = {start[0], start[1], start[2], end[3]};
    double normal[3];
    if (!(plu_part_gap(part_of(s, k), from, normal) < -DEEP * end[3]))
        return false;
    plu_part_search search = plu_parts_on_way(start, end);
    for (int part; (part = plu_part_next(&w->tree, &search)) >= 0;)
        if (plu_part_passed_in_step(&w->parts[part], start, end))
            return true;
    return false;
}

/* Only one whose way was as long as its center was far from the wall is looked at (to rounding), or
 * whose wall may have moved. A contact that is met in a long stride does not say how deep it was.
 */
static bool passed(const plu_stepper *s, int k)
{
    const plu_contact *c = wall(s, k);
    const double *end = s->world->spheres.at[c->b], *start = s->way[k].start;
    const double least = plu_max(c->gap + end[3] * (1.0 - ROUNDING), 0.0);
    double way[3];
    plu_sub(end, start, way);
    const bool far = plu_dot(way, way) >= least * least || part_of(s, k)->pose;
    if (far && plu_part_passed_in_step(part_of(s, k), start, end))
        return true;
    return (c->gap < -DEEP * end[3] || s->contacts->swift_count > 0) && passed_beside(s, k);
}

static void find_passed(const plu_stepper *s, int *first)
{
#pragma omp for schedule(static) nowait reduction(min : first[:1])
    for (int k = 0; k < s->walls; k++)
        if (k < *first && passed(s, k))
            *first = k;
}

int plu_walls_passed(const plu_stepper *s)
{
    int first = s->walls;
    PLU_TEAM(plu_many(s->walls, 4000), find_passed(s, &first));
    return first;
}

void plu_walls_integrated(plu_stepper *s)
{
    PLU_TEAM(plu_many(s->walls, 4000), note_all(s, false));
}

/* How far the projection pushed sphere b deeper into the wall of contact k than it was and the slop
 * allows, and the normal there. */
static double pushed(const plu_stepper *s, int k, double normal[3])
{
    const plu_part *part = part_of(s, k);
    const double *now = s->world->spheres.at[wall(s, k)->b], *x = s->way[k].integrated;
    const double before[4] = {x[0], x[1], x[2], now[3]};
    const double least = 2.0 * PLU_SLOP_MARGIN * s->world->scene->slop * now[3];
    const double allowed = plu_max(-plu_part_gap(part, before, normal), least);
    return plu_part_passed(part, before, now) ? HUGE_VAL
                                              : -plu_part_gap(part, now, normal) - allowed;
}

/* The contacts from `begin` to `end` are those of one sphere. Where its walls are at odds it stays
 * where it was. */
static void hold(plu_stepper *s, int begin, int end)
{
    PLU_SPHERES_ARE_BODIES; /* to move the sphere is to move its body */
    const int b = wall(s, begin)->b;
    double *x = s->world->spheres.at[b], normal[3];
    bool fits = true;
    for (int k = begin; k < end && fits; k++) {
        const double depth = pushed(s, k, normal);
        fits = depth < HUGE_VAL;
        if (fits && depth > 0.0)
            plu_add_scaled(x, depth, normal);
    }
    for (int k = begin; k < end && fits; k++)
        fits = pushed(s, k, normal) <= ROUNDING * x[3];
    if (!fits)
        memcpy(x, s->way[begin].integrated, sizeof s->way->integrated);
}

static void hold_all(plu_stepper *s)
{
#pragma omp for schedule(static) nowait
    for (int k = 0; k < s->walls; k++) {
        const int b = wall(s, k)->b;
        if (!s->moved[plu_owner(&s->world->spheres, b)] || (k > 0 && wall(s, k - 1)->b == b))
            continue;
        int end = k + 1;
        while (end < s->walls && wall(s, end)->b == b)
            end++;
        hold(s, k, end);
    }
}

void plu_walls_hold(plu_stepper *s)
{
    PLU_TEAM(plu_many(s->walls, 4000), hold_all(s));
}
