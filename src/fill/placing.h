/* placing.h: bodies that calls put to places while a run lasts (pluvia/edit.h), and what they may
 * overlap. */
#ifndef FILL_PLACING_H
#define FILL_PLACING_H

#include "world/world.h"

/* The overlap (m) that is none: contacts at rest have it. */
double plu_overlap_allowed(const struct plu_scene *scene, double smaller_radius);

/* The first boundary behind boundary `last` that the sphere overlaps, and how deep at most (m); -1:
 * there is none. */
int plu_overlap_wall(const plu_world *world, const double sphere[4], int last, double *depth);

/* Puts the centers of these bodies to these places and makes them active, all or none of them.
 * PLU_OK, PLU_USAGE (one overlaps another body or a boundary, unless the scene allows it, or is
 * outside of the domain; nothing has changed then) or PLU_IO. */
plu_status plu_world_place(plu_world *world, int count, const int *body,
                           const double (*position)[3], plu_error *err);

#endif
