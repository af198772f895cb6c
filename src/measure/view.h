/* view.h: what measures ask of the contacts of a view (pluvia/view.h has its rows). */
#ifndef MEASURE_VIEW_H
#define MEASURE_VIEW_H

#include "base/vec3.h"
#include "pluvia/tool/measure.h"

/* Whether both sides of the contact exist; a damaged file may name bodies that do not. */
static inline bool plu_view_valid(const plu_view *view, const plu_contact_row *c)
{
    const bool there = !plu_side_is_sphere(c->a) || plu_side_sphere(c->a) < view->bodies;
    return c->b >= 0 && c->b < view->bodies && there && !plu_side_is(c->a, c->b);
}

/* Whether a contact, which is valid, is one with a boundary or with a body that is fixed. */
static inline bool plu_view_at_wall(const plu_view *view, const plu_contact_row *c)
{
    return plu_side_is_part(c->a) || plu_view_fixed(view, plu_side_sphere(c->a)) ||
           plu_view_fixed(view, c->b);
}

/* The smaller radius of what a contact joins (m). */
static inline double plu_view_smaller_radius(const plu_view *view, const plu_contact_row *c)
{
    const double rb = plu_view_radius(view, c->b);
    const double ra = plu_side_is_sphere(c->a) ? plu_view_radius(view, plu_side_sphere(c->a)) : rb;
    return ra < rb ? ra : rb;
}

/* Spin of b relative to a (rad/s), from the spins of the bodies, which the view must have; files do
 * not have it by contact. Boundaries do not spin. */
static inline void plu_view_relative_spin(const plu_view *view, const plu_contact_row *c,
                                          double spin[3])
{
    static const double still[3] = {0.0, 0.0, 0.0};
    const double *of_a =
        plu_side_is_sphere(c->a) ? plu_row(view->spin, plu_side_sphere(c->a)) : still;
    plu_sub(plu_row(view->spin, c->b), of_a, spin);
}

/* Visits the pieces of all boundaries of the view's scene, where they are at that time; nothing of
 * those that are removed (view.c). */
void plu_view_outline(const plu_view *view, plu_piece_visit *visit, void *user);

/* Whether the contact is valid and carries load. */
static inline bool plu_view_loaded(const plu_view *view, const plu_contact_row *c)
{
    return plu_view_valid(view, c) && c->impulse_normal > 0.0;
}

/* --- solid_cut.c --- */

/* Volume of the parts of active spheres in a region (m^3): of those that are fixed, or of others.
 */
double plu_solid_in(const plu_view *view, const plu_region *region, bool fixed);
/* A region without end along the directions in which it is as wide as a periodic cell: what reaches
 * across the sides of that is in it on the other side. */
plu_region plu_across_sides(const plu_view *view, const plu_region *region);
/* That of fixed spheres, also across those sides. */
double plu_fixed_volume(const plu_view *view, const plu_region *region);

/* --- height maps (pile.c) --- */

/* Index of the cell of a map over x along an axis, clamped to the map. */
int plu_map_cell(const plu_field *map, int axis, double x);

/* Raises the cells under a sphere to its upper surface (`side` 1), or lowers them to its lower one
 * (-1); heights above `base` (m). */
void plu_map_paint(plu_field *map, const double x[3], double r, double base, double side);

#endif
