/* Trajectories: a right one with edits, read by all that reads them. */
#include "edits.h"
#include "judge.h"
#include "pluvia/body.h"
#include "pluvia/cell.h"
#include "pluvia/frames.h"
#include "pluvia/material.h"
#include "pluvia/scene.h"
#include "pluvia/writing.h"
#include "reseal.h"
#include "small_run.h"

enum { FRAMES = 4 };

static original right;

static void make_right(void)
{
    small_run run;
    plu_trajectory *t;
    plu_step_info info;
    char folder[] = "/tmp/pluvia-fuzz-XXXXXX", path[64], sidecar[64];
    require(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/a.h5md", folder);
    snprintf(sidecar, sizeof sidecar, "%s/a.xdmf", folder);
    setenv("HDF5_USE_FILE_LOCKING", "FALSE", 1);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    small_run_read(&run);
    small_run_begin(&run);
    const plu_provenance provenance = {.command = "pluvia run a.cfg", .threads = 1};
    require(plu_trajectory_create(&t, path, false, &run.scene, run.world, run.stepper, &provenance,
                                  NULL) == PLU_OK);
    for (int k = 0; k < FRAMES; k++) {
        require(plu_trajectory_frame(t, k ? &info : NULL, NULL) == PLU_OK);
        for (int i = 0; i < 5; i++)
            require(plu_step(run.stepper, &info, NULL) == PLU_OK);
    }
    require(plu_trajectory_close(t, PLU_RUN_COMPLETE, NULL) == PLU_OK);
    small_run_end(&run);
    plu_scene_free(&run.scene);
    original_take(&right, path);
    unlink(sidecar);
    rmdir(folder);
}

/* Refused with a sentence, or with the memory at its end. */
static void refused(plu_status status, const plu_error *err)
{
    require((status == PLU_BAD_INPUT || status == PLU_IO) && err->text[0]);
}

static void read_frames(plu_frames *frames)
{
    enum { MOST = 64 };
    plu_error err = {0};
    plu_frame_data frame;
    const long count = plu_frames_count(frames);
    double sum = 0.0;
    for (long k = 0; k < count && k < MOST; k++) {
        const plu_status status = plu_frames_read(frames, k, &frame, &err);
        if (status != PLU_OK) {
            refused(status, &err);
            return;
        }
        for (int i = 0; i < frame.bodies; i++)
            sum += frame.position[i][2] + frame.radius[i] + frame.id[i] + frame.state[i];
        for (int i = 0; i < frame.contacts; i++)
            sum += frame.contact[i].gap + plu_side_to_file(frame.contact[i].a);
    }
    const double *values;
    for (int i = 0; i < plu_frames_observables(frames); i++)
        if (plu_frames_observable(&values, frames, plu_frames_observable_name(frames, i), &err) ==
                PLU_OK &&
            count)
            sum += values[count - 1];
    volatile double use = sum;
    (void)use;
}

/* A scene that starts from the file, with all that it may keep. */
static void start_from(double at, bool whole)
{
    plu_material material = {.name = "m", .density = 1300.0};
    plu_body_spec body = {.kind = PLU_FROM_RUN, .material = -1, .at = at, .keep = 15};
    plu_cell_spec cell = {.given = false};
    plu_output_spec output = {.interval = 0.01};
    plu_scene scene = {.step = 1e-3,
                       .cell = &cell,
                       .output = &output,
                       .path = "start.cfg",
                       .allow_overlap = true,
                       .materials_count = 1,
                       .materials = &material,
                       .bodies_count = 1,
                       .bodies = &body};
    plu_error err = {0};
    plu_start start;
    snprintf(body.path, sizeof body.path, "%s", scratch);
    plu_status status = plu_start_read(&start, &scene, &err);
    require(!whole || (status == PLU_OK && start.entry[0].contacts > 0));
    if (status == PLU_OK)
        require(start.entry[0].read && start.entry[0].count >= 0);
    else
        refused(status, &err);
    for (int i = 0; status == PLU_OK && i < start.entry[0].contacts; i++)
        require(start.entry[0].contact[i].a < start.entry[0].count &&
                start.entry[0].contact[i].b < start.entry[0].count);
    plu_start_free(&start);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!right.bytes)
        make_right();
    input in = {data, data + size};
    plu_trajectory_info info = {0};
    plu_frames *frames;
    plu_error err = {0};
    edited(&in, &right);
    if (size % 8 != 7) /* else the sums find it */
        reseal(scratch);
    plu_status status = plu_trajectory_info_read(&info, scratch, &err);
    require(size > 0 || (status == PLU_OK && info.frames == FRAMES));
    if (status != PLU_OK)
        refused(status, &err);
    status = plu_frames_open(&frames, scratch, &err);
    require(size > 0 || status == PLU_OK);
    if (status == PLU_OK)
        read_frames(frames);
    else
        refused(status, &err);
    if (status == PLU_OK)
        plu_frames_close(frames);
    start_from(size % 2 ? PLU_AT_END : info.end, size == 0);
    plu_verified verified;
    status = plu_trajectory_verify(&verified, scratch, &err);
    if (status == PLU_OK)
        require(verified.frames == FRAMES);
    else
        refused(status, &err);
    require(size > 0 || status == PLU_OK);
    for (int resolved = 0; resolved < 2; resolved++) {
        char *text = NULL;
        status = plu_trajectory_scene(&text, resolved, scratch, &err);
        require(status == PLU_OK ? text != NULL : err.text[0]);
        free(text);
    }
    return 0;
}
