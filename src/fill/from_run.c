/* Spheres of other runs (pluvia/start.h). */
#include "fill/build.h"
#include <string.h>

/* A world cannot read a trajectory: its maker has to. */
plu_status plu_build_check_runs(const plu_build *build)
{
    const plu_scene *scene = build->scene;
    for (int e = 0; e < scene->bodies_count; e++) {
        const bool read = build->start && e < build->start->entries && build->start->entry[e].read;
        char where[PLU_PATH + 32];
        if (scene->bodies[e].kind == PLU_FROM_RUN && !read && !build->known)
            return plu_error_add(
                build->err, PLU_BAD_INPUT,
                "%s: the run that contains these spheres was not read (plu_start_read)",
                plu_scene_where(scene, scene->bodies[e].where, where, sizeof where));
    }
    return PLU_OK;
}

void plu_build_run(plu_build *build, int entry)
{
    const plu_start_entry *from = &build->start->entry[entry];
    const int first = build->first[entry];
    for (int k = 0; k < from->count; k++) {
        plu_new_body body = {
            .radius = from->position[k][3], .material = from->species[k], .queue = -1};
        memcpy(body.position, from->position[k], sizeof body.position);
        memcpy(body.velocity, from->velocity[k], sizeof body.velocity);
        memcpy(body.angular_velocity, from->velocity[k] + 3, sizeof body.angular_velocity);
        plu_build_put(build, first + k, &body);
        memcpy(build->world->bodies.orientation[first + k], from->orientation[k],
               sizeof from->orientation[k]);
        if (from->image && build->world->image)
            memcpy(build->world->image[first + k], from->image[k], sizeof from->image[k]);
    }
}
