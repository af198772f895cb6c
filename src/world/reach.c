/* Which pairs are contacts of a step: the numbers of plu_reach for each law. */
#include "base/vec3.h"
#include "pluvia/material.h"
#include "pluvia/scene.h"
#include "world/world.h"
#include <math.h>
#include <string.h>

/* Pairs that land are found early enough for what their velocities change by within a step. Nothing
 * is known of that beforehand but that it is of the size of what velocities are, and that small
 * bodies among large ones are hit harder: both shares grow with the ratio of the largest to the
 * smallest radius. What landed to bounce off has not even the size of its speed to tell. What is
 * found too early bears nothing. */
static const double early_radius = 0.03, early_rebound = 0.2, early_speed = 0.25,
                    most_unequal = 4.0;

static void compare_radii(plu_world *w)
{
    double least = HUGE_VAL, most = 0.0;
    for (int i = 0; i < w->spheres.count; i++) {
        least = plu_min(least, w->spheres.at[i][3]);
        most = plu_max(most, w->spheres.at[i][3]);
    }
    w->smallest = least;
    w->unequal = most > 0.0 ? most / least : 1.0;
}

/* What gravity closes in a step (m). */
static double fall_of(const plu_world *w)
{
    return w->step * w->step * plu_norm(w->gravity);
}

static plu_reach law_reach(const plu_world *w, const plu_pair_law *law, double ratio)
{
    const plu_scene *scene = w->scene;
    const double h = w->step, fall = fall_of(w);
    const double radius = plu_max(early_radius * ratio, law->rebounds ? early_rebound : 0.0);
    if (law->lands)
        return (plu_reach){h, radius, early_speed * ratio * h, fall};
    if (scene->forecast == PLU_TOUCH) /* gravity alone may close what rests */
        return (plu_reach){0.5 * h, PLU_CLOSED, 0.0, 0.5 * fall};
    return (plu_reach){scene->forecast * h, PLU_CLOSED, 0.0, 0.0};
}

/* Over the smallest diameter: the gap up to which pairs attract each other at least. Moving along a
 * surface of radius R opens one by (h u_T)^2 / 2R in a step, which the next step closes. */
static const double bond = 1e-3;

/* Least range of attraction (m): nor can a step tell what gravity closes in it from a contact. */
static double least_range(const plu_world *w)
{
    const double rounds = isfinite(w->smallest) ? bond * 2.0 * w->smallest : 0.0;
    return plu_max(fall_of(w), rounds);
}

/* Spheres that attract each other must be a pair of the list, also while it does not come nearer.
 */
static plu_reach reach_of(const plu_world *w, const plu_pair_law *law, double ratio)
{
    plu_reach reach = law_reach(w, law, ratio);
    if (law->cohesion > 0.0)
        reach.fall = plu_max(reach.fall, law->cohesion_range);
    return reach;
}

static void reach_gather(plu_world *world, const plu_reach *one, bool first)
{
    plu_reach *all = &world->reach;
    world->reaches |= !first && memcmp(all, one, sizeof *all) != 0;
    all->ahead = plu_max(all->ahead, one->ahead);
    all->radius = plu_max(all->radius, one->radius);
    all->speed = plu_max(all->speed, one->speed);
    all->fall = plu_max(all->fall, one->fall);
}

void plu_world_reach(plu_world *world)
{
    bool first = true;
    compare_radii(world);
    const double ratio = plu_min(world->unequal, most_unequal);
    world->reach = (plu_reach){0};
    world->reaches = false;
    for (int k = 0; k < world->materials * world->materials; k++) {
        plu_pair_law *law = &world->laws[k];
        if (law->index < 0)
            continue;
        law->cohesion_range =
            plu_max(world->scene->laws[law->index].cohesion_range, least_range(world));
        law->reach = reach_of(world, law, ratio);
        reach_gather(world, &law->reach, first);
        first = false;
    }
}
