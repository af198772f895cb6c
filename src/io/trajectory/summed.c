/* Data read from a trajectory against their checksums (summed.h). Sums are of rows as they are
 * stored, so that numbers are converted to the type of the file before they are added; datasets
 * are known by their paths, which are part of the sum, for exchanged data are damage as well.
 *
 *   /parameters/pluvia/sums          [frames]         sum over all sets, modulo 2^64
 *                      sums_by_set   [frames][sets]   one by one; older files lack it
 *                      sums_of       [sets]           paths of these sets
 *
 * Order of calls for a frame: plu_summed_begin, plu_summed_add for whatever is read, then
 * plu_summed_compare. Where single sums are known only what was read is compared; else all that
 * was not asked for has to be read as well. */
#include "io/trajectory/summed.h"
#include "base/hash.h"
#include "base/memory.h"
#include "io/h5/sums.h"
#include "io/trajectory/contact_columns.h"
#include "io/trajectory/writer.h"
#include <stdlib.h>
#include <string.h>

bool plu_summed_header(plu_h5 *h5, hid_t file)
{
    int schema = 0;
    long datasets;
    uint64_t written = 0, found = 0;
    if (h5->status != PLU_OK || !plu_h5_has(file, "parameters") ||
        !plu_h5_has(file, "parameters/pluvia"))
        return false;
    const hid_t parameters = plu_h5_find(h5, file, "/parameters/pluvia", H5I_GROUP);
    plu_h5_read_number(h5, parameters, "schema", H5T_NATIVE_INT, &schema);
    if (h5->status != PLU_OK || schema != PLU_TRAJECTORY_SCHEMA)
        return false;
    plu_h5_read_number(h5, parameters, "header_sum", H5T_NATIVE_UINT64, &written);
    if (h5->status == PLU_OK && (!plu_sum_header(file, &found, &datasets) || found != written))
        plu_h5_damaged(h5, "damaged, or changed by another program: names, attributes, texts, radii"
                           " or masses differ from their checksum; use another copy");
    h5->whole = h5->status == PLU_OK;
    return h5->whole;
}

/* Like plu_h5_find, for what plu_summed_header has looked at. */
static hid_t open_set(plu_h5 *h5, hid_t parent, const char *name)
{
    const hid_t dataset = H5Dopen2(parent, name, H5P_DEFAULT);
    if (dataset < 0)
        plu_h5_damaged(h5, "not a pluvia trajectory, or damaged: it has no readable dataset %s",
                       name);
    return dataset;
}

static void add_set(plu_summed *s, plu_h5 *h5, hid_t parent, const char *name, bool contacts,
                    int shift)
{
    if (h5->status != PLU_OK || s->count == PLU_SUMMED_MOST)
        return;
    plu_summed_set *set = &s->set[s->count];
    set->dataset = open_set(h5, parent, name);
    if (h5->status != PLU_OK)
        return;
    set->type = H5Dget_type(set->dataset);
    set->start = plu_sum_start(set->dataset);
    set->contacts = contacts;
    set->shift = shift;
    set->column = -1;
    if (H5Iget_name(set->dataset, set->path, sizeof set->path) <= 0)
        set->path[0] = '\0';
    s->count++;
}

static const char *const elements[] = {
    "position", "velocity",    "angular_velocity", "orientation", "force", "torque",
    "stress",   "dissipation", "coordination",     "id",          "state"};
static const char *const cell[] = {"image", "box/edges"}; /* of a periodic cell */
#define STRESS "/boundaries/stress/value"                 /* older files have none */
static const char *const places[] = {"/boundaries/position/value", "/boundaries/rotation/value",
                                     "/boundaries/state/value",    "/boundaries/force/value",
                                     "/boundaries/moment/value",   STRESS};

