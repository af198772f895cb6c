/* Reads the frames of a trajectory, which are checked on the way: the file may be truncated,
 * damaged or written by another program. A frame is there if step, time and position have a row for
 * it; what it has of all else is read only where somebody asks for it, and compared with its
 * checksum. */
#include "pluvia/frames.h"
#include "base/memory.h"
#include "io/h5/h5_read.h"
#include "io/trajectory/frame_parts.h"
#include "io/trajectory/summed.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum source {
    POSITION,
    VELOCITY,
    ANGULAR_VELOCITY,
    ORIENTATION,
    FORCE,
    TORQUE,
    STRESS,
    DISSIPATION,
    COORDINATION,
    ID,
    STATE,
    IMAGE,
    MOVING, /* those before change with time */
    SPECIES = MOVING,
    RADIUS,
    MASS,
    INERTIA,
    FIXED,
    SOURCES
} source;

typedef struct element {
    const char *name;
    int components; /* 0: one number without a dimension of its own */
    bool needed;
} element;

static const element elements[] = {
    [POSITION] = {"position", 3, true},
    [VELOCITY] = {"velocity", 3, false},
    [ANGULAR_VELOCITY] = {"angular_velocity", 3, false},
    [ORIENTATION] = {"orientation", 4, false},
    [FORCE] = {"force", 3, false},
    [TORQUE] = {"torque", 3, false},
    [STRESS] = {"stress", 9, false},
    [DISSIPATION] = {"dissipation", 0, false},
    [COORDINATION] = {"coordination", 0, false},
    [ID] = {"id", 0, true},
    [STATE] = {"state", 0, true},
    [IMAGE] = {"image", 3, false},
    [SPECIES] = {"species", 0, true},
    [RADIUS] = {"radius", 0, true},
    [MASS] = {"mass", 0, true},
    [INERTIA] = {"inertia", 3, false},
    [FIXED] = {"fixed", 0, false},
};
_Static_assert(sizeof elements / sizeof *elements == SOURCES, "a row for each element");

struct plu_frames {
    char path[PLU_PATH];
    hid_t file;
    long long bytes;
    bool whole; /* as of plu_h5 */
    long count;
    int bodies;
    double *time;
    long long *step;
    hid_t dataset[SOURCES]; /* < 0: not in the file */
    void *rows[SOURCES];
    plu_summed summed;
    int set[SOURCES]; /* of those before MOVING, in `summed` */
    plu_frame_cell cell;
    plu_frame_boundaries boundaries;
    plu_frame_contacts contacts;
    int observables;
    char (*observable)[PLU_NAME];
    double *series[PLU_OBSERVABLES]; /* NULL: not read yet */
};

static bool is_whole(source e)
{
    return e == ID || e == SPECIES || e == IMAGE || e == COORDINATION;
}

static hid_t type_of(source e)
{
    return is_whole(e)                ? H5T_NATIVE_INT
           : e == STATE || e == FIXED ? H5T_NATIVE_UCHAR
                                      : H5T_NATIVE_DOUBLE;
}

static size_t size_of(source e)
{
    return is_whole(e) ? sizeof(int) : e == STATE || e == FIXED ? 1 : sizeof(double);
}

static int width_of(source e)
{
    return elements[e].components ? elements[e].components : 1;
}

static void read_clock(plu_frames *f, plu_h5 *h5, hid_t particles)
{
    const plu_frame_shape shape = plu_frame_shape_read(h5, particles);
    const hsize_t start = 0, frames = shape.frames;
    if (h5->status != PLU_OK)
        return;
    f->count = (long)frames;
    f->bodies = shape.bodies;
    f->time = plu_alloc((size_t)frames, sizeof *f->time, h5->err);
    f->step = plu_alloc((size_t)frames, sizeof *f->step, h5->err);
    if (!f->time || !f->step)
        h5->status = PLU_IO;
    if (frames == 0)
        return;
    plu_h5_read_part(h5, shape.time, "position/time", H5T_NATIVE_DOUBLE, 1, &start, &frames,
                     f->time);
    plu_h5_read_part(h5, shape.step, "position/step", H5T_NATIVE_LLONG, 1, &start, &frames,
                     f->step);
}

