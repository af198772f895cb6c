#include "pluvia/measure.h"
#include <math.h>

/* A sphere rests on the base when its centre is at most this many radii above it. */
#define TOUCHING 1.05

struct level {
    const plu_bodies_view *bodies;
    double base;
};

static bool above(const struct level *level, int body)
{
    return level->bodies->state[body] == PLU_ACTIVE &&
           level->bodies->position[body][2] > level->base;
}

static bool at_bottom(const struct level *level, int body)
{
    const double *x = level->bodies->position[body];
    return above(level, body) && x[2] < level->base + TOUCHING * x[3];
}

static void measure_spread(plu_pile *pile, const struct level *level)
{
    double centroid[2] = {0.0, 0.0};
    for (int b = 0; b < level->bodies->count; b++) {
        if (!at_bottom(level, b))
            continue;
        pile->bottom++;
        centroid[0] += level->bodies->position[b][0];
        centroid[1] += level->bodies->position[b][1];
    }
    if (pile->bottom == 0)
        return;
    centroid[0] /= pile->bottom;
    centroid[1] /= pile->bottom;
    double sum = 0.0;
    for (int b = 0; b < level->bodies->count; b++) {
        const double *x = level->bodies->position[b];
        if (at_bottom(level, b))
            sum += hypot(x[0] - centroid[0], x[1] - centroid[1]);
    }
    pile->mean_radius = sum / pile->bottom;
}

void plu_measure_pile(plu_pile *pile, const plu_world *world, double base)
{
    const plu_bodies_view bodies = plu_world_bodies(world);
    const struct level level = {&bodies, base};
    *pile = (plu_pile){0};
    double sum = 0.0;
    for (int b = 0; b < bodies.count; b++) {
        if (!above(&level, b))
            continue;
        const double *x = bodies.position[b];
        pile->spheres++;
        pile->height = fmax(pile->height, x[2] + x[3] - base);
        sum += x[2] - base;
    }
    if (pile->spheres > 0)
        pile->mean_height = sum / pile->spheres;
    measure_spread(pile, &level);
}
