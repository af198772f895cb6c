/* The parts of the boundaries of a scene, and their motions: a shape says which surfaces it
 * consists of (shape/shape.h), a sphere has one contact with each. One special case:
 *
 *     .--(     )--.       a sphere wider than a tube touches its rim all around. Three parts of the
 *     |   `. .'   |       tube, each a third of a turn on, give it three contacts, which can hold
 *     |     '     |       it; what touches one side only has one contact, as it should
 *
 * A tree of boxes over all parts (shape/part_tree.c) finds those near a place. */
#include "base/memory.h"
#include "base/vec3.h"
#include "fill/build.h"
#include "fill/csv.h"
#include "pluvia/body.h"
#include "shape/frustum.h"
#include "shape/own_shape.h"
#include "world/motion.h"
#include <string.h>

/* The largest radius that a sphere of an entry may have; of files, runs and known bodies that of
 * one that is there. */
static double largest_radius(const plu_build *build)
{
    double most = 0.0;
    for (int e = 0; e < build->entries; e++) {
        const plu_grading *g = &build->gradings[e];
        for (int k = 0; k < g->parts_count; k++)
            most = plu_max(most,
                           g->parts[k].sizes ? g->parts[k].sizes->range[1] : g->parts[k].radius[1]);
    }
    for (int e = 0; e < build->scene->bodies_count; e++) {
        for (int k = 0; k < build->tables[e].count; k++)
            most = plu_max(most, build->tables[e].rows[k].value[PLU_CSV_RADIUS]);
        for (int k = 0; build->start && k < build->start->entry[e].count; k++)
            most = plu_max(most, build->start->entry[e].position[k][3]);
    }
    for (int k = 0; build->known && k < build->known->count; k++)
        most = plu_max(most, build->known->radius[k]);
    return most;
}

/* A sphere has one contact with each part of a boundary. One that is wider than a tube lies on its
 * rim, all around: the tube then gets two more parts, which are touched a third of a turn to either
 * side, as a cone has them always. Spheres that touch one side only do not touch these. */
static const char *make_parts(plu_parts *parts, const plu_boundary_spec *spec, double largest)
{
    const double radii[2] = {spec->radius, spec->radius};
    if (spec->kind != PLU_CYLINDER || largest < spec->radius)
        return plu_shape_of(spec->kind)->make(spec, parts);
    for (int turn = 0; turn < 3; turn++)
        plu_frustum_add(parts, spec, radii, turn < 2 ? turn : -1);
    if (spec->bottom)
        plu_frustum_close(parts, spec, spec->radius);
    return NULL;
}

static plu_status build_motions(plu_build *build);

plu_status plu_build_parts(plu_build *build)
{
    const plu_scene *scene = build->scene;
    plu_world *world = build->world;
    plu_parts parts = {.err = build->err};
    const double largest = largest_radius(build);
    plu_status status = PLU_OK;
    for (int b = 0; b < scene->boundaries_count; b++) {
        const plu_boundary_spec *spec = &scene->boundaries[b];
        parts.boundary = b;
        world->own_shapes |= spec->kind == PLU_OWN_SHAPE;
        const char *wrong = make_parts(&parts, spec, largest);
        char where[PLU_PATH + 32];
        if (wrong)
            status = plu_error_add(build->err, PLU_BAD_INPUT, "%s: boundary \"%s\": %s",
                                   plu_scene_where(scene, spec->where, where, sizeof where),
                                   spec->name, wrong);
    }
    world->parts = parts.part;
    world->parts_count = parts.count;
    if (status == PLU_OK)
        status = parts.status;
    if (status == PLU_OK)
        status = build_motions(build);
    return status == PLU_OK
               ? plu_part_tree_make(&world->tree, world->parts, world->parts_count, build->err)
               : status;
}

plu_status plu_world_shapes_fault(const plu_world *w, plu_error *err)
{
    for (int b = 0; w->own_shapes && b < w->scene->boundaries_count; b++) {
        const plu_boundary_spec *spec = &w->scene->boundaries[b];
        if (spec->own && *spec->own->fault)
            return plu_fail(err, PLU_BREAKDOWN, "step %ld (t = %g s): boundary \"%s\": %s",
                            w->steps, w->time, spec->name, spec->own->fault);
    }
    return PLU_OK;
}

/* --- The motions of a scene, made with its parts --- */

static bool has_pose(const plu_boundary_spec *spec)
{
    return spec->moves || spec->has_servo || spec->until > 0.0 || spec->displaced || spec->staged;
}

/* How far the part reaches from the axis (m); infinite for one without an end. */
static double extent_of(const plu_part *part, const plu_pose *pose)
{
    double low[3], high[3], most = 0.0;
    part->surface->bounds(part, low, high);
    for (int corner = 0; corner < 8; corner++) {
        double arm[3], along;
        for (int k = 0; k < 3; k++)
            arm[k] = (corner >> k & 1 ? high[k] : low[k]) - pose->center[k];
        if (!isfinite(arm[0]) || !isfinite(arm[1]) || !isfinite(arm[2]))
            return HUGE_VAL;
        along = plu_dot(arm, pose->axis);
        plu_add_scaled(arm, -along, pose->axis);
        most = plu_max(most, plu_norm(arm));
    }
    return most;
}

