/* The scene that a trajectory contains, for all that reads one: the stored text with all defaults,
 * and the meshes that are stored with it, so that a result can be read where the files of its scene
 * are gone. A scene that is given besides (--scene) has to be the same where that can be read.
 *
 * Below: stages of a run. Each frame has the number of its stage in the column "stage" of
 * /observables; a stage begins at the frame before its first one, which is the state it starts
 * from:
 *
 *   frame    0    1    2    3    4    5
 *   stage    0    0    0    1    1    1
 *   stage 0: begun at t(0), ended at t(2);  stage 1: begun at t(2), ended at t(5) */
#include "cli/base/run_scene.h"
#include "cli/base/text.h"
#include "pluvia/scene.h"
#include "pluvia/start.h"
#include "pluvia/trajectory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* `frames`: those of the trajectory if it is open already, which saves opening it twice. */
plu_status plu_run_scene_read(plu_scene *scene, const char *trajectory, plu_frames *frames,
                              plu_error *err)
{
    char *text = NULL;
    plu_status status = frames ? plu_frames_scene(&text, true, frames, err)
                               : plu_trajectory_scene(&text, true, trajectory, err);
    if (status == PLU_OK)
        status = plu_scene_read_stored(scene, trajectory, text, err);
    if (status == PLU_OK && (status = plu_trajectory_meshes(scene, trajectory, err)) != PLU_OK)
        plu_scene_free(scene);
    free(text);
    return status;
}

/* Compares the texts with all defaults, so that neither comments nor the order of keys count. */
static plu_status given_scene_compare(const plu_scene *given, const char *began,
                                      const char *trajectory, plu_error *err)
{
    char changes[512];
    plu_error why = {0};
    if (plu_scene_compare(began, given->resolved, changes, sizeof changes, &why) == PLU_OK)
        return PLU_OK;
    return plu_fail(
        err, PLU_BAD_INPUT,
        "option --scene: %s is not the scene of %s, which contains its own: remove the option\n"
        "%s",
        given->path, trajectory, why.text);
}

/* A scene that starts from another run takes over parts of it (plu_start_adopt_again); the stored
 * text has these parts, hence they are added to the given scene before the comparison. */
plu_status plu_given_scene_check(const char *path, const char *trajectory, plu_error *err)
{
    char *began = NULL;
    plu_scene given = {0};
    plu_status status = plu_scene_read(&given, path, NULL, 0, err);
    if (status == PLU_OK)
        status = plu_trajectory_scene(&began, true, trajectory, err);
    if (status == PLU_OK)
        status = plu_start_adopt_again(&given, trajectory, began, err);
    if (status == PLU_OK)
        status = given_scene_compare(&given, began, trajectory, err);
    free(began);
    plu_scene_free(&given);
    return status;
}

plu_status plu_given_scene_read(plu_scene *scene, const char *path, const char *trajectory,
                                plu_error *err)
{
    plu_error why = {0};
    const plu_status own = plu_run_scene_read(scene, trajectory, NULL, &why);
    plu_scene_free(scene);
    if (own != PLU_OK)
        plu_message(
            "the scene in %s cannot be read; the picture uses %s, which cannot be compared with it",
            trajectory, path);
    const plu_status status = own == PLU_OK ? plu_given_scene_check(path, trajectory, err) : PLU_OK;
    return status == PLU_OK ? plu_scene_read(scene, path, NULL, 0, err) : status;
}

/* --- stages --- */

/* The number of each frame's stage. */
static plu_status read_numbers(const double **number, plu_frames *frames, plu_error *err)
{
    const plu_status status = plu_frames_observable(number, frames, "stage", err);
    return status != PLU_OK || *number
               ? status
               : plu_fail(err, PLU_BAD_INPUT,
                          "damaged: its scene has stages, but /observables has no \"stage\"");
}

