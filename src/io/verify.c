/* Whether a trajectory is as it was written: checksums, and what the numbers must be in any case.
 */
#include "base/memory.h"
#include "io/h5_read.h"
#include "io/sums.h"
#include "io/writer.h"
#include "pluvia/frames.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* `ended`: the run has closed the file, so that nothing in it can be half written. */
static void check_header(plu_h5 *h5, hid_t file, hid_t parameters, long *datasets, bool *ended)
{
    char state[32];
    int schema = 0;
    uint64_t written = 0, found = 0;
    plu_h5_read_number(h5, parameters, "schema", H5T_NATIVE_INT, &schema);
    if (h5->status == PLU_OK && schema != PLU_TRAJECTORY_SCHEMA)
        plu_h5_damaged(h5, "it has layout %d, this program knows the checksums of layout %d",
                       schema, PLU_TRAJECTORY_SCHEMA);
    plu_h5_read_number(h5, parameters, "header_sum", H5T_NATIVE_UINT64, &written);
    plu_h5_read_text(h5, parameters, "state", state, sizeof state);
    if (h5->status != PLU_OK)
        return;
    if (!plu_sum_header(file, &found, datasets))
        plu_h5_damaged(h5, "damaged: not all that describes it can be read");
    else if (found != written)
        plu_h5_damaged(h5, "damaged: names, attributes or texts differ from their checksum");
    *ended = strcmp(state, "running") != 0;
    if (*ended && strcmp(state, "complete") != 0 && strcmp(state, "interrupted") != 0 &&
        strcmp(state, "failed") != 0)
        plu_h5_damaged(h5, "damaged: a run cannot be \"%s\"", state);
}

/* Adds the sum of rows [first, end) of a data set, in the blocks in which they were written. */
static void add_rows(plu_h5 *h5, hid_t dataset, const char *name, hsize_t first, hsize_t end,
                     uint64_t *sum)
{
    hsize_t size[H5S_MAX_RANK] = {0}, start[3] = {first, 0, 0};
    if (h5->status != PLU_OK || first >= end)
        return;
    const hid_t space = H5Dget_space(dataset), type = H5Dget_type(dataset);
    const int rank = H5Sget_simple_extent_dims(space, size, NULL);
    const hsize_t rows = end - first < PLU_BLOCK ? end - first : PLU_BLOCK;
    const hsize_t numbers = (rank > 1 ? size[1] : 1) * (rank > 2 ? size[2] : 1);
    uint64_t own = plu_sum_start(dataset);
    void *bytes = NULL;
    if (rank < 1 || rank > 3)
        plu_h5_damaged(h5, "damaged: %s has an impossible shape", name);
    else if (!(bytes = plu_alloc(rows * numbers, H5Tget_size(type), h5->err)))
        h5->status = PLU_IO;
    for (; h5->status == PLU_OK && start[0] < end; start[0] += PLU_BLOCK) {
        const hsize_t left = end - start[0],
                      count[3] = {left < rows ? left : rows, size[1], size[2]};
        if (numbers > 0)
            plu_h5_read_part(h5, dataset, name, type, rank, start, count, bytes);
        plu_sum_add(&own, type, type, count[0] * numbers, bytes);
    }
    free(bytes);
    H5Sclose(space);
    H5Tclose(type);
    *sum += numbers > 0 ? own : 0;
}

enum { MOST = 64 };

typedef struct summed {
    int count;
    hid_t dataset[MOST];
    char name[MOST][2 * PLU_NAME];
    bool contacts[MOST]; /* a row a contact */
    int shift[MOST];     /* rows before those of frame 0 */
} summed;

static void add_summed(summed *s, plu_h5 *h5, hid_t parent, const char *name, bool contacts,
                       int shift)
{
    if (h5->status != PLU_OK || s->count == MOST)
        return;
    s->dataset[s->count] = plu_h5_find(h5, parent, name, H5I_DATASET);
    snprintf(s->name[s->count], sizeof s->name[0], "%s", name);
    s->contacts[s->count] = contacts;
    s->shift[s->count++] = shift;
}

static const char *const elements[] = {
    "position", "velocity", "angular_velocity", "orientation", "force", "id", "state"};
