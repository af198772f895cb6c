/* frame_contacts.h: the contact table of a trajectory, frame by frame. */
#ifndef IO_TRAJECTORY_FRAME_CONTACTS_H
#define IO_TRAJECTORY_FRAME_CONTACTS_H

#include "io/trajectory/contact_columns.h"
#include "io/trajectory/summed.h"
#include "pluvia/frames.h"

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

#endif
