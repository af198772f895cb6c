/* body_cells.h: in which cell of the grid of tiles (blocks/cuts.h) each body lies.
 *
 * In open space the grid is fixed: cells are cubes of scale.edge. In a periodic cell its axes are
 * the edges of the cell, and along those that are periodic it closes on itself: an even number of
 * cells divides the edge (or one, where there is no room for two), so that contacts across the
 * sides belong to tiles like all others, and parity goes on across them:
 *
 *      | 0 | 1 | 2 | 3 | 0 | 1 |        the cell has four; 3 is a neighbor of 0
 *      '---- edge -----'                sheared cells: fractions of the edges, not coordinates
 *
 * Cells are at least scale.edge wide between opposite faces, also where the periodic cell is
 * sheared, so that contacts of common spheres reach no further than the next one. */
#ifndef ASSEMBLE_BODY_CELLS_H
#define ASSEMBLE_BODY_CELLS_H

#include "blocks/blocks.h"
#include "world/world.h"

/* All zero at first; free `of`. */
typedef struct plu_body_cells {
    plu_body_cell *of; /* owned, by body: its cell when they were last found */
    int around[3];     /* cells along each axis of a grid that closes on itself there; 0: open */
} plu_body_cells;

/* Brings the cells up to date. `edge`: scale.edge (m). Whether any body is in another cell now, or
 * the grid closes with another number of cells. */
bool plu_body_cells_find(plu_body_cells *cells, const plu_world *world, double edge);

#endif