static const char *const columns[] = {"body",    "point",          "normal",   "tangent", "gap",
                                      "impulse", "moment_impulse", "velocity", "status",  "law"};

static void find_summed(summed *s, plu_h5 *h5, hid_t file)
{
    char name[PLU_NAME], path[2 * PLU_NAME];
    add_summed(s, h5, file, "/particles/trajectory/position/step", false, 0);
    add_summed(s, h5, file, "/particles/trajectory/position/time", false, 0);
    const hid_t particles = plu_h5_find(h5, file, "/particles/trajectory", H5I_GROUP);
    for (size_t k = 0; h5->status == PLU_OK && k < sizeof elements / sizeof *elements; k++) {
        snprintf(path, sizeof path, "%s/value", elements[k]);
        if (plu_h5_has(particles, elements[k]))
            add_summed(s, h5, particles, path, false, 0);
    }
    const hid_t observables = plu_h5_find(h5, file, "/observables", H5I_GROUP);
    for (hsize_t k = 0; h5->status == PLU_OK && k < MOST; k++) {
        if (H5Lget_name_by_idx(observables, ".", H5_INDEX_NAME, H5_ITER_INC, k, name, sizeof name,
                               H5P_DEFAULT) <= 0)
            break;
        snprintf(path, sizeof path, "/observables/%s/value", name);
        add_summed(s, h5, file, path, false, 0);
    }
    if (h5->status != PLU_OK || !plu_h5_has(file, "contacts"))
        return;
    const hid_t contacts = plu_h5_find(h5, file, "/contacts", H5I_GROUP);
    for (size_t k = 0; k < sizeof columns / sizeof *columns; k++)
        add_summed(s, h5, contacts, columns[k], true, 0);
    add_summed(s, h5, contacts, "dt", false, 0);
    add_summed(s, h5, contacts, "offset", false, 1);
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
        plu_h5_damaged(h5, "damaged: /contacts/offset holds impossible numbers");
    return (hsize_t)value;
}

/* What grows has as many rows as there are frames; after a kill it may have more. */
static void check_rows(plu_h5 *h5, hid_t dataset, const char *name, hsize_t rows, bool ended)
{
    hsize_t size[H5S_MAX_RANK] = {0};
    if (h5->status != PLU_OK)
        return;
    const hid_t space = H5Dget_space(dataset);
    H5Sget_simple_extent_dims(space, size, NULL);
    H5Sclose(space);
    if (size[0] < rows || (ended && size[0] > rows))
        plu_h5_damaged(h5, "damaged: %s has %llu rows, %llu are expected", name,
                       (unsigned long long)size[0], (unsigned long long)rows);
}

/* The rows of each frame against the frame's sum. */
static void check_sums(plu_h5 *h5, hid_t file, hid_t parameters, long frames, bool ended)
{
    summed s = {0};
    find_summed(&s, h5, file);
    const hid_t sums = plu_h5_find(h5, parameters, "sums", H5I_DATASET);
    const hsize_t contacts = offset_at(h5, file, (hsize_t)frames);
    for (int i = 0; i < s.count; i++)
        check_rows(h5, s.dataset[i], s.name[i],
                   s.contacts[i] ? contacts : (hsize_t)frames + (hsize_t)s.shift[i], ended);
    check_rows(h5, sums, "sums", (hsize_t)frames, ended);
    hsize_t first = offset_at(h5, file, 0);
    for (hsize_t k = 0; h5->status == PLU_OK && k < (hsize_t)frames; k++) {
        const hsize_t end = offset_at(h5, file, k + 1), one = 1;
        uint64_t written = 0, found = 0;
        plu_h5_read_part(h5, sums, "sums", H5T_NATIVE_UINT64, 1, &k, &one, &written);
        for (int i = 0; i < s.count; i++) {
            const hsize_t row = k + (hsize_t)s.shift[i];
            add_rows(h5, s.dataset[i], s.name[i], s.contacts[i] ? first : row,
                     s.contacts[i] ? end : row + 1, &found);
        }
        if (h5->status == PLU_OK && found != written)
            plu_h5_damaged(h5, "damaged: numbers of frame %llu differ from their checksum",
                           (unsigned long long)k);
        first = end;
    }
}

