#include "world/edit.h"

static bool outside(const double x[3], const double domain[2][3])
{
    for (int k = 0; k < 3; k++)
        if (x[k] < domain[0][k] || x[k] > domain[1][k])
            return true;
    return false;
}

void plu_world_remove_outside(plu_world *world, double *removed)
{
    const plu_scene *scene = world->scene;
    if (!scene->has_domain || scene->outside != PLU_REMOVE)
        return;
    for (int b = 0; b < world->bodies.count; b++)
        if (world->bodies.state[b] == PLU_ACTIVE && !plu_is_fixed(world, b) &&
            outside(world->bodies.position[b], scene->domain))
            *removed += plu_world_take_out(world, b);
}
