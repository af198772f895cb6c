/* Writes the checksums of the frames (io/h5/sums.h). */
#include "io/h5/h5_read.h"
#include "io/h5/sums.h"
#include "io/trajectory/writer.h"

enum {
    CHUNK = 32,
    PATH = 256
}; /* frames in a chunk of sums by set, which is written every frame */

void plu_writer_sums(plu_trajectory *t, plu_h5 *h5)
{
    const plu_h5_layout layout = {
        .type = H5T_STD_U64LE, .rank = 1, .chunk = {PLU_CHUNK_FRAMES}, .growing = 1};
    t->sums = t->series_count;
    plu_writer_series(t, h5, t->parameters, "sums", &layout);
    if (t->sums < t->series_count)
        t->series[t->sums].summed = false;
}

/* The summed series in their order, then time and step: the columns. */
static int list_sets(const plu_trajectory *t, const plu_series *sets[PLU_SERIES_MAX + 2])
{
    int count = 0;
    for (int k = 0; k < t->series_count; k++)
        if (t->series[k].summed)
            sets[count++] = &t->series[k];
    sets[count++] = &t->time;
    sets[count++] = &t->step;
    return count;
}

void plu_writer_sums_by_set(plu_trajectory *t, plu_h5 *h5)
{
    const plu_series *sets[PLU_SERIES_MAX + 2];
    char path[PLU_SERIES_MAX + 2][PATH];
    const char *paths[PLU_SERIES_MAX + 2];
    t->sums_by_set = -1;
    if (h5->status != PLU_OK || (h5->existing && !plu_h5_has(t->parameters, "sums_by_set")))
        return;
    const int count = list_sets(t, sets);
    for (int k = 0; k < count; k++) {
        if (H5Iget_name(sets[k]->dataset, path[k], PATH) <= 0)
            path[k][0] = '\0';
        paths[k] = path[k];
    }
    const plu_h5_layout layout = {.type = H5T_STD_U64LE,
                                  .rank = 2,
                                  .size = {0, (hsize_t)count},
                                  .chunk = {CHUNK, (hsize_t)count},
                                  .growing = 1};
    const int at = t->series_count;
    plu_writer_series(t, h5, t->parameters, "sums_by_set", &layout);
    plu_h5_texts(h5, t->parameters, "sums_of", count, paths);
    if (h5->status != PLU_OK)
        return;
    t->sums_by_set = at;
    t->series[at].summed = false;
}

/* The checksum of the rows that series `s` has got in this frame; 0: none. */
static uint64_t gained(const plu_series *s)
{
    return s->added > 0 ? s->sum : 0;
}

void plu_writer_sums_frame(plu_trajectory *t, plu_h5 *h5, double time, long long step)
{
    const plu_series *sets[PLU_SERIES_MAX + 2];
    const int count = list_sets(t, sets);
    uint64_t each[PLU_SERIES_MAX + 2], sum = 0;
    for (int k = 0; k < count - 2; k++)
        each[k] = gained(sets[k]);
    each[count - 2] = plu_series_sum_start(&t->time);
    each[count - 1] = plu_series_sum_start(&t->step);
    plu_sum_add(&each[count - 2], H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 1, &time);
    plu_sum_add(&each[count - 1], H5T_STD_I64LE, H5T_NATIVE_LLONG, 1, &step);
    for (int k = 0; k < count; k++)
        sum += each[k];
    plu_series_append(h5, &t->series[t->sums], H5T_NATIVE_UINT64, 1, &sum);
    if (t->sums_by_set >= 0)
        plu_series_append(h5, &t->series[t->sums_by_set], H5T_NATIVE_UINT64, 1, each);
}

void plu_writer_header_sum(plu_trajectory *t, plu_h5 *h5)
{
    uint64_t sum = 0;
    long datasets;
    if (h5->status != PLU_OK || h5->existing)
        return;
    if (!plu_sum_header(t->file, &sum, &datasets))
        h5->status = plu_fail(h5->err, PLU_IO, "%s: its header cannot be summed", h5->path);
    plu_h5_attr_uint64(h5, t->parameters, "header_sum", sum);
}
