/* A thin rectangle with two sides and four edges. In its frame (n, e1, e2) the closest point is the
 * center cut to the rectangle,
 *
 *           |------- half ------|             beyond_k = sign(x_k) max(0, |x_k| - half_k)
 *     o . . +-------------------+             away     = height n + beyond_1 e1 + beyond_2 e2
 *       beyond                                gap      = |away| - r
 *
 * which has faces, edges and corners in one formula; on a face the normal is n, on the side of the
 * center. */
#include "base/vec3.h"
#include "shape/shape_parts.h"
#include <string.h>

static double rectangle_gap(const plu_part *part, const double sphere[4], double normal[3])
{
    double from[3];
    plu_sub(sphere, part->center, from);
    const double height = plu_dot(from, part->normal);
    double beyond[2];
    for (int k = 0; k < 2; k++) {
        const double along = plu_dot(from, part->axis[k]);
        beyond[k] = copysign(plu_max(fabs(along) - part->half[k], 0.0), along);
    }
    if (beyond[0] == 0.0 && beyond[1] == 0.0)
        return plu_distance_of_face(part, height, normal) - sphere[3];
    double away[3] = {0.0, 0.0, 0.0};
    plu_add_scaled(away, height, part->normal);
    plu_add_scaled(away, beyond[0], part->axis[0]);
    plu_add_scaled(away, beyond[1], part->axis[1]);
    return plu_distance_of(away, part->normal, normal) - sphere[3];
}

static bool rectangle_passed(const plu_part *part, const double a[3], const double b[3])
{
    double at[3];
    return plu_flat_crossed(part, a, b, at) && fabs(plu_dot(at, part->axis[0])) <= part->half[0] &&
           fabs(plu_dot(at, part->axis[1])) <= part->half[1];
}

static void rectangle_bounds(const plu_part *part, double low[3], double high[3])
{
    for (int k = 0; k < 3; k++) {
        const double reach =
            part->half[0] * fabs(part->axis[0][k]) + part->half[1] * fabs(part->axis[1][k]);
        low[k] = part->center[k] - reach;
        high[k] = part->center[k] + reach;
    }
}

const plu_surface plu_surface_rectangle =
    PLU_SURFACE(rectangle_gap, rectangle_passed, rectangle_bounds);

/* The direction of the first edge; false: the one that was given is parallel to the normal. */
static bool first_edge(const plu_boundary_spec *spec, double edge[3])
{
    if (plu_norm(spec->direction) > 0.0)
        return plu_flat_direction(spec->direction, spec->normal, edge);
    plu_flat_edge(spec->normal, edge);
    return true;
}

static void plate_settle(const plu_settling *s)
{
    double *direction = s->spec->direction, edge[3];
    plu_flat_settle(s);
    if (!s->given(s->user, "direction"))
        return;
    const double given = fmax(fabs(direction[0]), fmax(fabs(direction[1]), fabs(direction[2])));
    if (given == 0.0) {
        s->complain(s->user, "direction", ".direction has length 0");
        return;
    }
    for (int k = 0; k < 3; k++)
        direction[k] /= given;
    if (plu_flat_direction(direction, s->spec->normal, edge))
        memcpy(direction, edge, sizeof edge);
    else
        s->complain(s->user, "direction",
                    ".direction is parallel to the normal: it must point along an edge of the "
                    "plate");
}

static const char *plate_make(const plu_boundary_spec *spec, plu_parts *parts)
{
    plu_part *part = plu_parts_add(parts, spec, &plu_surface_rectangle);
    part->half[0] = 0.5 * spec->size[0];
    part->half[1] = 0.5 * spec->size[1];
    if (!first_edge(spec, part->axis[0]))
        return "`direction` is parallel to `normal`; it is an edge of the plate, so choose it "
               "across";
    plu_cross(spec->normal, part->axis[0], part->axis[1]);
    return NULL;
}

static void plate_outline(const plu_boundary_spec *spec, plu_piece_visit *visit, void *user)
{
    plu_piece piece = plu_flat_piece(spec, 0.5 * spec->size[0], 0.5 * spec->size[1]);
    first_edge(spec, piece.edge);
    visit(user, &piece);
}

static void plate_describe(const plu_boundary_spec *spec, const plu_describer *d)
{
    d->real(d->user, "center", 3, spec->center);
    d->real(d->user, "normal", 3, spec->normal);
    d->real(d->user, "direction", 3, spec->direction);
    d->real(d->user, "size", 2, spec->size);
}

const plu_shape plu_shape_plate =
    PLU_SHAPE("plate", plate_settle, plate_make, plate_outline, plate_describe);
