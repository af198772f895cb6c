/* Bodies at walls: where they were at the start of the step. Contacts with walls are the end of the
 * list. */
#include "base/memory.h"
#include "base/team.h"
#include "base/vec3.h"
#include "step/stepper.h"
#include <string.h>

#define ROUNDING 1e-9 /* over the radius */

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
    return &s->world->parts[-1 - wall(s, k)->a];
}

static void note_all(plu_stepper *s)
{
#pragma omp for schedule(static) nowait
    for (int k = 0; k < s->walls; k++)
        memcpy(s->way[k].start, s->world->position[wall(s, k)->b], sizeof s->way[k].start);
}

plu_status plu_walls_start(plu_stepper *s, plu_error *err)
{
    const plu_status status =
        plu_reserve(&s->way, &s->way_capacity, (size_t)s->walls, sizeof *s->way, 0, err);
    if (status == PLU_OK)
        PLU_TEAM(s->walls > 4000, note_all(s));
    return status;
}

/* Only one whose way was as long as its centre was far from the wall is looked at (to rounding). */
static bool passed(const plu_stepper *s, int k)
{
    const plu_contact *c = wall(s, k);
    const double *end = s->world->position[c->b], *start = s->way[k].start;
    const double least = plu_max(c->gap + end[3] * (1.0 - ROUNDING), 0.0);
    double way[3];
    plu_sub(end, start, way);
    return plu_dot(way, way) >= least * least && plu_part_passed(part_of(s, k), start, end);
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
    PLU_TEAM(s->walls > 4000, find_passed(s, &first));
    return first;
}
