/* From which state a run continues (restart.h):
 *
 *     checkpoint, or the one before where it is damaged
 *       trajectory missing    an error: it is what the checkpoint continues
 *       of another scene      an error, but for keys that may change (keys.c)
 *       complete, at rest     nothing to do
 *       else                  state from the checkpoint, trajectory cut back to its step
 *     no checkpoint
 *       trajectory complete   nothing to do
 *       killed or failed      from zero, in its place, with a warning
 *       else                  an error: somebody has removed the checkpoint
 *       no trajectory         a new run */
#include "cli/run/restart.h"
#include "pluvia/stage_run.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

static bool is_auto(const plu_restart *r)
{
    return strcmp(r->source, "auto") == 0;
}

/* The newest checkpoint, or the previous one where that is damaged or missing. */
static plu_status open_either(const plu_restart *r, const char *newest, const char *previous,
                              plu_checkpoint *c, plu_error *err)
{
    plu_status status = plu_checkpoint_open(c, newest, err);
    const bool damaged = status == PLU_BAD_INPUT;
    if ((!damaged && exists(newest)) || !exists(previous))
        return status;
    plu_checkpoint_close(c);
    plu_error second = {0};
    status = plu_checkpoint_open(c, previous, &second);
    if (status != PLU_OK && damaged)
        return plu_error_add(err, status, "there is no other checkpoint either: %s", second.text);
    if (status != PLU_OK)
        *err = second;
    else if (damaged)
        plu_log_write(r->log, PLU_LOG_WARNING, "%s; the run continues from the previous checkpoint",
                      err->text);
    return status;
}

/* `began`: the scene with which `version` of pluvia began the run of `what`. */
static bool scene_fits(plu_restart *r, const char *began, const char *version, const char *what,
                       plu_error *err)
{
    plu_error why = {0};
    if (plu_scene_compare(began, r->simulation->scene.resolved, r->changes, sizeof r->changes,
                          &why) == PLU_OK)
        return true;
    if (strcmp(version, plu_version()) == 0)
        plu_fail(
            err, PLU_BAD_INPUT,
            "%s belongs to another scene: %s; to go on with other keys, start a new run from a "
            "frame of this one: a scene with bodies = ( { run: { path = \"%s\"; }; } )",
            what, why.text, r->path);
    else
        plu_fail(err, PLU_BAD_INPUT,
                 "%s was written by pluvia %s, and pluvia %s does not continue its run, because it "
                 "understands the scene differently; start a new run from it (bodies.run), or use "
                 "--force instead of --restart to start again",
                 what, version, plu_version());
    return false;
}

/* Whether the file says that the run is complete. The scene may have a later end since then. */
static plu_status is_complete(const plu_restart *r, bool *complete, plu_trajectory_info *info,
                              plu_error *err)
{
    const plu_status status = plu_trajectory_info_read(info, r->path, err);
    /* by time: steps that a run chooses may have another length now */
    const double end = (double)r->simulation->steps * r->simulation->scene.step;
    *complete = status == PLU_OK && strcmp(info->state, "complete") == 0 &&
                lround(info->end / info->step) >= lround(end / info->step);
    return status;
}

/* Whether the run must have had a checkpoint, because it was completed or interrupted properly. If
 * it is missing, the user has removed it and may want to keep the result. Other runs were killed or
 * failed before their first checkpoint. */
static bool had_checkpoint(const plu_trajectory_info *info)
{
    return strcmp(info->state, "complete") == 0 || strcmp(info->state, "interrupted") == 0;
}

