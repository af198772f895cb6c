/* Reads the parts of a frame besides bodies: its place in the file, cell, boundaries, contacts.
 * What is read is compared with its checksum (summed.h) and with what it can be: a series is at
 * least as long as there are frames, and numbers are finite.
 *
 *   /particles/trajectory/position/step, time    [frames]
 *   /particles/trajectory/box/edges/value        [frames][3][3], rows a, b, c; origin, boundary
 *   /boundaries/position/value ...               [frames][boundaries][3]
 *   /contacts/offset                             [frames + 1]: rows of frame k are offset[k] to
 *   /contacts/normal ...                         offset[k + 1] - 1 of each column
 *   /contacts/dt                                 [frames]
 *
 * A series may be longer than there are frames: a run that was killed has appended some of a
 * frame. */
#include "io/trajectory/frame_parts.h"
#include "base/memory.h"
#include "base/space.h"
#include "io/h5/h5_read.h"
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A frame is complete if step, time and position have a row for it. */
plu_frame_shape plu_frame_shape_read(plu_h5 *h5, hid_t particles)
{
    hsize_t steps = 0, times = 0, size[3] = {0, 0, 0};
    const hid_t step = plu_h5_find(h5, particles, "position/step", H5I_DATASET);
    const hid_t time = plu_h5_find(h5, particles, "position/time", H5I_DATASET);
    const hid_t value = plu_h5_find(h5, particles, "position/value", H5I_DATASET);
    plu_h5_shape(h5, step, "position/step", 1, &steps);
    plu_h5_shape(h5, time, "position/time", 1, &times);
    plu_h5_shape(h5, value, "position/value", 3, size);
    hsize_t frames = steps < times ? steps : times;
    frames = frames < size[0] ? frames : size[0];
    if (h5->status == PLU_OK && (frames > INT_MAX || size[1] > INT_MAX || size[2] != 3))
        plu_h5_damaged(h5, "damaged: position/value has an impossible shape");
    if (h5->status != PLU_OK)
        return (plu_frame_shape){0};
    return (plu_frame_shape){frames, (int)size[1], step, time};
}

static const char edges_path[] = "/particles/trajectory/box/edges/value";

static void open_edges(plu_frame_cell *cell, plu_h5 *h5, hid_t box, long frames,
                       const plu_summed *summed)
{
    char boundary[3][16];
    hsize_t size[3] = {0, 0, 0};
    plu_h5_read_numbers(h5, box, "origin", 3, cell->box.origin);
    plu_h5_read_words(h5, box, "boundary", 3, boundary);
    cell->edges = plu_h5_find(h5, box, "edges/value", H5I_DATASET);
    cell->set = plu_summed_find(summed, edges_path);
    plu_h5_shape(h5, cell->edges, edges_path, 3, size);
    if (h5->status == PLU_OK && (size[0] < (hsize_t)frames || size[1] != 3 || size[2] != 3))
        plu_h5_damaged(h5, "damaged: %s has another shape than it should have", edges_path);
    for (int k = 0; h5->status == PLU_OK && k < 3; k++) {
        cell->box.periodic[k] = strcmp(boundary[k], "periodic") == 0;
        if (!isfinite(cell->box.origin[k]))
            plu_h5_damaged(h5, "damaged: the corner of the cell is not a finite point");
    }
    cell->box.given = h5->status == PLU_OK;
}

void plu_frame_cell_open(plu_frame_cell *cell, plu_h5 *h5, hid_t particles, long frames,
                         const plu_summed *summed)
{
    *cell = (plu_frame_cell){.edges = -1, .set = -1};
    if (h5->status != PLU_OK || !plu_h5_has(particles, "box"))
        return;
    const hid_t box = plu_h5_find(h5, particles, "box", H5I_GROUP);
    if (h5->status == PLU_OK && plu_h5_has(box, "edges"))
        open_edges(cell, h5, box, frames, summed);
    if (box >= 0)
        H5Oclose(box);
}

