#include "base/memory.h"
#include "io/trajectory/frame_parts.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static void read_offsets(plu_frame_contacts *c, plu_h5 *h5, hid_t group, long frames)
{
    hsize_t rows = 0;
    const hid_t id = plu_h5_find(h5, group, "offset", H5I_DATASET);
    plu_h5_shape(h5, id, "contacts/offset", 1, &rows);
    if (h5->status == PLU_OK && rows <= (hsize_t)frames)
        plu_h5_damaged(h5, "damaged: /contacts/offset is too short");
    if (h5->status != PLU_OK)
        return;
    const hsize_t start = 0, count = (hsize_t)frames + 1;
    c->offset = plu_alloc((size_t)count, sizeof *c->offset, h5->err);
    if (!c->offset)
        h5->status = PLU_IO;
    plu_h5_read_part(h5, id, "contacts/offset", H5T_NATIVE_LLONG, 1, &start, &count, c->offset);
    for (long k = 0; h5->status == PLU_OK && k < frames; k++)
        if (c->offset[k] < 0 || c->offset[k + 1] < c->offset[k] ||
            c->offset[k + 1] - c->offset[k] > INT_MAX)
            plu_h5_damaged(h5, "damaged: /contacts/offset contains impossible values");
}

static int set_of(const plu_frame_contacts *c, const char *name)
{
    char path[64];
    snprintf(path, sizeof path, "/contacts/%s", name);
    return plu_summed_find(c->summed, path);
}

void plu_frame_contacts_open(plu_frame_contacts *c, plu_h5 *h5, hid_t file, long frames,
                             plu_summed *summed)
{
    *c = (plu_frame_contacts){.summed = summed};
    if (h5->status != PLU_OK || !plu_h5_has(file, "contacts"))
        return;
    c->there = true;
    const hid_t group = plu_h5_find(h5, file, "contacts", H5I_GROUP);
    read_offsets(c, h5, group, frames);
    for (int k = 0; k < PLU_CONTACT_COLUMNS; k++) {
        const plu_contact_column_facts *column = &plu_contact_columns[k];
        const hsize_t width = (hsize_t)column->components;
        hsize_t size[2] = {0, 0};
        c->column[k] = plu_h5_find(h5, group, column->name, H5I_DATASET);
        c->column_set[k] = set_of(c, column->name);
        plu_h5_shape(h5, c->column[k], column->name, width > 1 ? 2 : 1, size);
        if (h5->status == PLU_OK &&
            (size[0] < (hsize_t)c->offset[frames] || (width > 1 && size[1] != width)))
            plu_h5_damaged(h5, "damaged: contacts/%s does not fit contacts/offset", column->name);
    }
    hsize_t rows = 0;
    c->dt = plu_h5_find(h5, group, "dt", H5I_DATASET);
    c->dt_set = set_of(c, "dt");
    c->offset_set = set_of(c, "offset");
    plu_h5_shape(h5, c->dt, "contacts/dt", 1, &rows);
    if (h5->status == PLU_OK && rows < (hsize_t)frames)
        plu_h5_damaged(h5, "damaged: /contacts/dt is too short");
}

void plu_frame_contacts_free(plu_frame_contacts *c)
{
    free(c->offset);
    free(c->row);
    free(c->buffer);
    *c = (plu_frame_contacts){0};
}

static void read_columns(plu_frame_contacts *c, plu_h5 *h5, long k, size_t rows)
{
    double *tangent = c->buffer + 3 * rows;
    for (int i = 0; h5->status == PLU_OK && i < PLU_CONTACT_COLUMNS; i++) {
        const size_t width = (size_t)plu_contact_columns[i].components;
        const hsize_t start[2] = {(hsize_t)c->offset[k], 0};
        const hsize_t count[2] = {rows, width};
        double *to = i == PLU_COLUMN_TANGENT ? tangent : c->buffer;
        plu_h5_read_part(h5, c->column[i], plu_contact_columns[i].name, H5T_NATIVE_DOUBLE,
                         width > 1 ? 2 : 1, start, count, to);
        plu_summed_add(c->summed, h5, c->column_set[i], H5T_NATIVE_DOUBLE, rows, width, to);
        for (size_t r = 0; h5->status == PLU_OK && r < rows; r++)
            plu_contact_columns[i].take(to + width * r, tangent + 3 * r, &c->row[r]);
    }
}

void plu_frame_contacts_read(plu_frame_contacts *c, plu_h5 *h5, long k, plu_frame_data *frame)
{
    frame->contacts = -1;
    if (h5->status != PLU_OK || !c->there)
        return;
    const size_t rows = (size_t)(c->offset[k + 1] - c->offset[k]);
    const hsize_t start = (hsize_t)k, one = 1;
    plu_h5_read_part(h5, c->dt, "contacts/dt", H5T_NATIVE_DOUBLE, 1, &start, &one, &frame->dt);
    plu_summed_add(c->summed, h5, c->dt_set, H5T_NATIVE_DOUBLE, 1, 1, &frame->dt);
    plu_summed_add(c->summed, h5, c->offset_set, H5T_NATIVE_LLONG, 1, 1, &c->offset[k + 1]);
    if (h5->status == PLU_OK)
        h5->status = plu_reserve(&c->row, &c->row_capacity, rows, sizeof *c->row, 0, h5->err);
    if (h5->status == PLU_OK)
        h5->status =
            plu_reserve(&c->buffer, &c->buffer_capacity, 6 * rows, sizeof *c->buffer, 0, h5->err);
    if (h5->status != PLU_OK)
        return;
    if (rows > 0)
        memset(c->row, 0, rows * sizeof *c->row);
    read_columns(c, h5, k, rows);
    frame->contacts = (int)rows;
    frame->contact = c->row;
    if (h5->status == PLU_OK)
        plu_frame_cell_name_images(frame, c->row);
}
