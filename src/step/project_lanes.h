/* project_lanes.h: the position projection for eight pairs of spheres at a time. */
#ifndef STEP_PROJECT_LANES_H
#define STEP_PROJECT_LANES_H

#include "base/cpu.h"
#include "problem/problem.h"

/* A pass moves a pair by at most this fraction of the smaller diameter: a deep overlap is taken
 * apart over several steps, or it would be pushed into neighbours that are no contacts of this
 * step. */
#define PLU_STRIDE 2e-3

typedef struct plu_overlaps {
    double (*position)[4]; /* x, y, z, radius by body (m) */
    unsigned char *moved;  /* by body: set to the mark of the pass that moves it */
    unsigned char *quiet;  /* by body: cleared for what moves */
    const plu_ends *ends;  /* by slot */
    const plu_block *blocks;
    double least, slop; /* over the smaller diameter: overlaps up to `least` stay as they are,
                         * larger ones are taken down to the slop */
} plu_overlaps;

/* Moves the pairs of spheres in the slots from begin to end, whole blocks of one colour, apart by
 * what exceeds the slop. Whether any was; contacts with walls and empty slots are left out. */
typedef bool plu_separate_blocks_function(const plu_overlaps *overlaps, int begin, int end,
                                          unsigned char mark);
PLU_ISA_DECLARE(plu_separate_blocks_function, plu_separate_blocks);

#endif
