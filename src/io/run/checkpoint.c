/* Writes a checkpoint, so that at any moment a kill or a power failure leaves a complete one:
 *
 *                                                         .part   newest   previous
 *    before                                                -       k        k - 1
 *    state to NAME.checkpoint.h5.part                      open    k        k - 1
 *    seal (size and hash of the rest), fsync               k + 1   k        k - 1
 *    rename newest to NAME.checkpoint_prev.h5              k + 1   -        k
 *    rename .part to NAME.checkpoint.h5, fsync (folder)    -       k + 1    k
 *
 * A reader takes only a file whose seal matches (checkpoint_read.c). */
#include "io/run/checkpoint.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/state.h"
#include "io/h5/h5_ordered.h"
#include "io/trajectory/place.h"
#include "pluvia/scene.h"
#include "pluvia/tool/snapshot.h"
#include "pluvia/tool/state.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void plu_seal_text(char seal[PLU_SEAL], long long bytes, uint64_t hash)
{
    memset(seal, 0, PLU_SEAL);
    snprintf(seal, PLU_SEAL, "pluvia checkpoint\nbytes %lld\nhash %016llx\n", bytes,
             (unsigned long long)hash);
}

bool plu_seal_hash(int file, uint64_t *hash)
{
    static const size_t block = 1 << 16;
    unsigned char bytes[1 << 16];
    *hash = PLU_HASH_START;
    for (off_t at = PLU_SEAL;;) {
        size_t have = 0;
        while (have < block) { /* blocks must be whole: they are what is hashed */
            const ssize_t got = pread(file, bytes + have, block - have, at + (off_t)have);
            if (got < 0 && errno != EINTR)
                return false;
            if (got == 0)
                break;
            have += got > 0 ? (size_t)got : 0;
        }
        if (have == 0)
            return true;
        *hash = plu_hash(*hash, bytes, have);
        at += (off_t)have;
    }
}

void plu_checkpoint_state(plu_stepper *stepper, plu_run_record *record, plu_state *state)
{
    plu_stepper_state(stepper, state);
    plu_record_state(record, state);
}

void plu_record_state(plu_run_record *record, plu_state *state)
{
    long frames[] = {record->frames, record->framed}, stage[] = {record->stage, record->staged};
    plu_state_long(state, "run/frames", 1, 2, frames);
    plu_state_long(state, "run/stage", 1, 2, stage);
    plu_state_real(state, "run/begun", 1, PLU_STAGES, record->begun);
    record->frames = frames[0];
    record->framed = frames[1];
    record->stage = stage[0];
    record->staged = stage[1];
    plu_state_real(state, "run/wall_seconds", 1, 1, &record->wall_seconds);
    plu_state_real(state, "run/output_seconds", 1, 1, &record->output_seconds);
    plu_state_real(state, "run/still_since", 1, 1, &record->still_since);
    plu_state_real(state, "run/until_rest", 1, 1, &record->until_rest);
    plu_state_long(state, "run/at_rest", 1, 1, &record->at_rest);
}

hid_t plu_state_in_file(plu_state_type type)
{
    return type == PLU_STATE_INT    ? H5T_STD_I32LE
           : type == PLU_STATE_LONG ? H5T_STD_I64LE
           : type == PLU_STATE_BYTE ? H5T_STD_U8LE
                                    : H5T_IEEE_F64LE;
}

hid_t plu_state_in_memory(plu_state_type type)
{
    return type == PLU_STATE_INT    ? H5T_NATIVE_INT
           : type == PLU_STATE_LONG ? H5T_NATIVE_LONG
           : type == PLU_STATE_BYTE ? H5T_NATIVE_UCHAR
                                    : H5T_NATIVE_DOUBLE;
}

/* A plu_state that only sums up the bytes that the state will take in the file. */
typedef struct ruler {
    plu_state state;
    long long bytes;
} ruler;

static void checkpoint_measure(plu_state *state, const char *name, plu_state_type type, size_t rows,
                               size_t columns, void *data)
{
    enum { HEADERS = 4096 }; /* bytes of metadata of a dataset and its group */
    (void)name;
    (void)data;
    ((ruler *)state)->bytes += (long long)(rows * columns * H5Tget_size(plu_state_in_file(type)));
    ((ruler *)state)->bytes += HEADERS;
}

typedef struct saver {
    plu_state state;
    plu_h5 *h5;
    hid_t group, creation, links;
} saver;

