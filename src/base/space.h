/* space.h: the space in which bodies lie. It alone defines distances: code that needs the distance
 * of two bodies calls plu_apart or plu_apart_from, or apart_by_lanes (base/space_lanes.h) for SIMD
 * lanes, and never subtracts positions itself.
 *
 * A periodic space is a cell that goes on in some directions with images of itself. The image of a
 * sphere by the vector S of whole numbers lies at x + H S, the columns of H being the edges of the
 * cell. Positions are kept within the cell (plu_space_wrap), so that spheres that are closer than
 * the cell is high touch across images with S from -1 to 1: these have the numbers 0 (S = 0) to 26.
 */
#ifndef BASE_SPACE_H
#define BASE_SPACE_H

#include "base/vec3.h"
#include <math.h>
#include <stdbool.h>

enum { PLU_IMAGES = 27, PLU_IMAGE_CENTER = 13 };

/* A zeroed one is open. */
typedef struct plu_space {
    enum plu_space_kind { PLU_OPEN_SPACE, PLU_PERIODIC_SPACE, PLU_SPACE_KINDS } kind;
    bool periodic[3];       /* along each edge */
    bool moves;             /* the cell is sheared or deformed */
    double fastest;         /* m/s: the largest drift */
    double origin[3];       /* m: the corner where all fractions are 0 */
    double edge[3][3];      /* m: one in each row */
    double next[3][3];      /* m: at the end of the step */
    double inverse[3][3];   /* 1/m: fraction k of x is inverse[k] . (x - origin) */
    double height[3];       /* m: distance of opposite faces */
    double rate[2][3][3];   /* m/s: of the edges, at the start of the step and at its end */
    double driven[2][3][3]; /* the part of `rate` that does not depend on what bodies do */
    double kick[3][3]; /* m/s: how `driven` changes, and with it all that moves with the cell */
    double shift[PLU_IMAGES][4];    /* m, by image: where it lies from its sphere */
    double later[PLU_IMAGES][4];    /* m, by image: where it lies at the end of the step */
    double drift[2][PLU_IMAGES][4]; /* m/s, by image: how much faster it is than its sphere, at the
                                       start of the step and at its end */
} plu_space;

/* Stands where distances depend on the kind of space: a new kind does not compile without a case.
 */
#define PLU_SPACES_ARE_KNOWN                                                                       \
    _Static_assert(PLU_SPACE_KINDS == 2, "a new kind of space has its own distances: a case here")

/* The place of S in lexical order: 9 (S_0 + 1) + 3 (S_1 + 1) + S_2 + 1. */
static inline int plu_image_rank(int image)
{
    return (image + PLU_IMAGE_CENTER) % PLU_IMAGES;
}

static inline int plu_image_of_rank(int rank)
{
    return (rank + PLU_IMAGES - PLU_IMAGE_CENTER) % PLU_IMAGES;
}

static inline void plu_image_vector(int image, int s[3])
{
    const int rank = plu_image_rank(image);
    s[0] = rank / 9 - 1;
    s[1] = rank / 3 % 3 - 1;
    s[2] = rank % 3 - 1;
}

/* The number of the image by S; -1 where it has none. */
static inline int plu_image_of_vector(const int s[3])
{
    for (int k = 0; k < 3; k++)
        if (s[k] < -1 || s[k] > 1)
            return -1;
    return plu_image_of_rank(9 * (s[0] + 1) + 3 * (s[1] + 1) + s[2] + 1);
}

/* Whether the space has this image: S is 0 along edges that are not periodic. */
static inline bool plu_space_has_image(const plu_space *space, int image)
{
    int s[3];
    plu_image_vector(image, s);
    for (int k = 0; k < 3; k++)
        if (s[k] != 0 && !space->periodic[k])
            return false;
    return true;
}

/* d: the vector from an image of the position a to the position b (m). */
static inline void plu_apart_from(const plu_space *space, int image, const double a[3],
                                  const double b[3], double d[3])
{
    PLU_SPACES_ARE_KNOWN;
    plu_sub(b, a, d);
    if (image)
        plu_sub(d, space->shift[image], d);
}

/* The vector between images of b and a that is shortest; for few pairs. */
void plu_apart_nearest(const plu_space *space, const double a[3], const double b[3], double d[3]);

/* The image of a from which b is as near to `way` as can be; for few pairs. */
int plu_image_on_way(const plu_space *space, const double a[3], const double b[3],
                     const double way[3]);

/* d: the shortest vector from the position a to the position b (m). */
static inline void plu_apart(const plu_space *space, const double a[3], const double b[3],
                             double d[3])
{
    PLU_SPACES_ARE_KNOWN;
    if (space->kind == PLU_PERIODIC_SPACE)
        plu_apart_nearest(space, a, b, d);
    else
        plu_sub(b, a, d);
}

/* The velocity of b relative to an image of a, from those of both (m/s). */
static inline void plu_rate_from(const plu_space *space, int image, const double a[3],
                                 const double b[3], double rate[3])
{
    plu_sub(b, a, rate);
    if (image && space->moves)
        plu_sub(rate, space->drift[0][image], rate);
}

/* Fraction k of a position. */
static inline double plu_space_fraction(const plu_space *space, int k, const double x[3])
{
    double from[3];
    plu_sub(x, space->origin, from);
    return plu_dot(space->inverse[k], from);
}

/* A cell of these edges, at rest. `periodic`: along which of them it goes on. */
void plu_space_make(plu_space *space, const double origin[3], const double edge[3][3],
                    const bool periodic[3]);

/* Rates of its edges (m/s) at the end of the coming step; those of the step before are then those
 * at its start. The edges move by the rule of theta with the part of the rates that is driven, and
 * with the rate at the end for the rest. */
void plu_space_begin(plu_space *space, const double rate[3][3], const double driven[3][3],
                     double step, double theta);

/* Other rates at the end of the step than it began with; what is driven stays. */
void plu_space_yield(plu_space *space, const double rate[3][3], double step, double theta);

/* The edges are those at the end of the step. */
void plu_space_end(plu_space *space);

/* Sets what follows from edges and rates. */
void plu_space_renew(plu_space *space);

/* Replaces edge c by c - m a where that makes it more upright along a: the same lattice. Returns m.
 */
int plu_space_flip(plu_space *space, int c, int a);

/* v += the velocity that the rates at the start (0) or at the end (1) of the step have at x, times
 * `factor`. */
static inline void plu_space_flow(const plu_space *space, int when, double factor,
                                  const double x[3], double v[3])
{
    for (int k = 0; k < 3; k++)
        plu_add_scaled(v, factor * plu_space_fraction(space, k, x), space->rate[when][k]);
}

/* v += what a change of the rates in the step adds to what moves with the cell at x. */
static inline void plu_space_kick(const plu_space *space, const double x[3], double v[3])
{
    for (int k = 0; k < 3; k++)
        plu_add_scaled(v, plu_space_fraction(space, k, x), space->kick[k]);
}

/* m^3 */
static inline double plu_space_volume(const plu_space *space)
{
    double across[3];
    plu_cross(space->edge[1], space->edge[2], across);
    return plu_dot(space->edge[0], across);
}

/* Takes a position into the cell; s: by which image vector it was moved back. Returns whether it
 * was. */
bool plu_space_wrap(const plu_space *space, double x[3], int s[3]);

#endif
