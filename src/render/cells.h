/* cells.h: a uniform grid of cubic cells with balls, rods and facets, to find what a ray hits.
 *
 * A ray walks from cell to cell (J. Amanatides and A. Woo, "A fast voxel traversal algorithm for
 * ray tracing", Eurographics 1987):
 *
 *        +-------+-------+---/---+      next[k]: distance along the ray to the next border of the
 *        |       |       |  o    |               cells across axis k
 *        |       |       | /     |      width[k]: distance between two such borders
 *        +-------+-------o-------+
 *        |       |     / |       |      The smallest of next[] says through which border the ray
 *        |       |   /   |       |      leaves; that one grows by its width. The walk ends where
 *        +-------o-/-----+-------+      the ray passes the nearest hit so far, which may lie in a
 *              ray                      later cell than the one that lists the item.
 *
 * Empty cells cost a bit each (`filled`). An item is listed in the cells that its box meets. */
#ifndef RENDER_CELLS_H
#define RENDER_CELLS_H

#include "pluvia/status.h"
#include "render/shapes.h"
#include <stdint.h>

/* Items are the balls, then the rods, then the facets: item `balls` is rod 0. */
typedef struct plu_cells {
    int balls, rods, facets;
    int unshaded;         /* the first `unshaded` rods cast no shadow; nor do facets in front */
    const plu_ball *ball; /* not owned */
    const plu_rod *rod;
    const plu_facet *facet;
    double low[3], high[3], edge; /* m */
    double cast[2][3];            /* lower and upper corner of the box of what casts shadows */
    int n[3];                     /* cells along x, y, z */
    uint64_t *filled;             /* a bit for each cell: whether it has items */
    int *start;                   /* item[start[c]] ... item[start[c + 1] - 1] touch cell c */
    int *item;
    int *home_start; /* as start, of balls whose center is in cell c: copies */
    plu_ball *home;
} plu_cells;

/* PLU_OK or PLU_IO (no memory). plu_cells_free in any case. */
plu_status plu_cells_build(plu_cells *cells, const plu_ball *ball, int balls, const plu_rod *rod,
                           int rods, int unshaded, const plu_facet *facet, int facets,
                           plu_error *err);
void plu_cells_free(plu_cells *cells);

/* The first item that the ray hits, -1: none. *t is the largest distance to search, and receives
 * the distance of the item. */
int plu_cells_first(const plu_cells *cells, const plu_ray *ray, double near, double *t);

/* Whether the ray hits any item that casts a shadow. */
bool plu_cells_any(const plu_cells *cells, const plu_ray *ray, double near);

/* How much of the sky above a point on a surface is free, in (0, 1]: a ball of radius r at distance
 * d hides cos (r/d)^2 of it, as if their shadows were independent. Only balls with centers within
 * `reach` count, the far ones less and less. */
double plu_cells_open(const plu_cells *cells, const double point[3], const double normal[3],
                      double reach);

#endif
