#include "io/frame_boundaries.h"
#include "base/memory.h"
#include "io/h5_read.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const paths[PLU_FRAME_PLACES] = {
    "/boundaries/position/value", "/boundaries/rotation/value", "/boundaries/state/value"};
static const hsize_t width[PLU_FRAME_PLACES] = {3, 4, 0};

enum { MOST = 1 << 24 }; /* boundaries */

void plu_frame_boundaries_open(plu_frame_boundaries *b, plu_h5 *h5, hid_t file, long frames,
                               const plu_summed *summed)
{
    hsize_t first = 0;
    if (h5->status != PLU_OK || !plu_h5_has(file, "boundaries"))
        return;
    for (int k = 0; k < PLU_FRAME_PLACES && h5->status == PLU_OK; k++) {
        hsize_t size[3] = {0, 0, 0};
        b->dataset[k] = plu_h5_find(h5, file, paths[k], H5I_DATASET);
        b->set[k] = plu_summed_find(summed, paths[k]);
        plu_h5_shape(h5, b->dataset[k], paths[k], width[k] ? 3 : 2, size);
        first = k == 0 ? size[1] : first;
        if (h5->status == PLU_OK && (size[0] < (hsize_t)frames || size[1] != first ||
                                     size[1] > MOST || (width[k] && size[2] != width[k])))
            plu_h5_damaged(h5, "damaged: %s has an unexpected shape", paths[k]);
    }
    if (h5->status != PLU_OK)
        return;
    b->count = (int)first;
    b->rows = plu_alloc(4 * (size_t)first, sizeof *b->rows, h5->err);
    b->state = plu_alloc((size_t)first, 1, h5->err);
    b->place = plu_alloc((size_t)first, sizeof *b->place, h5->err);
    if (!b->rows || !b->state || !b->place)
        h5->status = PLU_IO;
}

static void take(plu_frame_boundaries *b, int k)
{
    for (int i = 0; i < b->count; i++) {
        plu_boundary_place *place = &b->place[i];
        if (k == 2)
            place->gone = b->state[i] == 0;
        else
            memcpy(k == 0 ? place->position : place->rotation, b->rows + width[k] * (hsize_t)i,
                   width[k] * sizeof *b->rows);
    }
}

void plu_frame_boundaries_read(plu_frame_boundaries *b, plu_h5 *h5, plu_summed *summed, long frame)
{
    const hsize_t n = (hsize_t)b->count;
    for (int k = 0; k < PLU_FRAME_PLACES && b->count > 0; k++) {
        const hsize_t start[3] = {(hsize_t)frame, 0, 0}, count[3] = {1, n, width[k]};
        const hid_t type = width[k] ? H5T_NATIVE_DOUBLE : H5T_NATIVE_UCHAR;
        void *rows = width[k] ? (void *)b->rows : b->state;
        plu_h5_read_part(h5, b->dataset[k], paths[k], type, width[k] ? 3 : 2, start, count, rows);
        plu_summed_add(summed, h5, b->set[k], type, 1, n * (width[k] ? width[k] : 1), rows);
        if (h5->status != PLU_OK)
            return;
        for (hsize_t i = 0; i < n * width[k]; i++)
            if (!isfinite(b->rows[i])) {
                plu_h5_damaged(h5, "damaged: %s contains a value that is not a number", paths[k]);
                return;
            }
        take(b, k);
    }
}

void plu_frame_boundaries_free(plu_frame_boundaries *b)
{
    free(b->rows);
    free(b->state);
    free(b->place);
}
