/* frame_boundaries.h: where boundaries were, out of /boundaries. */
#ifndef IO_FRAME_BOUNDARIES_H
#define IO_FRAME_BOUNDARIES_H

#include "io/summed.h"
#include "pluvia/outline.h"

enum { PLU_FRAME_PLACES = 3 }; /* position, rotation, state */

typedef struct plu_frame_boundaries {
    int count; /* 0: not in the file */
    hid_t dataset[PLU_FRAME_PLACES];
    int set[PLU_FRAME_PLACES]; /* in plu_summed */
    double *rows;              /* owned: [count][4] */
    unsigned char *state;      /* owned */
    plu_boundary_place *place; /* owned */
} plu_frame_boundaries;

/* Damage is noted in `h5`. */
void plu_frame_boundaries_open(plu_frame_boundaries *boundaries, plu_h5 *h5, hid_t file,
                               long frames, const plu_summed *summed);
/* Reads frame k into `place`. */
void plu_frame_boundaries_read(plu_frame_boundaries *boundaries, plu_h5 *h5, plu_summed *summed,
                               long k);
void plu_frame_boundaries_free(plu_frame_boundaries *boundaries); /* accepts a zeroed one */

#endif
