/* The servos of a scene, made after motions and bodies. */
#include "base/memory.h"
#include "base/vec3.h"
#include "fill/build.h"
#include "pluvia/boundary.h"
#include "world/enclosure.h"
#include "world/servo.h"
#include <math.h>

/* The limit of speed where none is given: a tenth of the smallest radius in a step. */
static double usual_limit(const plu_world *w)
{
    double least = HUGE_VAL;
    for (int i = 0; i < w->spheres.count; i++)
        least = plu_min(least, w->spheres.at[i][3]);
    return 0.1 * least / w->step;
}

static plu_motion *motion_of(const plu_world *w, int boundary)
{
    int m = 0;
    while (w->motions[m].boundary != boundary)
        m++;
    return &w->motions[m];
}

static plu_status make(plu_build *build, plu_world_servo *s, int boundary)
{
    const plu_boundary_spec *b = &build->scene->boundaries[boundary];
    plu_world *w = build->world;
    char where[PLU_PATH + 32];
    plu_scene_where(build->scene, b->where, where, sizeof where);
    s->spec = &b->servo;
    s->boundary = boundary;
    s->motion = motion_of(w, boundary);
    s->limit = s->spec->speed > 0.0 ? s->spec->speed : usual_limit(w);
    s->motion->most[0] = s->motion->bound[0] = plu_max(s->motion->bound[0], s->limit);
    if (s->spec->stress != 0.0 && !s->motion->pose.gone && !(plu_servo_area(w, s) > 0.0))
        return plu_error_add(build->err, PLU_BAD_INPUT,
                             "%s: boundary \"%s\": servo.stress needs an area, and the planes of "
                             "the scene do not enclose one; give servo.area",
                             where, b->name);
    return *s->spec->table ? plu_motion_table_read(&s->table, s->spec->table, where,
                                                   plu_servo_columns, build->err)
                           : PLU_OK;
}

plu_status plu_build_servos(plu_build *build)
{
    const plu_scene *scene = build->scene;
    plu_world *w = build->world;
    int count = 0;
    for (int b = 0; b < scene->boundaries_count; b++)
        count += scene->boundaries[b].has_servo;
    w->wall = plu_enclosure_walls(scene, &w->walls_count, build->err);
    if (count > 0)
        w->servos = plu_alloc((size_t)count, sizeof *w->servos, build->err);
    if (!w->wall || (count > 0 && !w->servos))
        return PLU_IO;
    plu_status status = PLU_OK;
    for (int b = 0; b < scene->boundaries_count; b++) {
        if (!scene->boundaries[b].has_servo)
            continue;
        const plu_status made = make(build, &w->servos[w->servos_count++], b);
        status = status == PLU_OK ? made : status;
    }
    return status;
}