/* Opens element e and makes room for its rows of one frame. */
static void open_element(plu_frames *f, plu_h5 *h5, hid_t particles, source e)
{
    char path[64], whole[128];
    f->dataset[e] = f->set[e] = -1;
    if (h5->status != PLU_OK || (!elements[e].needed && !plu_h5_has(particles, elements[e].name)))
        return;
    snprintf(path, sizeof path, e < MOVING ? "%s/value" : "%s", elements[e].name);
    const int rank = (e < MOVING) + (elements[e].components ? 2 : 1);
    hsize_t size[3] = {0, 0, 0};
    const hid_t id = plu_h5_find(h5, particles, path, H5I_DATASET);
    plu_h5_shape(h5, id, path, rank, size);
    const hsize_t *body = size + (e < MOVING);
    if (h5->status == PLU_OK &&
        ((e < MOVING && size[0] < (hsize_t)f->count) || body[0] != (hsize_t)f->bodies ||
         (elements[e].components && body[1] != (hsize_t)elements[e].components)))
        plu_h5_damaged(h5, "damaged: %s does not fit position/value", path);
    if (h5->status != PLU_OK)
        return;
    snprintf(whole, sizeof whole, "/particles/trajectory/%s", path);
    f->dataset[e] = id;
    f->set[e] = plu_summed_find(&f->summed, whole);
    f->rows[e] = plu_alloc((size_t)f->bodies * (size_t)width_of(e), size_of(e), h5->err);
    if (!f->rows[e])
        h5->status = PLU_IO;
}

static void read_rows(plu_frames *f, plu_h5 *h5, source e, long k)
{
    if (h5->status != PLU_OK || f->dataset[e] < 0 || f->bodies == 0)
        return;
    const int rank = (e < MOVING) + (elements[e].components ? 2 : 1);
    const hsize_t bodies = (hsize_t)f->bodies, width = (hsize_t)width_of(e);
    const hsize_t start[3] = {e < MOVING ? (hsize_t)k : 0, 0, 0};
    const hsize_t moving[3] = {1, bodies, width}, fixed[2] = {bodies, width};
    plu_h5_read_part(h5, f->dataset[e], elements[e].name, type_of(e), rank, start,
                     e < MOVING ? moving : fixed, f->rows[e]);
    if (e < MOVING)
        plu_summed_add(&f->summed, h5, f->set[e], type_of(e), 1, bodies * width, f->rows[e]);
}

/* The file has the inertia about three axes; for a sphere they are equal, so the first is kept. */
static void keep_first(double *rows, int bodies)
{
    for (int i = 0; rows && i < bodies; i++)
        rows[i] = rows[3 * (size_t)i];
}

/* Finds the names below /observables that have one number for each frame. */
static void find_observables(plu_frames *f, plu_h5 *h5)
{
    if (h5->status != PLU_OK || !plu_h5_has(f->file, "observables"))
        return;
    f->observable = plu_alloc(PLU_OBSERVABLES, sizeof *f->observable, h5->err);
    if (!f->observable)
        h5->status = PLU_IO;
    const hid_t group = plu_h5_find(h5, f->file, "observables", H5I_GROUP);
    for (hsize_t k = 0; h5->status == PLU_OK && f->observables < PLU_OBSERVABLES; k++) {
        if (H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, k,
                               f->observable[f->observables], PLU_NAME, H5P_DEFAULT) <= 0)
            return;
        f->observables++;
    }
}

static plu_h5 handle(const plu_frames *f, plu_error *err)
{
    return (plu_h5){.path = f->path, .on_bad = PLU_BAD_INPUT, .err = err, .whole = f->whole};
}

