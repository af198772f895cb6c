/* curve.h: contacts between bodies that move along each other on curved ways.
 *
 * The gap of a pair at the end of the step is not g + h u_N: surfaces curve away from the tangent
 * plane of its start (spheres on each other), or towards it (a ball in a tube). What lasts goes on
 * along the surface: its normal is that of the middle of the step, n_m, where the tangential
 * velocity u_T of now will have brought it, and
 *
 *   w_N = g+ / h + c ,   c = n_m . u_T
 *
 *      v_k   ______ n_m            the chord, (v_k + v_k+1) / 2, is normal to n_m,
 *         \ /      \  v_k+1        and v_k+1 is v_k reflected: u_N, by n_m, is c at the
 *   x_k ---*--chord-*--- x_k+1     start and -c at the end, whose mean is 0
 *
 * so that the impulse turns the velocity and takes no energy, and bodies stay on their surface to
 * the third order (src/theory.md, "Curved ways"; the point of the middle is Moreau's, 1988). What
 * is open keeps its normal and has the same c: no false obstacle for spheres that pass each other.
 */
#ifndef DETECT_CURVE_H
#define DETECT_CURVE_H

#include "base/vec3.h"
#include "detect/detector.h"

/* In radii: a way that differs by less from a straight one in a step is straight. */
#define PLU_STRAIGHT 1e-11

/* The least speed that counts (m/s), squared: what gravity adds in three steps. Slower ways leave
 * their tangent by a term of fourth order in the step, and beds at rest creep along them. */
static inline double plu_least_way(const plu_world *w)
{
    return 9.0 * w->step * w->step * plu_dot(w->gravity, w->gravity);
}

/* In radii: how far a contact that lasts may leave its tangent plane in a step. Where others stop
 * the pair its spheres come nearer by a quarter of that, while bonds have to be turned by any. */
static inline double plu_most_curved(const plu_world *w)
{
    return w->coheres ? 0.5 : 1e-2;
}

/* In radii: how far the surfaces of an open pair count as opening in a step. It lets the pair come
 * nearer by all of that, where others stop or turn it. */
static inline double plu_most_open(const plu_world *w)
{
    return w->coheres ? 0.1 : 1e-3;
}

/* Of two spheres, with the velocity `rate` of b relative to a; `radius`: the smaller one; `least`:
 * the least squared speed that counts. In lanes: look_lanes.c, to the bit. */
static inline void plu_curve_spheres(const plu_world *w, double radius, double length,
                                     const double rate[3], double least, plu_contact *c)
{
    const double h = w->step;
    double way[3] = {rate[0], rate[1], rate[2]};
    plu_add_scaled(way, -c->approach, c->normal);
    const double square = plu_dot(way, way), turn = 0.5 * h / length;
    const double shrink = 1.0 / sqrt(1.0 + turn * turn * square), curve = turn * square * shrink;
    const bool lasts = c->gap <= plu_max(PLU_LASTING * radius, PLU_LASTING_WAY * h * curve);
    if (!(h * curve > PLU_STRAIGHT * radius) || square <= least)
        return;
    if (!lasts) {
        c->curve = plu_min(curve, plu_most_open(w) * radius / h);
        return;
    }
    if (h * curve > plu_most_curved(w) * radius || c->approach < -curve)
        return;
    c->curve = curve;
    for (int k = 0; k < 3; k++)
        c->normal[k] = shrink * (c->normal[k] + turn * way[k]);
}

/* Of contacts that are live, once they are found: those with walls, and slow bonds of bodies that
 * have few contacts. */
void plu_curve_contacts(plu_detector *detector);

#endif