static void note(plu_run_stages *s, int stage, long frame, const plu_frames *frames)
{
    const double time = plu_frames_time(frames, frame);
    s->of[frame] = stage;
    if (s->first[stage] < 0) {
        s->first[stage] = frame;
        s->begun[stage] = plu_frames_time(frames, frame > 0 ? frame - 1 : 0);
    }
    s->last[stage] = frame;
    s->ended[stage] = time;
}

plu_status plu_run_stages_read(plu_run_stages *s, const plu_scene *scene, plu_frames *frames,
                               plu_error *err)
{
    const size_t count = (size_t)plu_frames_count(frames);
    *s = (plu_run_stages){.count = scene->stages_count};
    for (int k = 0; k < PLU_STAGES; k++)
        s->first[k] = s->last[k] = -1;
    if (s->count == 0)
        return PLU_OK;
    const double *number = NULL;
    s->of = calloc(count + 1, sizeof *s->of);
    plu_status status = s->of ? read_numbers(&number, frames, err)
                              : plu_fail(err, PLU_IO, "out of memory for the stages");
    for (size_t k = 0; status == PLU_OK && k < count; k++) {
        if (!(number[k] >= 0.0 && number[k] < s->count))
            status = plu_fail(err, PLU_BAD_INPUT, "damaged: frame %zu is of an unknown stage", k);
        else
            note(s, (int)number[k], (long)k, frames);
    }
    return status;
}

void plu_run_stages_free(plu_run_stages *s)
{
    free(s->of);
    s->of = NULL;
}

/* `window` holds --from and --to, which count from the beginning of the stage; it becomes the
 * window in times of the run, within the stage. */
plu_status plu_run_stages_window(const plu_run_stages *s, const plu_scene *scene, const char *name,
                                 plu_window *window, const plu_frames *frames, plu_error *err)
{
    const int k = plu_scene_stage(scene, name);
    char names[512] = "";
    if (scene->stages_count == 0)
        return plu_fail(err, PLU_USAGE, "option --stage: the run has no stages");
    for (int i = 0; i < scene->stages_count; i++) {
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s\"%s\"", i ? ", " : "",
                 scene->stages[i].name);
    }
    if (k < 0)
        return plu_fail(err, PLU_USAGE,
                        "option --stage: the run has no stage \"%s\"; it has %s (numbers 0 to %d)",
                        name, names, scene->stages_count - 1);
    if (s->first[k] < 0)
        return plu_fail(err, PLU_USAGE, "option --stage: the run did not come to stage \"%s\"",
                        scene->stages[k].name);
    const double from = s->begun[k] + window->from, to = s->begun[k] + window->to;
    const double first = plu_frames_time(frames, s->first[k]);
    *window = (plu_window){fmax(from, first), fmin(to, s->ended[k]), s->first[k] > 0};
    window->since &= window->from == first;
    if (!(window->from <= window->to * (1.0 + 1e-9)))
        return plu_fail(err, PLU_USAGE,
                        "option --from: stage \"%s\" lasted for %g s, and times count from its "
                        "beginning at %g s",
                        scene->stages[k].name, s->ended[k] - s->begun[k], s->begun[k]);
    return PLU_OK;
}

plu_status plu_stage_argument(const plu_arguments *arguments, int option, plu_frames *frames,
                              const char *path, long *from, long *to, plu_error *err)
{
    plu_scene scene = {0};
    plu_run_stages stages = {0};
    plu_status status = plu_run_scene_read(&scene, path, frames, err);
    if (status == PLU_OK)
        status = plu_run_stages_read(&stages, &scene, frames, err);
    plu_window window = {-INFINITY, INFINITY, false};
    if (status == PLU_OK)
        status = plu_run_stages_window(&stages, &scene, plu_argument(arguments, option), &window,
                                       frames, err);
    *from = 0;
    *to = plu_frames_count(frames);
    if (status == PLU_OK)
        plu_window_clip(&window, frames, from, to);
    plu_run_stages_free(&stages);
    plu_scene_free(&scene);
    return status;
}
