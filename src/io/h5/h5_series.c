/* Datasets that grow by some rows with each frame, so that a file never has a part of a frame:
 *
 *     rows in the file   | of whole frames: size[0]          | added: of the frame being written |
 *     commit             size[0] += added
 *     rollback           the dataset is cut back to size[0]
 *
 * Rows that fill chunks of their own are compressed by threads of pluvia (chunk.h), others by HDF5.
 * What they need on the disk is reserved first, beyond the end of the file: a full disk ends a
 * frame before it begins. */
#if defined(__linux__)
#define _GNU_SOURCE /* fallocate */
#endif
#include "base/hash.h"
#include "base/memory.h"
#include "io/h5/chunk.h"
#include "io/h5/h5.h"
#include "io/h5/sums.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { ALIGNMENT = 16 }; /* bytes: of any number */

/* Copies rows as of plu_series_append (`sum` NULL) or plu_series_append_summed. PLU_OK or PLU_IO.
 */
static plu_status kept_rows_add(plu_kept_rows *k, plu_series *series, hid_t type, hsize_t rows,
                                const void *data, const uint64_t *sum, plu_error *err)
{
    size_t bytes = H5Tget_size(type) * (size_t)rows;
    for (int d = 1; d < series->rank; d++)
        bytes *= (size_t)series->size[d];
    const size_t begin = (k->size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    plu_status status = plu_reserve(&k->bytes, &k->room, begin + bytes, 1, 1, err);
    if (status == PLU_OK)
        status = plu_reserve(&k->list, &k->capacity, k->count + 1, sizeof *k->list, 1, err);
    if (status != PLU_OK)
        return status;
    if (bytes > 0)
        memcpy(k->bytes + begin, data, bytes);
    k->size = begin + bytes;
    k->list[k->count++] = (plu_kept){.series = series,
                                     .type = type,
                                     .rows = rows,
                                     .at = begin,
                                     .summed = sum != NULL,
                                     .sum = sum ? *sum : 0};
    return PLU_OK;
}

void plu_kept_rows_forget(plu_kept_rows *k)
{
    k->count = k->size = 0;
}

void plu_kept_rows_free(plu_kept_rows *k)
{
    free(k->list);
    free(k->bytes);
    *k = (plu_kept_rows){0};
}

plu_series plu_series_make(plu_h5 *h5, hid_t parent, const char *name, const plu_h5_layout *layout)
{
    plu_series series = {.dataset = plu_h5_dataset(h5, parent, name, layout),
                         .rank = layout->rank,
                         .size = {layout->size[0], layout->size[1], layout->size[2]},
                         .chunk_rows = layout->chunk[0],
                         .type = layout->type,
                         .chunk_width = layout->packed && layout->gzip > 0 && layout->rank > 1 &&
                                                layout->chunk[0] == 1
                                            ? layout->chunk[1]
                                            : 0,
                         .gzip = layout->gzip,
                         .fill = layout->fill,
                         .summed = true,
                         .chunk_bytes = H5Tget_size(layout->type) * layout->chunk[0]};
    for (int k = 1; k < layout->rank; k++)
        series.chunk_bytes *=
            (layout->size[k] + layout->chunk[k] - 1) / layout->chunk[k] * layout->chunk[k];
    if (h5->existing && h5->status == PLU_OK) {
        const hid_t space = H5Dget_space(series.dataset);
        H5Sget_simple_extent_dims(space, series.size, NULL);
        H5Sclose(space);
    }
    return series;
}

long long plu_series_need(const plu_series *series, hsize_t rows)
{
    if (rows == 0)
        return 0;
    const hsize_t chunks = (rows + 2 * series->chunk_rows - 2) / series->chunk_rows;
    return (long long)(chunks * (series->chunk_bytes + series->chunk_bytes / 32));
}

int plu_h5_descriptor(hid_t file, hsize_t *size)
{
    void *handle = NULL;
    if (H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) < 0 || !handle ||
        H5Fget_filesize(file, size) < 0)
        return -1;
    return *(int *)handle;
}