plu_status plu_frames_open(plu_frames **frames, const char *path, plu_error *err)
{
    *frames = NULL;
    plu_frames *f = plu_alloc(1, sizeof *f, err);
    if (!f)
        return PLU_IO;
    strncpy(f->path, path, sizeof f->path - 1);
    const plu_h5_quiet before = plu_h5_quiet_begin(f->path);
    plu_h5 h5 = handle(f, err);
    f->file = plu_h5_open(&h5, &f->bytes);
    plu_summed_open(&f->summed, &h5, f->file);
    f->whole = h5.whole;
    const hid_t particles = plu_h5_find(&h5, f->file, "/particles/trajectory", H5I_GROUP);
    read_clock(f, &h5, particles);
    for (int e = 0; e < SOURCES; e++)
        open_element(f, &h5, particles, (source)e);
    for (int e = MOVING; e < SOURCES; e++)
        read_rows(f, &h5, (source)e, 0);
    if (h5.status == PLU_OK)
        keep_first(f->rows[INERTIA], f->bodies);
    plu_frame_cell_open(&f->cell, &h5, particles, f->count, &f->summed);
    plu_frame_boundaries_open(&f->boundaries, &h5, f->file, f->count, &f->summed);
    plu_frame_contacts_open(&f->contacts, &h5, f->file, f->count, &f->summed);
    find_observables(f, &h5);
    plu_h5_quiet_end(before);
    if (h5.status != PLU_OK) {
        plu_frames_close(f);
        return h5.status;
    }
    *frames = f;
    return PLU_OK;
}

plu_status plu_frames_scene(char **text, bool resolved, plu_frames *f, plu_error *err)
{
    const plu_h5_quiet before = plu_h5_quiet_begin(f->path);
    plu_h5 h5 = handle(f, err);
    const hid_t group = plu_h5_find(&h5, f->file, "/parameters/pluvia", H5I_GROUP);
    *text = plu_h5_read_whole_text(&h5, group, resolved ? "scene_resolved" : "scene", f->bytes);
    if (group >= 0)
        H5Gclose(group);
    plu_h5_quiet_end(before);
    return h5.status;
}

plu_status plu_frames_info(plu_trajectory_info *info, plu_frames *f, plu_error *err)
{
    const plu_h5_quiet before = plu_h5_quiet_begin(f->path);
    plu_h5 h5 = handle(f, err);
    *info = (plu_trajectory_info){.bytes = f->bytes};
    plu_info_read(info, &h5, f->file);
    plu_info_check(info, &h5, &f->summed);
    plu_h5_quiet_end(before);
    return h5.status;
}

void plu_frames_close(plu_frames *f)
{
    if (!f)
        return;
    plu_frame_contacts_free(&f->contacts);
    plu_frame_boundaries_free(&f->boundaries);
    for (int e = 0; e < SOURCES; e++)
        free(f->rows[e]);
    free(f->time);
    free(f->step);
    for (int i = 0; i < f->observables; i++)
        free(f->series[i]);
    free(f->observable);
    if (f->file >= 0) {
        const plu_h5_quiet before = plu_h5_quiet_begin(f->path);
        plu_summed_close(&f->summed);
        H5Fclose(f->file);
        plu_h5_quiet_end(before);
    }
    free(f);
}

long plu_frames_count(const plu_frames *f)
{
    return f->count;
}

int plu_frames_bodies(const plu_frames *f)
{
    return f->bodies;
}

double plu_frames_time(const plu_frames *f, long k)
{
    return f->time[k];
}

long plu_frames_nearest(const plu_frames *f, double time)
{
    long nearest = -1;
    for (long k = 0; k < f->count; k++)
        if (nearest < 0 || fabs(f->time[k] - time) < fabs(f->time[nearest] - time))
            nearest = k;
    return nearest;
}

