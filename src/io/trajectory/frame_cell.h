/* frame_cell.h: the periodic cell of a frame, out of /particles/trajectory/box. */
#ifndef IO_TRAJECTORY_FRAME_CELL_H
#define IO_TRAJECTORY_FRAME_CELL_H

#include "io/trajectory/summed.h"
#include "pluvia/frames.h"

typedef struct plu_frame_cell {
    plu_cell_box box; /* of the frame that was read last; the same in all but its edges */
    hid_t edges;      /* < 0: there is no cell */
    int set;          /* of the edges, in plu_summed */
} plu_frame_cell;

/* `particles` is the group /particles/trajectory. Damage is noted in `h5`. */
void plu_frame_cell_open(plu_frame_cell *cell, plu_h5 *h5, hid_t particles, long frames,
                         const plu_summed *summed);

/* Reads the edges of frame k. */
void plu_frame_cell_read(plu_frame_cell *cell, plu_h5 *h5, plu_summed *summed, long k);

/* Names the image of the sphere a from which each contact of the frame comes: files have only the
 * sphere (output/README.md). */
void plu_frame_cell_name_images(const plu_frame_data *frame, plu_contact_row *row);

#endif
