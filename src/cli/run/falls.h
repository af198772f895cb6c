/* falls.h: how far each sphere of a scene falls before it meets something. */
#ifndef CLI_RUN_FALLS_H
#define CLI_RUN_FALLS_H

#include "pluvia/world.h"
#include <stddef.h>

/* way[i]: the height of fall of body i (m) from its present position along gravity, down to the
 * boundary below or to the first sphere that lies there. A sphere lies if it rests on a boundary or
 * on another sphere that lies, with gaps below a hundredth of a diameter. The height is 0 for
 * spheres that lie, and if there is nothing below. Falling spheres do not count as something to
 * fall on. Bodies that are not released yet are taken at the place of their release. False: out of
 * memory. */
bool plu_falls_find(double *way, const struct plu_scene *scene, const plu_bodies_view *bodies);

/* --- falls.c: the boundaries of a scene on which bodies may fall --- */

/* Planes, each once: a floor may be made of thousands of plates. */
typedef struct plu_floors {
    double down[3];     /* unit vector along gravity */
    double (*at)[2][3]; /* a point, the normal; owned */
    size_t count, capacity;
} plu_floors;

#endif
