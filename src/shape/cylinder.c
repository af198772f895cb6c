/* A vertical container: a thin tube with two sides, open above, and a disc as its bottom. */
#include "base/vec3.h"
#include "shape/flat.h"
#include <string.h>

static const double up[3] = {0.0, 0.0, 1.0};

/* Its own normal points to its axis. */
static double tube_gap(const plu_part *part, const double sphere[4], double normal[3])
{
    double from[3];
    plu_sub(sphere, part->center, from);
    const double axial = sqrt(from[0] * from[0] + from[1] * from[1]);
    const double x = axial > 0.0 ? from[0] / axial : 1.0, y = axial > 0.0 ? from[1] / axial : 0.0;
    const double beyond = from[2] < 0.0 ? from[2] : plu_max(from[2] - part->height, 0.0);
    const double outward = axial - part->radius;
    const double away[3] = {outward * x, outward * y, beyond}, own[3] = {-x, -y, 0.0};
    return plu_distance_of(away, own, normal) - sphere[3];
}

/* Where the way from a to b meets the tube's infinite cylinder, 0 to 1; one end is inside. */
static double meets_tube(const plu_part *part, const double a[3], const double b[3])
{
    const double x = b[0] - a[0], y = b[1] - a[1], r = part->radius;
    const double aa = x * x + y * y, ab = a[0] * x + a[1] * y,
                 c = a[0] * a[0] + a[1] * a[1] - r * r;
    const double root = sqrt(fmax(ab * ab - aa * c, 0.0));
    return (c <= 0.0 ? -ab + root : -ab - root) / aa;
}

static bool tube_passed(const plu_part *part, const double a[3], const double b[3])
{
    double from[3], to[3];
    plu_sub(a, part->center, from);
    plu_sub(b, part->center, to);
    const double r = part->radius;
    const bool outside = from[0] * from[0] + from[1] * from[1] > r * r;
    if (outside == (to[0] * to[0] + to[1] * to[1] > r * r))
        return false;
    const double at = from[2] + meets_tube(part, from, to) * (to[2] - from[2]);
    return at >= 0.0 && at <= part->height;
}

static void tube_bounds(const plu_part *part, double low[3], double high[3])
{
    for (int k = 0; k < 3; k++) {
        low[k] = part->center[k] - (k < 2 ? part->radius : 0.0);
        high[k] = part->center[k] + (k < 2 ? part->radius : part->height);
    }
}

static const plu_surface tube = PLU_SURFACE(tube_gap, tube_passed, tube_bounds);

static void cylinder_settle(const plu_settling *s)
{
    (void)s; /* each of its keys stands alone */
}

static const char *cylinder_make(const plu_boundary_spec *spec, plu_parts *parts)
{
    plu_parts_add(parts, spec, &tube);
    if (spec->bottom)
        memcpy(plu_parts_add(parts, spec, &plu_surface_disc)->normal, up, sizeof up);
    return NULL;
}

static void cylinder_outline(const plu_boundary_spec *spec, plu_piece_visit *visit, void *user)
{
    plu_piece mantle = {.kind = PLU_MANTLE,
                        .container = true,
                        .edge = {1.0, 0.0, 0.0},
                        .radius = spec->radius,
                        .height = spec->height},
              bottom = {.kind = PLU_SHEET,
                        .container = true,
                        .round = true,
                        .edge = {1.0, 0.0, 0.0},
                        .half = {spec->radius, spec->radius}};
    memcpy(mantle.center, spec->center, sizeof mantle.center);
    memcpy(mantle.axis, up, sizeof up);
    memcpy(bottom.center, spec->center, sizeof bottom.center);
    memcpy(bottom.axis, up, sizeof up);
    visit(user, &mantle);
    if (spec->bottom)
        visit(user, &bottom);
}

static void cylinder_describe(const plu_boundary_spec *spec, const plu_describer *d)
{
    d->real(d->user, "center", 3, spec->center);
    d->real(d->user, "radius", 1, &spec->radius);
    d->real(d->user, "height", 1, &spec->height);
    d->whole(d->user, "bottom", spec->bottom);
}

const plu_shape plu_shape_cylinder =
    PLU_SHAPE("cylinder", cylinder_settle, cylinder_make, cylinder_outline, cylinder_describe);
