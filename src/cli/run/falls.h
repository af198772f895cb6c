/* falls.h: how far each sphere of a scene falls before it meets something. */
#ifndef CLI_RUN_FALLS_H
#define CLI_RUN_FALLS_H

#include "pluvia/world.h"

/* way[i]: the height of fall of body i (m) from its present position along gravity, down to the
 * boundary below or to the first sphere that lies there. A sphere lies if it rests on a boundary or
 * on another sphere that lies, with gaps below a hundredth of a diameter. The height is 0 for
 * spheres that lie, and if there is nothing below. Falling spheres do not count as something to
 * fall on. Bodies that are not released yet are taken at the place of their release. False: out of
 * memory. */
bool plu_falls_find(double *way, const plu_scene *scene, const plu_bodies_view *bodies);

#endif
