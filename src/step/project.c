#include "base/vec3.h"
#include "step/stepper.h"

enum { PASSES = 10 };
/* The last percent of the slop is not chased: a pass that finds no more ends the projection. */
static const double margin = 1.01;

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

static double allowed(const plu_world *w, const plu_contact *c)
{
    const double rb = w->position[c->b][3], ra = c->a >= 0 ? w->position[c->a][3] : rb;
    return 2.0 * w->scene->slop * fmin(ra, rb);
}

static bool too_deep(const plu_world *w, const plu_contact *c)
{
    double normal[3];
    return gap_of(w, c, normal) < -margin * allowed(w, c);
}

/* Moves the pair apart by what exceeds the slop, the lighter body more. */
static void separate(plu_world *w, const plu_contact *c)
{
    double normal[3];
    const double excess = -gap_of(w, c, normal) - allowed(w, c);
    if (excess <= 0.0)
        return;
    const double wa = c->a >= 0 ? w->velocity[c->a][6] : 0.0, wb = w->velocity[c->b][6];
    plu_add_scaled(w->position[c->b], excess * wb / (wa + wb), normal);
    if (c->a >= 0)
        plu_add_scaled(w->position[c->a], -excess * wa / (wa + wb), normal);
}

static void pass(plu_stepper *s, const plu_island *island)
{
    const plu_problem *p = &s->problem;
#pragma omp parallel if (island->large)
    for (int color = island->color_begin; color < island->color_end; color++) {
        const int begin = p->color_start[color], end = begin + p->color_count[color];
        if (island->serial_tail && color == island->color_end - 1) {
#pragma omp single
            for (int slot = begin; slot < end; slot++)
                separate(s->world, &s->contacts->contact[p->contact_of_slot[slot]]);
        } else {
#pragma omp for schedule(static)
            for (int slot = begin; slot < end; slot++)
                separate(s->world, &s->contacts->contact[p->contact_of_slot[slot]]);
        }
    }
}

static bool any_too_deep(const plu_stepper *s)
{
    int found = 0;
    const plu_contacts *list = s->contacts;
#pragma omp parallel for schedule(static) reduction(| : found) if (list->count > 4000)
    for (int i = 0; i < list->count; i++)
        found |= too_deep(s->world, &list->contact[i]);
    return found;
}

void plu_project_positions(plu_stepper *s)
{
    if (!any_too_deep(s))
        return;
    const double before = plu_world_energy(s->world).potential;
    for (int k = 0; k < PASSES; k++) {
        for (int i = 0; i < s->problem.islands_count; i++)
            pass(s, &s->problem.islands[i]);
        if (!any_too_deep(s))
            break;
    }
    s->totals.projection += plu_world_energy(s->world).potential - before;
}
