#include "cli/base/run_stages.h"
#include "cli/base/run_scene.h"
#include "pluvia/scene.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

plu_status plu_run_stages_window(const plu_run_stages *s, const plu_scene *scene, const char *name,
                                 plu_window *window, const plu_frames *frames, plu_error *err)
{
    const int k = plu_scene_stage(scene, name);
    char names[512] = "";
    for (int i = 0; i < scene->stages_count; i++) {
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s\"%s\"", i ? ", " : "",
                 scene->stages[i].name);
    }
    if (k < 0)
        return plu_fail(err, PLU_USAGE, "option --stage: the run has no stage \"%s\"%s%s", name,
                        *names ? "; it has " : ", nor any other", names);
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
