/* shape_parts.h: what the files of the shapes share: surfaces of flat parts and of tubes, outlines
 * of triangles. */
#ifndef SHAPE_SHAPE_PARTS_H
#define SHAPE_SHAPE_PARTS_H

#include "base/vec3.h"
#include "pluvia/outline.h"
#include "shape/shape.h"

/* Below this squared distance (m^2) a direction cannot be distinguished from rounding: the center
 * counts as lying on the surface. */
#define PLU_ON_SURFACE 1e-200

/* Distance of the center from the closest point of the part, `away` being the vector from that
 * point to the center; `own` is the normal for a center on the surface. */
static inline double plu_distance_of(const double away[3], const double own[3], double normal[3])
{
    const double squared = plu_dot(away, away);
    if (!(squared > PLU_ON_SURFACE)) {
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
static inline double plu_distance_of_face(const plu_part *part, double height, double normal[3])
{
    const double side = height < 0.0 ? -1.0 : 1.0;
    for (int k = 0; k < 3; k++)
        normal[k] = side * part->normal[k];
    return fabs(height);
}

/* Whether the way from a to b crosses the plane of the part; `at`: where, from the part's center.
 */
static inline bool plu_flat_crossed(const plu_part *part, const double a[3], const double b[3],
                                    double at[3])
{
    double from[3], to[3];
    plu_sub(a, part->center, from);
    plu_sub(b, part->center, to);
    const double before = plu_dot(from, part->normal), after = plu_dot(to, part->normal);
    if ((before < 0.0) == (after < 0.0))
        return false;
    const double share = before / (before - after);
    for (int k = 0; k < 3; k++)
        at[k] = from[k] + share * (to[k] - from[k]);
    return true;
}

/* Settles a shape that has a normal and no other direction. */
void plu_flat_settle(const plu_settling *s);

/* The sheet that a shape is drawn with which has a center and a normal, half[0] by half[1] from its
 * middle. */
plu_piece plu_flat_piece(const plu_boundary_spec *spec, double half, double other);

/* Fills a part of plu_surface_triangle with these corners. */
void plu_triangle_fill(plu_part *part, const double a[3], const double b[3], const double c[3]);

/* A unit vector normal to the unit vector `normal`, along x or, where that is the normal, y. */
void plu_flat_edge(const double normal[3], double edge[3]);

/* `direction` made a unit vector normal to the unit vector `normal`; false: it is parallel to it.
 */
bool plu_flat_direction(const double direction[3], const double normal[3], double edge[3]);

/* --- how the triangles of a boundary are drawn --- */

/* Whether pictures show it from within: its mesh is closed around a hollow, or the scene says so.
 */
bool plu_mesh_is_vessel(const plu_boundary_spec *spec);

/* Visits the triangles of its mesh, if it has one. */
void plu_mesh_outline(const plu_boundary_spec *spec, plu_piece_visit *visit, void *user);

#endif
