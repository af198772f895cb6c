/* project_lanes.h: the position projection for eight pairs of spheres at a time. */
#ifndef STEP_PROJECT_LANES_H
#define STEP_PROJECT_LANES_H

#include "base/cpu.h"
#include "blocks/walk.h"

/* A pass moves a pair by at most this fraction of the smaller diameter: a deep overlap is taken
 * apart over several steps, or it would be pushed into neighbors that are no contacts of this
 * step. */
#define PLU_STRIDE 2e-3

typedef struct plu_overlaps {
    double (*position)[4];         /* x, y, z, radius of the spheres, by body (m) */
    unsigned char *moved;          /* by body */
    const plu_contact_pair *pairs; /* by slot */
    int moving;                    /* rows: what is behind them is no sphere */
    const plu_block *blocks;
    double least, slop; /* over the smaller diameter: overlaps up to `least` stay as they are,
                         * larger ones are taken down to the slop */
} plu_overlaps;

/* Asks for what a block is looked at for. */
PLU_FETCH void plu_fetch_places(const plu_overlaps *o, int slot)
{
    plu_fetch(&o->blocks[slot / PLU_LANES].pair);
    for (int k = slot; k < slot + PLU_LANES; k++) {
        plu_fetch_row(o->position, sizeof *o->position, o->pairs[k].a);
        plu_fetch_row(o->position, sizeof *o->position, o->pairs[k].b);
        plu_fetch_row(o->moved, sizeof *o->moved, o->pairs[k].b);
    }
}

/* Moves the pairs of spheres in the slots from begin to end, whole blocks of one color, apart by
 * what exceeds the slop. moved[i]: a bit for each pair of block i that was. Contacts with walls are
 * left out: whether there are any. Asks for what comes. */
typedef bool plu_separate_blocks_function(const plu_overlaps *overlaps, int begin, int end,
                                          unsigned char *moved, plu_coming *coming);
PLU_ISA_DECLARE(plu_separate_blocks_function, plu_separate_blocks);

#endif
