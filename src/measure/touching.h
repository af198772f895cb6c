/* touching.h: which spheres touch, straight or through others. */
#ifndef MEASURE_TOUCHING_H
#define MEASURE_TOUCHING_H

#include "pluvia/tool/measure.h"

/* Spheres touch where their gap is at most this many radii (of the smaller one), as does a sphere
 * what it lies on: more than a step or the slop leaves between bodies at rest, less than what falls
 * is apart for longer than a moment. */
static const double plu_touch = 0.2;

/* Writes to `group` (a number a body) the number of one body of its group: active bodies that touch
 * each other, straight or through others of them, across the sides of a periodic cell too. -1: not
 * active. PLU_OK or PLU_IO (no memory). */
plu_status plu_touching_groups(int *group, const plu_view *view, plu_error *err);

#endif