/* Whether the process may not write files so long: a reserve beyond the end is made all the same.
 */
static bool beyond_limit(off_t end)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
           (rlim_t)end > limit.rlim_cur;
}

/* An error number, or 0. Space beyond the end of the file, where a file system has such, does not
 * change its size: to set that back after every frame would take ten times as long as the frame. */
static int reserve(int file, off_t at, off_t bytes, bool *longer)
{
    *longer = false;
#if defined(__linux__)
    if (beyond_limit(at + bytes))
        return EFBIG;
    if (fallocate(file, FALLOC_FL_KEEP_SIZE, at, bytes) == 0)
        return 0;
    if (errno != EOPNOTSUPP && errno != ENOSYS && errno != EINVAL)
        return errno;
#endif
    *longer = true;
    return posix_fallocate(file, at, bytes);
}

static bool is_full(int why)
{
    return why == ENOSPC || why == EDQUOT || why == EFBIG;
}

bool plu_h5_reserve(plu_h5 *h5, hid_t file, const char *what, long long bytes, hsize_t *until)
{
    enum { AHEAD = 2 }; /* such pieces are reserved at once */
    hsize_t size = 0;
    bool longer = false;
    if (h5->status != PLU_OK)
        return false;
    const int number = plu_h5_descriptor(file, &size);
    if (number < 0 || (until && size + (hsize_t)bytes <= *until))
        return false;
    long long taken = until ? AHEAD * bytes : bytes;
    int why = reserve(number, (off_t)size, (off_t)taken, &longer);
    if (is_full(why)) {
        taken = bytes;
        why = reserve(number, (off_t)size, (off_t)taken, &longer);
    }
    if (until)
        *until = why == 0 && !longer ? size + (hsize_t)taken : 0;
    if (is_full(why))
        h5->status = plu_fail(h5->err, PLU_IO, "%s: cannot write %s (%.3g MB): %s", h5->path, what,
                              1e-6 * (double)bytes,
                              why == ENOSPC ? "no space left on device" : strerror(why));
    if (h5->status != PLU_OK)
        plu_h5_give_back(file);
    return longer && h5->status == PLU_OK;
}

void plu_h5_give_back(hid_t file)
{
    hsize_t size = 0;
    const int number = plu_h5_descriptor(file, &size);
    if (number >= 0 && ftruncate(number, (off_t)size) != 0)
        return; /* the file is longer than it need be, which does no harm */
}

/* Writes a row that is chunks of its own. */
static void write_chunks(plu_h5 *h5, plu_series *series, hsize_t start, const void *numbers)
{
    const hsize_t across = series->rank > 2 ? series->size[2] : 1;
    const plu_chunk_row row = {.size = H5Tget_size(series->type),
                               .total = series->size[1] * across,
                               .each = series->chunk_width * across,
                               .fill = series->fill,
                               .level = series->gzip};
    h5->status = plu_chunks_pack(h5->chunks, &row, numbers, h5->err);
    for (size_t k = 0; h5->status == PLU_OK && k * row.each < row.total; k++) {
        const hsize_t place[3] = {start, k * series->chunk_width, 0};
        size_t bytes;
        const void *packed = plu_chunks_packed(h5->chunks, k, &bytes);
        plu_h5_check(h5, H5Dwrite_chunk(series->dataset, H5P_DEFAULT, 0, place, bytes, packed),
                     "write a frame");
    }
}

void plu_h5_place_forget(plu_h5_place *place)
{
    if (place->in_file > 0) {
        H5Sclose(place->in_file);
        H5Sclose(place->in_memory);
    }
    *place = (plu_h5_place){0};
}

static plu_h5_place find_place(int rank, const hsize_t start[3], const hsize_t count[3],
                               const hsize_t size[3])
{
    const plu_h5_place place = {.row = start[0],
                                .in_file = H5Screate_simple(rank, size, NULL),
                                .in_memory = H5Screate_simple(rank, count, NULL)};
    H5Sselect_hyperslab(place.in_file, H5S_SELECT_SET, start, NULL, count, NULL);
    return place;
}

