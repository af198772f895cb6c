#include "base/memory.h"
#include "shape/own.h"
#include "world/build.h"

plu_status plu_build_parts(plu_build *build)
{
    const plu_scene *scene = build->scene;
    plu_world *world = build->world;
    plu_parts parts = {.err = build->err};
    plu_status status = PLU_OK;
    for (int b = 0; b < scene->boundaries_count; b++) {
        const plu_boundary_spec *spec = &scene->boundaries[b];
        parts.boundary = b;
        world->own_shapes |= spec->kind == PLU_OWN_SHAPE;
        const char *wrong = plu_shape_of(spec->kind)->make(spec, &parts);
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