void plu_frame_cell_read(plu_frame_cell *cell, plu_h5 *h5, plu_summed *summed, long k)
{
    const hsize_t start[3] = {(hsize_t)k, 0, 0}, count[3] = {1, 3, 3};
    if (h5->status != PLU_OK || cell->edges < 0)
        return;
    plu_h5_read_part(h5, cell->edges, edges_path, H5T_NATIVE_DOUBLE, 3, start, count,
                     cell->box.edge);
    plu_summed_add(summed, h5, cell->set, H5T_NATIVE_DOUBLE, 1, 9, cell->box.edge);
    if (h5->status != PLU_OK)
        return;
    double across[3];
    plu_cross(cell->box.edge[1], cell->box.edge[2], across);
    const double volume = plu_dot(cell->box.edge[0], across);
    if (!(volume > 0.0 && isfinite(volume)))
        plu_h5_damaged(h5, "damaged: the cell has no volume");
}

/* Names the image of the sphere a from which each contact of the frame comes: files have only the
 * sphere (output/README.md). */
static void frame_cell_name_images(const plu_frame_data *frame, plu_contact_row *row)
{
    const plu_cell_box *cell = &frame->cell;
    plu_space space;
    if (!cell->given || frame->contacts <= 0)
        return;
    plu_space_make(&space, cell->origin, cell->edge, cell->periodic);
    for (int i = 0; i < frame->contacts; i++) {
        plu_contact_row *c = &row[i];
        if (!plu_side_is_sphere(c->a) || plu_side_sphere(c->a) >= frame->bodies || c->b < 0 ||
            c->b >= frame->bodies)
            continue;
        const int a = plu_side_sphere(c->a);
        const double length = frame->radius[a] + frame->radius[c->b] + c->gap;
        const double way[3] = {length * c->normal[0], length * c->normal[1], length * c->normal[2]};
        c->a = plu_side_of_image(
            a, plu_image_on_way(&space, frame->position[a], frame->position[c->b], way));
    }
}

typedef enum source { POSITION, ROTATION, STATE, FORCE, MOMENT, STRESS } source;

static const struct element {
    const char *name, *path;
    hsize_t width;  /* 0: one number without a dimension of its own */
    bool may_lack;  /* files of older versions have no stress */
    bool is_number; /* its values always are: a stress is not where there is no area */
} elements[PLU_FRAME_PLACES] = {
    [POSITION] = {"boundaries/position", "/boundaries/position/value", 3, false, true},
    [ROTATION] = {"boundaries/rotation", "/boundaries/rotation/value", 4, false, true},
    [STATE] = {"boundaries/state", "/boundaries/state/value", 0, false, false},
    [FORCE] = {"boundaries/force", "/boundaries/force/value", 3, true, false},
    [MOMENT] = {"boundaries/moment", "/boundaries/moment/value", 3, true, false},
    [STRESS] = {"boundaries/stress", "/boundaries/stress/value", 0, true, false}};

enum { MOST = 1 << 24 }; /* boundaries */

static hid_t type_of(int e)
{
    return e == STATE ? H5T_NATIVE_UCHAR : H5T_NATIVE_DOUBLE;
}

/* Numbers in all rows of a frame. */
static hsize_t numbers_of(const plu_frame_boundaries *b, int e)
{
    return (hsize_t)b->count * (elements[e].width ? elements[e].width : 1);
}

static void open_set(plu_frame_boundaries *b, plu_h5 *h5, hid_t file, long frames, int e)
{
    const hsize_t width = elements[e].width;
    hsize_t size[3] = {0, 0, 0};
    b->dataset[e] = -1;
    if (h5->status != PLU_OK || (elements[e].may_lack && !plu_h5_has(file, elements[e].name)))
        return;
    b->dataset[e] = plu_h5_find(h5, file, elements[e].path, H5I_DATASET);
    plu_h5_shape(h5, b->dataset[e], elements[e].path, width ? 3 : 2, size);
    if (h5->status == PLU_OK && e == POSITION && size[1] <= MOST)
        b->count = (int)size[1];
    if (h5->status == PLU_OK && (size[0] < (hsize_t)frames || size[1] > MOST ||
                                 size[1] != (hsize_t)b->count || (width && size[2] != width)))
        plu_h5_damaged(h5, "damaged: %s has an unexpected shape", elements[e].path);
    if (h5->status != PLU_OK)
        return;
    b->rows[e] = plu_alloc((size_t)numbers_of(b, e), e == STATE ? 1 : sizeof(double), h5->err);
    if (!b->rows[e])
        h5->status = PLU_IO;
}

