/* view.h: access to the rows of a plu_view (pluvia/measure.h), in SI units. */
#ifndef MEASURE_VIEW_H
#define MEASURE_VIEW_H

#include "base/vec3.h"
#include "pluvia/measure.h"

static inline const double *plu_row(plu_rows rows, int i)
{
    return rows.at + (size_t)rows.stride * (size_t)i;
}

static inline bool plu_view_active(const plu_view *view, int body)
{
    return view->state[body] == PLU_ACTIVE;
}

/* Bodies that are fixed are solid as others, but they are a boundary: no grains. */
static inline bool plu_view_fixed(const plu_view *view, int body)
{
    return view->fixed && view->fixed[body] == view->fixed_mark;
}

/* Whether it is a grain: active, and not fixed. */
static inline bool plu_view_grain(const plu_view *view, int body)
{
    return plu_view_active(view, body) && !plu_view_fixed(view, body);
}

static inline const double *plu_view_position(const plu_view *view, int body)
{
    return plu_row(view->position, body);
}

static inline double plu_view_radius(const plu_view *view, int body)
{
    return *plu_row(view->radius, body);
}

static inline double plu_view_mass(const plu_view *view, int body)
{
    const double m = *plu_row(view->mass, body);
    return view->inverse ? 1.0 / m : m;
}

static inline double plu_view_inertia(const plu_view *view, int body)
{
    const double inertia = *plu_row(view->inertia, body);
    return view->inverse ? 1.0 / inertia : inertia;
}

static inline bool plu_region_holds(const plu_region *region, const double x[3])
{
    if (region)
        for (int i = 0; i < 3; i++)
            if (!(x[i] >= region->lower[i] && x[i] <= region->upper[i]))
                return false;
    return true;
}

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

#endif
