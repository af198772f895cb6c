/* grading.h: of which material and how large the spheres of an entry are, one after the other.
 *
 * One number u is drawn for a sphere: it says which part of the mixture the sphere is of, and the
 * rest of it how large. Stratified draws are u = (j + v) / N, j being the place of the sphere in a
 * permutation of 0 ... N - 1 by a keyed hash and v uniform: each Nth of the distribution has one
 * sphere, so that of N spheres the mass that passes a sieve scatters ten times less (McKay, Beckman
 * and Conover, Technometrics 21, 1979). */
#ifndef FILL_GRADING_H
#define FILL_GRADING_H

#include "base/rng.h"
#include "fill/sizes.h"
#include "pluvia/status.h"

struct plu_scene; /* pluvia/scene.h */

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

#endif