static void find_sets(plu_summed *s, plu_h5 *h5, hid_t file)
{
    char name[PLU_NAME], path[2 * PLU_NAME];
    add_set(s, h5, file, "/particles/trajectory/position/step", false, 0);
    add_set(s, h5, file, "/particles/trajectory/position/time", false, 0);
    const hid_t particles = plu_h5_find(h5, file, "/particles/trajectory", H5I_GROUP);
    for (size_t k = 0; h5->status == PLU_OK && k < sizeof elements / sizeof *elements; k++) {
        snprintf(path, sizeof path, "%s/value", elements[k]);
        if (plu_h5_has(particles, elements[k]))
            add_set(s, h5, particles, path, false, 0);
    }
    for (size_t k = 0; h5->status == PLU_OK && k < sizeof cell / sizeof *cell; k++)
        if (plu_h5_has(particles, cell[k])) {
            snprintf(path, sizeof path, "%s/value", cell[k]);
            add_set(s, h5, particles, path, false, 0);
        }
    const hid_t observables = plu_h5_find(h5, file, "/observables", H5I_GROUP);
    for (hsize_t k = 0; h5->status == PLU_OK && k < PLU_SUMMED_MOST; k++) {
        if (H5Lget_name_by_idx(observables, ".", H5_INDEX_NAME, H5_ITER_INC, k, name, sizeof name,
                               H5P_DEFAULT) <= 0)
            break;
        snprintf(path, sizeof path, "/observables/%s/value", name);
        add_set(s, h5, file, path, false, 0);
    }
    const bool walls = h5->status == PLU_OK && plu_h5_has(file, "boundaries");
    for (size_t k = 0; walls && k < sizeof places / sizeof *places && h5->status == PLU_OK; k++)
        if (strcmp(places[k], STRESS) != 0 || plu_h5_has(file, "boundaries/stress"))
            add_set(s, h5, file, places[k], false, 0);
    if (h5->status != PLU_OK || !plu_h5_has(file, "contacts"))
        return;
    const hid_t contacts = plu_h5_find(h5, file, "/contacts", H5I_GROUP);
    for (int k = 0; k < PLU_CONTACT_COLUMNS; k++)
        add_set(s, h5, contacts, plu_contact_columns[k].name, true, 0);
    add_set(s, h5, contacts, "dt", false, 0);
    add_set(s, h5, contacts, "offset", false, 1);
}

/* The columns of `each` by the paths in `sums_of`. */
static void find_columns(plu_summed *s, plu_h5 *h5, hid_t parameters)
{
    hsize_t size[H5S_MAX_RANK] = {0}, names = 0, frames = 0;
    s->each = -1;
    if (h5->status != PLU_OK || !plu_h5_has(parameters, "sums_by_set"))
        return;
    s->each = plu_h5_find(h5, parameters, "sums_by_set", H5I_DATASET);
    plu_h5_shape(h5, s->each, "sums_by_set", 2, size);
    plu_h5_shape(h5, s->total, "sums", 1, &frames);
    if (size[0] < frames)
        s->each = -1; /* an older program has gone on with the run */
    const hid_t of = plu_h5_find(h5, parameters, "sums_of", H5I_DATASET);
    if (h5->status != PLU_OK || s->each < 0)
        return;
    const hid_t type = H5Dget_type(of), space = H5Dget_space(of);
    const size_t width = H5Tget_size(type);
    char *text = NULL;
    s->columns = size[1];
    if (H5Sget_simple_extent_ndims(space) == 1)
        H5Sget_simple_extent_dims(space, &names, NULL);
    if (names != size[1] || names > PLU_SUMMED_MOST || width > sizeof s->set[0].path ||
        H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0)
        plu_h5_damaged(h5, "damaged: sums_of does not fit sums_by_set");
    else if (!(text = plu_alloc((size_t)names, width, h5->err)))
        h5->status = PLU_IO;
    else if (H5Dread(of, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) < 0)
        plu_h5_damaged(h5, "damaged: sums_of cannot be read");
    for (int c = 0; h5->status == PLU_OK && c < (int)names; c++)
        for (int i = 0; i < s->count; i++) {
            const char *name = text + (size_t)c * width, *path = s->set[i].path;
            if (strlen(path) == strnlen(name, width) && strncmp(path, name, width) == 0)
                s->set[i].column = c;
        }
    free(text);
    H5Sclose(space);
    H5Tclose(type);
}