static void check_clock(plu_frames *f, plu_h5 *h5, long k)
{
    plu_summed *s = &f->summed;
    plu_summed_add(s, h5, plu_summed_find(s, "/particles/trajectory/position/time"),
                   H5T_NATIVE_DOUBLE, 1, 1, &f->time[k]);
    plu_summed_add(s, h5, plu_summed_find(s, "/particles/trajectory/position/step"),
                   H5T_NATIVE_LLONG, 1, 1, &f->step[k]);
}

plu_status plu_frames_read(plu_frames *f, long k, plu_frame_data *frame, plu_error *err)
{
    plu_h5 h5 = handle(f, err);
    const plu_h5_quiet before = plu_h5_quiet_begin(f->path);
    plu_summed_begin(&f->summed, k);
    check_clock(f, &h5, k);
    for (int e = 0; e < MOVING; e++)
        read_rows(f, &h5, (source)e, k);
    *frame = (plu_frame_data){.time = f->time[k],
                              .step = (long)f->step[k],
                              .bodies = f->bodies,
                              .position = f->rows[POSITION],
                              .velocity = f->rows[VELOCITY],
                              .angular_velocity = f->rows[ANGULAR_VELOCITY],
                              .orientation = f->rows[ORIENTATION],
                              .force = f->rows[FORCE],
                              .torque = f->rows[TORQUE],
                              .stress = f->rows[STRESS],
                              .dissipation = f->rows[DISSIPATION],
                              .coordination = f->rows[COORDINATION],
                              .id = f->rows[ID],
                              .state = f->rows[STATE],
                              .species = f->rows[SPECIES],
                              .radius = f->rows[RADIUS],
                              .mass = f->rows[MASS],
                              .inertia = f->rows[INERTIA],
                              .fixed = f->rows[FIXED],
                              .image = f->rows[IMAGE]};
    plu_frame_cell_read(&f->cell, &h5, &f->summed, k);
    frame->cell = f->cell.box;
    plu_frame_boundaries_read(&f->boundaries, &h5, &f->summed, k, frame);
    plu_frame_contacts_read(&f->contacts, &h5, k, frame);
    plu_summed_compare(&f->summed, &h5);
    plu_h5_quiet_end(before);
    return h5.status;
}

int plu_frames_observables(const plu_frames *f)
{
    return f->observables;
}

const char *plu_frames_observable_name(const plu_frames *f, int i)
{
    return f->observable[i];
}

/* Reads all rows of observable i. */
static plu_status read_observable(plu_frames *f, int i, double *values, plu_error *err)
{
    char path[PLU_NAME + 32];
    plu_h5 h5 = handle(f, err);
    hsize_t rows = 0;
    const hsize_t start = 0, count = (hsize_t)f->count;
    const plu_h5_quiet before = plu_h5_quiet_begin(f->path);
    snprintf(path, sizeof path, "/observables/%s/value", f->observable[i]);
    const hid_t id = plu_h5_find(&h5, f->file, path, H5I_DATASET);
    plu_h5_shape(&h5, id, path, 1, &rows);
    if (h5.status == PLU_OK && rows < count)
        plu_h5_damaged(&h5, "damaged: %s has fewer rows than the file has frames", path);
    if (count > 0)
        plu_h5_read_part(&h5, id, path, H5T_NATIVE_DOUBLE, 1, &start, &count, values);
    plu_summed_column(&f->summed, &h5, path, count, values);
    if (id >= 0)
        H5Dclose(id);
    plu_h5_quiet_end(before);
    return h5.status;
}

plu_status plu_frames_observable(const double **values, plu_frames *f, const char *name,
                                 plu_error *err)
{
    int i = 0;
    *values = NULL;
    while (i < f->observables && strcmp(f->observable[i], name) != 0)
        i++;
    if (i == f->observables)
        return PLU_OK;
    if (!f->series[i]) {
        double *rows = plu_alloc((size_t)f->count, sizeof *rows, err);
        const plu_status status = rows ? read_observable(f, i, rows, err) : PLU_IO;
        if (status != PLU_OK) {
            free(rows);
            return status;
        }
        f->series[i] = rows;
    }
    *values = f->series[i];
    return PLU_OK;
}
