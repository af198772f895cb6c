/* cell.h: the periodic cell of a scene as the user wrote it, in SI units. */
#ifndef PLUVIA_CELL_H
#define PLUVIA_CELL_H

#include "pluvia/where.h"
#include <stdbool.h>

enum { PLU_ALONG_X = 1, PLU_ALONG_Y = 2, PLU_ALONG_Z = 4 };

/* A periodic cell. */
typedef struct plu_cell_spec {
    bool given;
    double size[3], origin[3]; /* m: edges along x, y, z, and their common corner; size 0: that of
                                  the run that bodies come from (plu_start_read) */
    double tilt;               /* m: the last edge leans by this along x at the start */
    unsigned periodic;         /* PLU_ALONG_... */
    double shear_rate;         /* 1/s: of v_x with z */
    double strain_rate[3];     /* 1/s: of the edges */
    double stress[3];          /* Pa: that the edges move to keep; 0: not this one */
    double mass;               /* kg: that stress moves; 0: that of all spheres */
    bool staged;               /* in some stage of the scene it moves */
    plu_where size_where, periodic_where, shear_where, strain_where, stress_where;
} plu_cell_spec;

/* Whether a stress moves an edge of the cell. */
static inline bool plu_cell_yields(const plu_cell_spec *cell)
{
    return cell->stress[0] > 0.0 || cell->stress[1] > 0.0 || cell->stress[2] > 0.0;
}

/* Whether velocities at the start get the flow of the cell; edges that follow a stress have none.
 */
static inline bool plu_cell_flows(const plu_cell_spec *cell)
{
    return cell->shear_rate != 0.0 || cell->strain_rate[0] != 0.0 || cell->strain_rate[1] != 0.0 ||
           cell->strain_rate[2] != 0.0;
}

/* Whether the cell is sheared or deformed, in this stage or in another one. */
static inline bool plu_cell_moves(const plu_cell_spec *cell)
{
    return cell->staged || plu_cell_yields(cell) || plu_cell_flows(cell);
}

#endif
