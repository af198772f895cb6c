/* A world in the next stage of its scene: gravity, laws, motions and servos are made anew, bodies
 * and the clock go on.
 *
 *     boundary turned about axis a before    the motion of the stage must turn about a as well: its
 *                                            place is one angle about one axis
 *     another motion than before             begins where the boundary is now
 *     added by the stage                     must not be where spheres are: by 1 % of a diameter at
 *                                            most, which the projection undoes
 *     gone in the stage before               stays so, unless the stage adds it
 *
 * All stages are tried before the first step (plu_world_try_stages), so that a mistake in the last
 * one is found at once. */
#include "base/vec3.h"
#include "fill/build.h"
#include "pluvia/boundary.h"
#include "pluvia/stage.h"
#include "world/cell.h"
#include "world/motion.h"
#include "world/servo.h"
#include <stdlib.h>
#include <string.h>

/* A boundary that is added may overlap spheres by this share of a diameter, which the projection
 * undoes. */
static const double slight = 0.01;

static const double same = 1e-9; /* 1 - cosine of two axes that are one */

/* Spheres that a boundary overlaps, the deepest of them, and by how much (m). */
typedef struct met {
    int spheres, deepest;
    double depth;
} met;

static met spheres_in(const plu_world *w, int boundary)
{
    met found = {.depth = 0.0};
    for (int i = 0; i < w->spheres.count; i++) {
        double deepest = 0.0, normal[3];
        if (w->bodies.state[plu_owner(&w->spheres, i)] != PLU_ACTIVE || plu_sphere_fixed(w, i))
            continue;
        for (int p = 0; p < w->parts_count; p++)
            if (w->parts[p].boundary == boundary)
                deepest = plu_max(deepest, -plu_part_gap(&w->parts[p], w->spheres.at[i], normal));
        found.spheres += deepest > 2.0 * slight * w->spheres.at[i][3];
        if (deepest > found.depth) {
            found.depth = deepest;
            found.deepest = i;
        }
    }
    return found;
}

static plu_status check_place(const plu_world *w, int boundary, plu_error *err)
{
    const plu_scene *scene = w->scene;
    const met found = spheres_in(w, boundary);
    if (found.spheres == 0 || scene->allow_overlap)
        return PLU_OK;
    const double *x = w->spheres.at[found.deepest];
    char where[PLU_PATH + 32];
    return plu_fail(err, PLU_BREAKDOWN,
                    "%s: stage \"%s\" adds boundary \"%s\" where %d sphere%s: sphere %d at (%.4g, "
                    "%.4g, %.4g) m overlaps it by %.3g m; begin elsewhere (boundaries.start), or "
                    "add it later",
                    plu_scene_where(scene, scene->stages[scene->stage].where, where, sizeof where),
                    scene->stages[scene->stage].name, scene->boundaries[boundary].name,
                    found.spheres, found.spheres == 1 ? " is" : "s are", found.deepest, x[0], x[1],
                    x[2], found.depth);
}

plu_status plu_world_check_added(const plu_world *w, plu_error *err)
{
    plu_status status = PLU_OK;
    for (int b = 0; b < w->scene->boundaries_count && status == PLU_OK; b++)
        if (w->scene->boundaries[b].added)
            status = check_place(w, b, err);
    return status;
}

/* From where the boundary is. */
static plu_status restage_motion(plu_build *build, plu_motion *motion, bool goes_on)
{
    plu_world *w = build->world;
    const plu_boundary_spec *spec = &w->scene->boundaries[motion->boundary];
    plu_pose *pose = &motion->pose;
    const bool turned = pose->turns;
    const double axis[3] = {pose->axis[0], pose->axis[1], pose->axis[2]};
    free(motion->table.row);
    motion->table = (plu_motion_table){.count = 0};
    motion->spec = NULL;
    memset(motion->bound, 0, sizeof motion->bound);
    memset(motion->most, 0, sizeof motion->most);
    plu_motion_drive(motion, NULL);
    pose->servo = 0; /* that of the stage before is gone */
    if (spec->moves) {
        const plu_status status = plu_build_motion(build, motion, &spec->motion, spec->where);
        if (status != PLU_OK)
            return status;
    }
    const bool other = pose->now.angle != 0.0 && plu_dot(axis, pose->axis) < 1.0 - same;
    if (other && motion->bound[1] > 0.0)
        return plu_fail(build->err, PLU_BAD_INPUT,
                        "stage \"%s\": boundary \"%s\" was turned about another axis than that of "
                        "its motion; one boundary can turn about one axis only",
                        w->scene->stages[w->scene->stage].name, spec->name);
    if (other)
        memcpy(pose->axis, axis, sizeof axis);
    pose->turns |= turned;
    if (spec->since == w->scene->stage)
        plu_motion_take_over(motion, w->time);
    pose->gone = spec->absent || (goes_on && pose->gone && !spec->added);
    return PLU_OK;
}

plu_status plu_world_restage(plu_world *w, bool goes_on, plu_error *err)
{
    plu_build build = {.scene = w->scene, .world = w, .err = err};
    plu_status status = PLU_OK;
    memcpy(w->gravity, w->scene->gravity, sizeof w->gravity);
    plu_laws_fill(w);
    plu_world_reach(w);
    for (int m = 0; m < w->motions_count && status == PLU_OK; m++)
        if (w->motions[m].boundary >= 0)
            status = restage_motion(&build, &w->motions[m], goes_on);
    plu_servos_free(w);
    if (status == PLU_OK)
        status = plu_build_servos(&build);
    plu_cell_let_yield(w);
    w->generation++;
    return status;
}

plu_status plu_world_try_stages(plu_world *w, plu_scene *scene, plu_error *err)
{
    static const double begun[PLU_STAGES] = {0.0};
    plu_status status = PLU_OK;
    for (int k = 1; k <= scene->stages_count && status == PLU_OK; k++) {
        plu_scene_enter(scene, k % scene->stages_count, begun);
        status = plu_world_restage(w, false, err);
    }
    plu_motions_seek(w, 0);
    return status;
}
