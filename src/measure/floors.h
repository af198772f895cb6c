/* floors.h: what of the boundaries lies below each body, and at which level. */
#ifndef MEASURE_FLOORS_H
#define MEASURE_FLOORS_H

#include "pluvia/tool/measure.h"

/* The highest point of a floor on the vertical line below the center of a body. Floors are level
 * sheets whose upper side is met (not the lid of a container) and the triangles of meshes that are
 * less than 45 degrees steep, each where it is at the time of the view. */
typedef struct plu_below {
    double level;   /* m; NAN: there is none, or the body is not active */
    bool triangle;  /* it is one of a mesh */
    double tilt[2]; /* its normal over its vertical part: x and y */
    bool rests;     /* the body touches it (floors.h) */
} plu_below;

/* Fills a row a body; `first`: level of the first level sheet of the scene that is there at that
 * time, NAN without. PLU_OK or PLU_IO (no memory). */
plu_status plu_floors_below(plu_below *below, double *first, const plu_view *view, plu_error *err);

/* Whether a scene has a floor in this sense, at its start. */
bool plu_floors_any(const struct plu_scene *scene);

/* --- which spheres touch, straight or through others --- */

/* Spheres touch where their gap is at most this many radii (of the smaller one), as does a sphere
 * what it lies on: more than a step or the slop leaves between bodies at rest, less than what falls
 * is apart for longer than a moment. */
static const double plu_touch = 0.2;

/* Writes to `group` (a number a body) the number of one body of its group: active bodies that touch
 * each other, straight or through others of them, across the sides of a periodic cell too. -1: not
 * active. PLU_OK or PLU_IO (no memory). */
plu_status plu_touching_groups(int *group, const plu_view *view, plu_error *err);

#endif
