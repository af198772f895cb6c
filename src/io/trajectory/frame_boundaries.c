#include "base/memory.h"
#include "io/h5/h5_read.h"
#include "io/trajectory/frame_parts.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

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
