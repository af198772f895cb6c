/* A triangle, thin and with two sides: the closest point to a center is in its face, on an edge or
 * at a corner.
 *
 *           c              p = x - a, edges e1 = b - a, e2 = c - a. The foot of x on the plane
 *          / `.            is a + v e1 + w e2 with
 *         /  x `.
 *        /       `.        (v, w) = | e1.e1  e1.e2 |^-1 | p.e1 |     in the face if v, w >= 0
 *       a---------b                 | e1.e2  e2.e2 |    | p.e2 |     and v + w <= 1
 *
 * else the nearest of the three edges has it, each a segment whose share is cut to [0, 1]. Of its
 * part `center` is a corner, `axis` the edges that leave it; half[0], half[1] and `radius` are the
 * products of these with themselves and with each other: the numbers of the matrix. The normal is
 * that of the side on which the center lies; neighbors decide which of several triangles counts
 * (detect/verdict.c). */
#include "base/vec3.h"
#include "shape/shape_parts.h"
#include <string.h>

void plu_triangle_fill(plu_part *part, const double a[3], const double b[3], const double c[3])
{
    memcpy(part->center, a, sizeof part->center);
    plu_sub(b, a, part->axis[0]);
    plu_sub(c, a, part->axis[1]);
    part->half[0] = plu_dot(part->axis[0], part->axis[0]);
    part->half[1] = plu_dot(part->axis[1], part->axis[1]);
    part->radius = plu_dot(part->axis[0], part->axis[1]);
    plu_cross(part->axis[0], part->axis[1], part->normal);
    const double length = plu_norm(part->normal);
    for (int k = 0; k < 3; k++)
        part->normal[k] /= length;
}

/* The point of the segment from `from` along `edge` that is closest to x, as a share of its length,
 * and the vector from there to x. */
static double from_segment(const double from[3], const double edge[3], double away[3])
{
    const double share = plu_min(plu_max(plu_dot(from, edge) / plu_dot(edge, edge), 0.0), 1.0);
    for (int k = 0; k < 3; k++)
        away[k] = from[k] - share * edge[k];
    return plu_dot(away, away);
}

/* From the nearest of the three edges to a point at `from` from the corner. */
static void from_edges(const plu_part *part, const double from[3], double away[3])
{
    double other[3], last[3], beyond[3];
    double least = from_segment(from, part->axis[0], away);
    plu_sub(part->axis[1], part->axis[0], last);
    plu_sub(from, part->axis[0], beyond);
    const double *const start[2] = {from, beyond}, *const edge[2] = {part->axis[1], last};
    for (int k = 0; k < 2; k++) {
        const double squared = from_segment(start[k], edge[k], other);
        if (squared < least) {
            least = squared;
            memcpy(away, other, sizeof other);
        }
    }
}

/* Whether the foot of a point on the plane of the triangle is in it, the point being at `from` from
 * the corner. */
static bool is_above(const plu_part *part, const double from[3])
{
    const double a = part->half[0], b = part->half[1], ab = part->radius;
    const double p = plu_dot(from, part->axis[0]), q = plu_dot(from, part->axis[1]);
    const double v = b * p - ab * q, w = a * q - ab * p;
    return v >= 0.0 && w >= 0.0 && v + w <= a * b - ab * ab;
}

static double triangle_gap(const plu_part *part, const double sphere[4], double normal[3])
{
    double from[3], away[3];
    plu_sub(sphere, part->center, from);
    if (is_above(part, from))
        return plu_distance_of_face(part, plu_dot(from, part->normal), normal) - sphere[3];
    from_edges(part, from, away);
    return plu_distance_of(away, part->normal, normal) - sphere[3];
}

static bool triangle_passed(const plu_part *part, const double a[3], const double b[3])
{
    double at[3];
    return plu_flat_crossed(part, a, b, at) && is_above(part, at);
}

