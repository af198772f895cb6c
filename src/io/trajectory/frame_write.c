/* Appends frames to a trajectory, and their checksums (io/h5/sums.h). Small frames are written by a
 * thread of their own while the run goes on:
 *
 *     run      step step step | frame k: copy | step step step ...    | frame k + 1: wait, copy
 *     behind                  '-> chunks, sums, commit, flush -'
 *
 * All series of a frame are committed together, the one that counts frames last: whoever reads, or
 * a run that continues after a kill, sees whole frames only. `sums` has one checksum for all rows
 * of a frame, `sums_by_set` one for each dataset, so that a reader of a part can check that part.
 */
#include "io/h5/h5_read.h"
#include "io/h5/sums.h"
#include "io/trajectory/contact_columns.h"
#include "io/trajectory/writer.h"
#include "pluvia/scene.h"
#include "pluvia/writing.h"

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

static void writer_sums_frame(plu_trajectory *t, plu_h5 *h5, double time, long long step)
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

/* Bytes that a frame may need: raw numbers, and what HDF5 keeps to find them. */
static long long frame_bytes(const plu_trajectory *t, const plu_step_info *info)
{
    const bool some = info && t->scene->output->contacts;
    const hsize_t contacts = some ? (hsize_t)plu_writer_contacts_count(t) : 0;
    long long bytes = 1 << 19;
    for (int k = 0; k < t->series_count; k++) {
        const bool column = k >= t->first_contact && k < t->first_contact + PLU_CONTACT_COLUMNS;
        bytes += plu_series_need(&t->series[k], column ? contacts : 1);
    }
    return bytes;
}

/* All rows but the sums, time and step. */
static void append_rows(plu_trajectory *t, plu_h5 *h5, const plu_step_info *info)
{
    plu_writer_particles_frame(t, h5, info);
    plu_writer_observables_frame(t, h5, info);
    plu_writer_boundaries_frame(t, h5, info);
    plu_writer_contacts_frame(t, h5, info);
}

/* Likewise those that are kept, which then are no longer. */
static void append_kept(plu_trajectory *t, plu_h5 *h5)
{
    for (size_t i = 0; i < t->kept.count; i++) {
        const plu_kept *row = &t->kept.list[i];
        const void *numbers = t->kept.bytes + row->at;
        if (row->summed)
            plu_series_append_summed(h5, row->series, row->type, row->rows, numbers, row->sum);
        else
            plu_series_append(h5, row->series, row->type, row->rows, numbers);
    }
    plu_kept_rows_forget(&t->kept);
}

/* Of all that is flushed the length of step comes last (h5_ordered.h). A reader that counts frames
 * by it sees complete frames only, whenever the program was killed. */
static plu_status write_frame(plu_trajectory *t, const plu_step_info *info, plu_error *err)
{
    plu_h5 h5 = plu_writer_h5(t, err);
    const plu_frame_clock *now = &t->now;
    char what[64];
    snprintf(what, sizeof what, "write frame %ld", t->frames);
    const bool longer = plu_h5_reserve(&h5, t->file, "the next frame", now->bytes, &t->reserved);
    if (t->kept.count > 0)
        append_kept(t, &h5);
    else
        append_rows(t, &h5, info);
    writer_sums_frame(t, &h5, now->time, now->step);
    plu_series_append(&h5, &t->time, H5T_NATIVE_DOUBLE, 1, &now->time);
    plu_series_append(&h5, &t->step, H5T_NATIVE_LLONG, 1, &now->step);
    plu_writer_flush(t, &h5, what);
    if (longer || h5.status != PLU_OK) {
        plu_h5_give_back(t->file);
        t->reserved = 0;
    }
    return h5.status;
}

static void take_back(plu_trajectory *t)
{
    plu_series_rollback(&t->step);
    plu_series_rollback(&t->time);
    for (int k = 0; k < t->series_count; k++)
        plu_series_rollback(&t->series[k]);
    H5Fflush(t->file, H5F_SCOPE_GLOBAL); /* best effort: the failure is known already */
}

static void commit(plu_trajectory *t)
{
    for (int k = 0; k < t->series_count; k++)
        plu_series_commit(&t->series[k]);
    plu_series_commit(&t->time);
    plu_series_commit(&t->step);
    t->frames++;
}

/* Writes the frame `now`, whose rows are kept or, with this `info`, those of the world. */
static plu_status put_frame(plu_trajectory *t, const plu_step_info *info, plu_error *err)
{
    const plu_h5_quiet before = plu_h5_quiet_begin(t->foreign);
    plu_status status = write_frame(t, info, err);
    if (status == PLU_OK) {
        commit(t);
        status = plu_xdmf_frame(&t->xdmf, t->frames - 1, t->now.time, err);
    } else {
        take_back(t);
    }
    if (status == PLU_OK && !t->placed) {
        status = plu_files_finish(&t->files, err);
        t->placed = status == PLU_OK;
    }
    hsize_t size;
    if (status == PLU_OK)
        status = plu_files_still_there(&t->files, plu_h5_descriptor(t->file, &size), err);
    if (!t->placed) {
        plu_files_discard(&t->files);
        t->broken = true;
    }
    plu_h5_quiet_end(before);
    return status;
}

static void put_kept_frame(void *trajectory)
{
    plu_trajectory *t = trajectory;
    t->late = put_frame(t, NULL, &t->late_err);
}

plu_status plu_writer_await(plu_trajectory *t, plu_error *err)
{
    plu_behind_wait(t->behind);
    const plu_status late = t->late;
    if (late != PLU_OK && err)
        *err = t->late_err;
    t->late = PLU_OK;
    return late;
}

/* The first frame gives the file its name, which shows whether anything can follow. Large ones
 * would need much memory, and are compressed by all threads. */
static bool goes_behind(const plu_trajectory *t)
{
    enum { MANY = 1 << 24 }; /* bytes */
    return t->behind && t->placed && t->now.bytes <= MANY;
}

/* Keeps the rows of the frame. */
static plu_status keep_frame(plu_trajectory *t, const plu_step_info *info, plu_error *err)
{
    plu_h5 h5 = plu_writer_h5(t, err);
    h5.kept = &t->kept;
    append_rows(t, &h5, info);
    if (h5.status != PLU_OK)
        plu_kept_rows_forget(&t->kept);
    return h5.status;
}

plu_status plu_trajectory_frame(plu_trajectory *t, const plu_step_info *info, plu_error *err)
{
    plu_status status = plu_writer_await(t, err);
    if (status != PLU_OK)
        return status;
    if (t->broken)
        return plu_fail(err, PLU_IO,
                        "%s: the first frame could not be written, so nothing can follow",
                        t->files.path[PLU_DATA]);
    const plu_h5_quiet before = plu_h5_quiet_begin(t->foreign);
    t->now = (plu_frame_clock){plu_world_steps(t->world), plu_world_time(t->world),
                               frame_bytes(t, info)};
    const bool behind = goes_behind(t);
    status = behind ? keep_frame(t, info, err) : put_frame(t, info, err);
    plu_h5_quiet_end(before);
    if (behind && status == PLU_OK)
        plu_behind_do(t->behind, put_kept_frame, t);
    return status;
}

void plu_trajectory_behind(plu_trajectory *t)
{
    if (!t->behind)
        t->behind = plu_behind_new();
}

long plu_trajectory_frames(plu_trajectory *t)
{
    plu_behind_wait(t->behind);
    return t->broken ? 0 : t->frames;
}
