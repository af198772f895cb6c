/* Writes /contacts, a ragged table: frame k has the rows offset[k] to offset[k + 1] - 1.
 *
 *     offset     0    3         7  7
 *                |    |         |  |
 *     columns    | 0 0 0 | 1 1 1 1 |          frame 2 has no contact
 *
 * Rows are collected a block at a time, and written column by column. With forecast "touch"
 * contacts that bear nothing and are open are left out: they are guesses of the forecast. */
#include "io/trajectory/contact_columns.h"
#include "io/trajectory/writer.h"
#include "pluvia/scene.h"
#include "pluvia/writing.h"
#include "world/world.h"
#include <string.h>

/* The series of the table: first the columns, then these. */
enum {
    DT = PLU_CONTACT_COLUMNS, /* one row a frame */
    OFFSET                    /* one row a frame, and one before the first */
};

static hid_t file_type(const plu_trajectory *t, plu_column_type type)
{
    switch (type) {
    case PLU_COLUMN_INT32:
        return H5T_STD_I32LE;
    case PLU_COLUMN_UINT8:
        return H5T_STD_U8LE;
    case PLU_COLUMN_INT16:
        return H5T_STD_I16LE;
    case PLU_COLUMN_REAL:
        break;
    }
    return t->scene->output->float32 ? H5T_IEEE_F32LE : H5T_IEEE_F64LE;
}

/* Rows of a chunk. A partly filled chunk is written again with every frame, so chunks must not be
 * much larger than the contacts of a frame (a few for each body). Chunks are not compressed,
 * because a compressed chunk changes its size when it is rewritten, and a kill at that moment would
 * destroy earlier contacts. */
static hsize_t chunk_rows(int bodies)
{
    const hsize_t rows = (hsize_t)bodies;
    return rows < 256 ? 256 : rows > PLU_BLOCK ? PLU_BLOCK : rows;
}

static void make_columns(plu_trajectory *t, plu_h5 *h5, hid_t group)
{
    for (int k = 0; k < PLU_CONTACT_COLUMNS; k++) {
        const hsize_t c = (hsize_t)plu_contact_columns[k].components;
        const plu_h5_layout layout = {.type = file_type(t, plu_contact_columns[k].type),
                                      .rank = c > 1 ? 2 : 1,
                                      .size = {0, c},
                                      .chunk = {chunk_rows(t->bodies), c},
                                      .growing = 1};
        const hid_t id = plu_writer_series(t, h5, group, plu_contact_columns[k].name, &layout);
        if (plu_contact_columns[k].unit)
            plu_h5_attr_text(h5, id, "unit", plu_contact_columns[k].unit);
    }
}

void plu_writer_contacts(plu_trajectory *t, plu_h5 *h5)
{
    t->first_contact = t->scene->output->contacts ? t->series_count : PLU_SERIES_MAX;
    if (!t->scene->output->contacts)
        return;
    static const long long zero = 0;
    plu_h5_layout scalar = {
        .type = H5T_IEEE_F64LE, .rank = 1, .chunk = {PLU_CHUNK_FRAMES}, .growing = 1};
    const hid_t group = plu_writer_element(t, h5, t->file, "contacts");
    make_columns(t, h5, group);
    plu_h5_attr_text(h5, plu_writer_series(t, h5, group, "dt", &scalar), "unit", "s");
    scalar.type = H5T_STD_I64LE;
    plu_writer_series(t, h5, group, "offset", &scalar);
    if (h5->existing)
        return;
    plu_series *offset = &t->series[t->first_contact + OFFSET];
    plu_series_append(h5, offset, H5T_NATIVE_LLONG, 1, &zero);
    plu_series_commit(offset);
}

/* Writes column `k` of the `count` contacts in `rows`. */
static void write_column(plu_trajectory *t, plu_h5 *h5, int k, int count)
{
    plu_series *series = &t->series[t->first_contact + k];
    const plu_contact_column_facts *column = &plu_contact_columns[k];
    const size_t numbers = (size_t)column->components * (size_t)count;
    for (int i = 0; i < count; i++)
        column->put(&t->rows[i], t->buffer + (size_t)column->components * (size_t)i);
    if (column->type == PLU_COLUMN_REAL) {
        plu_series_append(h5, series, H5T_NATIVE_DOUBLE, (hsize_t)count, t->buffer);
        return;
    }
    int *whole = (int *)(t->buffer + numbers); /* there are four numbers for each row */
    for (size_t i = 0; i < numbers; i++)
        whole[i] = (int)t->buffer[i];
    plu_series_append(h5, series, H5T_NATIVE_INT, (hsize_t)count, whole);
}

int plu_writer_contacts_count(const plu_trajectory *t)
{
    int count = 0;
    for (int i = plu_stepper_contacts(t->stepper) - 1; i >= 0; i--)
        count += plu_stepper_touches(t->stepper, i);
    return count;
}

/* Fills `rows` with the next contacts, from *next on, that touch; advances *next. Returns how many.
 */
static int collect(plu_trajectory *t, int *next, int contacts)
{
    int count = 0;
    for (; *next < contacts && count < PLU_BLOCK; ++*next)
        if (plu_stepper_touches(t->stepper, *next))
            plu_stepper_contact(t->stepper, *next, &t->rows[count++]);
    return count;
}

void plu_writer_contacts_frame(plu_trajectory *t, plu_h5 *h5, const plu_step_info *info)
{
    if (!t->scene->output->contacts)
        return;
    plu_series *series = &t->series[t->first_contact];
    const int contacts = info ? plu_stepper_contacts(t->stepper) : 0;
    long long rows = 0;
    for (int next = 0; next < contacts;) {
        const int count = collect(t, &next, contacts);
        for (int k = 0; count > 0 && k < PLU_CONTACT_COLUMNS; k++)
            write_column(t, h5, k, count);
        rows += count;
    }
    const long long end = (long long)series[PLU_COLUMN_BODY].size[0] + rows;
    plu_series_append(h5, &series[DT], H5T_NATIVE_DOUBLE, 1, &t->world->step);
    plu_series_append(h5, &series[OFFSET], H5T_NATIVE_LLONG, 1, &end);
}

plu_writer_rows plu_writer_row_kind(const plu_trajectory *t, int k)
{
    const int which = k - t->first_contact;
    return which < 0 || which == DT || which > OFFSET ? PLU_ROW_A_FRAME
           : which == OFFSET                          ? PLU_ROW_AND_ANOTHER
                                                      : PLU_ROW_A_CONTACT;
}

const plu_series *plu_writer_contact_offsets(const plu_trajectory *t)
{
    return t->scene->output->contacts ? &t->series[t->first_contact + OFFSET] : NULL;
}