void plu_summed_open(plu_summed *s, plu_h5 *h5, hid_t file)
{
    *s = (plu_summed){.each = -1};
    if (!plu_summed_header(h5, file))
        return;
    const hid_t parameters = plu_h5_find(h5, file, "/parameters/pluvia", H5I_GROUP);
    find_sets(s, h5, file);
    s->total = plu_h5_find(h5, parameters, "sums", H5I_DATASET);
    find_columns(s, h5, parameters);
    char state[32];
    plu_h5_read_text(h5, parameters, "state", state, sizeof state);
    s->running = strcmp(state, "running") == 0;
}

void plu_summed_close(plu_summed *s)
{
    for (int i = 0; i < s->count; i++)
        H5Tclose(s->set[i].type);
    s->count = 0;
}

int plu_summed_find(const plu_summed *s, const char *path)
{
    for (int i = 0; i < s->count; i++)
        if (strcmp(s->set[i].path, path) == 0)
            return i;
    return -1;
}

void plu_summed_begin(plu_summed *s, long k)
{
    s->frame = k;
    memset(s->found, 0, sizeof s->found);
    memset(s->seen, 0, sizeof s->seen);
}

/* Rows of contacts are summed in the blocks in which they were written. */
void plu_summed_add(plu_summed *s, plu_h5 *h5, int set, hid_t in_memory, size_t rows, size_t width,
                    const void *numbers)
{
    if (h5->status != PLU_OK || set < 0)
        return;
    const size_t block = s->set[set].contacts ? PLU_BLOCK : rows;
    const char *bytes = numbers;
    const size_t stride = width * H5Tget_size(in_memory);
    uint64_t sum = s->set[set].start;
    for (size_t first = 0; h5->status == PLU_OK && first < rows; first += block) {
        const size_t count = rows - first < block ? rows - first : block;
        if (!plu_sum_add(&sum, s->set[set].type, in_memory, count * width, bytes + first * stride))
            h5->status = plu_fail(h5->err, PLU_IO, "%s: out of memory to check a frame", h5->path);
    }
    s->seen[set] = true;
    s->found[set] = rows > 0 && width > 0 ? sum : 0;
}

uint64_t plu_summed_rows(const plu_summed *s, plu_h5 *h5, int set, hsize_t first, hsize_t end)
{
    const plu_summed_set *of = &s->set[set];
    hsize_t size[H5S_MAX_RANK] = {0}, start[3] = {first, 0, 0};
    if (h5->status != PLU_OK || first >= end)
        return 0;
    const hid_t space = H5Dget_space(of->dataset);
    const int rank = H5Sget_simple_extent_dims(space, size, NULL);
    H5Sclose(space);
    const hsize_t rows = end - first < PLU_BLOCK ? end - first : PLU_BLOCK;
    const hsize_t numbers = (rank > 1 ? size[1] : 1) * (rank > 2 ? size[2] : 1);
    uint64_t sum = of->start;
    void *bytes = NULL;
    if (rank < 1 || rank > 3)
        plu_h5_damaged(h5, "damaged: %s has an impossible shape", of->path);
    else if (!(bytes = plu_alloc(rows * numbers, H5Tget_size(of->type), h5->err)))
        h5->status = PLU_IO;
    for (; h5->status == PLU_OK && start[0] < end; start[0] += PLU_BLOCK) {
        const hsize_t left = end - start[0],
                      count[3] = {left < rows ? left : rows, size[1], size[2]};
        if (numbers > 0)
            plu_h5_read_part(h5, of->dataset, of->path, of->type, rank, start, count, bytes);
        plu_sum_add(&sum, of->type, of->type, count[0] * numbers, bytes);
    }
    free(bytes);
    return numbers > 0 ? sum : 0;
}

/* A file that is being written may have been read between two writes: that is no damage. */
static void differs(const plu_summed *s, plu_h5 *h5, const char *what, long k)
{
    plu_h5_damaged(h5, "%s: %s of frame %ld %s from its checksum%s",
                   s->running ? "being written, or damaged" : "damaged", what, k,
                   strcmp(what, "numbers") == 0 ? "differ" : "differs",
                   s->running ? "; try again later, or when its run has ended"
                              : "; pluvia info --verify names the first damaged frame; the frames "
                                "before it are intact");
}

