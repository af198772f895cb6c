/* The entries of a scene that have bodies: where one was written, and a body of it in the arrays.
 */
#include "base/vec3.h"
#include "fill/build.h"
#include <math.h>
#include <string.h>

void plu_build_put(const plu_build *build, int index, const plu_new_body *body)
{
    PLU_SPHERES_ARE_BODIES; /* its mass is that of a sphere */
    plu_world *world = build->world;
    const double r = body->radius;
    const double density = build->scene->materials[body->material].density;
    const double mass = 4.0 / 3.0 * PLU_PI * r * r * r * density;
    int s[3];
    memcpy(world->bodies.position[index], body->position, sizeof body->position);
    if (world->space.kind == PLU_PERIODIC_SPACE)
        plu_space_wrap(&world->space, world->bodies.position[index], s);
    world->bodies.position[index][3] = r;
    double *velocity = world->bodies.row[index];
    memcpy(velocity, body->velocity, sizeof body->velocity);
    memcpy(velocity + 3, body->angular_velocity, sizeof body->angular_velocity);
    velocity[6] = 1.0 / mass;
    velocity[7] = 1.0 / (0.4 * mass * r * r);
    world->bodies.orientation[index][0] = 1.0;
    world->spheres.species[index] = body->material;
    world->bodies.release[index] = body->release;
    world->bodies.queue[index] = body->queue;
    world->bodies.state[index] = body->queue < 0 ? PLU_ACTIVE : PLU_WAITING;
    world->active += body->queue < 0;
    world->waiting += body->queue >= 0;
}

/* Spheres that wait until a call adds them: no queue releases them. */
void plu_build_reserve(plu_build *build, int entry)
{
    plu_world *world = build->world;
    const plu_grading *grading = &build->gradings[entry];
    plu_new_body body = {.queue = -1};
    for (int b = build->first[entry]; b < build->first[entry + 1]; b++) {
        plu_grading_draw(grading, (uint64_t)(b - build->first[entry]), &body.radius,
                         &body.material);
        plu_build_put(build, b, &body);
        world->bodies.state[b] = PLU_WAITING;
        world->active--;
        world->waiting++;
        world->reserved++;
    }
}

plu_where plu_build_entry_where(const plu_build *build, int entry)
{
    const plu_scene *scene = build->scene;
    return entry < scene->bodies_count ? scene->bodies[entry].where
                                       : scene->feeders[entry - scene->bodies_count].where;
}

bool plu_queue_is_feeder(const plu_scene *scene, int queue, int *index)
{
    for (int e = 0; e < scene->bodies_count; e++)
        if (scene->bodies[e].kind == PLU_FILE && queue-- == 0) {
            *index = e;
            return false;
        }
    *index = queue;
    return true;
}

double plu_release_time(const plu_world *world, int queue, int body)
{
    int index;
    const bool feeder = plu_queue_is_feeder(world->scene, queue, &index);
    return world->bodies.release[body] + (feeder ? world->scene->feeders[index].begun : 0.0);
}

int plu_wait_for_stage(const plu_world *world)
{
    int count = 0, index;
    for (int q = 0; q < world->queues; q++)
        if (plu_queue_is_feeder(world->scene, q, &index) &&
            isinf(world->scene->feeders[index].begun))
            count += world->queue_end[q] - world->queue_head[q];
    return count;
}