/* Writes the last `count[0]` rows. */
static void write_rows(plu_h5 *h5, const plu_series *series, const hsize_t start[3],
                       const hsize_t count[3], const void *numbers)
{
    const hsize_t size[3] = {start[0] + count[0], count[1], count[2]};
    const bool kept = h5->place && series->rank == 1 && count[0] == 1;
    plu_h5_place own = {0}, *place = kept ? h5->place : &own;
    if (place->in_file <= 0 || place->row != start[0]) {
        plu_h5_place_forget(place);
        *place = find_place(series->rank, start, count, size);
    }
    plu_h5_check(h5,
                 H5Dwrite(series->dataset, series->type, place->in_memory, place->in_file,
                          H5P_DEFAULT, numbers),
                 "write a frame");
    plu_h5_place_forget(&own);
}

uint64_t plu_series_sum_start(plu_series *series)
{
    if (!series->named)
        series->start = plu_sum_start(series->dataset);
    series->named = true;
    return series->start;
}

static void append(plu_h5 *h5, plu_series *series, hid_t type, hsize_t rows, const void *data,
                   const uint64_t *sum)
{
    if (h5->status == PLU_OK && h5->kept)
        h5->status = kept_rows_add(h5->kept, series, type, rows, data, sum, h5->err);
    if (h5->status != PLU_OK || h5->kept)
        return;
    const hsize_t start[3] = {series->size[0] + series->added, 0, 0};
    const hsize_t count[3] = {rows, series->size[1], series->size[2]};
    const hsize_t size[3] = {start[0] + rows, count[1], count[2]};
    series->added += rows;
    if (!plu_h5_check(h5, H5Dset_extent(series->dataset, size), "extend a dataset"))
        return;
    hsize_t elements = 1;
    for (int k = 0; k < series->rank; k++)
        elements *= count[k];
    if (elements == 0)
        return;
    void *copy = NULL;
    if (series->given != type) {
        series->given = type;
        series->alike = H5Tequal(series->type, type) > 0;
    }
    const void *numbers =
        series->alike ? data : plu_sum_stored(series->type, type, elements, data, &copy);
    if (!numbers) {
        free(copy);
        h5->status = plu_fail(h5->err, PLU_IO, "%s: out of memory to write a frame", h5->path);
        return;
    }
    if (series->summed && series->added == rows)
        series->sum = sum ? *sum : plu_series_sum_start(series);
    if (series->summed && !sum)
        series->sum = plu_hash(series->sum, numbers, elements * H5Tget_size(series->type));
    if (series->chunk_width > 0 && h5->chunks)
        write_chunks(h5, series, start[0], numbers);
    else
        write_rows(h5, series, start, count, numbers);
    free(copy);
}

void plu_series_append(plu_h5 *h5, plu_series *series, hid_t type, hsize_t rows, const void *data)
{
    append(h5, series, type, rows, data, NULL);
}

void plu_series_append_summed(plu_h5 *h5, plu_series *series, hid_t type, hsize_t rows,
                              const void *data, uint64_t sum)
{
    append(h5, series, type, rows, data, &sum);
}

void plu_series_commit(plu_series *series)
{
    series->size[0] += series->added;
    series->added = 0;
}

void plu_series_rollback(plu_series *series)
{
    if (series->added > 0)
        H5Dset_extent(series->dataset, series->size);
    series->added = 0;
}

void plu_series_cut(plu_h5 *h5, plu_series *series, hsize_t rows)
{
    if (h5->status != PLU_OK)
        return;
    if (series->size[0] < rows) {
        h5->status =
            plu_fail(h5->err, PLU_BAD_INPUT,
                     "%s: a dataset has %llu rows, but the checkpoint needs %llu: the file is of "
                     "another run, or damaged",
                     h5->path, (unsigned long long)series->size[0], (unsigned long long)rows);
        return;
    }
    if (series->size[0] == rows)
        return;
    series->size[0] = rows;
    plu_h5_check(h5, H5Dset_extent(series->dataset, series->size), "cut a dataset back");
}
