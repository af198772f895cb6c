/* Overlaps that a step has made of pairs that were no contacts in it: with a restitution a pair is
 * one from half of its way on, and what another impact drives together was not to be seen. */
#include "base/team.h"
#include "detect/look.h"
#include <math.h>

/* What the pair has come nearer by in the step at most, over the smaller diameter. */
static double depth_of(const plu_detector *d, const plu_contact *c, double radius)
{
    const plu_world *w = d->world;
    const double depth = plu_min(-c->gap, -w->step * c->approach);
    if (!(depth > 0.0))
        return 0.0;
    const uint64_t key = plu_contact_key(w, c);
    const int place = plu_contact_place(&d->now, key, 0);
    const bool known = place < d->now.count && d->now.key[place] == key;
    return known ? 0.0 : depth / (2.0 * radius);
}

static double of_spheres(const plu_detector *d, plu_pair pair)
{
    const plu_world *w = d->world;
    const int a = plu_pair_sphere(pair), image = plu_pair_image(pair);
    const double *xa = w->spheres.at[a], *xb = w->spheres.at[pair.b], radii = xa[3] + xb[3];
    double apart[3], rate[3];
    plu_contact c;
    plu_apart_from(&w->space, image, xa, xb, apart);
    if (plu_dot(apart, apart) >= radii * radii)
        return 0.0;
    plu_rate_from(&w->space, image, plu_sphere_velocity(w, a), plu_sphere_velocity(w, pair.b),
                  rate);
    plu_join_spheres(w, pair, apart, rate, &c);
    return depth_of(d, &c, plu_min(xa[3], xb[3]));
}

static double of_wall(const plu_detector *d, plu_pair pair)
{
    plu_contact c;
    (void)plu_look_at_wall(&d->sight, pair, &c);
    return depth_of(d, &c, d->world->spheres.at[pair.b][3]);
}

static void look(const plu_detector *d, double *most)
{
#pragma omp for schedule(static) nowait reduction(max : most[:1])
    for (size_t k = 0; k < d->spheres.count; k++)
        *most = plu_max(*most, of_spheres(d, d->spheres.pair[k]));
#pragma omp for schedule(static) nowait reduction(max : most[:1])
    for (size_t k = 0; k < d->extra.count; k++)
        *most = plu_max(*most, of_spheres(d, d->extra.pair[k]));
#pragma omp for schedule(static) nowait reduction(max : most[:1])
    for (size_t k = 0; k < d->walls.count; k++)
        *most = plu_max(*most, of_wall(d, d->walls.pair[k]));
}

double plu_detect_deepened(const plu_detector *d)
{
    double most = 0.0;
    PLU_TEAM(plu_many(d->spheres.count, PLU_FEW_CANDIDATES), look(d, &most));
    return most;
}
