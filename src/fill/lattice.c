#include "base/rng.h"
#include "fill/build.h"
#include <string.h>

/* Numbers drawn for one sphere of the entry. */
enum { DRAW_GRADE, DRAW_JITTER };

/* Spheres of a regular grid, x running fastest; a single sphere is a grid of one. */
void plu_build_lattice(plu_build *build, int entry)
{
    const plu_body_spec *spec = &build->scene->bodies[entry];
    const plu_grading *grading = &build->gradings[entry];
    const plu_rng rng = grading->rng;
    const bool single = spec->kind == PLU_SPHERE;
    const double *origin = single ? spec->position : spec->origin;
    const double jitter = single ? 0.0 : spec->jitter;
    plu_new_body body = {.queue = -1};
    memcpy(body.velocity, spec->velocity, sizeof body.velocity);
    memcpy(body.angular_velocity, spec->angular_velocity, sizeof body.angular_velocity);
    for (int b = build->first[entry]; b < build->first[entry + 1]; b++) {
        const int number = b - build->first[entry];
        int rest = number;
        for (int k = 0; k < 3; k++) {
            const double u = plu_rng_uniform(rng, (uint64_t)number, DRAW_JITTER + (uint32_t)k);
            const int step = single ? 0 : rest % spec->counts[k];
            rest = single ? 0 : rest / spec->counts[k];
            body.position[k] = origin[k] + step * spec->spacing + (2.0 * u - 1.0) * jitter;
        }
        plu_grading_draw(grading, (uint64_t)number, &body.radius, &body.material);
        plu_build_put(build, b, &body);
    }
}
