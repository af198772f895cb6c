/* frame_boundaries.h: where boundaries were, and what acted on them, out of /boundaries. */
#ifndef IO_TRAJECTORY_FRAME_BOUNDARIES_H
#define IO_TRAJECTORY_FRAME_BOUNDARIES_H

#include "io/trajectory/summed.h"
#include "pluvia/frames.h"

enum { PLU_FRAME_PLACES = 6 }; /* position, rotation, state, force, moment, stress */

typedef struct plu_frame_boundaries {
    int count;                       /* 0: not in the file */
    hid_t dataset[PLU_FRAME_PLACES]; /* < 0: not in the file */
    int set[PLU_FRAME_PLACES];       /* in plu_summed */
    void *rows[PLU_FRAME_PLACES];    /* owned, as they are in the file; NULL: not there */
    plu_boundary_place *place;       /* owned */
    long frames;                     /* in the file */
    bool looked, turning;            /* whether one turns: known; true */
} plu_frame_boundaries;

/* Damage is noted in `h5`. */
void plu_frame_boundaries_open(plu_frame_boundaries *boundaries, plu_h5 *h5, hid_t file,
                               long frames, const plu_summed *summed);
/* Reads frame k; `frame` gets what the file holds of boundaries. */
void plu_frame_boundaries_read(plu_frame_boundaries *boundaries, plu_h5 *h5, plu_summed *summed,
                               long k, plu_frame_data *frame);
void plu_frame_boundaries_free(plu_frame_boundaries *boundaries); /* accepts a zeroed one */

#endif
