/* bodies.h: what moves, and what it is made of. A body has velocities, masses and a state: solvers
 * and integration read it. A sphere is a shape that belongs to a body: detection, position
 * projection, release, packings and pictures read it. Where the body of a sphere is asked for,
 * plu_owner has it. */
#ifndef WORLD_BODIES_H
#define WORLD_BODIES_H

#include "pluvia/status.h"

/* How grains are made of spheres. */
enum plu_grain_kind { PLU_SINGLE_SPHERES, PLU_GRAIN_KINDS };

/* Stands where sphere i is taken for body i, which is free. */
#define PLU_SPHERES_ARE_BODIES                                                                     \
    _Static_assert(PLU_GRAIN_KINDS == 1, "spheres of a new kind of grain have owners: a case "     \
                                         "here")

/* Structure of arrays, owned, 64-byte aligned where rows are 64 bytes. The bodies of a queue are
 * consecutive. */
typedef struct plu_bodies {
    int count;
    double (*position)[4]; /* m: center of mass, radius of the sphere around it that holds all */
    double (*row)[8];      /* v (m/s), omega (rad/s), 1/m, 1/I: what the solver reads, one cache
                            * line; behind those of the bodies a row of zeros: what stands still,
                            * and where boundaries move what they do at each contact */
    size_t row_capacity;
    double (*orientation)[4]; /* unit quaternion, scalar first: only the writer reads it */
    double (*inertia)[6];     /* inverse, in the world frame; NULL: spheres, 1/I of the rows */
    unsigned char *state;
    unsigned char *rest; /* steps in a row that it hardly moved, or PLU_ASLEEP (step/sleep.c) */
    double *release;     /* s, scheduled time of release; <= 0: there from the start */
    int *queue;          /* which queue (feeder or file) releases the body; -1: none */
} plu_bodies;

/* Of single spheres `at` is `position` of the bodies, and sphere i is body i. */
typedef struct plu_spheres {
    int count;
    double (*at)[4];     /* m: x, y, z, radius */
    int *body;           /* the owner of each; NULL: sphere i is body i */
    double (*offset)[3]; /* m, from the center of mass, in the frame of the body; NULL: none */
    int *species;        /* its material */
} plu_spheres;

/* The body that sphere `sphere` belongs to. */
static inline int plu_owner(const plu_spheres *spheres, int sphere)
{
    PLU_SPHERES_ARE_BODIES;
    (void)spheres;
    return sphere;
}

/* `count` bodies, each a single sphere, zeroed. PLU_OK or PLU_IO; also then to be freed. */
plu_status plu_grains_create(plu_bodies *bodies, plu_spheres *spheres, int count, plu_error *err);
/* Makes room for `given` more rows behind those of the bodies and the one of zeros. */
plu_status plu_bodies_reserve_given(plu_bodies *bodies, int given, plu_error *err);
void plu_grains_free(plu_bodies *bodies, plu_spheres *spheres);

#endif
