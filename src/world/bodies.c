#include "world/bodies.h"
#include "base/memory.h"
#include <stdbool.h>
#include <stdlib.h>

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
