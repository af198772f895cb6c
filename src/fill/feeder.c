#include "base/rng.h"
#include "base/vec3.h"
#include "fill/build.h"
#include <math.h>
#include <string.h>

/* Numbers drawn for one sphere of the feeder. */
enum { DRAW_GRADE, DRAW_X, DRAW_Y };

void plu_build_feeder(plu_build *build, int entry, int queue)
{
    const plu_scene *scene = build->scene;
    const int index = entry - scene->bodies_count;
    const plu_feeder_spec *spec = &scene->feeders[index];
    const plu_grading *grading = &build->gradings[entry];
    const plu_rng rng = grading->rng;
    plu_new_body body = {.queue = queue};
    memcpy(body.velocity, spec->velocity, sizeof body.velocity);
    memcpy(body.angular_velocity, spec->angular_velocity, sizeof body.angular_velocity);
    for (int k = 0; k < spec->count; k++) {
        const double u = plu_rng_uniform(rng, (uint64_t)k, DRAW_X);
        const double v = plu_rng_uniform(rng, (uint64_t)k, DRAW_Y);
        double x = spec->square * (u - 0.5), y = spec->square * (v - 0.5);
        if (spec->disc > 0.0) {
            x = 0.5 * spec->disc * sqrt(u) * cos(2.0 * PLU_PI * v);
            y = 0.5 * spec->disc * sqrt(u) * sin(2.0 * PLU_PI * v);
        }
        body.position[0] = spec->center[0] + x;
        body.position[1] = spec->center[1] + y;
        body.position[2] = spec->height;
        plu_grading_draw(grading, (uint64_t)k, &body.radius, &body.material);
        body.release = spec->start + k * spec->interval;
        plu_build_put(build, build->first[entry] + k, &body);
    }
}
