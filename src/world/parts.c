#include "base/vec3.h"
#include "world/world.h"

/* Below this squared distance (m^2) a direction cannot be told from rounding: the centre counts as
 * lying on the surface. */
#define ON_SURFACE 1e-200

/* Distance of the centre from the closest point of the shape, `away` being the vector from that
 * point to the centre; `own` is the normal for a centre on the surface. */
static double distance_of(const double away[3], const double own[3], double normal[3])
{
    const double squared = plu_dot(away, away);
    if (!(squared > ON_SURFACE)) {
        for (int k = 0; k < 3; k++)
            normal[k] = own[k];
        return 0.0;
    }
    const double distance = sqrt(squared);
    for (int k = 0; k < 3; k++)
        normal[k] = away[k] / distance;
    return distance;
}

/* The common case of a flat part: the closest point is not on the edge. */
static double distance_of_face(const plu_part *part, double height, double normal[3])
{
    const double side = height < 0.0 ? -1.0 : 1.0;
    for (int k = 0; k < 3; k++)
        normal[k] = side * part->normal[k];
    return fabs(height);
}

static double rectangle(const plu_part *part, const double from[3], double normal[3])
{
    const double height = plu_dot(from, part->normal);
    double beyond[2];
    for (int k = 0; k < 2; k++) {
        const double along = plu_dot(from, part->axis[k]);
        beyond[k] = copysign(plu_max(fabs(along) - part->half[k], 0.0), along);
    }
    if (beyond[0] == 0.0 && beyond[1] == 0.0)
        return distance_of_face(part, height, normal);
    double away[3] = {0.0, 0.0, 0.0};
    plu_add_scaled(away, height, part->normal);
    plu_add_scaled(away, beyond[0], part->axis[0]);
    plu_add_scaled(away, beyond[1], part->axis[1]);
    return distance_of(away, part->normal, normal);
}

static double disc(const plu_part *part, const double from[3], double normal[3])
{
    const double height = plu_dot(from, part->normal);
    double radial[3] = {from[0], from[1], from[2]};
    plu_add_scaled(radial, -height, part->normal);
    const double squared = plu_dot(radial, radial);
    if (squared <= part->radius * part->radius)
        return distance_of_face(part, height, normal);
    double away[3] = {0.0, 0.0, 0.0};
    plu_add_scaled(away, height, part->normal);
    plu_add_scaled(away, 1.0 - part->radius / sqrt(squared), radial);
    return distance_of(away, part->normal, normal);
}

/* The tube's own normal points to its axis. */
static double tube(const plu_part *part, const double from[3], double normal[3])
{
    const double axial = sqrt(from[0] * from[0] + from[1] * from[1]);
    const double x = axial > 0.0 ? from[0] / axial : 1.0, y = axial > 0.0 ? from[1] / axial : 0.0;
    const double beyond = from[2] < 0.0 ? from[2] : plu_max(from[2] - part->height, 0.0);
    const double outward = axial - part->radius;
    const double away[3] = {outward * x, outward * y, beyond}, own[3] = {-x, -y, 0.0};
    return distance_of(away, own, normal);
}

double plu_part_gap(const plu_part *part, const double sphere[4], double normal[3])
{
    double from[3];
    plu_sub(sphere, part->center, from);
    switch (part->shape) {
    case PLU_PART_RECTANGLE:
        return rectangle(part, from, normal) - sphere[3];
    case PLU_PART_DISC:
        return disc(part, from, normal) - sphere[3];
    case PLU_PART_TUBE:
        return tube(part, from, normal) - sphere[3];
    case PLU_PART_HALF_SPACE:
        break;
    }
    for (int k = 0; k < 3; k++)
        normal[k] = part->normal[k];
    return plu_dot(from, part->normal) - sphere[3];
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

/* Whether a point of the plane (of the tube's cylinder) belongs to the part. */
static bool within(const plu_part *part, const double at[3])
{
    if (part->shape == PLU_PART_TUBE)
        return at[2] >= 0.0 && at[2] <= part->height;
    if (part->shape == PLU_PART_DISC)
        return plu_dot(at, at) <= part->radius * part->radius;
    return fabs(plu_dot(at, part->axis[0])) <= part->half[0] &&
           fabs(plu_dot(at, part->axis[1])) <= part->half[1];
}

bool plu_part_passed(const plu_part *part, const double a[3], const double b[3])
{
    double from[3], to[3], at[3], share;
    plu_sub(a, part->center, from);
    plu_sub(b, part->center, to);
    if (part->shape == PLU_PART_TUBE) {
        const double r = part->radius;
        const bool outside = from[0] * from[0] + from[1] * from[1] > r * r;
        if (outside == (to[0] * to[0] + to[1] * to[1] > r * r))
            return false;
        share = meets_tube(part, from, to);
    } else {
        const double before = plu_dot(from, part->normal), after = plu_dot(to, part->normal);
        if (part->shape == PLU_PART_HALF_SPACE)
            return before >= 0.0 && after < 0.0;
        if ((before < 0.0) == (after < 0.0))
            return false;
        share = before / (before - after);
    }
    for (int k = 0; k < 3; k++)
        at[k] = from[k] + share * (to[k] - from[k]);
    return within(part, at);
}
