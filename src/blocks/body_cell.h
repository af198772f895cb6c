/* body_cell.h: the cells of the grid that cuts large islands into tiles (cuts.h), as codes. */
#ifndef BLOCKS_BODY_CELL_H
#define BLOCKS_BODY_CELL_H

#include <stdint.h>

/* The cell of a body, in a grid whose cells are wider than any contact is long. Three coordinates
 * from -PLU_CELLS to PLU_CELLS - 1 are stored plus PLU_CELLS, in PLU_CELL_BITS bits each, of which
 * the highest is zero. */
typedef uint64_t plu_body_cell;

enum { PLU_CELLS = 1 << 19, PLU_CELL_BITS = 21 };

/* The cell with the coordinates `at`; coordinates beyond the grid are clamped to its border. */
static inline plu_body_cell plu_cell_at(const int at[3])
{
    plu_body_cell cell = 0;
    for (int k = 0; k < 3; k++) {
        const int in = at[k] < -PLU_CELLS ? -PLU_CELLS : at[k] < PLU_CELLS ? at[k] : PLU_CELLS - 1;
        cell |= (plu_body_cell)(in + PLU_CELLS) << (k * PLU_CELL_BITS);
    }
    return cell;
}

#endif