static void triangle_bounds(const plu_part *part, double low[3], double high[3])
{
    for (int k = 0; k < 3; k++) {
        const double a = part->axis[0][k], b = part->axis[1][k];
        low[k] = part->center[k] + plu_min(plu_min(a, b), 0.0);
        high[k] = part->center[k] + plu_max(plu_max(a, b), 0.0);
    }
}

/* --- neighbors --- */

/* In radii: corners nearer to each other are one. A point on the side of a corner by more is nearer
 * to the triangle by more than 1e-8 radii. */
#define SAME_CORNER 1e-9
#define NEARER 1e-3

static void find_corners(const plu_part *part, double corner[3][3])
{
    for (int k = 0; k < 3; k++) {
        corner[0][k] = part->center[k];
        corner[1][k] = part->center[k] + part->axis[0][k];
        corner[2][k] = part->center[k] + part->axis[1][k];
    }
}

/* Puts the corners that are also some of `other` first; returns their number. */
static int sort_shared(double corner[3][3], double other[3][3], double near)
{
    int shared = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double apart[3], same[3];
            plu_sub(corner[i], other[j], apart);
            if (plu_dot(apart, apart) > near * near)
                continue;
            memcpy(same, corner[i], sizeof same);
            memcpy(corner[i], corner[shared], sizeof same);
            memcpy(corner[shared++], same, sizeof same);
            break;
        }
    return shared;
}

/* The vector to x from the closest point of the first `shared` corners, one, or two and the edge
 * between them. */
static void from_shared(double corner[3][3], int shared, const double x[3], double away[3])
{
    double edge[3];
    plu_sub(x, corner[0], away);
    if (shared == 1)
        return;
    const double from[3] = {away[0], away[1], away[2]};
    plu_sub(corner[1], corner[0], edge);
    from_segment(from, edge, away);
}

/* How far x is on the side of the corner w, seen from the closest point y of the shared corners:
 * (x - y)(w - y) / L, L being the largest |w - y| for any y. It changes by no more than x moves (y
 * then moves along the edge, which x - y is normal to, or not at all). */
static double towards(const double w[3], double corner[3][3], int shared, const double x[3],
                      const double away[3])
{
    double to[3], longest = 0.0;
    for (int k = 0; k < shared; k++) {
        plu_sub(w, corner[k], to);
        longest = plu_max(longest, plu_dot(to, to));
    }
    for (int i = 0; i < 3; i++)
        to[i] = w[i] - (x[i] - away[i]);
    return plu_dot(away, to) / sqrt(longest);
}

/* y is the closest point of a triangle while `towards` <= 0 for all of its other corners; and on
 * the way from y to a corner for which it is t > 0 a point lies that is nearer to x, its distance
 * squared by t^2 (or by |w - y|^2, if that is less). */
static double triangle_covered(const plu_part *part, const plu_part *other, const double sphere[4])
{
    double corner[3][3], others[3][3], own[3][3], away[3], width[3];
    if (other->surface != &plu_surface_triangle)
        return 0.0;
    find_corners(part, corner);
    find_corners(other, others);
    memcpy(own, corner, sizeof own);
    const double same = SAME_CORNER * sphere[3];
    const int shared = sort_shared(corner, others, same);
    if (shared == 0 || shared == 3)
        return 0.0;
    sort_shared(others, own, same);
    from_shared(corner, shared, sphere, away);
    double stays = 0.5 * sphere[3], nearer = 0.0;
    for (int k = shared; k < 3; k++) {
        stays = plu_min(stays, -towards(corner[k], corner, shared, sphere, away));
        from_shared(corner, shared, others[k], width);
        if (plu_norm(width) > 2.0 * NEARER * sphere[3])
            nearer = plu_max(nearer, towards(others[k], corner, shared, sphere, away));
    }
    return plu_max(plu_min(stays, nearer - NEARER * sphere[3]), 0.0);
}

const plu_surface plu_surface_triangle =
    PLU_JOINED_SURFACE(triangle_gap, triangle_passed, triangle_bounds, triangle_covered);
