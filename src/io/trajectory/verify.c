/* Verifies a trajectory: its checksums, and conditions that its numbers must satisfy in any case.
 *
 *     header     one checksum of names, attributes, texts and of what is written once
 *     frames     one of all rows of each frame, computed anew; as many rows as there are frames
 *     numbers    bodies that are finite, with unit quaternions and known states; times that rise
 *
 * A file that a run still writes, or that a kill has left, may end in a frame that is not complete:
 * that is no damage. */
#include "base/memory.h"
#include "io/h5/h5_read.h"
#include "io/h5/sums.h"
#include "io/trajectory/summed.h"
#include "io/trajectory/writer.h"
#include "pluvia/frames.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Checks the header. *ended: the run has closed the file, so nothing in it can be incomplete. */
static void check_header(plu_h5 *h5, hid_t file, hid_t parameters, long *datasets, bool *ended)
{
    char state[32];
    int schema = 0;
    uint64_t written = 0, found = 0;
    plu_h5_read_number(h5, parameters, "schema", H5T_NATIVE_INT, &schema);
    if (h5->status == PLU_OK && schema != PLU_TRAJECTORY_SCHEMA)
        plu_h5_damaged(h5,
                       "it has layout %d, but this program knows only the checksums of layout %d",
                       schema, PLU_TRAJECTORY_SCHEMA);
    plu_h5_read_number(h5, parameters, "header_sum", H5T_NATIVE_UINT64, &written);
    plu_h5_read_text(h5, parameters, "state", state, sizeof state);
    if (h5->status != PLU_OK)
        return;
    if (!plu_sum_header(file, &found, datasets))
        plu_h5_damaged(h5, "damaged: its description cannot be read completely");
    else if (found != written)
        plu_h5_damaged(h5, "damaged: names, attributes or texts differ from their checksum");
    *ended = strcmp(state, "running") != 0;
    if (*ended && strcmp(state, "complete") != 0 && strcmp(state, "interrupted") != 0 &&
        strcmp(state, "failed") != 0)
        plu_h5_damaged(h5, "damaged: \"%s\" is not a state of a run", state);
}

static hsize_t offset_at(plu_h5 *h5, hid_t file, hsize_t row)
{
    long long value = 0;
    const hsize_t one = 1;
    if (h5->status != PLU_OK || !plu_h5_has(file, "contacts"))
        return 0;
    const hid_t id = plu_h5_find(h5, file, "/contacts/offset", H5I_DATASET);
    plu_h5_read_part(h5, id, "/contacts/offset", H5T_NATIVE_LLONG, 1, &row, &one, &value);
    if (id >= 0)
        H5Dclose(id);
    if (value < 0 || (row == 0 && value != 0))
        plu_h5_damaged(h5, "damaged: /contacts/offset contains impossible values");
    return (hsize_t)value;
}

/* A growing dataset must have as many rows as there are frames; more are allowed after a kill. */
static void check_rows(plu_h5 *h5, hid_t dataset, const char *name, hsize_t rows, bool ended)
{
    hsize_t size[H5S_MAX_RANK] = {0};
    if (h5->status != PLU_OK)
        return;
    const hid_t space = H5Dget_space(dataset);
    H5Sget_simple_extent_dims(space, size, NULL);
    H5Sclose(space);
    if (size[0] < rows || (ended && size[0] > rows))
        plu_h5_damaged(h5, "damaged: %s has %llu rows, but %llu are expected", name,
                       (unsigned long long)size[0], (unsigned long long)rows);
}

/* The notes on restarts have no checksum of ours; HDF5's own are checked by reading them. */
static void check_restarts(plu_h5 *h5, hid_t parameters)
{
    if (h5->status != PLU_OK || !plu_h5_has(parameters, "restarts"))
        return;
    const hid_t id = plu_h5_find(h5, parameters, "restarts", H5I_DATASET);
    const hid_t type = H5Dget_type(id), space = H5Dget_space(id);
    const hssize_t rows = H5Sget_simple_extent_npoints(space);
    void *all = rows > 0 ? plu_alloc((size_t)rows, H5Tget_size(type), h5->err) : NULL;
    if (rows > 0 && !all)
        h5->status = PLU_IO;
    else if (rows > 0 && H5Dread(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, all) < 0)
        plu_h5_damaged(h5, "damaged: /parameters/pluvia/restarts cannot be read");
    free(all);
    H5Sclose(space);
    H5Tclose(type);
    H5Dclose(id);
}

/* The rows of each frame against the frame's sum. */
static void check_sums(plu_h5 *h5, hid_t file, long frames, bool ended)
{
    plu_summed s;
    plu_summed_open(&s, h5, file);
    const hsize_t contacts = offset_at(h5, file, (hsize_t)frames);
    for (int i = 0; i < s.count; i++)
        check_rows(h5, s.set[i].dataset, s.set[i].path,
                   s.set[i].contacts ? contacts : (hsize_t)frames + (hsize_t)s.set[i].shift, ended);
    check_rows(h5, s.total, "sums", (hsize_t)frames, ended);
    if (s.each >= 0)
        check_rows(h5, s.each, "sums_by_set", (hsize_t)frames, ended);
    hsize_t first = offset_at(h5, file, 0);
    for (hsize_t k = 0; h5->status == PLU_OK && k < (hsize_t)frames; k++) {
        const hsize_t end = offset_at(h5, file, k + 1);
        plu_summed_frame(&s, h5, (long)k, first, end);
        first = end;
    }
    plu_summed_close(&s);
}

