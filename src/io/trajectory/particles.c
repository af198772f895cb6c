/* Writes /particles/trajectory frame by frame, one row for each body, those that wait or are gone
 * as well: so row i is sphere i in all frames. Datasets of H5MD that change together share step
 * and time by hard links. Each frame is a chunk (or several) of its own, compressed by threads of
 * pluvia (io/h5/chunk.h).
 *
 *   position/value   [frames][bodies][3]   doubles or floats    id   i, -1: waits or is gone
 *   species, radius, mass, inertia, fixed  [bodies], written once
 *
 * With output.position_error numbers are rounded to fewer bits, which pack better (round_rows). */
#include "base/hash.h"
#include "base/memory.h"
#include "io/h5/chunk.h"
#include "io/h5/h5_ordered.h"
#include "io/trajectory/writer.h"
#include "pluvia/cell.h"
#include "pluvia/scene.h"
#include "pluvia/writing.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum source {
    POSITION,
    IMAGE,
    VELOCITY,
    ANGULAR_VELOCITY,
    ORIENTATION,
    FORCE,
    TORQUE,
    STRESS,
    DISSIPATION,
    COORDINATION,
    ID,
    STATE
} source;

typedef struct element {
    const char *name;
    unsigned asked; /* bit of scene->output->quantities, 0: always there */
    int components; /* 0: one number without a dimension of its own */
    const char *unit;
} element;

/* in the order of `source` */
static const element elements[] = {
    {"position", 0, 3, "m"},
    {"image", 0, 3, NULL}, /* in a periodic cell */
    {"velocity", PLU_OUT_VELOCITY, 3, "m s-1"},
    {"angular_velocity", PLU_OUT_ANGULAR_VELOCITY, 3, "rad s-1"},
    {"orientation", PLU_OUT_ORIENTATION, 4, NULL},
    {"force", PLU_OUT_FORCE, 3, "N"},
    {"torque", PLU_OUT_TORQUE, 3, "N m"},
    {"stress", PLU_OUT_STRESS, 9, "Pa"},
    {"dissipation", PLU_OUT_DISSIPATION, 0, "W"},
    {"coordination", PLU_OUT_COORDINATION, 0, NULL},
    {"id", 0, 0, NULL},
    {"state", 0, 0, NULL},
};
enum { ELEMENTS = sizeof elements / sizeof elements[0] };

static bool wanted(const plu_trajectory *t, int e)
{
    return (elements[e].asked & t->scene->output->quantities) == elements[e].asked &&
           (e != IMAGE || t->scene->cell->given);
}

static bool is_whole(int e)
{
    return e == ID || e == IMAGE || e == COORDINATION;
}

static double smallest_radius(const plu_trajectory *t)
{
    const plu_bodies_view view = plu_world_bodies(t->world);
    double radius = INFINITY;
    for (int i = 0; i < view.count; i++)
        radius = fmin(radius, view.position[i][3]);
    return radius;
}

static bool turns(int e)
{
    return e == ORIENTATION || e == ANGULAR_VELOCITY;
}

/* What rounding may add to a number of element `e`, of turns times the radius of the body; 0: it is
 * exact. Of the error of positions a quarter along each axis is for the center, less than half in
 * all, and half for the turn: an error of e in each component of a quaternion turns the body by at
 * most 4 e. */
static double rounding_error(const plu_trajectory *t, int e)
{
    const plu_output_spec *output = t->scene->output;
    switch ((source)e) {
    case POSITION:
        return 0.25 * output->position_error;
    case ORIENTATION:
        return 0.125 * output->position_error;
    case VELOCITY:
    case ANGULAR_VELOCITY:
        return output->velocity_error;
    case IMAGE:
    case FORCE:
    case TORQUE:
    case STRESS:
    case DISSIPATION:
    case COORDINATION:
    case ID:
    case STATE:
        break;
    }
    return 0.0;
}

