/* Reads a checkpoint. The whole file is compared with its seal (size and hash, in its first lines)
 * before anything of it is used, so that HDF5 never reads a damaged file:
 *
 *     | seal: "pluvia checkpoint", size, hash of the rest | HDF5 (its "user block" is the seal) |
 *       512 bytes:
 *         pluvia checkpoint
 *         bytes 1234567
 *         hash 0123456789abcdef
 *
 * Then the state is loaded by the same lists that have saved it (base/state.h), array by array:
 * one that is missing, has another size, or holds what cannot be, refuses the whole.
 *
 * Order of calls: plu_checkpoint_open (seal, version, scene), plu_checkpoint_record (what the run
 * had come to, among it the stage, which decides about the world), plu_checkpoint_load, _close. */
#include "io/h5/h5_read.h"
#include "io/run/checkpoint.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static plu_status check_seal(int file, const char *path, plu_error *err)
{
    static const char mark[] = "pluvia checkpoint\n";
    char found[PLU_SEAL] = "", wanted[PLU_SEAL];
    struct stat about;
    uint64_t hash;
    if (fstat(file, &about) != 0)
        return plu_fail(err, PLU_IO, "cannot read %s: %s", path, strerror(errno));
    if (!S_ISREG(about.st_mode))
        return plu_fail(err, PLU_BAD_INPUT, "%s is not a regular file, so it is not a checkpoint",
                        path);
    const ssize_t got = pread(file, found, sizeof found, 0);
    if (got < 0 || (got == sizeof found && !plu_seal_hash(file, &hash)))
        return plu_fail(err, PLU_IO, "cannot read %s: %s", path, strerror(errno));
    if (got < (ssize_t)sizeof found || memcmp(found, mark, strlen(mark)) != 0)
        return plu_fail(err, PLU_BAD_INPUT,
                        "%s is not a checkpoint of pluvia, or its end is missing", path);
    plu_seal_text(wanted, (long long)about.st_size, hash);
    if (memcmp(found, wanted, sizeof found) != 0)
        return plu_fail(err, PLU_BAD_INPUT,
                        "%s: damaged: its content does not match the hash in its first lines",
                        path);
    return PLU_OK;
}

/* NONBLOCK: opening a pipe would wait for its writer. */
static plu_status verify(const char *path, plu_error *err)
{
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return plu_fail(err, PLU_IO, "cannot open %s: %s", path, strerror(errno));
    const plu_status status = check_seal(file, path, err);
    close(file);
    return status;
}

/* The handle is kept as bytes, so that the public header needs no HDF5. */
static hid_t file_of(const plu_checkpoint *c)
{
    hid_t file;
    memcpy(&file, c->inside, sizeof file);
    return file;
}

static void read_about(plu_h5 *h5, plu_checkpoint *c, long long bytes)
{
    int schema = 0;
    const hid_t file = file_of(c);
    plu_h5_read_number(h5, file, "schema", H5T_NATIVE_INT, &schema);
    plu_h5_read_text(h5, file, "version", c->version, sizeof c->version);
    if (h5->status == PLU_OK && schema != PLU_CHECKPOINT_SCHEMA)
        plu_h5_damaged(h5, "written by pluvia %s with layout %d; this program reads layout %d",
                       c->version, schema, PLU_CHECKPOINT_SCHEMA);
    plu_h5_read_number(h5, file, "step", H5T_NATIVE_LONG, &c->step);
    plu_h5_read_number(h5, file, "time", H5T_NATIVE_DOUBLE, &c->time);
    c->scene = plu_h5_read_whole_text(h5, file, "scene_resolved", bytes);
}

