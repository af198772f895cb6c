/* A thin disc with two sides and an edge. */
#include "base/vec3.h"
#include "shape/shape_parts.h"

static double disc_gap(const plu_part *part, const double sphere[4], double normal[3])
{
    double from[3];
    plu_sub(sphere, part->center, from);
    const double height = plu_dot(from, part->normal);
    double radial[3] = {from[0], from[1], from[2]};
    plu_add_scaled(radial, -height, part->normal);
    const double squared = plu_dot(radial, radial);
    if (squared <= part->radius * part->radius)
        return plu_distance_of_face(part, height, normal) - sphere[3];
    double away[3] = {0.0, 0.0, 0.0};
    plu_add_scaled(away, height, part->normal);
    plu_add_scaled(away, 1.0 - part->radius / sqrt(squared), radial);
    return plu_distance_of(away, part->normal, normal) - sphere[3];
}

static bool disc_passed(const plu_part *part, const double a[3], const double b[3])
{
    double at[3];
    return plu_flat_crossed(part, a, b, at) && plu_dot(at, at) <= part->radius * part->radius;
}

static void disc_bounds(const plu_part *part, double low[3], double high[3])
{
    for (int k = 0; k < 3; k++) {
        const double n = part->normal[k], reach = part->radius * sqrt(plu_max(1.0 - n * n, 0.0));
        low[k] = part->center[k] - reach;
        high[k] = part->center[k] + reach;
    }
}

static bool disc_round(const plu_part *part, const double center[3], const double axis[3])
{
    return plu_is_axis_of(part->center, part->normal, center, axis, false);
}

const plu_surface plu_surface_disc =
    PLU_ROUND_SURFACE(disc_gap, disc_passed, disc_bounds, disc_round);

static const char *disc_make(const plu_boundary_spec *spec, plu_parts *parts)
{
    plu_parts_add(parts, spec, &plu_surface_disc);
    return NULL;
}

static void disc_outline(const plu_boundary_spec *spec, plu_piece_visit *visit, void *user)
{
    plu_piece piece = plu_flat_piece(spec, spec->radius, spec->radius);
    piece.round = true;
    visit(user, &piece);
}

static void disc_describe(const plu_boundary_spec *spec, const plu_describer *d)
{
    d->real(d->user, "center", 3, spec->center);
    d->real(d->user, "normal", 3, spec->normal);
    d->real(d->user, "radius", 1, &spec->radius);
}

const plu_shape plu_shape_disc =
    PLU_SHAPE("disc", plu_flat_settle, disc_make, disc_outline, disc_describe);
