/* edit.h: bodies that calls add, move, take out and fix while a run lasts (pluvia/edit.h), and what
 * they may overlap. Energies are of the body, so that the caller can account for them. */
#ifndef WORLD_EDIT_H
#define WORLD_EDIT_H

#include "world/world.h"

/* The overlap (m) that is none: contacts at rest have it. */
double plu_overlap_allowed(const plu_scene *scene, double smaller_radius);

/* The first boundary behind boundary `last` that the sphere overlaps, and how deep at most (m); -1:
 * there is none. */
int plu_overlap_wall(const plu_world *world, const double sphere[4], int last, double *depth);

/* Puts the centers of these bodies to these places and makes them active, all or none of them.
 * PLU_OK, PLU_USAGE (one overlaps another body or a boundary, unless the scene allows it, or is
 * outside of the domain; nothing has changed then) or PLU_IO. */
plu_status plu_world_place(plu_world *world, int count, const int *body,
                           const double (*position)[3], plu_error *err);

/* Removes an active body. Returns the energy that it had (J). */
double plu_world_take_out(plu_world *world, int body);

/* Fixes an active body where it is, or lets it go. */
void plu_world_fix(plu_world *world, int body, bool fixed);

#endif
