/* measure.h: numbers that describe a state. */
#ifndef PLUVIA_MEASURE_H
#define PLUVIA_MEASURE_H

#include "pluvia/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A pile on a horizontal plate, as measured in AB21 section 6.2. */
typedef struct plu_pile {
    int spheres;        /* active spheres that were counted: those above `base` */
    double height;      /* m, top of the highest sphere above `base` */
    double mean_height; /* m, mean height of the centres above `base` */
    int bottom;         /* spheres that touch the base: centre below base + 1.05 radius */
    double mean_radius; /* m, mean horizontal distance of those from their centroid */
} plu_pile;

/* Measures the active spheres whose centre lies above the level z = `base`. */
void plu_measure_pile(plu_pile *pile, const plu_world *world, double base);

#ifdef __cplusplus
}
#endif

#endif
