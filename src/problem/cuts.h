/* cuts.h: the cells of a grid that the bodies of large islands are in, and the tiles of contacts
 * that these make.
 *
 * The grid is absolute: a cell is where it is whoever else is there, and so are the parity and the
 * order of tiles. Only cells that hold a body are known, by a hash of their coordinates, so that an
 * island may be as thin and as long as it likes.
 *
 * A tile is named by its lower cell: it holds the contacts between bodies of that cell, and of that
 * cell and the next one along some of the axes. A cell c therefore has its contacts in at most
 * eight tiles, the corners: corner k is the tile whose lower cell is c less one along each axis of
 * which k has the bit. Tiles whose lower cells have the same parity along each axis share no body:
 * these are the eight groups. */
#ifndef PROBLEM_CUTS_H
#define PROBLEM_CUTS_H

#include "problem/graph.h"

/* An island that is cut. Its tiles are numbered by group and lower cell, from 0 on; the last one is
 * that of contacts that reach further than the next cell. */
typedef struct plu_cut {
    int island;
    int first, cells;                     /* in plu_cuts.code and corner */
    int group_start[PLU_TILE_GROUPS + 1]; /* tiles of group g: group_start[g] to [g + 1] - 1 */
} plu_cut;

/* All zero at first; free with plu_cuts_free. */
typedef struct plu_cuts {
    int cuts;
    plu_cut *cut;
    plu_body_cell *code; /* of all cuts, cells of each in rising order */
    int (*corner)[8];    /* by cell: tiles of its island */
    int *of_body;        /* number of its cell; bodies of other islands: undefined */
    uint64_t *table;     /* scratch: hash tables of `slots` entries, one for each cut: code + 1 */
    int *number;         /* scratch by entry: of the cell */
    int slots;           /* a power of two */
    size_t cut_capacity, code_capacity, corner_capacity, of_body_capacity, table_capacity,
        number_capacity;
} plu_cuts;

/* The islands of at least PLU_TILED contacts are cut, of which contacts[island] says how many it
 * has; `cell` by body. The same for any number of threads. PLU_OK or PLU_IO. */
plu_status plu_cuts_make(plu_cuts *cells, const plu_graph *graph, const int *contacts, int rows,
                         const plu_body_cell *cell, plu_error *err);

/* How an island is cut; NULL: it is not. */
const plu_cut *plu_cuts_of(const plu_cuts *cells, int island);

/* The tile of a contact of two bodies, or twice the same, of a tiled island. All three
 * coordinates at once and without branches: which cells are the lower ones is a coin's throw to the
 * processor. */
static inline int plu_cuts_tile(const plu_cuts *cells, const plu_cut *cut, int a, int b)
{
    const int x = cells->of_body[a], y = cells->of_body[b];
    if (x == y)
        return cells->corner[x][0];
    const uint64_t ones =
        UINT64_C(1) | UINT64_C(1) << PLU_CELL_BITS | UINT64_C(1) << (2 * PLU_CELL_BITS);
    const uint64_t carry = ones * 2 * PLU_CELLS;
    const plu_body_cell p = cells->code[x], q = cells->code[y];
    const uint64_t above = ~((q | carry) - p) & carry, take = above - above / (2 * PLU_CELLS);
    const plu_body_cell low = (q & take) | (p & ~take), high = p ^ q ^ low;
    if ((high - low) & ~ones)
        return cut->group_start[PLU_TILE_GROUPS - 1];
    const uint64_t bits = above / (2 * PLU_CELLS); /* one for each axis along which p is above q */
    return cells
        ->corner[x][(bits | bits >> (PLU_CELL_BITS - 1) | bits >> (2 * PLU_CELL_BITS - 2)) & 7];
}

void plu_cuts_free(plu_cuts *cells);

#endif
