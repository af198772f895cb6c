/* Opens a trajectory to continue its run, and cuts it back to the step of a checkpoint.
 *
 *     frames in the file     0 1 2 3 4 5 6     those after the checkpoint were written before
 *     checkpoint                   ^ s         the kill, and would be written again
 *     cut                    0 1 2 3 |         all series to their rows at s, in an order in which
 *                                              a kill leaves a file that can be cut once more
 *
 * The scene that is stored in it is compared with that of the run first. */
#include "base/memory.h"
#include "io/h5/h5_ordered.h"
#include "io/h5/h5_read.h"
#include "io/trajectory/writer.h"
#include "pluvia/scene.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CUT_ROOM = 1 << 20 }; /* bytes that cutting back may need */

/* Checks that the file holds the run that is continued. */
static void check_scene(plu_trajectory *t, plu_h5 *h5, long long bytes)
{
    char changes[512];
    char *began = plu_h5_read_whole_text(h5, t->parameters, "scene_resolved", bytes);
    plu_error why = {0};
    if (h5->status == PLU_OK &&
        plu_scene_compare(began, t->scene->resolved, changes, sizeof changes, &why) != PLU_OK)
        h5->status = plu_fail(h5->err, PLU_BAD_INPUT, "%s is the result of another scene: %s",
                              h5->path, why.text);
    free(began);
}

static void open_series(plu_trajectory *t, plu_h5 *h5)
{
    h5->existing = true;
    plu_writer_restarts(t, h5);
    plu_writer_particles(t, h5);
    plu_writer_observables(t, h5);
    plu_writer_boundaries(t, h5);
    plu_writer_sums(t, h5);
    plu_writer_contacts(t, h5);
    plu_writer_sums_by_set(t, h5);
}

static plu_status open_all(plu_trajectory *t, bool again, plu_error *err)
{
    plu_h5 h5 = {.path = t->files.path[PLU_DATA], .on_bad = PLU_BAD_INPUT, .err = err};
    long long bytes = 0;
    int schema = 0;
    t->file = plu_h5_open_to_write(&h5, &bytes);
    t->parameters = plu_h5_find(&h5, t->file, "/parameters/pluvia", H5I_GROUP);
    plu_h5_read_number(&h5, t->parameters, "schema", H5T_NATIVE_INT, &schema);
    if (h5.status == PLU_OK && schema != PLU_TRAJECTORY_SCHEMA)
        plu_h5_damaged(&h5, "it has layout %d, but this program writes layout %d", schema,
                       PLU_TRAJECTORY_SCHEMA);
    if (!again)
        check_scene(t, &h5, bytes);
    t->series_count = 0;
    open_series(t, &h5);
    if (again || h5.status != PLU_OK)
        return h5.status;
    return plu_writer_allocate(t, err);
}

plu_status plu_trajectory_continue(plu_trajectory **trajectory, const char *path,
                                   const plu_scene *scene, const plu_world *world,
                                   const plu_stepper *stepper, plu_error *err)
{
    *trajectory = NULL;
    plu_trajectory *t = plu_writer_new(scene, world, stepper, err);
    if (!t)
        return PLU_IO;
    t->placed = t->untouched = true;
    plu_status status = plu_files_names(&t->files, path, err);
    for (int k = PLU_SIDECAR; status == PLU_OK && k <= PLU_CHECKPOINT; k++)
        status = plu_files_clear(&t->files, k, err);
    if (status == PLU_OK) {
        t->foreign = t->files.path[PLU_DATA];
        const plu_h5_quiet before = plu_h5_quiet_begin(t->foreign);
        status = open_all(t, false, err);
        if (status != PLU_OK && t->file >= 0)
            H5Fclose(t->file);
        plu_h5_quiet_end(before);
    }
    if (status == PLU_OK)
        *trajectory = t;
    else
        plu_writer_free(t);
    return status;
}

/* Row `row` of a dataset with one integer a row. */
static long long integer_at(plu_h5 *h5, const plu_series *series, const char *name, long row)
{
    const hsize_t at = (hsize_t)row, one = 1;
    long long value = -1;
    if (h5->status == PLU_OK && at >= series->size[0])
        plu_h5_damaged(h5, "it has %llu rows of %s, but the checkpoint needs %ld",
                       (unsigned long long)series->size[0], name, row + 1);
    plu_h5_read_part(h5, series->dataset, name, H5T_NATIVE_LLONG, 1, &at, &one, &value);
    return value;
}

