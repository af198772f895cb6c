/* side.h: one side of a contact: a sphere, an image of a sphere across a periodic cell, or a part
 * of a boundary. Only this file knows how a side is encoded; all other code uses its functions. */
#ifndef PLUVIA_SIDE_H
#define PLUVIA_SIDE_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Used by the functions below only. A zeroed one is sphere 0. */
typedef struct plu_side {
    int coded; /* sphere i: i, its image m: i + m * 2^26, part k: -1 - k */
} plu_side;

enum { PLU_SIDE_SPHERES = 1 << 26 }; /* limit of the number of spheres */

static inline plu_side plu_side_of_sphere(int sphere)
{
    plu_side side;
    side.coded = sphere;
    return side;
}

/* The image of a sphere with this number, 0 to 26 (base/space.h; 0: the sphere where it is). */
static inline plu_side plu_side_of_image(int sphere, int image)
{
    plu_side side;
    side.coded = sphere + image * PLU_SIDE_SPHERES;
    return side;
}

/* Part `part` of the boundaries, as /walls/NAME of a trajectory numbers them. */
static inline plu_side plu_side_of_part(int part)
{
    plu_side side;
    side.coded = -1 - part;
    return side;
}

static inline bool plu_side_is_sphere(plu_side side)
{
    return side.coded >= 0;
}

static inline bool plu_side_is_part(plu_side side)
{
    return side.coded < 0;
}

/* The number of the sphere; only for the side of a sphere. */
static inline int plu_side_sphere(plu_side side)
{
    return side.coded & (PLU_SIDE_SPHERES - 1);
}

/* The number of its image; 0: none. */
static inline int plu_side_image(plu_side side)
{
    return side.coded < 0 ? 0 : side.coded / PLU_SIDE_SPHERES;
}

/* The number of the part; only for the side of a part. */
static inline int plu_side_part(plu_side side)
{
    return -1 - side.coded;
}

static inline bool plu_side_same(plu_side x, plu_side y)
{
    return x.coded == y.coded;
}

/* Whether the side is this sphere, or an image of it. */
static inline bool plu_side_is(plu_side side, int sphere)
{
    return plu_side_is_sphere(side) && plu_side_sphere(side) == sphere;
}

/* The number of a side in files (output/README.md, /contacts/body): i for sphere i and
 * for its images, -1 - k for part k. Whether such a sphere or part exists is not checked; the
 * caller does so for data of files. */
static inline int plu_side_to_file(plu_side side)
{
    return plu_side_is_sphere(side) ? plu_side_sphere(side) : side.coded;
}

/* `image`: of sphere `number`, where it has one. */
static inline plu_side plu_side_from_file(int number, int image)
{
    plu_side side;
    side.coded = number < 0 || image < 0 || image > 26 ? number : number + image * PLU_SIDE_SPHERES;
    return side;
}

/* A side as a number, for compact lists, and back. */
static inline int plu_side_pack(plu_side side)
{
    return side.coded;
}

static inline plu_side plu_side_unpack(int packed)
{
    plu_side side;
    side.coded = packed;
    return side;
}

#ifdef __cplusplus
}
#endif

#endif
