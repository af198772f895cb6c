/* The bodies of a run at a moment of it, in place of those that its scene reads from files. */
#include "world/build.h"
#include <float.h>
#include <string.h>

bool plu_build_knows(const plu_scene *scene, const plu_known_bodies *known)
{
    bool reads_files = false;
    for (int e = 0; e < scene->bodies_count; e++)
        reads_files |= scene->bodies[e].kind == PLU_FILE;
    return known && reads_files;
}

/* How the bodies are shared among several files is not known, nor does it matter: each of them has
 * its numbers by itself. The first file gets all. */
int plu_build_known_count(const plu_build *build, int entry, double others)
{
    for (int e = 0; e < entry; e++)
        if (build->scene->bodies[e].kind == PLU_FILE)
            return 0;
    return build->known->count > others ? build->known->count - (int)others : 0;
}

plu_status plu_build_check_known(const plu_build *build)
{
    const plu_known_bodies *known = build->known;
    if (known->count != build->world->bodies.count)
        return plu_error_add(build->err, PLU_BAD_INPUT,
                             "the scene makes %d spheres, the run has %d",
                             build->world->bodies.count, known->count);
    for (int b = 0; b < known->count; b++)
        if (known->species[b] < 0 || known->species[b] >= build->scene->materials_count)
            return plu_error_add(build->err, PLU_BAD_INPUT,
                                 "sphere %d is of material %d, of which the scene has %d", b,
                                 known->species[b], build->scene->materials_count);
    return PLU_OK;
}

/* When those that wait were to come is not known: they do not. */
void plu_build_known(const plu_build *build, int entry, int queue)
{
    const plu_known_bodies *known = build->known;
    for (int b = build->first[entry]; b < build->first[entry + 1]; b++) {
        plu_new_body body = {.radius = known->radius[b],
                             .release = DBL_MAX,
                             .material = known->species[b],
                             .queue = known->state[b] == PLU_WAITING ? queue : -1};
        memcpy(body.position, known->position[b], sizeof body.position);
        plu_build_put(build, b, &body);
    }
}