/* Cuts all datasets back. Step and time are cut first, because they define which frames are
 * complete. The file is then reopened, so that new frames do not reuse freed space (h5_ordered.h).
 */
static void cut(plu_trajectory *t, plu_h5 *h5, hsize_t frames, hsize_t contacts)
{
    plu_h5_check(h5, plu_h5_order_of_cuts(t->file), "prepare the cut");
    plu_series_cut(h5, &t->step, frames);
    plu_series_cut(h5, &t->time, frames);
    plu_writer_flush(t, h5, "cut the file back");
    for (int k = 0; k < t->series_count; k++) {
        const plu_writer_rows kind = plu_writer_row_kind(t, k);
        plu_series_cut(h5, &t->series[k],
                       kind == PLU_ROW_A_CONTACT     ? contacts
                       : kind == PLU_ROW_AND_ANOTHER ? frames + 1
                                                     : frames);
    }
    plu_writer_flush(t, h5, "cut the file back");
    plu_h5_give_back(t->file);
    t->reserved = 0;
    const herr_t closed = H5Fclose(t->file);
    t->file = -1;
    if (plu_h5_check(h5, closed, "close the file"))
        h5->status = open_all(t, true, h5->err);
}

static void note_restart(plu_trajectory *t, plu_h5 *h5, const plu_provenance *provenance)
{
    char row[PLU_RESTART_ROW] = "";
    const char *changes = provenance->changes ? provenance->changes : "";
    snprintf(row, sizeof row, "step %ld, t = %.9g s, pluvia %s, %d threads%s%s: %s",
             plu_world_steps(t->world), plu_world_time(t->world), plu_version(),
             provenance->threads, *changes ? ", " : "", changes, provenance->command);
    t->restarts.type = plu_h5_text_type(sizeof row, false);
    plu_series_append(h5, &t->restarts, t->restarts.type, 1, row);
    plu_series_commit(&t->restarts);
    H5Tclose(t->restarts.type);
    plu_writer_flush(t, h5, "note the restart");
}

/* Writes a new sidecar, which replaces the old one when it is complete. */
static plu_status rewrite_sidecar(plu_trajectory *t, plu_h5 *h5, plu_error *err)
{
    const hsize_t start = 0, frames = (hsize_t)t->frames;
    double *time = plu_alloc((size_t)frames, sizeof *time, err);
    if (!time)
        return PLU_IO;
    plu_h5_read_part(h5, t->time.dataset, "position/time", H5T_NATIVE_DOUBLE, 1, &start, &frames,
                     time);
    plu_status status = h5->status;
    if (status == PLU_OK)
        status = plu_xdmf_create(&t->xdmf, t->files.part[PLU_SIDECAR],
                                 plu_files_data_name(&t->files), t->scene, t->bodies, err);
    for (long k = 0; k < t->frames && status == PLU_OK; k++)
        status = plu_xdmf_frame(&t->xdmf, k, time[k], err);
    free(time);
    return status == PLU_OK ? plu_files_rename(&t->files, PLU_SIDECAR, err) : status;
}

plu_status plu_trajectory_cut(plu_trajectory *t, long frames, long step,
                              const plu_provenance *provenance, plu_error *err)
{
    const plu_h5_quiet before = plu_h5_quiet_begin(t->foreign);
    plu_h5 h5 = {.path = t->files.path[PLU_DATA], .on_bad = PLU_BAD_INPUT, .err = err};
    if (integer_at(&h5, &t->step, "position/step", frames - 1) != step)
        plu_h5_damaged(&h5, "frame %ld does not belong to step %ld: the file is of another run",
                       frames - 1, step);
    const plu_series *offset = plu_writer_contact_offsets(t);
    const long long contacts = offset ? integer_at(&h5, offset, "contacts/offset", frames) : 0;
    if (contacts < 0)
        plu_h5_damaged(&h5, "damaged: /contacts/offset contains impossible values");
    h5.on_bad = PLU_IO;
    plu_h5_reserve(&h5, t->file, "the restart", CUT_ROOM, NULL);
    t->untouched = h5.status != PLU_OK;
    plu_h5_attr_field_set(&h5, t->parameters, "state", "running");
    cut(t, &h5, (hsize_t)frames, (hsize_t)contacts);
    note_restart(t, &h5, provenance);
    t->frames = frames;
    plu_status status = h5.status;
    if (status == PLU_OK)
        status = rewrite_sidecar(t, &h5, err);
    plu_h5_quiet_end(before);
    return status;
}