plu_status plu_checkpoint_open(plu_checkpoint *c, const char *path, plu_error *err)
{
    *c = (plu_checkpoint){0};
    if (strlen(path) >= sizeof c->path)
        return plu_fail(err, PLU_IO, "the name of the checkpoint is too long");
    strcpy(c->path, path);
    const plu_status status = verify(path, err);
    if (status != PLU_OK)
        return status;
    hid_t *file = malloc(sizeof *file);
    if (!file)
        return plu_fail(err, PLU_IO, "out of memory");
    c->inside = file;
    plu_h5 h5 = {.path = c->path, .on_bad = PLU_BAD_INPUT, .err = err};
    const plu_h5_quiet before = plu_h5_quiet_begin(c->path);
    long long bytes = 0;
    *file = plu_h5_open_sealed(&h5, PLU_SEAL, &bytes);
    read_about(&h5, c, bytes);
    plu_h5_quiet_end(before);
    return h5.status;
}

void plu_checkpoint_close(plu_checkpoint *c)
{
    if (c->inside && file_of(c) >= 0) {
        const plu_h5_quiet before = plu_h5_quiet_begin(c->path);
        H5Fclose(file_of(c));
        plu_h5_quiet_end(before);
    }
    free(c->inside);
    free(c->scene);
    *c = (plu_checkpoint){0};
}

typedef struct loader {
    plu_state state;
    plu_h5 *h5;
    hid_t group;
} loader;

/* No run saves what is not a number, where it may not be unknown; where one went on from it, its
 * next step would end it. */
static void refuse_nan(plu_h5 *h5, const char *name, const double *number, size_t count)
{
    size_t k = 0;
    while (k < count && !isnan(number[k]))
        k++;
    if (k < count)
        plu_h5_damaged(h5, "number %zu of %s is none", k, name);
}

/* One array of the state: its type, shape and numbers; plu_state calls this for each. */
static void checkpoint_load(plu_state *state, const char *name, plu_state_type type, size_t rows,
                            size_t columns, void *data)
{
    const loader *l = (const loader *)state;
    const int rank = columns > 1 ? 2 : 1;
    hsize_t size[2] = {0, columns};
    const hid_t id = plu_h5_find(l->h5, l->group, name, H5I_DATASET);
    if (id >= 0) {
        const hid_t kind = H5Dget_type(id);
        if (H5Tequal(kind, plu_state_in_file(type)) <= 0)
            plu_h5_damaged(l->h5, "%s has numbers of another type", name);
        H5Tclose(kind);
        plu_h5_shape(l->h5, id, name, rank, size);
        if (size[0] != rows || size[1] != columns)
            plu_h5_damaged(l->h5, "%s has %llu rows, but %zu are needed", name,
                           (unsigned long long)size[0], rows);
        const hsize_t start[2] = {0, 0};
        if (rows > 0)
            plu_h5_read_part(l->h5, id, name, plu_state_in_memory(type), rank, start, size, data);
        if (type == PLU_STATE_REAL && l->h5->status == PLU_OK)
            refuse_nan(l->h5, name, data, rows * columns);
        H5Dclose(id);
    }
    state->status = l->h5->status;
}

/* All of it (`stepper` NULL: the record alone). */
static plu_status load(plu_checkpoint *c, plu_stepper *stepper, plu_run_record *record,
                       plu_error *err)
{
    plu_h5 h5 = {.path = c->path, .on_bad = PLU_BAD_INPUT, .err = err};
    const plu_h5_quiet before = plu_h5_quiet_begin(c->path);
    loader l = {.state = {.loading = true, .source = c->path, .err = err, .array = checkpoint_load},
                .h5 = &h5,
                .group = plu_h5_find(&h5, file_of(c), "state", H5I_GROUP)};
    l.state.status = h5.status;
    if (stepper)
        plu_checkpoint_state(stepper, record, &l.state);
    else
        plu_record_state(record, &l.state);
    plu_h5_quiet_end(before);
    return l.state.status;
}

plu_status plu_checkpoint_record(plu_checkpoint *c, plu_run_record *record, plu_error *err)
{
    return load(c, NULL, record, err);
}

plu_status plu_checkpoint_load(plu_checkpoint *c, plu_stepper *stepper, plu_run_record *record,
                               plu_error *err)
{
    return load(c, stepper, record, err);
}
