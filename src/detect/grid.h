/* grid.h: broad phase: all pairs of spheres whose surfaces, grown by a skin each, overlap. */
#ifndef DETECT_GRID_H
#define DETECT_GRID_H

#include "pluvia/side.h"
#include "pluvia/status.h"
#include <stdbool.h>
#include <stdint.h>

/* The grid gives pairs a < b of numbers. In candidates of a detector (detector.h) a is a part,
 * or the side of a sphere or of an image of it (plu_side_pack). */
typedef struct plu_pair {
    int a, b;
} plu_pair;

/* Side a of a candidate of two spheres; its sphere, and the number of the image. */
static inline plu_side plu_side_of_pair(plu_pair pair)
{
    return plu_side_unpack(pair.a);
}

static inline int plu_pair_sphere(plu_pair pair)
{
    return plu_side_sphere(plu_side_of_pair(pair));
}

static inline int plu_pair_image(plu_pair pair)
{
    return plu_side_image(plu_side_of_pair(pair));
}

typedef struct plu_pairs {
    size_t count, capacity;
    plu_pair *pair;
} plu_pairs;

typedef struct plu_grid plu_grid;

plu_grid *plu_grid_create(plu_error *err);
void plu_grid_destroy(plu_grid *grid); /* accepts NULL */

/* Finds every pair i < j that is apart by at most R_i + R_j, sorted by (i, j), among the `count`
 * spheres whose numbers are listed in `member` (ascending); `sphere` holds x, y, z and the grown
 * radius R, row k for member[k]. Linear in the number of spheres for any mixture of sizes: a sphere
 * lives in the level whose cells are just larger than it and looks at its own level and all coarser
 * ones. */
plu_status plu_grid_pairs(plu_grid *grid, int count, const int *member, const double (*sphere)[4],
                          int bodies, plu_pairs *pairs, plu_error *err);

/* True where plu_grid_seek is quick: sizes do not differ too much. */
bool plu_grid_can_seek(const plu_grid *grid);

/* Appends the pairs of a sphere with all that plu_grid_pairs was given last, itself perhaps
 * included, in any order. */
plu_status plu_grid_seek(const plu_grid *grid, int id, const double sphere[4], plu_pairs *pairs,
                         plu_error *err);

static inline uint64_t plu_pair_key(plu_pair pair)
{
    return (uint64_t)pair.a << 32 | (uint64_t)pair.b;
}

/* Where a pair stands in a sorted list, or would have to stand. */
static inline size_t plu_pair_place(const plu_pairs *pairs, plu_pair pair)
{
    size_t low = 0, high = pairs->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (plu_pair_key(pairs->pair[middle]) < plu_pair_key(pair))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

#endif