static void make_element(plu_trajectory *t, plu_h5 *h5, hid_t group, int e)
{
    static const int absent = -1;
    const hid_t real = t->scene->output->float32 ? H5T_IEEE_F32LE : H5T_IEEE_F64LE;
    const hsize_t n = (hsize_t)t->bodies, c = (hsize_t)elements[e].components;
    const hsize_t chunk = n == 0 ? 1 : n < PLU_CHUNK_BODIES ? n : PLU_CHUNK_BODIES;
    const plu_h5_layout layout = {.type = is_whole(e)  ? H5T_STD_I32LE
                                          : e == STATE ? H5T_STD_U8LE
                                                       : real,
                                  .rank = c ? 3 : 2,
                                  .size = {0, n, c},
                                  .chunk = {1, chunk, c},
                                  .growing = 2,
                                  .packed = true,
                                  .gzip = t->scene->output->compression,
                                  .fill = e == ID ? &absent : NULL};
    plu_writer_series(t, h5, group, "value", &layout);
    if (elements[e].unit)
        plu_h5_attr_text(h5, group, "unit", elements[e].unit);
    if (c && e != IMAGE)
        plu_h5_attr_text(h5, group, "frame", "world");
    if (rounding_error(t, e) > 0.0) {
        const double error = rounding_error(t, e) / (turns(e) ? smallest_radius(t) : 1.0);
        plu_h5_attr_real(h5, group, "largest_error", 0, &error);
    }
}

/* Writes a quantity that never changes; `values` has `components` numbers for each body. */
static void fixed(plu_trajectory *t, plu_h5 *h5, hid_t group, const char *name, const char *unit,
                  int components, const void *values)
{
    const hsize_t n = (hsize_t)t->bodies, c = (hsize_t)components;
    const hsize_t chunk = n == 0 ? 1 : n < PLU_CHUNK_BODIES ? n : PLU_CHUNK_BODIES;
    const plu_h5_layout layout = {.type = unit ? H5T_IEEE_F64LE : H5T_STD_I32LE,
                                  .rank = c > 1 ? 2 : 1,
                                  .size = {0, c},
                                  .chunk = {chunk, c},
                                  .growing = 1,
                                  .packed = true,
                                  .gzip = t->scene->output->compression};
    plu_series series = plu_series_make(h5, group, name, &layout);
    plu_series_append(h5, &series, unit ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT, n, values);
    if (unit)
        plu_h5_attr_text(h5, series.dataset, "unit", unit);
}

static void make_fixed(plu_trajectory *t, plu_h5 *h5, hid_t group)
{
    const plu_bodies_view view = plu_world_bodies(t->world);
    double *values = t->buffer;
    fixed(t, h5, group, "species", NULL, 1, view.species);
    for (int i = 0; i < t->bodies; i++)
        values[i] = view.position[i][3];
    fixed(t, h5, group, "radius", "m", 1, values);
    for (int i = 0; i < t->bodies; i++)
        values[i] = 1.0 / view.velocity[i][6];
    fixed(t, h5, group, "mass", "kg", 1, values);
    for (int i = 0; i < t->bodies; i++)
        for (int k = 0; k < 3; k++)
            values[3 * i + k] = 1.0 / view.velocity[i][7];
    fixed(t, h5, group, "inertia", "kg m+2", 3, values);
    if (plu_world_fixed(t->world) == 0)
        return;
    int *flags = plu_alloc((size_t)t->bodies, sizeof *flags, h5->err);
    if (!flags)
        h5->status = PLU_IO;
    for (int i = 0; flags && i < t->bodies; i++)
        flags[i] = plu_world_is_fixed(t->world, i);
    if (flags)
        fixed(t, h5, group, "fixed", NULL, 1, flags);
    free(flags);
}