static void checkpoint_save(plu_state *state, const char *name, plu_state_type type, size_t rows,
                            size_t columns, void *data)
{
    const saver *s = (const saver *)state;
    const hsize_t size[2] = {rows, columns};
    const hid_t space = H5Screate_simple(columns > 1 ? 2 : 1, size, NULL);
    const hid_t id = H5Dcreate2(s->group, name, plu_state_in_file(type), space, s->links,
                                s->creation, H5P_DEFAULT);
    if (plu_h5_check(s->h5, id, "create the dataset %s", name) && rows > 0)
        plu_h5_check(s->h5,
                     H5Dwrite(id, plu_state_in_memory(type), H5S_ALL, H5S_ALL, H5P_DEFAULT, data),
                     "write the dataset %s", name);
    H5Sclose(space);
    state->status = s->h5->status;
}

static void save_all(plu_h5 *h5, hid_t file, plu_stepper *stepper, plu_run_record *record)
{
    saver s = {.state = {.source = h5->path, .err = h5->err, .array = checkpoint_save},
               .h5 = h5,
               .group = plu_h5_group(h5, file, "state"),
               .creation = H5Pcreate(H5P_DATASET_CREATE),
               .links = H5Pcreate(H5P_LINK_CREATE)};
    H5Pset_obj_track_times(s.creation, false);
    H5Pset_create_intermediate_group(s.links, 1);
    s.state.status = h5->status;
    plu_checkpoint_state(stepper, record, &s.state);
    h5->status = s.state.status;
    H5Pclose(s.creation);
    H5Pclose(s.links);
}

static void save_about(plu_h5 *h5, hid_t file, const plu_scene *scene, const plu_world *world)
{
    static const int schema = PLU_CHECKPOINT_SCHEMA;
    const double time = plu_world_time(world);
    plu_h5_attr_int(h5, file, "schema", 0, &schema);
    plu_h5_attr_text(h5, file, "version", plu_version());
    plu_h5_attr_uint64(h5, file, "step", (unsigned long long)plu_world_steps(world));
    plu_h5_attr_real(h5, file, "time", 0, &time);
    plu_h5_text(h5, file, "scene", scene->text ? scene->text : "");
    plu_h5_text(h5, file, "scene_resolved", scene->resolved ? scene->resolved : "");
    plu_h5_texts(h5, file, "overrides", scene->overrides_count,
                 (const char *const *)scene->overrides);
}

static long long size_of(const plu_scene *scene, plu_stepper *stepper, plu_run_record *record)
{
    ruler r = {.state = {.array = checkpoint_measure}, .bytes = 1 << 16};
    plu_checkpoint_state(stepper, record, &r.state);
    r.bytes += scene->text ? (long long)strlen(scene->text) : 0;
    return r.bytes + (scene->resolved ? (long long)strlen(scene->resolved) : 0);
}

static plu_status checkpoint_fill(const char *part, const plu_scene *scene, const plu_world *world,
                                  plu_stepper *stepper, plu_run_record *record, plu_error *err)
{
    plu_h5 h5 = {.path = part, .on_bad = PLU_IO, .err = err};
    const plu_h5_quiet before = plu_h5_quiet_begin(NULL);
    const hid_t creation = H5Pcreate(H5P_FILE_CREATE), access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_userblock(creation, PLU_SEAL);
    H5Pset_libver_bounds(access, H5F_LIBVER_EARLIEST, H5F_LIBVER_V110);
    H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
    plu_h5_check(&h5, plu_h5_use_order(access), "choose a file driver");
    const hid_t file = H5Fcreate(part, H5F_ACC_EXCL, creation, access);
    plu_h5_check(&h5, file, "create the checkpoint");
    plu_h5_reserve(&h5, file, "the checkpoint", size_of(scene, stepper, record), NULL);
    save_about(&h5, file, scene, world);
    save_all(&h5, file, stepper, record);
    if (h5.status == PLU_OK)
        plu_h5_check(&h5, H5Fflush(file, H5F_SCOPE_GLOBAL), "write the checkpoint");
    if (file >= 0) {
        plu_h5_give_back(file);
        const herr_t closed = H5Fclose(file);
        plu_h5_check(&h5, closed, "close the checkpoint");
    }
    H5Pclose(creation);
    H5Pclose(access);
    plu_h5_quiet_end(before);
    return h5.status;
}

/* Writes the seal and waits until all is on the disk. */
static plu_status seal(const char *part, plu_error *err)
{
    char text[PLU_SEAL];
    uint64_t hash;
    struct stat found;
    const int file = open(part, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    bool ok = file >= 0 && fstat(file, &found) == 0 && plu_seal_hash(file, &hash);
    if (ok) {
        plu_seal_text(text, (long long)found.st_size, hash);
        ok = pwrite(file, text, sizeof text, 0) == (ssize_t)sizeof text && fsync(file) == 0;
    }
    const int why = errno;
    if (file >= 0)
        close(file);
    return ok ? PLU_OK : plu_fail(err, PLU_IO, "%s: cannot write it: %s", part, strerror(why));
}

/* Syncs the folder of the file, so that the new name survives a power failure. Failures are
 * ignored, because some file systems cannot do that. */
static void keep_names(const char *path)
{
    char folder[PLU_PATH];
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 1,
             slash ? path : ".");
    const int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0)
        return;
    fsync(file);
    close(file);
}

