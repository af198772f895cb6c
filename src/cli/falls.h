/* falls.h: how far each sphere of a scene falls before it meets something. */
#ifndef CLI_FALLS_H
#define CLI_FALLS_H

#include "pluvia/world.h"

/* Ways along gravity (m), a number a body, as the bodies are now: onto the boundary below, or onto
 * the spheres that lie there (on it, or on others that do, with gaps below a hundredth of a
 * diameter). 0 for what lies and where there is nothing below, since spheres that fall side by side
 * do not meet for that. Spheres that are still falling do not count as something to fall on. Bodies
 * that wait stand where they will be released. False without memory. */
bool plu_falls_find(double *way, const plu_scene *scene, const plu_bodies_view *bodies);

#endif