/* Without a cell space is open in all directions, and there are no edges. Edges are rows. */
static void make_box(plu_trajectory *t, plu_h5 *h5, hid_t group)
{
    static const int dimension = 3;
    const plu_cell_spec *cell = t->scene->cell;
    char boundary[3][8] = {"none", "none", "none"};
    for (int k = 0; k < 3; k++)
        if (cell->given && cell->periodic >> k & 1)
            memcpy(boundary[k], "periodic", sizeof boundary[k]);
    const hid_t box = plu_h5_group(h5, group, "box");
    plu_h5_attr_int(h5, box, "dimension", 0, &dimension);
    plu_h5_attr_words(h5, box, "boundary", 3, (const char(*)[8])boundary);
    if (!cell->given)
        return;
    const plu_h5_layout layout = {.type = H5T_IEEE_F64LE,
                                  .rank = 3,
                                  .size = {0, 3, 3},
                                  .chunk = {PLU_CHUNK_FRAMES, 3, 3},
                                  .growing = 1};
    plu_h5_attr_real(h5, box, "origin", 3, cell->origin);
    const hid_t edges = plu_writer_element(t, h5, box, "edges");
    plu_h5_attr_text(h5, plu_writer_series(t, h5, edges, "value", &layout), "unit", "m");
}

/* Step makes a frame, so of what is flushed it is the last. */
static void make_clock(plu_trajectory *t, plu_h5 *h5)
{
    const plu_h5_layout layout = {.rank = 1, .chunk = {PLU_CHUNK_FRAMES}, .growing = 1};
    plu_h5_layout step = layout, time = layout;
    step.type = H5T_STD_I64LE;
    time.type = H5T_IEEE_F64LE;
    t->time = plu_series_make(h5, t->position, "time", &time);
    t->step = plu_series_make(h5, t->position, "step", &step);
    if (h5->status == PLU_OK)
        plu_h5_check(h5, plu_h5_order_last(t->file, t->step.dataset), "order what is written");
}

void plu_writer_particles(plu_trajectory *t, plu_h5 *h5)
{
    const hid_t particles = plu_h5_group(h5, t->file, "particles");
    const hid_t group = plu_h5_group(h5, particles, "trajectory");
    t->first_element = t->series_count;
    for (int e = 0; e < ELEMENTS; e++) {
        if (!wanted(t, e))
            continue;
        if (e == POSITION) {
            t->position = plu_h5_group(h5, group, elements[e].name);
            make_clock(t, h5);
            make_box(t, h5, group);
            make_element(t, h5, t->position, e);
        } else {
            make_element(t, h5, plu_writer_element(t, h5, group, elements[e].name), e);
        }
    }
    if (!h5->existing)
        make_fixed(t, h5, group);
}

/* Three numbers a body out of rows of `stride`. */
static const double *particles_gather(double *out, const double *rows, int stride, int count)
{
    for (int i = 0; i < count; i++)
        memcpy(out + 3 * (size_t)i, rows + (size_t)stride * (size_t)i, 3 * sizeof(double));
    return out;
}

static const int *gather_id(int *out, const unsigned char *state, int count)
{
    for (int i = 0; i < count; i++)
        out[i] = state[i] == PLU_WAITING || state[i] == PLU_REMOVED ? -1 : i;
    return out;
}

static const double *gather_force(plu_trajectory *t, const plu_step_info *info)
{
    if (info)
        plu_stepper_forces(t->stepper, (double(*)[3])t->buffer);
    else
        memset(t->buffer, 0, (size_t)t->bodies * 3 * sizeof(double));
    return t->buffer;
}

/* The rows of element `e`, in the buffer or where they are. */
static const void *element_rows(plu_trajectory *t, int e, const plu_step_info *info)
{
    const plu_bodies_view view = plu_world_bodies(t->world);
    switch ((source)e) {
    case POSITION:
        return particles_gather(t->buffer, &view.position[0][0], 4, view.count);
    case IMAGE:
        return plu_world_images(t->world);
    case VELOCITY:
        return particles_gather(t->buffer, &view.velocity[0][0], 8, view.count);
    case ANGULAR_VELOCITY:
        return particles_gather(t->buffer, &view.velocity[0][3], 8, view.count);
    case ORIENTATION:
        return view.orientation;
    case FORCE:
        return gather_force(t, info);
    case TORQUE:
        return plu_grain_rows_torque(t);
    case STRESS:
        return plu_grain_rows_stress(t);
    case DISSIPATION:
        return plu_grain_rows_dissipation(t);
    case COORDINATION:
        return plu_grain_rows_coordination(t);
    case ID:
        return gather_id((int *)t->buffer, view.state, view.count);
    case STATE:
        return view.state;
    }
    return NULL;
}