static void compare_each(const plu_summed *s, plu_h5 *h5)
{
    uint64_t written[PLU_SUMMED_MOST] = {0};
    const hsize_t start[2] = {(hsize_t)s->frame, 0}, count[2] = {1, s->columns};
    plu_h5_read_part(h5, s->each, "sums_by_set", H5T_NATIVE_UINT64, 2, start, count, written);
    for (int i = 0; h5->status == PLU_OK && i < s->count; i++)
        if (s->seen[i] && s->set[i].column >= 0 && s->found[i] != written[s->set[i].column])
            differs(s, h5, s->set[i].path, s->frame);
}

/* What was not read, the observables, is read now: the sum is of all. */
static void compare_total(const plu_summed *s, plu_h5 *h5)
{
    uint64_t written = 0, found = 0;
    const hsize_t one = 1, at = (hsize_t)s->frame;
    plu_h5_read_part(h5, s->total, "sums", H5T_NATIVE_UINT64, 1, &at, &one, &written);
    for (int i = 0; i < s->count; i++) {
        const hsize_t row = at + (hsize_t)s->set[i].shift;
        found += s->seen[i] ? s->found[i] : plu_summed_rows(s, h5, i, row, row + 1);
    }
    if (h5->status == PLU_OK && found != written)
        differs(s, h5, "numbers", s->frame);
}

void plu_summed_compare(plu_summed *s, plu_h5 *h5)
{
    if (h5->status != PLU_OK || s->count == 0)
        return;
    if (s->each >= 0)
        compare_each(s, h5);
    else
        compare_total(s, h5);
}

void plu_summed_frame(plu_summed *s, plu_h5 *h5, long k, hsize_t first, hsize_t end)
{
    plu_summed_begin(s, k);
    for (int i = 0; i < s->count; i++) {
        const hsize_t row = (hsize_t)k + (hsize_t)s->set[i].shift;
        const bool contacts = s->set[i].contacts;
        s->found[i] = plu_summed_rows(s, h5, i, contacts ? first : row, contacts ? end : row + 1);
        s->seen[i] = true;
    }
    plu_summed_compare(s, h5);
    if (h5->status == PLU_OK && s->each >= 0)
        compare_total(s, h5);
}

void plu_summed_row(plu_summed *s, plu_h5 *h5, const char *path, long k)
{
    const int i = plu_summed_find(s, path);
    if (h5->status != PLU_OK || i < 0 || s->each < 0)
        return;
    const hsize_t row = (hsize_t)k + (hsize_t)s->set[i].shift;
    plu_summed_begin(s, k);
    s->found[i] = plu_summed_rows(s, h5, i, row, row + 1);
    s->seen[i] = true;
    compare_each(s, h5);
}

void plu_summed_column(plu_summed *s, plu_h5 *h5, const char *path, hsize_t frames,
                       const double *values)
{
    const int i = plu_summed_find(s, path);
    if (h5->status != PLU_OK || i < 0 || s->each < 0 || s->set[i].column < 0 || s->set[i].whole ||
        frames == 0)
        return;
    const hsize_t start[2] = {0, (hsize_t)s->set[i].column}, count[2] = {frames, 1};
    uint64_t *written = plu_alloc((size_t)frames, sizeof *written, h5->err);
    if (!written)
        h5->status = PLU_IO;
    plu_h5_read_part(h5, s->each, "sums_by_set", H5T_NATIVE_UINT64, 2, start, count, written);
    for (hsize_t k = 0; h5->status == PLU_OK && k < frames; k++) {
        uint64_t found = s->set[i].start;
        if (!plu_sum_add(&found, s->set[i].type, H5T_NATIVE_DOUBLE, 1, &values[k]))
            h5->status = plu_fail(h5->err, PLU_IO, "%s: out of memory to check a number", h5->path);
        else if (found != written[k])
            differs(s, h5, path, (long)k);
    }
    s->set[i].whole = h5->status == PLU_OK;
    free(written);
}