static plu_status rename_file(const char *from, const char *to, plu_error *err)
{
    if (rename(from, to) == 0)
        return PLU_OK;
    return plu_fail(err, PLU_IO, "cannot rename %s to %s: %s", from, to, strerror(errno));
}

static plu_status write_part(const plu_files *files, const plu_scene *scene, const plu_world *world,
                             plu_stepper *stepper, plu_run_record *record, plu_error *err)
{
    const char *part = files->part[PLU_CHECKPOINT];
    plu_status status = plu_files_clear(files, PLU_CHECKPOINT, err);
    if (status != PLU_OK)
        return status;
    status = checkpoint_fill(part, scene, world, stepper, record, err);
    if (status == PLU_OK)
        status = seal(part, err);
    if (status != PLU_OK)
        unlink(part);
    return status;
}

plu_status plu_checkpoint_write(const char *trajectory, const plu_scene *scene,
                                const plu_world *world, plu_stepper *stepper,
                                plu_run_record *record, plu_error *err)
{
    plu_files files;
    plu_status status = plu_files_names(&files, trajectory, err);
    if (status == PLU_OK)
        status = write_part(&files, scene, world, stepper, record, err);
    if (status != PLU_OK)
        return status;
    const char *newest = files.path[PLU_CHECKPOINT];
    if (access(newest, F_OK) == 0)
        status = rename_file(newest, files.path[PLU_CHECKPOINT_PREV], err);
    if (status == PLU_OK)
        status = rename_file(files.part[PLU_CHECKPOINT], newest, err);
    keep_names(newest);
    return status;
}

plu_status plu_checkpoint_names(const char *trajectory, char newest[PLU_PATH],
                                char previous[PLU_PATH], plu_error *err)
{
    plu_files files;
    const plu_status status = plu_files_names(&files, trajectory, err);
    memcpy(newest, files.path[PLU_CHECKPOINT], PLU_PATH);
    memcpy(previous, files.path[PLU_CHECKPOINT_PREV], PLU_PATH);
    return status;
}

static bool same_file(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

plu_status plu_checkpoint_adopt(const char *trajectory, const char *source, const plu_scene *scene,
                                const plu_world *world, plu_stepper *stepper,
                                plu_run_record *record, plu_error *err)
{
    plu_files files;
    plu_status status = plu_files_names(&files, trajectory, err);
    const char *newest = files.path[PLU_CHECKPOINT], *previous = files.path[PLU_CHECKPOINT_PREV];
    if (status != PLU_OK || same_file(source, newest))
        return status;
    if (same_file(source, previous)) {
        status = rename_file(previous, newest, err);
    } else {
        status = write_part(&files, scene, world, stepper, record, err);
        if (status == PLU_OK)
            status = rename_file(files.part[PLU_CHECKPOINT], newest, err);
        if (status == PLU_OK)
            unlink(previous);
    }
    keep_names(newest);
    return status;
}

struct plu_snapshot {
    long step; /* -1: it is empty */
    plu_state_copy state;
};

static const char *const misfit = "it belongs to another run";

plu_snapshot *plu_snapshot_create(plu_error *err)
{
    plu_snapshot *s = plu_alloc(1, sizeof *s, err);
    if (s)
        s->step = -1;
    return s;
}

void plu_snapshot_destroy(plu_snapshot *s)
{
    if (!s)
        return;
    plu_state_copy_free(&s->state);
    free(s);
}

long plu_snapshot_step(const plu_snapshot *s)
{
    return s->step;
}

plu_status plu_snapshot_take(plu_snapshot *s, const plu_world *world, plu_stepper *stepper,
                             plu_run_record *record, plu_error *err)
{
    plu_state_copier c = plu_state_copier_begin(&s->state, false, "snapshot", misfit, err);
    s->step = -1;
    plu_checkpoint_state(stepper, record, &c.state);
    if (c.state.status == PLU_OK)
        s->step = plu_world_steps(world);
    return c.state.status;
}

plu_status plu_snapshot_restore(plu_snapshot *s, plu_stepper *stepper, plu_run_record *record,
                                plu_error *err)
{
    plu_state_copier c = plu_state_copier_begin(&s->state, true, "snapshot", misfit, err);
    if (s->step < 0)
        return plu_fail(err, PLU_USAGE, "the snapshot is empty");
    plu_checkpoint_state(stepper, record, &c.state);
    return c.state.status;
}