/* Rounds the rows of an element, in the buffer. */
static const double *round_rows(plu_trajectory *t, int e, const double *rows)
{
    const plu_bodies_view view = plu_world_bodies(t->world);
    const int components = elements[e].components;
    if (rows != t->buffer)
        memcpy(t->buffer, rows, (size_t)(view.count * components) * sizeof *rows);
    plu_round_rows(t->buffer, view.count, components, rounding_error(t, e),
                   turns(e) ? view.position : NULL);
    return t->buffer;
}

/* Where the numbers of element `e` are if they are stored as they are, which are rows of doubles.
 */
static plu_hash_column column_of(const plu_trajectory *t, int e)
{
    const plu_bodies_view view = plu_world_bodies(t->world);
    const bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__; /* as in the file */
    const bool exact = little && !t->scene->output->float32 && rounding_error(t, e) == 0.0;
    switch (exact ? (source)e : STATE) {
    case POSITION:
        return (plu_hash_column){view.position, sizeof *view.position, 3};
    case VELOCITY:
        return (plu_hash_column){view.velocity, sizeof *view.velocity, 3};
    case ANGULAR_VELOCITY:
        return (plu_hash_column){*view.velocity + 3, sizeof *view.velocity, 3};
    case ORIENTATION:
        return (plu_hash_column){view.orientation, sizeof *view.orientation, 4};
    case IMAGE:
    case FORCE:
    case TORQUE:
    case STRESS:
    case DISSIPATION:
    case COORDINATION:
    case ID:
    case STATE:
        break;
    }
    return (plu_hash_column){0};
}

/* The checksums of these elements, `series` being that of the first one wanted. */
static void sum_columns(plu_trajectory *t, plu_series *series, uint64_t sum[ELEMENTS])
{
    plu_hash_column columns[ELEMENTS];
    uint64_t sums[ELEMENTS];
    int of[ELEMENTS], count = 0;
    for (int e = 0; e < ELEMENTS; e++) {
        if (!wanted(t, e))
            continue;
        columns[count] = column_of(t, e);
        if (columns[count].words > 0) {
            of[count] = e;
            sums[count++] = plu_series_sum_start(series);
        }
        series++;
    }
    plu_hash_columns(sums, columns, count, (size_t)t->bodies);
    for (int c = 0; c < count; c++)
        sum[of[c]] = sums[c];
}

void plu_writer_particles_frame(plu_trajectory *t, plu_h5 *h5, const plu_step_info *info)
{
    plu_series *series = &t->series[t->first_element];
    double edges[3][3];
    if (plu_world_cell(t->world, edges))
        plu_series_append(h5, series++, H5T_NATIVE_DOUBLE, 1, edges);
    uint64_t sum[ELEMENTS];
    if (plu_grain_rows_asked(t->scene))
        plu_grain_rows_take(t, info);
    sum_columns(t, series, sum);
    for (int e = 0; e < ELEMENTS; e++) {
        if (!wanted(t, e))
            continue;
        const hid_t type = is_whole(e)  ? H5T_NATIVE_INT
                           : e == STATE ? H5T_NATIVE_UCHAR
                                        : H5T_NATIVE_DOUBLE;
        const void *rows = element_rows(t, e, info);
        if (rounding_error(t, e) > 0.0)
            rows = round_rows(t, e, rows);
        if (column_of(t, e).words > 0)
            plu_series_append_summed(h5, series++, type, 1, rows, sum[e]);
        else
            plu_series_append(h5, series++, type, 1, rows);
    }
}
