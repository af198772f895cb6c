#include "base/memory.h"
#include "base/team.h"
#include "base/vec3.h"
#include "step/integrate.h"
#include "step/stepper.h"
#include "world/groups.h"
#include <string.h>

void plu_way_of(const plu_stepper *s, int i, plu_way *way)
{
    const plu_world *w = s->world;
    const double h = w->step, *v = w->bodies.row[i];
    double old[3], change[3];
    memcpy(way->end, w->bodies.position[i], sizeof way->end);
    memcpy(way->start, way->end, sizeof way->start);
    memcpy(way->bend, way->end, sizeof way->bend);
    way->when = 1.0;
    way->length = 0.0;
    if (plu_group_moves(w, i)) /* a straight way, by the velocity at the end of the step */
        plu_add_scaled(way->start, -h, v);
    if (plu_group_moves(w, i))
        way->length = h * plu_norm(v);
    if (w->bodies.state[i] != PLU_ACTIVE || !plu_awake(w, i))
        return;
    memcpy(old, s->problem.v_free[i], sizeof old);
    plu_add_scaled(old, -h, w->gravity);
    plu_sub(v, old, change);
    const double theta = plu_theta_of(s, i, change);
    for (int k = 0; k < 3; k++)
        way->start[k] -= h * (theta * v[k] + (1.0 - theta) * old[k]);
    if (plu_was_hit(s, i)) { /* in a long stride, at a moment of the step */
        way->when = 1.0 - theta;
        memcpy(way->bend, way->start, sizeof way->bend);
        plu_add_scaled(way->bend, h * way->when, old);
    }
    for (int leg = 0; leg < 2; leg++) {
        plu_sub(leg ? way->end : way->bend, leg ? way->bend : way->start, change);
        way->length += plu_norm(change);
    }
}

static void find_ways(plu_stepper *s)
{
#pragma omp for schedule(static) nowait
    for (int i = 0; i < s->world->bodies.count; i++)
        plu_way_of(s, i, &s->ways[i]);
}

plu_status plu_find_passage(plu_stepper *s, plu_passage *passage, plu_error *err)
{
    const size_t bodies = (size_t)s->world->bodies.count;
    const plu_status status =
        plu_reserve(&s->ways, &s->ways_capacity, bodies, sizeof *s->ways, 0, err);
    if (status != PLU_OK)
        return status;
    PLU_TEAM(plu_many(bodies, 4000), find_ways(s));
    *passage = plu_detect_passage(s->detector, s->ways);
    return PLU_OK;
}
