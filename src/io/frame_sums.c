/* The sums of the frames, as the writer keeps them. */
#include "io/sums.h"
#include "io/writer.h"

void plu_writer_sums(plu_trajectory *t, plu_h5 *h5)
{
    const plu_h5_layout layout = {
        .type = H5T_STD_U64LE, .rank = 1, .chunk = {PLU_CHUNK_FRAMES}, .growing = 1};
    t->sums = t->series_count;
    plu_writer_series(t, h5, t->parameters, "sums", &layout);
    if (t->sums < t->series_count)
        t->series[t->sums].summed = false;
}

/* What series `s` has gained in this frame. */
static uint64_t gained(const plu_series *s)
{
    return s->summed && s->added > 0 ? s->sum : 0;
}

void plu_writer_sums_frame(plu_trajectory *t, plu_h5 *h5, double time, long long step)
{
    uint64_t sum = 0, of_time = plu_sum_start(t->time.dataset),
             of_step = plu_sum_start(t->step.dataset);
    plu_sum_add(&of_time, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 1, &time);
    plu_sum_add(&of_step, H5T_STD_I64LE, H5T_NATIVE_LLONG, 1, &step);
    for (int k = 0; k < t->series_count; k++)
        sum += gained(&t->series[k]);
    sum += of_time + of_step;
    plu_series_append(h5, &t->series[t->sums], H5T_NATIVE_UINT64, 1, &sum);
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
