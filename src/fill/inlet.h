/* inlet.h: what the spheres of an entry are, one after the other, and streams of spheres: how many,
 * when each is due, where it may come in. */
#ifndef FILL_INLET_H
#define FILL_INLET_H

#include "base/rng.h"
#include "fill/sizes.h"
#include "pluvia/scene.h"
#include "pluvia/status.h"

/* --- grading --- */

/* Of which material and how large the spheres of an entry are, one after the other.
 *
 * One number u is drawn for a sphere: it says which part of the mixture the sphere is of, and the
 * rest of it how large. Stratified draws are u = (j + v) / N, j being the place of the sphere in a
 * permutation of 0 ... N - 1 by a keyed hash and v uniform: each Nth of the distribution has one
 * sphere, so that of N spheres the mass that passes a sieve scatters ten times less (McKay, Beckman
 * and Conover, Technometrics 21, 1979). */

typedef struct plu_grade {
    int material;
    double radius[2];
    plu_sizes *sizes; /* owned; NULL: `radius`, all between equally likely */
    double below;     /* share by number of the parts before it */
} plu_grade;

typedef struct plu_grading {
    plu_rng rng;
    int parts_count;
    plu_grade *parts; /* owned */
    bool stratified;
    uint64_t count; /* of spheres; to be set before stratified draws */
    double volume;  /* m^3, kg: mean of a sphere */
    double mass;
} plu_grading;

/* That of entry `entry` of bodies and feeders, counted through. PLU_OK or PLU_IO; also then to be
 * freed. */
plu_status plu_grading_make(plu_grading *grading, const struct plu_scene *scene, int entry,
                            plu_error *err);
void plu_grading_free(plu_grading *grading);

/* Sphere `number` of the entry. */
void plu_grading_draw(const plu_grading *grading, uint64_t number, double *radius, int *material);

/* --- streams --- */

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