/* What its parts have of places that move when it turns. */
static void measure(plu_world *w, plu_motion *motion)
{
    for (int p = 0; p < w->parts_count; p++) {
        plu_part *part = &w->parts[p];
        if (part->boundary != motion->boundary)
            continue;
        const plu_surface *s = part->surface;
        const plu_pose *pose = &motion->pose;
        const double extent = extent_of(part, pose);
        const bool round = s->round && s->round(part, pose->center, pose->axis);
        part->pose = pose;
        motion->extent = plu_max(motion->extent, extent);
        if (!round && !isfinite(extent))
            motion->endless = true;
        else if (!round)
            motion->reach = plu_max(motion->reach, extent);
    }
}

static void bound_speeds(plu_motion *motion)
{
    const plu_motion_spec *s = motion->spec;
    const plu_motion_table *t = &motion->table;
    motion->bound[0] = plu_norm(s->velocity) + plu_norm(s->belt) +
                       1.1 * 2.0 * PLU_PI * s->frequency * plu_norm(s->amplitude);
    motion->bound[1] = fabs(s->rate) + 1.1 * 2.0 * PLU_PI * s->swing_frequency * fabs(s->swing);
    double speed = 0.0, spin = 0.0;
    for (int i = 0; i + 1 < t->count; i++) { /* a cubic is at most three times as steep as a line */
        const double h = (t->row[i + 1].t - t->row[i].t) / 3.0;
        double way[PLU_MOTION_COLUMNS];
        for (int c = 0; c < PLU_MOTION_COLUMNS; c++)
            way[c] = t->row[i + 1].value[c] - t->row[i].value[c];
        speed = plu_max(speed, plu_norm(way) / h);
        spin = plu_max(spin, fabs(way[3]) / h);
    }
    motion->bound[0] += 1.5 * speed; /* by the places before and after (motion_path.c) */
    motion->bound[1] += 1.5 * spin;
    memcpy(motion->most, motion->bound, sizeof motion->most);
}

plu_status plu_build_motion(plu_build *build, plu_motion *motion, const plu_motion_spec *m,
                            plu_where place)
{
    char where[PLU_PATH + 32];
    motion->spec = m;
    memcpy(motion->pose.center, m->center, sizeof m->center);
    memcpy(motion->pose.axis, m->axis, sizeof m->axis);
    if (*m->table) {
        const plu_status status = plu_motion_table_read(
            &motion->table, m->table, plu_scene_where(build->scene, place, where, sizeof where),
            plu_place_columns, build->err);
        if (status != PLU_OK)
            return status;
    }
    bound_speeds(motion);
    motion->pose.turns = motion->bound[1] > 0.0;
    return PLU_OK;
}

static plu_status make(plu_build *build, plu_motion *motion, int boundary)
{
    const plu_boundary_spec *spec = &build->scene->boundaries[boundary];
    const plu_motion_spec *m = &spec->motion;
    motion->boundary = boundary;
    motion->pose.axis[2] = 1.0;
    if (!spec->moves) {
        memcpy(motion->pose.center, m->center, sizeof m->center);
        if (spec->displaced || spec->staged)
            memcpy(motion->pose.axis, spec->displaced ? spec->start_axis : m->axis, sizeof m->axis);
        motion->pose.turns = spec->start_angle != 0.0;
        return PLU_OK;
    }
    const plu_status status = plu_build_motion(build, motion, m, spec->where);
    motion->pose.turns |= spec->start_angle != 0.0;
    return status;
}

static plu_status build_motions(plu_build *build)
{
    const plu_scene *scene = build->scene;
    plu_world *w = build->world;
    int count = 0, groups = 0;
    for (int b = 0; b < scene->boundaries_count; b++)
        count += has_pose(&scene->boundaries[b]);
    for (int e = 0; e < scene->bodies_count; e++)
        groups += scene->bodies[e].moves;
    if (count + groups == 0)
        return PLU_OK;
    w->motions = plu_alloc((size_t)(count + groups), sizeof *w->motions, build->err);
    if (!w->motions)
        return PLU_IO;
    plu_status status = PLU_OK;
    for (int b = 0; b < scene->boundaries_count; b++) {
        if (!has_pose(&scene->boundaries[b]))
            continue;
        plu_motion *motion = &w->motions[w->motions_count++];
        const plu_status made = make(build, motion, b);
        status = status == PLU_OK ? made : status;
        measure(w, motion);
    }
    plu_motions_seek(w, 0);
    for (int k = 0; k < groups; k++) /* their bodies are placed later: plu_build_groups */
        w->motions[w->motions_count++].boundary = -1;
    return status;
}
