/* frame_parts.h: what readers of a trajectory share: its shape and contents; what a frame has
 * besides bodies: cell, boundaries, contacts. */
#ifndef IO_TRAJECTORY_FRAME_PARTS_H
#define IO_TRAJECTORY_FRAME_PARTS_H

#include "io/h5/h5_read.h"
#include "io/trajectory/contact_columns.h"
#include "io/trajectory/summed.h"
#include "pluvia/frames.h"
#include "pluvia/trajectory.h"

/* --- the periodic cell of a frame, out of /particles/trajectory/box --- */

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

/* --- where boundaries were, and what acted on them, out of /boundaries --- */

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

/* --- the contact table of a trajectory, frame by frame --- */

typedef struct plu_frame_contacts {
    bool there;
    hid_t column[PLU_CONTACT_COLUMNS], dt;
    long long *offset; /* [frames + 1] */
    plu_summed *summed;
    int column_set[PLU_CONTACT_COLUMNS], dt_set, offset_set; /* in `summed` */
    size_t row_capacity, buffer_capacity;
    plu_contact_row *row;
    double *buffer;
} plu_frame_contacts;

/* `summed` must outlive the table. */
void plu_frame_contacts_open(plu_frame_contacts *c, plu_h5 *h5, hid_t file, long frames,
                             plu_summed *summed);
void plu_frame_contacts_free(plu_frame_contacts *c);

/* Reads dt, contacts and contact of frame k, and adds them to its checksums
 * (io/trajectory/summed.h). */
void plu_frame_contacts_read(plu_frame_contacts *c, plu_h5 *h5, long k, plu_frame_data *frame);

/* --- the number of complete frames and of bodies of a trajectory --- */

typedef struct plu_frame_shape {
    hsize_t frames; /* at most INT_MAX */
    int bodies;
    hid_t step, time; /* datasets with a number a frame */
} plu_frame_shape;

/* `particles` is the group /particles/trajectory. All zero after a failure. */
plu_frame_shape plu_frame_shape_read(plu_h5 *h5, hid_t particles);

/* --- what a trajectory contains, from a file that is open --- */

/* Reads all but the size of the file into an empty `info`. */
void plu_info_read(plu_trajectory_info *info, plu_h5 *h5, hid_t file);

/* Compares the numbers in it with their checksums, if the file has them by dataset. */
void plu_info_check(const plu_trajectory_info *info, plu_h5 *h5, plu_summed *summed);

#endif
