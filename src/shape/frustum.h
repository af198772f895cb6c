/* frustum.h: the curved side of a cylinder or a truncated cone, thin, with two sides and two rims.
 */
#ifndef SHAPE_FRUSTUM_H
#define SHAPE_FRUSTUM_H

#include "shape/shape.h"

/* Adds a frustum whose first circle has its middle in `spec->center`, whose axis is `spec->axis`
 * and whose circles have the given radii, `spec->height` apart.
 *
 * A sphere that fills it touches it all around, and its closest point can be anywhere there. Where
 * spheres are meant to rest like that, two more parts are added with turn = 1 and -1: they are the
 * lines of the same surface a third of a turn to either side of the closest point. Each point of
 * these is one of the wall, so that the contacts hold for any sphere; with all three the forces on
 * one that fills the frustum balance. */
void plu_frustum_add(plu_parts *parts, const plu_boundary_spec *spec, const double radii[2],
                     int turn);

/* The piece that it is drawn with. */
void plu_frustum_outline(const plu_boundary_spec *spec, const double radii[2],
                         plu_piece_visit *visit, void *user);

/* The disc around `spec->center` that closes it: a part and a piece. */
void plu_frustum_close(plu_parts *parts, const plu_boundary_spec *spec, double radius);
void plu_frustum_close_outline(const plu_boundary_spec *spec, double radius, plu_piece_visit *visit,
                               void *user);

#endif