/* A trajectory without a checkpoint. */
static plu_status without_checkpoint(plu_restart *r, plu_beginning *beginning, plu_error *err)
{
    plu_trajectory_info info;
    char *began = NULL;
    bool complete;
    plu_status status = is_complete(r, &complete, &info, err);
    if (status == PLU_OK)
        status = plu_trajectory_scene(&began, true, r->path, err);
    if (status == PLU_OK && !scene_fits(r, began, info.version, r->path, err))
        status = PLU_BAD_INPUT;
    free(began);
    if (status != PLU_OK)
        return status;
    *beginning = complete ? PLU_BEGIN_NOTHING : PLU_BEGIN_REPLACE;
    if (!complete && had_checkpoint(&info))
        return plu_fail(err, PLU_BAD_INPUT,
                        "%s (%s) has no checkpoint to continue from, because it was removed; use "
                        "--force instead of --restart to start again",
                        r->path, info.state);
    if (!complete)
        plu_log_write(r->log, PLU_LOG_WARNING,
                      "%s %s before its first checkpoint (output.checkpoint_wall_interval): the "
                      "run starts again, and its %ld frame%s up to t = %g s will be replaced",
                      r->path, strcmp(info.state, "failed") == 0 ? "failed" : "was killed",
                      info.frames, info.frames == 1 ? "" : "s", info.end);
    return PLU_OK;
}

/* Whether the run ended at rest by a time.until_rest that has not changed since. */
static bool rests(const plu_restart *r)
{
    return r->record->at_rest && r->simulation->scene.until_rest >= r->record->until_rest;
}

/* Motions and laws of the stage come before the state is loaded, which fits only these. */
static plu_status enter_stage(plu_restart *r, const plu_checkpoint *c, plu_error *err)
{
    if (r->record->stage >= r->simulation->scene.stages_count)
        return plu_fail(err, PLU_BAD_INPUT, "%s: damaged: it is of stage %ld, which is not there",
                        c->path, r->record->stage);
    plu_stage_run stages = {.scene = &r->simulation->scene,
                            .world = r->simulation->world,
                            .stepper = r->simulation->stepper,
                            .record = r->record,
                            .log = r->log};
    const plu_status status = plu_stage_run_enter(&stages, false, err);
    plu_simulation_plan_frames(r->simulation, r->log);
    return status;
}

static plu_status restart_load(plu_restart *r, plu_checkpoint *c, plu_beginning *beginning,
                               plu_error *err)
{
    plu_simulation *simulation = r->simulation;
    plu_status status = plu_checkpoint_record(c, r->record, err);
    if (status == PLU_OK && r->record->stage > 0)
        status = enter_stage(r, c, err);
    if (status == PLU_OK)
        status = plu_checkpoint_load(c, simulation->stepper, r->record, err);
    *beginning = rests(r) ? PLU_BEGIN_NOTHING : PLU_BEGIN_CONTINUE;
    if (status != PLU_OK || *beginning == PLU_BEGIN_NOTHING)
        return status;
    if (strcmp(c->version, plu_version()) != 0)
        plu_log_write(r->log, PLU_LOG_WARNING,
                      "%s was written by pluvia %s: the run may differ in the last bits from one "
                      "made by pluvia %s alone",
                      c->path, c->version, plu_version());
    const long step = plu_world_steps(simulation->world);
    if (simulation->scene.stages_count ==
        0) { /* a later end may bring frames where none were due */
        r->record->frames = step / simulation->every + 1;
        r->record->framed = (r->record->frames - 1) * simulation->every;
    }
    r->frames = r->record->frames;
    r->provenance.changes = r->changes;
    status = plu_trajectory_continue(&r->trajectory, r->path, &simulation->scene, simulation->world,
                                     simulation->stepper, err);
    if (status == PLU_OK)
        status = plu_checkpoint_adopt(r->path, c->path, &simulation->scene, simulation->world,
                                      simulation->stepper, r->record, err);
    if (status == PLU_OK)
        status =
            plu_trajectory_cut(r->trajectory, r->frames, r->record->framed, &r->provenance, err);
    if (status == PLU_OK)
        plu_log_write(r->log, PLU_LOG_INFO, "%s: continues from step %ld, t = %g s%s%s", r->path,
                      step, plu_world_time(simulation->world), *r->changes ? ", with " : "",
                      r->changes);
    return status;
}

