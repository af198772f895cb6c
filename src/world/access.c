#include "world/world.h"
#include <string.h>

double plu_world_time(const plu_world *world)
{
    return world->time;
}

long plu_world_steps(const plu_world *world)
{
    return world->steps;
}

double plu_world_step(const plu_world *world)
{
    return world->step;
}

int plu_world_active(const plu_world *world)
{
    return world->active;
}

int plu_world_waiting(const plu_world *world)
{
    return world->waiting;
}

int plu_world_removed(const plu_world *world)
{
    return world->removed;
}

int plu_world_fixed(const plu_world *world)
{
    return world->fixed;
}

bool plu_world_is_fixed(const plu_world *world, int body)
{
    return plu_is_fixed(world, body);
}

bool plu_world_cell(const plu_world *world, double edges[3][3])
{
    memcpy(edges, world->space.edge, sizeof world->space.edge);
    return world->space.kind == PLU_PERIODIC_SPACE;
}

const int (*plu_world_images(const plu_world *world))[3]
{
    return (const int(*)[3])world->image;
}

plu_bodies_view plu_world_bodies(const plu_world *world)
{
    PLU_SPHERES_ARE_BODIES; /* a view, a file, a picture has a row a sphere */
    return (plu_bodies_view){.count = world->bodies.count,
                             .position = (const double(*)[4])world->spheres.at,
                             .velocity = (const double(*)[8])world->bodies.row,
                             .orientation = (const double(*)[4])world->bodies.orientation,
                             .species = world->spheres.species,
                             .state = world->bodies.state};
}
