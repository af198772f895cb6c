/* grid.h: broad phase: all pairs of spheres whose surfaces, grown by a margin each, overlap. */
#ifndef DETECT_GRID_H
#define DETECT_GRID_H

#include "pluvia/status.h"
#include <stdint.h>

typedef struct plu_pair {
    int a, b; /* a < b */
} plu_pair;

typedef struct plu_pairs {
    size_t count, capacity;
    plu_pair *pair;
} plu_pairs;

typedef struct plu_grid plu_grid;

plu_grid *plu_grid_create(plu_error *err);
void plu_grid_destroy(plu_grid *grid); /* accepts NULL */

/* Finds every pair i < j with |x_i - x_j| <= R_i + R_j, sorted by (i, j), among the `count` spheres
 * whose numbers are listed in `member` (ascending); `sphere` holds x, y, z and the grown radius R,
 * row k for member[k]. Linear in the number of spheres for any mixture of sizes: a sphere lives in
 * the level whose cells are just larger than it and looks at its own level and all coarser ones. */
plu_status plu_grid_pairs(plu_grid *grid, int count, const int *member, const double (*sphere)[4],
                          int bodies, plu_pairs *pairs, plu_error *err);

#endif
