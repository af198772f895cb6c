/* The surface in the half plane through the axis and the center of a sphere is a segment from the
 * first circle along the unit vector m, the meridian:
 *
 *      axial
 *        ^          o  center (along, axial)
 *        |         /
 *        |      __x---  m        on = (axial - radius) m[0] + along m[1], kept in 0 ... length
 *        |  .---
 * radius +-----------> along     closest point x: (on m[1], radius + on m[0])
 *
 * so that the gap is the distance from x less the radius of the sphere; at the ends x stays on a
 * rim. The parts with a turn have x in another half plane, turned about the axis (frustum.h). */
#include "shape/frustum.h"
#include "base/vec3.h"
#include "shape/shape_parts.h"
#include <string.h>

/* Where a point is, from the middle of the first circle. */
typedef struct place {
    double along, axial; /* along the axis and away from it (m) */
    double radial[3];    /* away from the axis (m) */
} place;

static place place_of(const plu_part *part, const double x[3])
{
    place p;
    plu_sub(x, part->center, p.radial);
    p.along = plu_dot(p.radial, part->normal);
    plu_add_scaled(p.radial, -p.along, part->normal);
    /* near an oblique axis rounding leaves what is not normal to it */
    plu_add_scaled(p.radial, -plu_dot(p.radial, part->normal), part->normal);
    p.axial = plu_norm(p.radial);
    return p;
}

/* As a share of the distance from the first circle: nearer to the axis than rounding can tell. */
#define ON_AXIS 1e-15

/* The direction from the axis to the line of the surface that the part stands for; for a point on
 * the axis any will do, if always the same. */
static void direction_of(const plu_part *part, const place *p, double direction[3])
{
    const bool on_axis = !(p->axial > ON_AXIS * fabs(p->along));
    for (int k = 0; k < 3; k++)
        direction[k] = !on_axis ? p->radial[k] / p->axial : part->axis[0][k];
    if (part->turn[1] == 0.0)
        return;
    double across[3];
    plu_cross(part->normal, direction, across);
    for (int k = 0; k < 3; k++)
        direction[k] = part->turn[0] * direction[k] + part->turn[1] * across[k];
}

/* The gap to a frustum, whose own normal points to its axis. */
static double frustum_gap(const plu_part *part, const double sphere[4], double normal[3])
{
    const place p = place_of(part, sphere);
    const double *m = part->meridian;
    double direction[3], away[3], own[3];
    direction_of(part, &p, direction);
    const double outward = p.axial * part->turn[0] - part->radius;
    const double on = plu_min(plu_max(outward * m[0] + p.along * m[1], 0.0), part->length);
    const double beside = (part->radius + on * m[0]), beyond = p.along - on * m[1];
    const double apart = p.axial - beside;
    for (int k = 0; k < 3; k++) {
        away[k] = part->turn[1] == 0.0 ? apart * direction[k] : p.radial[k] - beside * direction[k];
        away[k] += beyond * part->normal[k];
        own[k] = m[0] * part->normal[k] - m[1] * direction[k];
    }
    return plu_distance_of(away, own, normal) - sphere[3];
}

static bool is_outside(const plu_part *part, const double x[3])
{
    const place p = place_of(part, x);
    const double radius = part->radius + p.along * part->meridian[0] / part->meridian[1];
    return plu_dot(p.radial, p.radial) > radius * radius;
}

/* The part of the way from a to b between the planes of both circles; false: there is none. */
static bool cut_way(const plu_part *part, const double a[3], const double b[3], double from[3],
                    double to[3])
{
    const double start = place_of(part, a).along, end = place_of(part, b).along;
    double share[2] = {0.0, 1.0};
    const double limit[2] = {0.0, part->height};
    for (int side = 0; side < 2; side++) {
        const double sign = side ? -1.0 : 1.0, s = sign * (start - limit[side]),
                     e = sign * (end - limit[side]);
        if (s < 0.0 && e < 0.0)
            return false;
        if (s < 0.0)
            share[0] = plu_max(share[0], s / (s - e));
        else if (e < 0.0)
            share[1] = plu_min(share[1], s / (s - e));
    }
    for (int k = 0; k < 3; k++) {
        from[k] = share[0] > 0.0 ? a[k] + share[0] * (b[k] - a[k]) : a[k];
        to[k] = share[1] < 1.0 ? a[k] + share[1] * (b[k] - a[k]) : b[k];
    }
    return share[0] <= share[1];
}

/* The first part of a frustum sees what passes it. */
static bool frustum_passed(const plu_part *part, const double a[3], const double b[3])
{
    double from[3], to[3];
    return part->turn[1] == 0.0 && cut_way(part, a, b, from, to) &&
           is_outside(part, from) != is_outside(part, to);
}

static void frustum_bounds(const plu_part *part, double low[3], double high[3])
{
    const double last = part->radius + part->length * part->meridian[0];
    for (int k = 0; k < 3; k++) {
        const double n = part->normal[k], flat = sqrt(plu_max(1.0 - n * n, 0.0));
        const double c = part->center[k], d = c + part->height * n;
        low[k] = plu_min(c - part->radius * flat, d - last * flat);
        high[k] = plu_max(c + part->radius * flat, d + last * flat);
    }
}

static bool frustum_round(const plu_part *part, const double center[3], const double axis[3])
{
    return plu_is_axis_of(part->center, part->normal, center, axis, false);
}

static const plu_surface frustum =
    PLU_ROUND_SURFACE(frustum_gap, frustum_passed, frustum_bounds, frustum_round);

void plu_frustum_add(plu_parts *parts, const plu_boundary_spec *spec, const double radii[2],
                     int turn)
{
    plu_part *part = plu_parts_add(parts, spec, &frustum);
    const double wider = radii[1] - radii[0];
    memcpy(part->normal, spec->axis, sizeof part->normal);
    plu_flat_edge(part->normal, part->axis[0]);
    part->radius = radii[0];
    part->length = sqrt(wider * wider + spec->height * spec->height);
    part->meridian[0] = wider / part->length;
    part->meridian[1] = spec->height / part->length;
    part->turn[0] = turn ? -0.5 : 1.0; /* cosine and sine of a third of a turn */
    part->turn[1] = turn * sqrt(0.75);
    part->alone = turn != 0;
}

void plu_frustum_outline(const plu_boundary_spec *spec, const double radii[2],
                         plu_piece_visit *visit, void *user)
{
    plu_piece piece = {.kind = PLU_MANTLE,
                       .container = true,
                       .radius = {radii[0], radii[1]},
                       .height = spec->height};
    memcpy(piece.center, spec->center, sizeof piece.center);
    memcpy(piece.axis, spec->axis, sizeof piece.axis);
    plu_flat_edge(spec->axis, piece.edge);
    visit(user, &piece);
}

void plu_frustum_close(plu_parts *parts, const plu_boundary_spec *spec, double radius)
{
    plu_part *part = plu_parts_add(parts, spec, &plu_surface_disc);
    memcpy(part->normal, spec->axis, sizeof part->normal);
    part->radius = radius;
    part->wall = 1;
}

void plu_frustum_close_outline(const plu_boundary_spec *spec, double radius, plu_piece_visit *visit,
                               void *user)
{
    plu_piece piece = {
        .kind = PLU_SHEET, .container = true, .round = true, .half = {radius, radius}};
    memcpy(piece.center, spec->center, sizeof piece.center);
    memcpy(piece.axis, spec->axis, sizeof piece.axis);
    plu_flat_edge(spec->axis, piece.edge);
    visit(user, &piece);
}
