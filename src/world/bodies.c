/* Memory of bodies and spheres, and views of a world.
 *
 *   plu_bodies    position [n][4]  x, y, z, radius (m)        row [n + 1 + given][8]  v, w, 1/m,
 * 1/I orientation [n][4]  quaternion, scalar first  state, rest, release, queue [n] plu_spheres at
 * = position of the bodies, species [n]
 *
 * Rows of velocities of boundaries follow those of bodies (plu_bodies_reserve_given): one array,
 * so that solvers read both sides of a contact alike. Views point into the world: they hold until
 * it changes. */
#include "world/bodies.h"
#include "base/memory.h"
#include "world/world.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static plu_status create_bodies(plu_bodies *bodies, size_t count, plu_error *err)
{
    const bool ok = (bodies->position = plu_alloc(count, sizeof *bodies->position, err)) &&
                    (bodies->row = plu_alloc(count + 1, sizeof *bodies->row, err)) &&
                    (bodies->orientation = plu_alloc(count, sizeof *bodies->orientation, err)) &&
                    (bodies->state = plu_alloc(count, sizeof *bodies->state, err)) &&
                    (bodies->rest = plu_alloc(count, sizeof *bodies->rest, err)) &&
                    (bodies->release = plu_alloc(count, sizeof *bodies->release, err)) &&
                    (bodies->queue = plu_alloc(count, sizeof *bodies->queue, err));
    bodies->row_capacity = count + 1;
    return ok ? PLU_OK : PLU_IO;
}

plu_status plu_bodies_reserve_given(plu_bodies *bodies, int given, plu_error *err)
{
    const size_t rows = (size_t)bodies->count + 1 + (size_t)given;
    return rows > bodies->row_capacity
               ? plu_reserve(&bodies->row, &bodies->row_capacity, rows, sizeof *bodies->row, 1, err)
               : PLU_OK;
}

plu_status plu_grains_create(plu_bodies *bodies, plu_spheres *spheres, int count, plu_error *err)
{
    PLU_SPHERES_ARE_BODIES;
    *bodies = (plu_bodies){.count = count};
    *spheres = (plu_spheres){.count = count};
    if (create_bodies(bodies, (size_t)count, err) != PLU_OK)
        return PLU_IO;
    spheres->at = bodies->position;
    spheres->species = plu_alloc((size_t)count, sizeof *spheres->species, err);
    return spheres->species ? PLU_OK : PLU_IO;
}

void plu_grains_free(plu_bodies *bodies, plu_spheres *spheres)
{
    free(spheres->species);
    free(bodies->position); /* spheres->at is the same */
    free(bodies->row);
    free(bodies->orientation);
    free(bodies->state);
    free(bodies->rest);
    free(bodies->release);
    free(bodies->queue);
}

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

plu_status plu_world_given_up(const plu_world *w, plu_error *err)
{
    return plu_fail(err, PLU_STOPPED, "step %ld (t = %g s) was given up", w->steps + 1,
                    w->time + w->step);
}
