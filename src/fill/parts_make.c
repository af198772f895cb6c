#include "base/memory.h"
#include "base/vec3.h"
#include "fill/build.h"
#include "fill/csv.h"
#include "shape/frustum.h"
#include "shape/own_shape.h"

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
        status = plu_build_motions(build);
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
