/* An infinite plane with one side: bodies are where its normal points to. */
#include "base/vec3.h"
#include "shape/shape_parts.h"

static double plane_gap(const plu_part *part, const double sphere[4], double normal[3])
{
    double from[3];
    plu_sub(sphere, part->center, from);
    for (int k = 0; k < 3; k++)
        normal[k] = part->normal[k];
    return plu_dot(from, part->normal) - sphere[3];
}

/* Into the solid. */
static bool plane_passed(const plu_part *part, const double a[3], const double b[3])
{
    double from[3], to[3];
    plu_sub(a, part->center, from);
    plu_sub(b, part->center, to);
    return plu_dot(from, part->normal) >= 0.0 && plu_dot(to, part->normal) < 0.0;
}

/* The solid ends along an axis only where that is the normal. */
static void plane_bounds(const plu_part *part, double low[3], double high[3])
{
    for (int k = 0; k < 3; k++) {
        const bool along = fabs(part->normal[k]) == 1.0;
        low[k] = along && part->normal[k] < 0.0 ? part->center[k] : -HUGE_VAL;
        high[k] = along && part->normal[k] > 0.0 ? part->center[k] : HUGE_VAL;
    }
}

static bool plane_round(const plu_part *part, const double center[3], const double axis[3])
{
    return plu_is_axis_of(part->center, part->normal, center, axis, true);
}

const plu_surface plu_surface_plane =
    PLU_ROUND_SURFACE(plane_gap, plane_passed, plane_bounds, plane_round);

static const char *plane_make(const plu_boundary_spec *spec, plu_parts *parts)
{
    plu_parts_add(parts, spec, &plu_surface_plane);
    return NULL;
}

static void plane_outline(const plu_boundary_spec *spec, plu_piece_visit *visit, void *user)
{
    const plu_piece piece = plu_flat_piece(spec, HUGE_VAL, HUGE_VAL);
    visit(user, &piece);
}

static void plane_describe(const plu_boundary_spec *spec, const plu_describer *d)
{
    d->real(d->user, "center", 3, spec->center);
    d->real(d->user, "normal", 3, spec->normal);
}

const plu_shape plu_shape_plane =
    PLU_SHAPE("plane", plu_flat_settle, plane_make, plane_outline, plane_describe);
