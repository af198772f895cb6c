/* What contacts between bodies that sleep bear. They have no impulses of this step, but those of
 * the step in which their bodies fell asleep, which hold until they wake: depths and loads of the
 * whole bed are sums over both. */
#include "assemble/cohesion.h"
#include "base/team.h"
#include "base/vec3.h"
#include "step/stepper.h"

/* Depths of the contacts that sleep, and how many of them bear something. */
static void measure_sleeping(const plu_stepper *s, double *depth, double *ratio, int *bearing)
{
    const plu_contacts *list = s->contacts;
    const double least = 2.0 * s->smallest_radius * (1.0 - 1e-12);
#pragma omp for schedule(static) nowait reduction(max : depth[:1], ratio[:1])                      \
    reduction(+ : bearing[:1])
    for (int i = 0; i < list->count; i++) {
        const plu_contact *c = &list->contact[i];
        if (plu_pair_awake(s->world, c->a, c->b))
            continue;
        bearing[0] += list->impulse[i].n > 0.0;
        *depth = plu_max(*depth, -c->gap);
        if (-c->gap > *ratio * least) /* else it is no larger, whatever its radii */
            *ratio = plu_max(*ratio, -c->gap / (2.0 * plu_smaller_radius(s->world, c)));
    }
}

/* A contact that sleeps of a sphere that is fixed bears as one with a wall. */
static void bear_sleeping(plu_stepper *s, int i)
{
    const plu_world *w = s->world;
    const plu_contact *c = &s->contacts->contact[i];
    const plu_impulse *p = &s->contacts->impulse[i];
    const bool a = plu_side_fixed(w, c->a);
    if (!(p->n > 0.0) || plu_pair_awake(w, c->a, c->b) ||
        (!a && !plu_is_fixed(w, plu_owner(&w->spheres, c->b))))
        return;
    double normal[3], t[3];
    for (int k = 0; k < 3; k++) {
        normal[k] = a ? c->normal[k] : -c->normal[k];
        t[k] = a ? p->t[k] : -p->t[k];
    }
    plu_bear_wall(s, normal, p->n - plu_attraction(w, s->contacts, i), t, &s->sleeping);
}

/* Contacts that sleep stay as they are: they are looked at when they are others. */
void plu_sleepers_look(plu_stepper *s)
{
    const plu_contacts *list = s->contacts;
    s->sleeping_depth = s->sleeping_ratio = 0.0;
    s->sleeping = (plu_bearing){0};
    if (s->world->asleep == 0)
        return;
    PLU_TEAM(plu_many(list->count, 4000),
             measure_sleeping(s, &s->sleeping_depth, &s->sleeping_ratio, &s->sleeping.contacts));
    const int first_wall = plu_contact_place(list, PLU_FIRST_WALL, 0);
    for (int i = s->world->fixed > 0 ? 0 : first_wall; i < first_wall; i++)
        bear_sleeping(s, i);
    for (int i = first_wall; i < list->count; i++) {
        const plu_impulse *p = &list->impulse[i];
        if (p->n > 0.0 && !plu_pair_awake(s->world, list->contact[i].a, list->contact[i].b))
            plu_bear_wall(s, list->contact[i].normal, p->n - plu_attraction(s->world, list, i),
                          p->t, &s->sleeping);
    }
}
