/* The bodies of a run at a moment of it, in place of those that its scene takes from files or
 * other runs. */
#include "fill/build.h"
#include <float.h>
#include <string.h>

/* Whether only the known bodies tell how many the entry has. */
bool plu_build_counts_known(const plu_build *build, int entry)
{
    if (!build->known || entry >= build->scene->bodies_count)
        return false;
    const plu_body_kind kind = build->scene->bodies[entry].kind;
    return kind == PLU_FROM_RUN || (kind == PLU_FILE && !build->reads_files);
}

/* Whether its bodies are known ones. */
bool plu_build_knows(const plu_build *build, int entry)
{
    return build->known && entry < build->scene->bodies_count &&
           !(build->scene->bodies[entry].kind == PLU_FILE && build->reads_files);
}

/* How the bodies are shared among several entries is not known, nor does it matter: each of them
 * has its numbers by itself. The first such entry gets all. */
int plu_build_known_count(const plu_build *build, int entry, double others)
{
    for (int e = 0; e < entry; e++)
        if (plu_build_counts_known(build, e))
            return 0;
    return build->known->count > others ? build->known->count - (int)others : 0;
}

plu_status plu_build_check_known(const plu_build *build)
{
    const plu_known_bodies *known = build->known;
    if (known->count != build->world->bodies.count)
        return plu_error_add(build->err, PLU_BAD_INPUT,
                             "the scene has %d spheres, but the run has %d",
                             build->world->bodies.count, known->count);
    for (int b = 0; b < known->count; b++)
        if (known->species[b] < 0 || known->species[b] >= build->scene->materials_count)
            return plu_error_add(
                build->err, PLU_BAD_INPUT,
                "sphere %d has the material number %d, but the scene has %d materials", b,
                known->species[b], build->scene->materials_count);
    return PLU_OK;
}

/* When those that wait were to come is not known: they do not. */
void plu_build_known(const plu_build *build, int entry, int queue)
{
    const plu_known_bodies *known = build->known;
    for (int b = build->first[entry]; b < build->first[entry + 1]; b++) {
        const bool waits = known->state[b] == PLU_WAITING;
        plu_new_body body = {.radius = known->radius[b],
                             .release = waits ? DBL_MAX : 0.0,
                             .material = known->species[b],
                             .queue = waits ? queue : -1};
        memcpy(body.position, known->position[b], sizeof body.position);
        if (known->velocity)
            memcpy(body.velocity, known->velocity[b], sizeof body.velocity);
        if (known->angular_velocity)
            memcpy(body.angular_velocity, known->angular_velocity[b], sizeof body.angular_velocity);
        plu_build_put(build, b, &body);
    }
}
