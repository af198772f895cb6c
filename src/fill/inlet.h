/* inlet.h: streams of spheres: how many, when each is due, where it may come in. */
#ifndef FILL_INLET_H
#define FILL_INLET_H

#include "fill/grading.h"
#include "pluvia/scene.h"

/* How many spheres a feeder sends: of a mass as many as have it in the mean. */
double plu_feeder_count(const plu_feeder_spec *spec, const plu_grading *grading);

/* Center of sphere `number` of feeder `feeder`, an inlet, in try `attempt` (m). It depends on these
 * and the seed alone, so that nothing need be kept of the tries before. */
void plu_inlet_place(const struct plu_scene *scene, int feeder, int number, long attempt,
                     double x[3]);

/* The most spheres per second, of the diameter d and of the mean volume given (m, m^3), that come
 * in through the area of a feeder: those behind have room when a sphere has moved by d, for which
 * it takes T by the velocity of release and gravity. One place lets 1/T through; an area A across
 * that way, widened by d, lets 0.3 A (d/T) of volume through, for so full random places are. */
double plu_feeder_most(const struct plu_scene *scene, int feeder, double d, double volume);

#endif
