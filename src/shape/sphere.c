/* A fixed sphere with one side: bodies are around it, or within it as in a bowl. */
#include "base/vec3.h"
#include "shape/shape_parts.h"
#include <string.h>

/* 1 where bodies are outside, -1 where they are inside: in `half`. */
static double side_of(const plu_part *part)
{
    return part->half[0];
}

static double sphere_gap(const plu_part *part, const double sphere[4], double normal[3])
{
    static const double up[3] = {0.0, 0.0, 1.0}; /* at the center any normal will do */
    double from[3];
    plu_sub(sphere, part->center, from);
    const double side = side_of(part), distance = plu_distance_of(from, up, normal);
    for (int k = 0; k < 3; k++)
        normal[k] *= side;
    return side * (distance - part->radius) - sphere[3];
}

/* The smallest distance of the way from the center, squared. */
static double nearest_squared(const double from[3], const double to[3])
{
    double way[3], at[3] = {from[0], from[1], from[2]};
    plu_sub(to, from, way);
    const double length = plu_dot(way, way), ahead = -plu_dot(from, way);
    if (length > 0.0)
        plu_add_scaled(at, plu_min(plu_max(ahead / length, 0.0), 1.0), way);
    return plu_dot(at, at);
}

/* Into the solid; a way may leave it again. */
static bool sphere_passed(const plu_part *part, const double a[3], const double b[3])
{
    double from[3], to[3];
    plu_sub(a, part->center, from);
    plu_sub(b, part->center, to);
    const double square = part->radius * part->radius, start = plu_dot(from, from);
    if (side_of(part) < 0.0)
        return start <= square && plu_dot(to, to) > square;
    return start >= square && nearest_squared(from, to) < square;
}

/* What is around a bowl is solid, without an end. */
static void sphere_bounds(const plu_part *part, double low[3], double high[3])
{
    const double reach = side_of(part) < 0.0 ? HUGE_VAL : part->radius;
    for (int k = 0; k < 3; k++) {
        low[k] = part->center[k] - reach;
        high[k] = part->center[k] + reach;
    }
}

/* About any axis through its center. */
static bool sphere_round(const plu_part *part, const double center[3], const double axis[3])
{
    return plu_is_axis_of(part->center, axis, center, axis, false);
}

static const plu_surface surface =
    PLU_ROUND_SURFACE(sphere_gap, sphere_passed, sphere_bounds, sphere_round);

static void sphere_settle(const plu_settling *s)
{
    (void)s; /* each of its keys stands alone */
}

static const char *sphere_make(const plu_boundary_spec *spec, plu_parts *parts)
{
    plu_parts_add(parts, spec, &surface)->half[0] = spec->inside ? -1.0 : 1.0;
    return NULL;
}

static void sphere_outline(const plu_boundary_spec *spec, plu_piece_visit *visit, void *user)
{
    plu_piece piece = {.kind = PLU_GLOBE,
                       .container = spec->inside,
                       .axis = {0.0, 0.0, 1.0},
                       .edge = {1.0, 0.0, 0.0},
                       .radius = {spec->radius, spec->radius}};
    memcpy(piece.center, spec->center, sizeof piece.center);
    visit(user, &piece);
}

static void sphere_describe(const plu_boundary_spec *spec, const plu_describer *d)
{
    d->real(d->user, "center", 3, spec->center);
    d->real(d->user, "radius", 1, &spec->radius);
    d->whole(d->user, "inside", spec->inside);
}

const plu_shape plu_shape_sphere =
    PLU_SHAPE("sphere", sphere_settle, sphere_make, sphere_outline, sphere_describe);
