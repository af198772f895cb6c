/* Facets of a mesh that a sphere gets into at the end of a long step (src/theory.md, "Folds"). Of a
 * facet that it is beside the contact has the normal of the nearest edge, or there is none: it goes
 * along the facet before it, into the next one, and sinks by as much in every step, faster than the
 * position projection lifts it. It lands instead on the plane of the facet that it would be deepest
 * in. This takes what is along the normal of that facet, and so serves only where nothing keeps it
 * (fold.c): among others, at sharp folds. */
#include "base/vec3.h"
#include "detect/swift.h"
#include "pluvia/scene.h"
#include <string.h>

/* In radii: strides that can get a sphere so deep that it counts. */
static const double long_way = 0.15, deep = 0.04;

/* In radii: beside a facet that a sphere is so deep in at the start of the step already there is
 * nothing to land on. */
static const double sunk = 0.9;

/* The cosine of a normal with that of a facet if it is met with its face. */
static const double face = 1.0 - 1e-9;

bool plu_ahead_matters(const plu_detector *d)
{
    return d->facets && d->world->scene->method == PLU_NONSMOOTH &&
           d->world->scene->forecast == PLU_TOUCH && d->stride > long_way * d->world->smallest;
}

void plu_look_ahead(plu_swift_search *found, size_t begin, size_t end)
{
    const plu_detector *d = found->d;
    const plu_world *w = d->world;
    const int sphere = d->walls.pair[begin].b;
    const double *at = w->spheres.at[sphere], *v = plu_sphere_velocity(w, sphere), r = at[3];
    double then[4] = {at[0], at[1], at[2], r}, normal[3], way[3];
    double least = -deep * r;
    size_t deepest = end;
    plu_contact c = {.b = sphere};
    if (!(w->step * plu_norm(v) > long_way * r))
        return;
    plu_add_scaled(then, w->step, v);
    for (size_t k = begin; k < end; k++) {
        const plu_part *part = &w->parts[d->walls.pair[k].a];
        if (!plu_is_facet(part) || !plu_wall_law(w, d->walls.pair[k])->lands)
            continue;
        const double gap = plu_part_gap(part, then, normal);
        if (gap >= least)
            continue;
        plu_sub(at, then, way);
        const double plane = gap + plu_dot(way, normal); /* to it, at the start */
        if (plane < -sunk * r || plane <= gap)
            continue;
        c.gap = plane;
        least = gap;
        deepest = k;
        memcpy(c.normal, normal, sizeof normal);
    }
    if (deepest == end)
        return;
    (void)plu_part_gap(&w->parts[d->walls.pair[deepest].a], at, normal);
    if (plu_dot(normal, c.normal) > face)
        return; /* it meets its face, as its contact has it */
    c.a = plu_side_of_part(d->walls.pair[deepest].a);
    c.approach = plu_dot(c.normal, v);
    plu_swift_note(found, &c, (plu_swift){.when = 2.0, .bias = plu_max(c.gap, 0.0) / w->step});
}
