#include "base/memory.h"
#include "base/vec3.h"
#include "measure/view.h"
#include <math.h>
#include <stdlib.h>

/* A sphere rests on the base when its center is at most this many radii above it. */
#define TOUCHING 1.05

static bool above(const plu_view *view, int body, double base)
{
    return plu_view_grain(view, body) && plu_view_position(view, body)[2] > base;
}

static bool at_bottom(const plu_view *view, int body, double base)
{
    return above(view, body, base) &&
           plu_view_position(view, body)[2] < base + TOUCHING * plu_view_radius(view, body);
}

static void measure_spread(plu_pile *pile, const plu_view *view, double base)
{
    double centroid[2] = {0.0, 0.0}, sum = 0.0;
    for (int b = 0; b < view->bodies; b++) {
        if (!at_bottom(view, b, base))
            continue;
        pile->bottom++;
        centroid[0] += plu_view_position(view, b)[0];
        centroid[1] += plu_view_position(view, b)[1];
    }
    if (pile->bottom == 0)
        return;
    centroid[0] /= pile->bottom;
    centroid[1] /= pile->bottom;
    for (int b = 0; b < view->bodies; b++) {
        if (!at_bottom(view, b, base))
            continue;
        const double *x = plu_view_position(view, b);
        const double distance = hypot(x[0] - centroid[0], x[1] - centroid[1]);
        sum += distance;
        pile->base_radius = fmax(pile->base_radius, distance + plu_view_radius(view, b));
    }
    pile->mean_radius = sum / pile->bottom;
}

void plu_measure_pile(plu_pile *pile, const plu_view *view, double base)
{
    *pile = (plu_pile){0};
    double sum = 0.0;
    for (int b = 0; b < view->bodies; b++) {
        if (!above(view, b, base))
            continue;
        const double z = plu_view_position(view, b)[2] - base;
        pile->spheres++;
        pile->height = fmax(pile->height, z + plu_view_radius(view, b));
        sum += z;
    }
    if (pile->spheres > 0)
        pile->mean_height = sum / pile->spheres;
    measure_spread(pile, view, base);
}
