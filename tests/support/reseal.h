/* reseal.h: makes the checksums of a trajectory fit what is in it, as one who knows them would: for
 * tests of what a reader does with numbers that cannot be. */
#ifndef SUPPORT_RESEAL_H
#define SUPPORT_RESEAL_H

#include "io/h5/sums.h"
#include "io/trajectory/summed.h"

static inline void reseal_header(hid_t h, hid_t parameters)
{
    uint64_t sum;
    long datasets;
    const hid_t id = H5Aopen(parameters, "header_sum", H5P_DEFAULT);
    if (id < 0)
        return;
    plu_sum_header(h, &sum, &datasets);
    H5Awrite(id, H5T_NATIVE_UINT64, &sum);
    H5Aclose(id);
}

/* Row k of a data set of sums. */
static inline void reseal_row(hid_t sums, int rank, hsize_t k, hsize_t count, const uint64_t *row)
{
    const hsize_t start[2] = {k, 0}, size[2] = {1, count};
    const hid_t in_file = H5Dget_space(sums), in_memory = H5Screate_simple(rank, size, NULL);
    H5Sselect_hyperslab(in_file, H5S_SELECT_SET, start, NULL, size, NULL);
    H5Dwrite(sums, H5T_NATIVE_UINT64, in_memory, in_file, H5P_DEFAULT, row);
    H5Sclose(in_memory);
    H5Sclose(in_file);
}

static inline void reseal_frame(const plu_summed *s, plu_h5 *h5, hsize_t k, const long long ends[2])
{
    uint64_t each[PLU_SUMMED_MOST] = {0}, total = 0;
    for (int i = 0; i < s->count; i++) {
        const plu_summed_set *set = &s->set[i];
        const hsize_t row = k + (hsize_t)set->shift;
        const hsize_t first = set->contacts ? (hsize_t)ends[0] : row;
        const uint64_t sum =
            plu_summed_rows(s, h5, i, first, set->contacts ? (hsize_t)ends[1] : row + 1);
        total += sum;
        if (set->column >= 0)
            each[set->column] = sum;
    }
    reseal_row(s->total, 1, k, 1, &total);
    if (s->each >= 0)
        reseal_row(s->each, 2, k, s->columns, each);
}

/* Files in which something is missing are resealed as far as that goes. */
static inline void reseal(const char *path)
{
    plu_error why;
    plu_h5 h5 = {.path = path, .on_bad = PLU_BAD_INPUT, .err = &why};
    const plu_h5_quiet before = plu_h5_quiet_begin(NULL);
    const hid_t h = plu_h5_open_to_write(&h5, NULL);
    const hid_t parameters = plu_h5_find(&h5, h, "/parameters/pluvia", H5I_GROUP);
    plu_summed summed = {0};
    hsize_t frames = 0;
    if (h5.status == PLU_OK)
        reseal_header(h, parameters);
    plu_summed_open(&summed, &h5, h);
    plu_h5_shape(&h5, summed.total, "sums", 1, &frames);
    const hid_t offset = h5.status == PLU_OK && plu_h5_has(h, "contacts")
                             ? plu_h5_find(&h5, h, "/contacts/offset", H5I_DATASET)
                             : -1;
    for (hsize_t k = 0; h5.status == PLU_OK && k < frames; k++) {
        const hsize_t two = 2;
        long long ends[2] = {0, 0};
        if (offset >= 0)
            plu_h5_read_part(&h5, offset, "offset", H5T_NATIVE_LLONG, 1, &k, &two, ends);
        reseal_frame(&summed, &h5, k, ends);
    }
    plu_summed_close(&summed);
    if (h >= 0)
        H5Fclose(h);
    plu_h5_quiet_end(before);
}

#endif