void plu_frame_boundaries_open(plu_frame_boundaries *b, plu_h5 *h5, hid_t file, long frames,
                               const plu_summed *summed)
{
    if (h5->status != PLU_OK || !plu_h5_has(file, "boundaries"))
        return;
    for (int e = 0; e < PLU_FRAME_PLACES; e++) {
        open_set(b, h5, file, frames, e);
        b->set[e] = plu_summed_find(summed, elements[e].path);
    }
    if (h5->status != PLU_OK)
        return;
    b->frames = frames;
    b->place = plu_alloc((size_t)b->count, sizeof *b->place, h5->err);
    if (!b->place)
        h5->status = PLU_IO;
}

static void read_rows(plu_frame_boundaries *b, plu_h5 *h5, plu_summed *summed, long frame, int e)
{
    const hsize_t width = elements[e].width, n = (hsize_t)b->count, numbers = numbers_of(b, e);
    const hsize_t start[3] = {(hsize_t)frame, 0, 0}, count[3] = {1, n, width};
    if (!b->rows[e])
        return;
    plu_h5_read_part(h5, b->dataset[e], elements[e].path, type_of(e), width ? 3 : 2, start, count,
                     b->rows[e]);
    plu_summed_add(summed, h5, b->set[e], type_of(e), 1, numbers, b->rows[e]);
    if (h5->status != PLU_OK || !elements[e].is_number)
        return;
    const double *values = b->rows[e];
    for (hsize_t i = 0; i < numbers; i++)
        if (!isfinite(values[i])) {
            plu_h5_damaged(h5, "damaged: %s contains a value that is not a number",
                           elements[e].path);
            return;
        }
}

static void take_places(plu_frame_boundaries *b)
{
    const double(*position)[3] = b->rows[POSITION], (*rotation)[4] = b->rows[ROTATION];
    const unsigned char *state = b->rows[STATE];
    for (int i = 0; i < b->count; i++) {
        memcpy(b->place[i].position, position[i], sizeof position[i]);
        memcpy(b->place[i].rotation, rotation[i], sizeof rotation[i]);
        b->place[i].gone = state[i] == 0;
    }
}

/* Whether a boundary turns: whether it is turned otherwise in a frame than in the first one. */
static void look_for_turning(plu_frame_boundaries *b, plu_h5 *h5)
{
    enum { BLOCK = 64 /* frames read at a time */ };
    const hsize_t n = (hsize_t)b->count, numbers = numbers_of(b, ROTATION);
    double *rows = plu_alloc((BLOCK + 1) * numbers, sizeof *rows, h5->err);
    if (!rows)
        h5->status = PLU_IO;
    for (long k = 0; h5->status == PLU_OK && k < b->frames && !b->turning; k += BLOCK) {
        const long left = b->frames - k;
        const hsize_t count[3] = {left < BLOCK ? (hsize_t)left : BLOCK, n,
                                  elements[ROTATION].width};
        const hsize_t start[3] = {(hsize_t)k, 0, 0};
        plu_h5_read_part(h5, b->dataset[ROTATION], elements[ROTATION].path, H5T_NATIVE_DOUBLE, 3,
                         start, count, rows + numbers);
        if (k == 0)
            memcpy(rows, rows + numbers, numbers * sizeof *rows);
        for (hsize_t i = 0; i < count[0]; i++)
            b->turning |= memcmp(rows, rows + (i + 1) * numbers, numbers * sizeof *rows) != 0;
    }
    b->looked = true;
    free(rows);
}

void plu_frame_boundaries_read(plu_frame_boundaries *b, plu_h5 *h5, plu_summed *summed, long k,
                               plu_frame_data *frame)
{
    for (int e = 0; e < PLU_FRAME_PLACES && b->count > 0; e++)
        read_rows(b, h5, summed, k, e);
    if (h5->status != PLU_OK || b->count == 0)
        return;
    take_places(b);
    if (!b->looked)
        look_for_turning(b, h5);
    frame->turning = b->turning;
    frame->boundaries = b->count;
    frame->place = b->place;
    frame->boundary_force = b->rows[FORCE];
    frame->boundary_moment = b->rows[MOMENT];
    frame->boundary_stress = b->rows[STRESS];
}

void plu_frame_boundaries_free(plu_frame_boundaries *b)
{
    for (int e = 0; e < PLU_FRAME_PLACES; e++)
        free(b->rows[e]);
    free(b->place);
}

/* The offsets decide how much is read and allocated later: none may be negative or fall. */
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
        frame_cell_name_images(frame, c->row);
}
