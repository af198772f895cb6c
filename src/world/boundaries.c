#include "base/memory.h"
#include "base/vec3.h"
#include "world/build.h"
#include <string.h>

/* A chosen direction is made normal to the normal; what is left must be more than rounding. */
#define TOO_PARALLEL 1e-6

static int parts_of(const plu_boundary_spec *spec)
{
    if (spec->kind == PLU_BOX)
        return __builtin_popcount(spec->faces & 63u);
    return spec->kind == PLU_CYLINDER && spec->bottom ? 2 : 1;
}

static bool direction_in_plane(const double direction[3], const double normal[3], double axis[3])
{
    memcpy(axis, direction, 3 * sizeof *axis);
    plu_add_scaled(axis, -plu_dot(axis, normal), normal);
    const double length = plu_norm(axis);
    if (!(length > TOO_PARALLEL * plu_norm(direction)))
        return false;
    for (int k = 0; k < 3; k++)
        axis[k] /= length;
    return true;
}

/* false: the direction given is parallel to the normal. */
static bool make_plate(plu_part *part, const plu_boundary_spec *spec)
{
    static const double x[3] = {1.0, 0.0, 0.0}, y[3] = {0.0, 1.0, 0.0};
    part->shape = PLU_PART_RECTANGLE;
    part->half[0] = 0.5 * spec->size[0];
    part->half[1] = 0.5 * spec->size[1];
    const bool given = plu_norm(spec->direction) > 0.0;
    if (given && !direction_in_plane(spec->direction, spec->normal, part->axis[0]))
        return false;
    if (!given && !direction_in_plane(x, spec->normal, part->axis[0]))
        direction_in_plane(y, spec->normal, part->axis[0]);
    plu_cross(spec->normal, part->axis[0], part->axis[1]);
    return true;
}

/* Face `face` (bit number) of a box, its normal pointing inward. */
static void make_face(plu_part *part, const plu_boundary_spec *spec, int face)
{
    const int k = face / 2, a = (k + 1) % 3, b = (k + 2) % 3;
    const bool upper = face % 2;
    const double(*box)[3] = spec->box;
    part->shape = PLU_PART_RECTANGLE;
    for (int i = 0; i < 3; i++)
        part->center[i] = 0.5 * (box[0][i] + box[1][i]);
    part->center[k] = box[upper][k];
    memset(part->normal, 0, sizeof part->normal);
    part->normal[k] = upper ? -1.0 : 1.0;
    part->axis[0][a] = 1.0;
    plu_cross(part->normal, part->axis[0], part->axis[1]);
    part->half[0] = 0.5 * (box[1][a] - box[0][a]);
    part->half[1] = 0.5 * (box[1][b] - box[0][b]);
}

static void make_cylinder(plu_part *part, const plu_boundary_spec *spec)
{
    static const double up[3] = {0.0, 0.0, 1.0};
    part[0].shape = PLU_PART_TUBE;
    memcpy(part[0].normal, up, sizeof up);
    if (spec->bottom) {
        part[1] = part[0];
        part[1].shape = PLU_PART_DISC;
    }
}

static plu_status make_parts(const plu_build *build, int boundary, plu_part *part)
{
    const plu_boundary_spec *spec = &build->scene->boundaries[boundary];
    for (int k = 0; k < parts_of(spec); k++) {
        part[k] = (plu_part){.boundary = boundary,
                             .material = spec->material,
                             .radius = spec->radius,
                             .height = spec->height};
        memcpy(part[k].center, spec->center, sizeof spec->center);
        memcpy(part[k].normal, spec->normal, sizeof spec->normal);
    }
    switch (spec->kind) {
    case PLU_PLANE:
        part->shape = PLU_PART_HALF_SPACE;
        break;
    case PLU_DISC:
        part->shape = PLU_PART_DISC;
        break;
    case PLU_PLATE:
        if (!make_plate(part, spec)) {
            char where[PLU_PATH + 32];
            return plu_error_add(
                build->err, PLU_BAD_INPUT,
                "%s: boundary \"%s\": `direction` is parallel to `normal`; it is an edge of the "
                "plate, so choose it across",
                plu_scene_where(build->scene, spec->where, where, sizeof where), spec->name);
        }
        break;
    case PLU_BOX:
        for (int face = 0; face < 6; face++)
            if (spec->faces & 1u << face)
                make_face(part++, spec, face);
        break;
    case PLU_CYLINDER:
        make_cylinder(part, spec);
        break;
    }
    return PLU_OK;
}

plu_status plu_build_parts(plu_build *build)
{
    const plu_scene *scene = build->scene;
    plu_world *world = build->world;
    size_t count = 0;
    for (int b = 0; b < scene->boundaries_count; b++)
        count += (size_t)parts_of(&scene->boundaries[b]);
    world->parts = plu_alloc(count, sizeof *world->parts, build->err);
    if (!world->parts)
        return PLU_IO;
    plu_status status = PLU_OK;
    for (int b = 0; b < scene->boundaries_count; b++) {
        if (make_parts(build, b, &world->parts[world->parts_count]) != PLU_OK)
            status = PLU_BAD_INPUT;
        world->parts_count += parts_of(&scene->boundaries[b]);
    }
    return status;
}
