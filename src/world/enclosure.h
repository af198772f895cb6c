/* enclosure.h: what the flat walls of a scene enclose: planes, faces of boxes and borders of a
 * periodic cell, each taken as a half space, where they are now. Walls that were taken away do not
 * count. */
#ifndef WORLD_ENCLOSURE_H
#define WORLD_ENCLOSURE_H

#include "world/world.h"

/* The flat walls of a scene, found once: 6 x boundary + face. Free with free(). NULL and a message
 * where there is no memory. */
int *plu_enclosure_walls(const struct plu_scene *scene, int *count, plu_error *err);

/* The area of a plane within all others (m^2); HUGE_VAL where it has no bound, 0 where nothing of
 * it is left. `boundary` is a plane. */
double plu_enclosed_area(const plu_world *world, int boundary);

/* The part of a vector along the normal of a plane, as it stands now. */
double plu_normal_part(const plu_world *world, int boundary, const double vector[3]);

/* The share of the volume within all of them that bodies fill, without those that are fixed and
 * their volume; NAN where it has no bound. */
double plu_enclosed_fraction(const plu_world *world);

/* The solid fraction of any volume (m^3) that all bodies are in. */
double plu_solid_fraction(const plu_world *world, double volume);

/* The volume within all of them (m^3); HUGE_VAL and 0 alike. */
double plu_enclosed_volume(const plu_world *world);

#endif
