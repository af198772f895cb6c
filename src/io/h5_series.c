#include "io/h5.h"
#include "io/sums.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

plu_series plu_series_make(plu_h5 *h5, hid_t parent, const char *name, const plu_h5_layout *layout)
{
    plu_series series = {.dataset = plu_h5_dataset(h5, parent, name, layout),
                         .rank = layout->rank,
                         .size = {layout->size[0], layout->size[1], layout->size[2]},
                         .chunk_rows = layout->chunk[0],
                         .type = layout->type,
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

void plu_h5_reserve(plu_h5 *h5, hid_t file, const char *what, long long bytes)
{
    hsize_t size = 0;
    if (h5->status != PLU_OK)
        return;
    const int number = plu_h5_descriptor(file, &size);
    const int why = number < 0 ? 0 : posix_fallocate(number, (off_t)size, (off_t)bytes);
    if (why == ENOSPC || why == EDQUOT || why == EFBIG)
        h5->status = plu_fail(h5->err, PLU_IO, "%s: cannot write %s (%.3g MB): %s", h5->path, what,
                              1e-6 * (double)bytes,
                              why == ENOSPC ? "no space left on device" : strerror(why));
    if (h5->status != PLU_OK)
        plu_h5_give_back(file);
}

void plu_h5_give_back(hid_t file)
{
    hsize_t size = 0;
    const int number = plu_h5_descriptor(file, &size);
    if (number >= 0 && ftruncate(number, (off_t)size) != 0)
        return; /* the file is longer than it need be, which does no harm */
}

void plu_series_append(plu_h5 *h5, plu_series *series, hid_t type, hsize_t rows, const void *data)
{
    if (h5->status != PLU_OK)
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
    if (series->summed && series->added == rows)
        series->sum = plu_sum_start(series->dataset);
    if (series->summed && !plu_sum_add(&series->sum, series->type, type, elements, data)) {
        h5->status =
            plu_fail(h5->err, PLU_IO, "%s: out of memory for the checksum of a frame", h5->path);
        return;
    }
    const hid_t in_file = H5Dget_space(series->dataset);
    const hid_t in_memory = H5Screate_simple(series->rank, count, NULL);
    H5Sselect_hyperslab(in_file, H5S_SELECT_SET, start, NULL, count, NULL);
    plu_h5_check(h5, H5Dwrite(series->dataset, type, in_memory, in_file, H5P_DEFAULT, data),
                 "write a frame");
    H5Sclose(in_memory);
    H5Sclose(in_file);
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
