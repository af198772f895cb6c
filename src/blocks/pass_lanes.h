/* pass_lanes.h: functions that passes over all blocks of a problem share, for files that are
 * compiled for each instruction set. */
#ifndef BLOCKS_PASS_LANES_H
#define BLOCKS_PASS_LANES_H

#include "blocks/block_lanes.h"

enum {
    AHEAD = 4 * PLU_LANES, /* prefetch distance of blocks, in slots */
    FAR = 16 * PLU_LANES   /* prefetch distance of velocity rows, in slots */
};

#if defined(PLU_SINGLE)

/* In floats the pass goes tile by tile, and the rows of a tile are in cache. */
PLU_FETCH void fetch_ahead(const plu_single *single, const void *none, int slot)
{
    (void)none;
    plu_fetch_record(plu_single_block_of(single, slot + AHEAD), sizeof *single->blocks);
}

/* |v - v_free|^2 of the body of a row; zero for given rows. */
static inline real change_of_row(const plu_single *single, int row)
{
    return row < single->problem->moving ? (real)single->problem->change[row] : 0.0F;
}

#else

static inline real change_of_row(const plu_problem *problem, int row)
{
    return problem->change[row];
}

/* Prefetches blocks and rows. The rows of a problem that is not tiled are in cache anyway. */
PLU_FETCH void fetch_ahead(const plu_problem *problem, double (*other)[8], int slot)
{
    plu_fetch_record(&problem->blocks[(slot + AHEAD) / PLU_LANES], sizeof *problem->blocks);
    if (problem->slots < PLU_TILED || slot + FAR + PLU_LANES > problem->slots)
        return;
    plu_fetch_rows(problem, problem->v, slot + FAR, slot + FAR + PLU_LANES);
    if (other)
        plu_fetch_rows(problem, other, slot + FAR, slot + FAR + PLU_LANES);
}

#endif

/* p minus the projection of x on the disk of this radius. */
static inline vectors off_disk(vectors p, vectors x, lanes radius)
{
    return difference(p, into_disk(x, radius));
}

static inline lanes square_of(vectors v)
{
    return dot(v, v);
}

#endif
