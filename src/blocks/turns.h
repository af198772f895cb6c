/* turns.h: the order in which tiles visit the bodies of a cell.
 *
 * A pass over a tiled island works its tiles off in their order, as far as they share bodies: those
 * that share none may change places or go on side by side, and the result has the same bits. Only
 * bodies of the same cell can be shared. So each cell counts how many of its tiles are not done,
 * and a tile starts as soon as in each of its cells only it and those after it are left; no thread
 * waits for tiles that lie elsewhere. walk.h has the loop.
 *
 *      cells        | A | B | C |        tiles visit the cell of their lower corner and the next
 *      tiles          1---1               1: A and B,  2: B and C,  3: A alone, in this order
 *                         2---2
 *                     3
 *      left at first  2   2   1           A waits for 1, 3;  B for 1, 2;  C for 2
 *      claims        1: A 2, B 2    2: B 1, C 1    3: A 1
 *
 * Tile 1 may start. Once it is done A and B have 1 left, and 2 and 3 start side by side: the counts
 * of a cell are its token, which goes from tile to tile in one order, whatever threads do. There is
 * no lock, and none can wait for ever: the first tile that is not done never waits. */
#ifndef BLOCKS_TURNS_H
#define BLOCKS_TURNS_H

struct plu_island;
struct plu_problem;

enum { PLU_CLAIMS = 8 }; /* cells of a tile at most */

/* A tile visits the cell when `left` tiles are left, of which it is one. */
typedef struct plu_claim {
    int cell; /* -1: no further claim */
    int left;
} plu_claim;

/* Belongs to the layout. */
typedef struct plu_turns {
    plu_claim (*claim)[PLU_CLAIMS]; /* by tile of tiled islands. A tile without claims, which has
                                     * the contacts that reach far, comes after all others */
    int *visits;                    /* by cell of plu_problem.cell_start: tiles that visit it */
    int *left;                      /* by cell: those that are not done; changes during a walk */
} plu_turns;

/* No tile of the island is done. Not while threads work on it. */
void plu_turns_begin(const struct plu_problem *problem, const struct plu_island *island);

/* Waits until it is the turn of the tile. */
void plu_turns_await(const struct plu_problem *problem, const struct plu_island *island, int tile);

/* The tile is done. */
void plu_turns_end(const struct plu_problem *problem, int tile);

/* A cell that the tile is the first to visit; -1: no further one. *at: 0 for the first call. Cells
 * that no tile claims count as visited by the last one. */
int plu_turns_first(const struct plu_problem *problem, const struct plu_island *island, int tile,
                    int *at);

#endif
