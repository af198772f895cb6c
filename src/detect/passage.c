/* Spheres that have passed through each other in the step that ended: a look back at the ways of
 * its long strides. */
#include "base/team.h"
#include "base/vec3.h"
#include "detect/detector.h"

/* Over the smaller radius: strides that are looked at; how deep a pair got on its way; and how much
 * deeper than it was at the start and is at the end. What is that deep at the end is seen there. */
static const double long_stride = 0.5, deep = 0.4, deeper = 0.2;

static void place_at(const plu_way *way, double t, double x[3])
{
    const bool first = t < way->when;
    const double *from = first ? way->start : way->bend, *to = first ? way->bend : way->end;
    const double length = first ? way->when : 1.0 - way->when;
    const double share = length > 0.0 ? (first ? t : t - way->when) / length : 1.0;
    for (int k = 0; k < 3; k++)
        x[k] = from[k] + share * (to[k] - from[k]);
}

/* From an image of a to b at a share t of the step that ended. */
static void apart_at(const plu_world *w, int image, const plu_way *a, const plu_way *b, double t,
                     double apart[3])
{
    const plu_space *space = &w->space;
    const double left = space->moves ? (1.0 - t) * w->step : 0.0;
    double xa[3], xb[3];
    place_at(a, t, xa);
    place_at(b, t, xb);
    plu_sub(xb, xa, apart);
    for (int k = 0; k < 3 && image; k++)
        apart[k] -= space->shift[image][k] -
                    0.5 * left * (space->drift[0][image][k] + space->drift[1][image][k]);
}

static double nearest_on(const double from[3], const double to[3])
{
    double way[3], at[3] = {from[0], from[1], from[2]};
    plu_sub(to, from, way);
    const double square = plu_dot(way, way);
    const double t = square > 0.0 ? -plu_dot(from, way) / square : 0.0;
    plu_add_scaled(at, plu_min(plu_max(t, 0.0), 1.0), way);
    return plu_norm(at);
}

static bool passed(const plu_detector *d, const plu_way *ways, plu_pair pair, double *stride)
{
    const plu_world *w = d->world;
    const int a = plu_pair_sphere(pair), image = plu_pair_image(pair);
    const plu_way *wa = &ways[a], *wb = &ways[pair.b];
    const double ra = w->spheres.at[a][3], rb = w->spheres.at[pair.b][3], r = plu_min(ra, rb);
    *stride = wa->length + wb->length + (image ? w->step * w->space.fastest : 0.0);
    if (*stride <= long_stride * r)
        return false;
    const double time[4] = {0.0, plu_min(wa->when, wb->when), plu_max(wa->when, wb->when), 1.0};
    double at[4][3], nearest = HUGE_VAL;
    for (int k = 0; k < 4; k++)
        apart_at(w, image, wa, wb, time[k], at[k]);
    for (int k = 0; k < 3; k++)
        nearest = plu_min(nearest, nearest_on(at[k], at[k + 1]));
    const double ends = plu_min(plu_min(plu_norm(at[0]), plu_norm(at[3])), ra + rb);
    return nearest < ra + rb - deep * r && nearest < ends - deeper * r;
}

static void look_at(const plu_detector *d, const plu_way *ways, plu_pair pair, plu_passage *first)
{
    double stride;
    if (!passed(d, ways, pair, &stride))
        return;
    const plu_passage found = {plu_pair_sphere(pair), pair.b, stride};
#pragma omp critical
    if (found.a < first->a || (found.a == first->a && found.b < first->b))
        *first = found;
}

static void look_at_all(const plu_detector *d, const plu_way *ways, plu_passage *first)
{
#pragma omp for schedule(static) nowait
    for (size_t k = 0; k < d->spheres.count; k++)
        look_at(d, ways, d->spheres.pair[k], first);
#pragma omp for schedule(static) nowait
    for (size_t k = 0; k < d->extra.count; k++)
        look_at(d, ways, d->extra.pair[k], first);
}

plu_passage plu_detect_passage(const plu_detector *d, const plu_way *ways)
{
    PLU_SPHERES_ARE_BODIES; /* the way of a body is that of its sphere */
    plu_passage first = {d->world->spheres.count, 0, 0.0};
    PLU_TEAM(plu_many(d->spheres.count, PLU_FEW_CANDIDATES), look_at_all(d, ways, &first));
    return first;
}