static plu_status from_checkpoint(plu_restart *r, plu_checkpoint *c, plu_beginning *beginning,
                                  plu_error *err)
{
    if (!exists(r->path))
        return plu_fail(err, PLU_IO,
                        "%s exists, but not %s, which it continues: put it back, or use --force "
                        "instead of --restart to start again",
                        c->path, r->path);
    if (!scene_fits(r, c->scene, c->version, c->path, err))
        return PLU_BAD_INPUT;
    plu_trajectory_info info;
    bool complete;
    plu_status status = is_complete(r, &complete, &info, err);
    *beginning = PLU_BEGIN_NOTHING;
    if (status != PLU_OK || complete)
        return status;
    const double h = r->simulation->scene.step;
    if (lround((double)c->step * info.step / h) > r->simulation->steps)
        return plu_fail(err, PLU_BAD_INPUT,
                        "%s is of t = %g s, later than the end of the run, t = %g s: give a later "
                        "--until",
                        c->path, (double)c->step * info.step, (double)r->simulation->steps * h);
    return restart_load(r, c, beginning, err); /* also from the last step: to close the result */
}

/* Whether the trajectory was removed, but not what its run wrote beside it for ParaView. */
static bool sidecar_is_left(const plu_restart *r)
{
    char path[PLU_PATH], head[4096];
    const char *slash = strrchr(r->path, '/'), *data = slash ? slash + 1 : r->path;
    const size_t stem = strlen(r->path) - strlen(".h5md");
    if (snprintf(path, sizeof path, "%.*s.xdmf", (int)stem, r->path) >= (int)sizeof path)
        return false;
    FILE *in = fopen(path, "r");
    const size_t length = in ? fread(head, 1, sizeof head - 1, in) : 0;
    head[length] = '\0';
    if (in)
        fclose(in);
    const bool ours = strncmp(head, "<?xml", 5) == 0 && strstr(head, data) != NULL;
    if (ours)
        plu_log_write(
            r->log, PLU_LOG_WARNING,
            "%s is there, but not the trajectory %s: the run starts again, and replaces it", path,
            r->path);
    return ours;
}

static plu_status restart_begin(plu_restart *r, plu_beginning *beginning, plu_error *err)
{
    char newest[PLU_PATH], previous[PLU_PATH];
    plu_checkpoint c = {0};
    plu_status status = plu_checkpoint_names(r->path, newest, previous, err);
    if (status != PLU_OK)
        return status;
    if (is_auto(r) && !exists(newest) && !exists(previous)) {
        if (exists(r->path))
            return without_checkpoint(r, beginning, err);
        *beginning = sidecar_is_left(r) ? PLU_BEGIN_REPLACE : PLU_BEGIN_NEW;
        return PLU_OK;
    }
    status = is_auto(r) ? open_either(r, newest, previous, &c, err)
                        : plu_checkpoint_open(&c, r->source, err);
    if (status == PLU_OK)
        status = from_checkpoint(r, &c, beginning, err);
    plu_checkpoint_close(&c);
    return status;
}

plu_status plu_restart_begin(plu_restart *r, plu_beginning *beginning, plu_error *err)
{
    plu_status status = restart_begin(r, beginning, err);
    const bool anew = *beginning == PLU_BEGIN_NEW || *beginning == PLU_BEGIN_REPLACE;
    if (status == PLU_OK && anew && r->simulation->again) /* says what is missing */
        status = plu_start_read(&r->simulation->start, &r->simulation->scene, err);
    if (status != PLU_OK) {
        plu_error closing;
        plu_trajectory_close(r->trajectory, PLU_RUN_FAILED, &closing);
        r->trajectory = NULL;
    }
    return status;
}

void plu_restart_tell_complete(const char *path, const plu_scene *scene,
                               const plu_run_record *record, const plu_log *log)
{
    plu_log_write(log, PLU_LOG_INFO, "%s is complete%s", path,
                  !record->at_rest ? "; to continue it, give a later --until"
                  : scene->stages_count > 0
                      ? ": its stages are over; to go on, start a new run from it (bodies.run)"
                      : ": it ended at rest (time.until_rest); to go on all the same, add "
                        "-s time.until_rest=0");
}
