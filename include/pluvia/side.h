/* side.h: what a contact joins. A side is that of a sphere or that of a part of a boundary. This
 * file is the only one that knows how a side is kept: all others ask its functions. */
#ifndef PLUVIA_SIDE_H
#define PLUVIA_SIDE_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* To be read by the functions below only. A zeroed one is that of sphere 0. */
typedef struct plu_side {
    int coded; /* sphere i: i, part k: -1 - k */
} plu_side;

static inline plu_side plu_side_of_sphere(int sphere)
{
    plu_side side;
    side.coded = sphere;
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
    return side.coded;
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

/* Whether it is that of this sphere. */
static inline bool plu_side_is(plu_side side, int sphere)
{
    return plu_side_is_sphere(side) && plu_side_sphere(side) == sphere;
}

/* The number that files have for a side (output/README.md, /contacts/body): i for sphere i, -1 - k
 * for part k. Files may hold anything: whether there is such a sphere or part is not checked. */
static inline int plu_side_to_file(plu_side side)
{
    return side.coded;
}

static inline plu_side plu_side_from_file(int number)
{
    plu_side side;
    side.coded = number;
    return side;
}

#ifdef __cplusplus
}
#endif

#endif