/* Whether all numbers of a body are finite; the file may hold single precision. */
static bool finite_rows(const double *rows, int width, int body)
{
    double sum = 0.0;
    for (int k = 0; rows && k < width; k++)
        sum += rows[width * (size_t)body + (size_t)k];
    return isfinite(sum);
}

static void check_body(plu_h5 *h5, const plu_frame_data *f, long k, int i)
{
    const double *q = f->orientation ? f->orientation[i] : NULL;
    if (f->state[i] > 3 || f->id[i] != (f->state[i] == 1 || f->state[i] == 2 ? i : -1))
        plu_h5_damaged(h5, "damaged: frame %ld: body %d has state %d and id %d", k, i, f->state[i],
                       f->id[i]);
    if (!finite_rows((const double *)f->position, 3, i) ||
        !finite_rows((const double *)f->velocity, 3, i) ||
        !finite_rows((const double *)f->angular_velocity, 3, i) ||
        !finite_rows((const double *)f->force, 3, i))
        plu_h5_damaged(h5, "frame %ld: numbers of body %d are not finite", k, i);
    if (q && !(fabs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1.0) < 1e-4))
        plu_h5_damaged(h5, "frame %ld: the orientation of body %d is no unit quaternion", k, i);
}

static void check_frame(plu_h5 *h5, const plu_frame_data *f, const plu_frame_data *last, long k)
{
    if (!isfinite(f->time) || (k > 0 && !(f->time > last->time && f->step > last->step)))
        plu_h5_damaged(h5,
                       "damaged: frame %ld is of step %ld, t = %g s, the one before of step %ld, "
                       "t = %g s",
                       k, f->step, f->time, last->step, last->time);
    for (int i = 0; h5->status == PLU_OK && i < f->bodies; i++)
        check_body(h5, f, k, i);
    for (int i = 0; h5->status == PLU_OK && i < f->contacts; i++) {
        const plu_contact_row *c = &f->contact[i];
        if (c->b < 0 || c->b >= f->bodies || c->a >= f->bodies || c->a == c->b)
            plu_h5_damaged(h5, "damaged: frame %ld: contact %d is between bodies %d and %d", k, i,
                           c->a, c->b);
        if (!isfinite(c->gap + c->impulse_normal) || !isfinite(c->normal[0] + c->point[0]))
            plu_h5_damaged(h5, "frame %ld: numbers of contact %d are not finite", k, i);
    }
}

/* Reading a frame compares its packed parts with their checksums. */
static void check_frames(plu_h5 *h5, plu_frames *frames)
{
    plu_frame_data last = {0}, frame;
    const long count = plu_frames_count(frames);
    for (long k = 0; h5->status == PLU_OK && k < count; k++) {
        plu_error why = {0};
        const plu_status status = plu_frames_read(frames, k, &frame, &why);
        if (status != PLU_OK)
            h5->status = plu_fail(h5->err, status, "%s (frame %ld)", why.text, k);
        else
            check_frame(h5, &frame, &last, k);
        last = frame;
    }
}

plu_status plu_trajectory_verify(plu_verified *verified, const char *path, plu_error *err)
{
    *verified = (plu_verified){0};
    plu_frames *frames;
    plu_trajectory_info info;
    plu_status status = plu_trajectory_info_read(&info, path, err);
    if (status == PLU_OK)
        status = plu_frames_open(&frames, path, err);
    if (status != PLU_OK)
        return status;
    plu_h5 h5 = {.path = path, .on_bad = PLU_BAD_INPUT, .err = err};
    const plu_h5_quiet before = plu_h5_quiet_begin(path);
    const hid_t file = plu_h5_open(&h5, NULL);
    const hid_t parameters = plu_h5_find(&h5, file, "/parameters/pluvia", H5I_GROUP);
    bool ended = false;
    check_header(&h5, file, parameters, &verified->datasets, &ended);
    verified->frames = plu_frames_count(frames);
    check_frames(&h5, frames);
    check_sums(&h5, file, parameters, verified->frames, ended);
    if (file >= 0)
        H5Fclose(file);
    plu_h5_quiet_end(before);
    plu_frames_close(frames);
    return h5.status;
}