/* Whether all numbers of a body are finite; the file may hold single precision. */
static bool finite_rows(const double *rows, int width, int body)
{
    double sum = 0.0;
    for (int k = 0; rows && k < width; k++)
        sum += rows[width * (size_t)body + (size_t)k];
    return isfinite(sum);
}

/* The largest error that rounding has left in the numbers of an element; 0: they are exact. */
static double rounding_of(plu_h5 *h5, hid_t file, const char *element)
{
    double error = 0.0;
    if (!plu_h5_inside(file, element))
        return 0.0;
    const hid_t group = plu_h5_find(h5, file, element, H5I_GROUP);
    if (group >= 0 && H5Aexists(group, "largest_error") > 0)
        plu_h5_read_number(h5, group, "largest_error", H5T_NATIVE_DOUBLE, &error);
    return error;
}

/* `rounding`: the error of each component of an orientation. */
static void check_body(plu_h5 *h5, const plu_frame_data *f, double rounding, long k, int i)
{
    const double *q = f->orientation ? f->orientation[i] : NULL;
    if (f->state[i] > 3 || f->id[i] != (f->state[i] == 1 || f->state[i] == 2 ? i : -1))
        plu_h5_damaged(h5, "damaged: frame %ld: body %d has state %d and id %d", k, i, f->state[i],
                       f->id[i]);
    if (!finite_rows((const double *)f->position, 3, i) ||
        !finite_rows((const double *)f->velocity, 3, i) ||
        !finite_rows((const double *)f->angular_velocity, 3, i) ||
        !finite_rows((const double *)f->force, 3, i) ||
        !finite_rows((const double *)f->torque, 3, i) ||
        !finite_rows((const double *)f->stress, 9, i) || !finite_rows(f->dissipation, 1, i))
        plu_h5_damaged(h5, "frame %ld: numbers of body %d are not finite", k, i);
    if (q && !(fabs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1.0) <
               1e-4 + 5.0 * rounding))
        plu_h5_damaged(h5, "frame %ld: the orientation of body %d is not a unit quaternion", k, i);
}

static void check_frame(plu_h5 *h5, const plu_frame_data *f, const plu_frame_data *last,
                        double rounding, long k)
{
    if (!isfinite(f->time) || (k > 0 && !(f->time > last->time && f->step > last->step)))
        plu_h5_damaged(h5,
                       "damaged: frame %ld belongs to step %ld, t = %g s, but the frame before to "
                       "step %ld, t = %g s",
                       k, f->step, f->time, last->step, last->time);
    for (int i = 0; h5->status == PLU_OK && i < f->bodies; i++)
        check_body(h5, f, rounding, k, i);
    for (int i = 0; h5->status == PLU_OK && i < f->contacts; i++) {
        const plu_contact_row *c = &f->contact[i];
        const bool pair = plu_side_is_sphere(c->a);
        if (c->b < 0 || c->b >= f->bodies || (pair && plu_side_sphere(c->a) >= f->bodies) ||
            plu_side_is(c->a, c->b))
            plu_h5_damaged(h5, "damaged: frame %ld: contact %d is between bodies %d and %d", k, i,
                           plu_side_to_file(c->a), c->b);
        if (!isfinite(c->gap + c->impulse_normal) || !isfinite(c->normal[0] + c->point[0]))
            plu_h5_damaged(h5, "frame %ld: numbers of contact %d are not finite", k, i);
    }
}

static void check_frames(plu_h5 *h5, hid_t file, plu_frames *frames)
{
    plu_frame_data last = {0}, frame;
    const long count = plu_frames_count(frames);
    const double rounding = rounding_of(h5, file, "/particles/trajectory/orientation");
    for (long k = 0; h5->status == PLU_OK && k < count; k++) {
        plu_error why = {0};
        const plu_status status = plu_frames_read(frames, k, &frame, &why);
        if (status != PLU_OK)
            h5->status = plu_fail(h5->err, status, "%s (frame %ld)", why.text, k);
        else
            check_frame(h5, &frame, &last, rounding, k);
        last = frame;
    }
}

plu_status plu_trajectory_verify(plu_verified *verified, const char *path, plu_error *err)
{
    *verified = (plu_verified){0};
    plu_frames *frames;
    plu_trajectory_info info;
    const plu_status status = plu_frames_open(&frames, path, err);
    if (status != PLU_OK)
        return status;
    plu_h5 h5 = {.path = path, .on_bad = PLU_BAD_INPUT, .err = err};
    const plu_h5_quiet before = plu_h5_quiet_begin(path);
    const hid_t file = plu_h5_open(&h5, NULL);
    const hid_t parameters = plu_h5_find(&h5, file, "/parameters/pluvia", H5I_GROUP);
    bool ended = false;
    check_header(&h5, file, parameters, &verified->datasets, &ended);
    check_restarts(&h5, parameters);
    verified->frames = plu_frames_count(frames);
    check_sums(&h5, file, verified->frames, ended);
    check_frames(&h5, file, frames);
    if (file >= 0)
        H5Fclose(file);
    plu_h5_quiet_end(before);
    plu_frames_close(frames);
    return h5.status == PLU_OK ? plu_trajectory_info_read(&info, path, err) : h5.status;
}
