/* Writes a trajectory: creates it, brings it to the disk, closes it. What is in it
 * (output/README.md):
 *
 *     /h5md, /parameters/pluvia      header.c            once: scene, program, checksums
 *     /walls                         header.c            once: boundaries of the scene
 *     /particles/trajectory          particles.c         F rows of N spheres
 *     /observables                   observables.c       F numbers each
 *     /boundaries                    write_boundaries.c  F rows of B boundaries, where they move
 *     /contacts                      write_contacts.c    all frames in one table, by `offset`
 *
 * A file is NAME.h5md.part until it can be read, and gets its name then (place.c). Each frame ends
 * with a flush, after which a kill leaves it whole (io/h5/h5_ordered.h). */
#include "io/h5/h5_ordered.h"
#include "io/trajectory/writer.h"
#include "pluvia/scene.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Creates the file. With the version bounds (earliest, 1.10) and a flush for each frame it can be
 * opened after a kill. */
static void create_file(plu_trajectory *t, plu_h5 *h5)
{
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_libver_bounds(access, H5F_LIBVER_EARLIEST, H5F_LIBVER_V110);
    H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
    plu_h5_check(h5, plu_h5_use_order(access), "choose a file driver");
    t->file = H5Fcreate(t->files.part[PLU_DATA], H5F_ACC_EXCL, H5P_DEFAULT, access);
    plu_h5_check(h5, t->file, "create the file");
    H5Pclose(access);
}

/* Bounds the memory in which HDF5 keeps what describes the objects of the file: a scene of
 * thousands of boundaries makes as many groups, none of which is looked at again. Returns what was
 * before. */
static H5AC_cache_config_t keep_little(plu_trajectory *t)
{
    enum { LITTLE = 1 << 20 }; /* bytes */
    H5AC_cache_config_t usual = {.version = H5AC__CURR_CACHE_CONFIG_VERSION};
    H5Fget_mdc_config(t->file, &usual);
    H5AC_cache_config_t little = usual;
    little.set_initial_size = true;
    little.initial_size = little.min_size = little.max_size = LITTLE;
    H5Fset_mdc_config(t->file, &little);
    return usual;
}

static plu_status trajectory_fill(plu_trajectory *t, const plu_provenance *provenance,
                                  plu_error *err)
{
    plu_h5 h5 = plu_writer_h5(t, err);
    h5.status = plu_writer_allocate(t, err);
    if (h5.status == PLU_OK)
        create_file(t, &h5);
    H5AC_cache_config_t usual = keep_little(t);
    plu_writer_header(t, &h5, provenance);
    plu_writer_particles(t, &h5);
    plu_writer_observables(t, &h5);
    plu_writer_boundaries(t, &h5);
    plu_writer_sums(t, &h5);
    plu_writer_contacts(t, &h5);
    plu_writer_sums_by_set(t, &h5);
    plu_writer_header_sum(t, &h5);
    H5Fset_mdc_config(t->file, &usual);
    if (h5.status != PLU_OK)
        return h5.status;
    return plu_xdmf_create(&t->xdmf, t->files.part[PLU_SIDECAR], plu_files_data_name(&t->files),
                           t->scene, t->bodies, err);
}

plu_status plu_trajectory_create(plu_trajectory **trajectory, const char *path, bool force,
                                 const plu_scene *scene, const plu_world *world,
                                 const plu_stepper *stepper, const plu_provenance *provenance,
                                 plu_error *err)
{
    *trajectory = NULL;
    plu_trajectory *t = plu_writer_new(scene, world, stepper, err);
    if (!t)
        return PLU_IO;
    plu_status status = plu_files_prepare(&t->files, path, force, err);
    if (status == PLU_OK) {
        const plu_h5_quiet before = plu_h5_quiet_begin(NULL);
        status = trajectory_fill(t, provenance, err);
        if (status != PLU_OK) {
            if (t->file >= 0)
                H5Fclose(t->file);
            plu_files_discard(&t->files);
        }
        plu_h5_quiet_end(before);
    }
    if (status != PLU_OK) {
        plu_writer_free(t);
        return status;
    }
    *trajectory = t;
    return PLU_OK;
}

plu_status plu_trajectory_sync(plu_trajectory *t, plu_error *err)
{
    hsize_t size;
    const plu_status late = plu_writer_await(t, err);
    if (late != PLU_OK)
        return late;
    plu_h5 h5 = plu_writer_h5(t, err);
    const plu_h5_quiet before = plu_h5_quiet_begin(t->foreign);
    plu_writer_flush(t, &h5, "flush the file");
    const int file = plu_h5_descriptor(t->file, &size);
    if (h5.status == PLU_OK && file >= 0 && fsync(file) != 0)
        h5.status =
            plu_fail(err, PLU_IO, "%s: cannot write it to the disk: %s", h5.path, strerror(errno));
    plu_h5_quiet_end(before);
    return h5.status;
}

plu_status plu_trajectory_close(plu_trajectory *t, plu_run_state end, plu_error *err)
{
    static const char *const states[] = {
        [PLU_RUN_RUNNING] = "running",
        [PLU_RUN_COMPLETE] = "complete",
        [PLU_RUN_INTERRUPTED] = "interrupted",
        [PLU_RUN_FAILED] = "failed",
    };
    _Static_assert(sizeof states / sizeof *states == PLU_RUN_STATES, "a word for each state");
    if (!t)
        return PLU_OK;
    const plu_status late = plu_writer_await(t, err);
    const plu_h5_quiet before = plu_h5_quiet_begin(t->foreign);
    plu_h5 h5 = plu_writer_h5(t, late == PLU_OK ? err : NULL);
    if (!t->untouched)
        plu_h5_attr_field_set(&h5, t->parameters, "state",
                              states[late == PLU_OK ? end : PLU_RUN_FAILED]);
    plu_status lasting = PLU_OK;
    plu_h5_give_back(t->file);
    if (!t->untouched && t->placed && h5.status == PLU_OK)
        lasting = plu_trajectory_sync(t, h5.err);
    const herr_t closed = H5Fclose(t->file);
    plu_h5_check(&h5, closed, "close the file");
    if (!t->placed) {
        plu_files_discard(&t->files);
        h5.status = PLU_OK; /* no result is to be kept */
    }
    plu_h5_quiet_end(before);
    plu_writer_free(t);
    return late != PLU_OK ? late : h5.status == PLU_OK ? lasting : h5.status;
}
