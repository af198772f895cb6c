/* cuts.h: the islands of a problem, and the tiles of contacts into which large ones are cut, by the
 * cells of a grid in which the bodies are.
 *
 * The grid is fixed in space, so that cells, and the parity and order of tiles, do not depend on
 * other bodies. Only cells that hold a body are stored, in a hash table by their coordinates: an
 * island may be long and thin without costing memory.
 *
 * A tile is identified by its lower cell. It holds the contacts within that cell, and those between
 * cells that differ by at most one along each axis and whose smaller coordinates are the lower
 * cell's. The contacts of a cell c are therefore in at most eight tiles, called its corners: corner
 * k is the tile whose lower cell is c minus one along each axis whose bit is set in k. Tiles whose
 * lower cells have the same parity along each axis share no body: they make the eight groups. In
 * two dimensions, cells with their parities, and what two tiles of the group 0 0 touch:
 *
 *      | 0 1 | 1 1 | 0 1 | 1 1 |      a tile has contacts within its lower cell and with the cells
 *      | 0 0 | 1 0 | 0 0 | 1 0 |      to the right, above and across; the next one of the same
 *       \__ T ___/ \__ T'___/        parity begins two cells on, and touches none of them
 *
 * The grid may close on itself along an axis, as a periodic cell does: the last cell is then the
 * lower neighbor of the first. The number of cells around is even, so that all this holds there
 * too. */
#ifndef BLOCKS_CUTS_H
#define BLOCKS_CUTS_H

#include "blocks/blocks.h"

/* The islands of a problem, that is the connected components of its contact graph. Given rows
 * (bodies that are not solved for) connect nothing. */

/* All zero at first; free with plu_graph_free. */
typedef struct plu_graph {
    int islands;          /* number of islands */
    int *island;          /* by body: its island; -1: no contact */
    int *parent;          /* scratch by body: union-find; the root is the smallest body */
    bool (*meets)[2];     /* scratch by body: whether it touches given rows, moving bodies */
    int (*first_root)[2]; /* scratch by chunk of bodies: number of roots, then of islands before */
    size_t island_capacity, parent_capacity, meets_capacity, first_capacity;
} plu_graph;

/* Finds the islands of `rows` bodies joined by `contacts` contacts, and by `links` pairs of bodies
 * whose contacts share something that moves (servos.h); without `islands` all bodies
 * with contacts make one. Islands of several bodies are numbered first, then islands of a single
 * body that touches given rows only; each kind is in the order of the smallest body. For contacts
 * in the order of plu_contact_key that is the order of their first contacts. PLU_OK or PLU_IO (no
 * memory). */
plu_status plu_graph_make(plu_graph *graph, int contacts, int rows, const plu_contact_pair *pairs,
                          int links, const plu_contact_pair *link, bool islands, plu_error *err);

void plu_graph_free(plu_graph *graph);

/* A tiled island. Its tiles are numbered from 0 on by group and lower cell; the last tile has the
 * contacts that reach further than the next cell. */
typedef struct plu_cut {
    int island;
    int first, cells;                     /* its cells in plu_cuts.code and corner */
    int group_start[PLU_TILE_GROUPS + 1]; /* tiles of group g: group_start[g] to [g + 1] - 1 */
} plu_cut;

/* All zero at first; free with plu_cuts_free. */
typedef struct plu_cuts {
    int cuts;
    plu_cut *cut;
    plu_body_cell *code;  /* the cells of each cut in increasing order, cut by cut */
    int (*corner)[8];     /* by cell: tile of each corner, counted within the island */
    int *of_body;         /* by body: its cell; undefined for bodies of other islands */
    uint64_t *table;      /* scratch: a hash table of `slots` entries for each cut: code + 1 or 0 */
    int *number;          /* scratch by entry of the tables: number of the cell */
    int slots;            /* entries of a table, a power of two */
    plu_body_cell closes; /* the highest bit of each coordinate along which the grid closes */
    plu_body_cell last;   /* by how much the cells at both ends of these coordinates differ */
    size_t cut_capacity, code_capacity, corner_capacity, of_body_capacity, table_capacity,
        number_capacity;
} plu_cuts;

/* Along axis k the grid closes on itself with around[k] cells, if these are at least 4 (of two,
 * each would be the neighbor of the other on both sides). */
void plu_cuts_close(plu_cuts *cells, const int around[3]);

/* Cuts the islands of at least PLU_TILED contacts. `contacts`: by island, their number; `cell`: by
 * body. The result does not depend on the number of threads. PLU_OK or PLU_IO. */
plu_status plu_cuts_make(plu_cuts *cells, const plu_graph *graph, const int *contacts, int rows,
                         const plu_body_cell *cell, plu_error *err);

/* The cut of an island; NULL: it is not tiled. */
const plu_cut *plu_cuts_of(const plu_cuts *cells, int island);

/* The tile of a contact between bodies a and b of a tiled island (a == b: with a given row). All
 * three coordinates are compared at once and without branches, which the processor could not
 * predict. */
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
    const plu_body_cell low = (q & take) | (p & ~take), high = p ^ q ^ low, apart = high - low;
    /* Where one is the last and one the first of a grid that closes, the last is the lower one. */
    const uint64_t ends = ~(((apart ^ cells->last) | carry) - ones) & cells->closes;
    if (apart & ~ones & ~(ends - ends / (2 * PLU_CELLS)))
        return cut->group_start[PLU_TILE_GROUPS - 1];
    const uint64_t bits = (above ^ ends) / (2 * PLU_CELLS); /* by axis: whether q is the lower */
    return cells
        ->corner[x][(bits | bits >> (PLU_CELL_BITS - 1) | bits >> (2 * PLU_CELL_BITS - 2)) & 7];
}

void plu_cuts_free(plu_cuts *cells);

#endif
