/* pluvia run: from a scene to a trajectory.
 *
 *     options, scene, world and stepper (simulation.c), lock on the result (one run a file)
 *       -> nothing to do, or from a checkpoint, or from zero (restart.c)
 *     steps:   step -> problem dumped? -> frame due? -> progress -> at rest, stage over? ->
 *              copy for a rescue -> checkpoint due? -> signal, --max-time?
 *     end:     after a failed step back to the last good one (ending.c); last frame, state of the
 *              file, last checkpoint, summary
 *
 * The order in a step matters: a frame is written before the checkpoint that counts it, and a
 * checkpoint only after the frames are on the disk, so that whatever a kill leaves can be
 * continued. */
#include "cli/base/commands.h"
#include "cli/base/process.h"
#include "cli/base/text.h"
#include "cli/run/ending.h"
#include "cli/run/progress.h"
#include "cli/run/restart.h"
#include "cli/run/result_files.h"
#include "cli/run/run_options.h"
#include "cli/run/summary.h"
#include "cli/run/team_size.h"
#include "pluvia/control.h"
#include "pluvia/stage_run.h"
#include "pluvia/writing.h"
#include <math.h>
#include <omp.h>
#include <string.h>

typedef struct run {
    char path[PLU_PATH]; /* of the trajectory */
    plu_simulation simulation;
    plu_progress progress;
    plu_run_lock *lock; /* on the result */
    plu_trajectory *trajectory;
    plu_team_size team; /* of the steps */
    bool free;          /* its size was left to the run */
    plu_step_info info; /* of the last step */
    plu_run_report report;
    plu_dump_folder dump;
    plu_rescue rescue;
    plu_run_record record;
    plu_stage_run stages;
    plu_beginning beginning;
    long framed; /* step of the last frame, -1: none */
    long good;   /* last step in which nothing went wrong */
    plu_log log;
    /* wall times (s) */
    double begun;        /* when the run would have begun without a break */
    double checkpointed; /* of the last checkpoint */
    plu_ending ending;
    bool returned; /* from a step that went wrong to the last good one */
    bool saved;    /* the last good step is a checkpoint */
} run;

/* `lasts`: a run that goes on from here has it, too. */
static plu_status write_frame(run *r, bool lasts, plu_error *err)
{
    const double start = omp_get_wtime();
    const long step = plu_world_steps(r->simulation.world);
    if (step)
        plu_stepper_natural(r->simulation.stepper, &r->info);
    const plu_status status = plu_trajectory_frame(r->trajectory, step ? &r->info : NULL, err);
    r->record.output_seconds += omp_get_wtime() - start;
    if (status != PLU_OK)
        return status;
    r->framed = step;
    if (lasts) {
        r->record.frames++;
        r->record.framed = step;
    }
    return PLU_OK;
}

static plu_stage_run *stages_of(run *r)
{
    r->stages.scene = &r->simulation.scene;
    r->stages.world = r->simulation.world;
    r->stages.stepper = r->simulation.stepper;
    r->stages.record = &r->record;
    r->stages.log = &r->log;
    return &r->stages;
}

/* Writes the frame of the end of a stage, and begins the next one. */
static plu_status next_stage(run *r, plu_error *err)
{
    const bool last = r->record.stage + 1 == r->simulation.scene.stages_count;
    plu_status status = PLU_OK;
    if (r->framed != plu_world_steps(r->simulation.world))
        status = write_frame(r, true, err);
    if (status == PLU_OK && last)
        r->record.at_rest = r->report.stages_over = true;
    else if (status == PLU_OK)
        status = plu_stage_run_next(stages_of(r), err);
    if (status == PLU_OK && !last) {
        plu_simulation_plan_frames(&r->simulation, &r->log);
        plu_rescue_close(&r->rescue);
        status = plu_rescue_open(&r->rescue, &r->simulation, &r->record, err);
    }
    return status;
}

/* Whether the run, or its present stage, is over. */
static plu_status look_for_end(run *r, bool *over, plu_error *err)
{
    const plu_simulation *simulation = &r->simulation;
    const bool staged = simulation->scene.stages_count > 0;
    *over = staged ? plu_stage_run_over(stages_of(r), &r->info) : plu_stage_run_rests(stages_of(r));
    if (staged)
        return *over ? next_stage(r, err) : plu_stage_run_overdue(stages_of(r), &r->info, err);
    r->record.at_rest = *over;
    r->report.at_rest = *over && plu_world_steps(simulation->world) < simulation->steps;
    return PLU_OK;
}

static plu_status write_checkpoint(run *r, plu_error *err)
{
    const plu_simulation *simulation = &r->simulation;
    r->checkpointed = omp_get_wtime();
    r->record.wall_seconds = r->checkpointed - r->begun;
    return plu_checkpoint_write(r->path, &simulation->scene, simulation->world, simulation->stepper,
                                &r->record, err);
}

/* Writes a checkpoint, after the frames to which it refers are on the disk. */
static plu_status save_now(run *r, plu_error *err)
{
    const plu_status status = plu_trajectory_sync(r->trajectory, err);
    return status == PLU_OK ? write_checkpoint(r, err) : status;
}

/* Writes a checkpoint if one is due. */
static plu_status run_save(run *r, plu_error *err)
{
    const plu_simulation *simulation = &r->simulation;
    const long every = simulation->checkpoint_every;
    const double wall = simulation->scene.output->checkpoint_wall_interval;
    const bool due = (every > 0 && plu_world_steps(simulation->world) % every == 0) ||
                     (wall > 0.0 && omp_get_wtime() - r->checkpointed >= wall);
    return due ? save_now(r, err) : PLU_OK;
}

/* Steps to the end, to rest, to a signal or to the first failure; at least one, because a run that
 * was continued knows its contacts only after a step. */
static plu_status advance(run *r, plu_error *err)
{
    plu_simulation *simulation = &r->simulation;
    const long first = r->good;
    const double begun = omp_get_wtime();
    long step;
    plu_stepper_set_stop(simulation->stepper, plu_ending_gives_up, &r->ending);
    do {
        const double each = (omp_get_wtime() - begun) / (double)(r->good - first + 1);
        plu_ending_step(&r->ending, each * (double)plu_rescue_steps(&r->rescue, r->good));
        const double start = plu_team_size_clock(&r->team);
        plu_status status = plu_step(simulation->stepper, &r->info, err);
        plu_team_size_step(&r->team, plu_team_size_clock(&r->team) - start);
        r->report.last = &r->info;
        if (status == PLU_OK || status == PLU_NOT_CONVERGED)
            status = plu_dump_step(&r->dump, simulation, &r->info, status, err);
        if (status != PLU_OK)
            return status;
        step = r->good = plu_world_steps(simulation->world);
        if ((step - r->record.staged) % simulation->every == 0)
            status = write_frame(r, true, err);
        plu_progress_stage(&r->progress, r->record.stage, r->record.staged);
        plu_progress_step(&r->progress, &r->info);
        bool over = false;
        if (status == PLU_OK)
            status = look_for_end(r, &over, err);
        if (status == PLU_OK && r->record.at_rest)
            return PLU_OK;
        if (status == PLU_OK && !over)
            status = plu_rescue_note(&r->rescue, simulation, &r->record, err);
        if (status == PLU_OK && step < simulation->steps)
            status = run_save(r, err);
        if (status != PLU_OK)
            return status;
    } while (step < simulation->steps && !plu_ending_due(&r->ending));
    return PLU_OK;
}

/* Whether the status is that of a failed step, whose state must not be kept. */
static bool is_spoilt(plu_status status)
{
    return status == PLU_BREAKDOWN || status == PLU_NOT_CONVERGED || status == PLU_STOPPED;
}

static void go_back(run *r)
{
    plu_run_record unused = r->record; /* that of the last good step it is already */
    plu_error second = {0};
    plu_stepper_set_stop(r->simulation.stepper, NULL, NULL);
    r->returned = plu_rescue_return(&r->rescue, &r->simulation, &unused, r->good, &r->info,
                                    &second) == PLU_OK;
    r->report.last = NULL;
}

/* Makes all steps and writes all frames; the last frame is written however the run ends. */
static plu_status simulate(run *r, plu_error *err)
{
    plu_status status = PLU_OK;
    r->good = plu_world_steps(r->simulation.world);
    if (r->beginning != PLU_BEGIN_CONTINUE)
        status = write_frame(r, true, err);
    else
        r->framed = r->record.framed;
    if (status == PLU_OK)
        status = plu_rescue_open(&r->rescue, &r->simulation, &r->record, err);
    if (status != PLU_OK)
        return status;
    if (r->free)
        plu_team_size_begin(&r->team, r->report.threads,
                            plu_world_bodies(r->simulation.world).count);
    status = advance(r, err);
    r->report.used = plu_team_size_end(&r->team);
    if (is_spoilt(status))
        go_back(r);
    r->ending.given_up = status == PLU_STOPPED && r->returned;
    if (r->ending.given_up)
        status = plu_ending_due(&r->ending) ? PLU_OK : status;
    if (status != PLU_IO && (r->returned || !is_spoilt(status)) &&
        r->framed != plu_world_steps(r->simulation.world)) {
        plu_error last = {0};
        if (write_frame(r, false, &last) != PLU_OK && status == PLU_OK) {
            *err = last;
            status = PLU_IO;
        }
    }
    plu_progress_finish(&r->progress, &r->info);
    return status;
}

static plu_run_state end_state(plu_status status, const run *r)
{
    if (status != PLU_OK)
        return PLU_RUN_FAILED;
    const bool done =
        r->record.at_rest || plu_world_steps(r->simulation.world) >= r->simulation.steps;
    return done ? PLU_RUN_COMPLETE : PLU_RUN_INTERRUPTED;
}

/* A new trajectory, or that of the run that goes on, which sets the simulation to where it was. */
static plu_status open_trajectory(run *r, const plu_arguments *arguments, const plu_log *log,
                                  plu_error *err)
{
    char command[PLU_PATH];
    plu_arguments_join(arguments, command, sizeof command);
    plu_restart restart = {.source = plu_argument(arguments, PLU_RUN_OPTION_RESTART),
                           .path = r->path,
                           .simulation = &r->simulation,
                           .provenance = {command, r->report.threads, NULL},
                           .record = &r->record,
                           .log = log};
    if (restart.source) {
        const plu_status status = plu_restart_begin(&restart, &r->beginning, err);
        r->trajectory = restart.trajectory;
        r->report.frames = restart.frames;
        if (status != PLU_OK || r->beginning == PLU_BEGIN_CONTINUE ||
            r->beginning == PLU_BEGIN_NOTHING)
            return status;
    }
    r->dump.replace =
        plu_argument_given(arguments, PLU_RUN_OPTION_FORCE) || r->beginning == PLU_BEGIN_REPLACE;
    return plu_trajectory_create(&r->trajectory, r->path, r->dump.replace, &r->simulation.scene,
                                 r->simulation.world, r->simulation.stepper, &restart.provenance,
                                 err);
}

/* Records how the run ended and writes a last checkpoint, so that the run can be continued: an
 * "interrupted" run always has a checkpoint; a "complete" run needs none. */
static plu_status run_finish(run *r, plu_status status, plu_error *err)
{
    plu_error closing = {0}, saving = {0};
    plu_status saved = PLU_OK;
    r->report.end = end_state(status, r);
    const bool early = r->report.end == PLU_RUN_INTERRUPTED;
    if (early && (saved = save_now(r, &saving)) != PLU_OK)
        r->report.end = PLU_RUN_FAILED;
    r->report.frames = plu_trajectory_frames(r->trajectory);
    const plu_status closed = plu_trajectory_close(r->trajectory, r->report.end, &closing);
    if (!early && (status == PLU_OK || r->returned) && closed == PLU_OK)
        saved = write_checkpoint(r, &saving);
    r->saved = r->returned && closed == PLU_OK && saved == PLU_OK;
    r->report.wall_seconds = omp_get_wtime() - r->begun;
    r->report.output_seconds = r->record.output_seconds;
    if (status != PLU_OK || (closed == PLU_OK && saved == PLU_OK))
        return status;
    *err = saved != PLU_OK ? saving : closing;
    r->report.end = PLU_RUN_FAILED;
    return err->status;
}

/* The run between the opening of the trajectory and its end; fills the report. */
static plu_status record(run *r, const plu_arguments *arguments, const plu_log *log, plu_error *err)
{
    r->log = *log;
    r->report.path = r->path;
    r->report.record = &r->record;
    r->report.threads = r->report.used = omp_get_max_threads();
    r->report.advice = plu_step_advise(&r->simulation); /* whose bodies are those of the start */
    plu_stop_listen();
    plu_status status = plu_run_lock_take(&r->lock, r->path, err);
    if (status == PLU_OK)
        status = open_trajectory(r, arguments, log, err);
    if (status == PLU_OK && r->beginning != PLU_BEGIN_NOTHING)
        status = plu_dump_open(&r->dump, &r->simulation, r->path, err);
    if (status != PLU_OK || r->beginning == PLU_BEGIN_NOTHING) {
        plu_error closing;
        plu_trajectory_close(r->trajectory, PLU_RUN_FAILED, &closing);
        return status;
    }
    plu_trajectory_behind(r->trajectory);
    if (r->simulation.scene.stages_count == 0)
        r->record.until_rest = r->simulation.scene.until_rest;
    plu_progress_start(&r->progress, &r->simulation);
    r->checkpointed = omp_get_wtime();
    r->begun = r->checkpointed - r->record.wall_seconds;
    return run_finish(r, simulate(r, err), err);
}

static plu_status run_scene(run *r, const plu_arguments *arguments, plu_error *err)
{
    char until[64];
    plu_status status =
        plu_run_options_read(arguments,
                             &(plu_run_options){r->path, &r->free, &r->progress,
                                                &r->ending.max_time, until, sizeof until},
                             err);
    if (status != PLU_OK)
        return status;
    const plu_log log = plu_progress_log(&r->progress);
    status = plu_simulation_open(
        &r->simulation, arguments->operands[0], arguments, PLU_RUN_OPTION_SET,
        until[0] ? until : NULL,
        plu_argument_given(arguments, PLU_RUN_OPTION_RESTART) ? r->path : NULL, &log, err);
    if (status == PLU_OK)
        status = plu_result_spare(r->path, &r->simulation.scene, err);
    if (status == PLU_OK)
        status = record(r, arguments, &log, err);
    if (status == PLU_OK && r->beginning == PLU_BEGIN_NOTHING)
        plu_restart_tell_complete(r->path, &r->simulation.scene, &r->record, &log);
    else if (r->report.frames > 0)
        plu_summary_print(r->progress.quiet ? NULL : stdout, &r->simulation, &r->report, &log);
    if (status == PLU_OK && r->report.end == PLU_RUN_COMPLETE && r->report.frames > 0)
        plu_stage_run_warn(stages_of(r));
    plu_run_lock_release(r->lock);
    plu_rescue_close(&r->rescue);
    plu_simulation_close(&r->simulation);
    return status;
}

static int command_run(const plu_arguments *arguments)
{
    run r = {.framed = -1, .ending.started = omp_get_wtime()};
    plu_error err = {0};
    const plu_status status = run_scene(&r, arguments, &err);
    if (status != PLU_OK) {
        if (r.saved)
            plu_message("the checkpoint of step %ld, the last good state, is saved", r.good);
        plu_message_error(&err); /* last: what people and campaigns look at */
        return (int)status;
    }
    return r.report.end == PLU_RUN_INTERRUPTED ? plu_ending_say(&r.ending) : PLU_OK;
}

const plu_command plu_command_run = {
    .name = "run",
    .operands = "SCENE",
    .least = 1,
    .most = 1,
    .summary = "simulate a scene and write its trajectory",
    .examples =
        "pluvia run scenes/first.cfg\n"
        "pluvia run scenes/pile/pile.cfg -o output/rough.h5md -s 'contacts.*.friction=0.6'\n"
        "pluvia run scenes/pile/pile.cfg --until 2 --force\n"
        "pluvia run scenes/pile/pile.cfg --max-time 2h --restart auto   starts or continues",
    .notes =
        "The first frame is the start, the last one the end. Ctrl-C finishes the current step,\n"
        "writes it as the last frame and as a checkpoint, and ends with exit code 130; a second\n"
        "Ctrl-C stops at once.\n"
        "Checkpoints (NAME.checkpoint.h5 beside the trajectory) are written every 10 minutes\n"
        "(output.checkpoint_wall_interval), by simulated time if the scene says so, and at the "
        "end.\n"
        "A continued run gives the same bits as an uninterrupted one; the scene must be the same\n"
        "except for time.end and a few other keys (scenes/reference.md names them).\n"
        "Exit codes: 0 done (also with steps that did not converge, unless the scene says\n"
        "solver.on_failure = \"stop\"), 3 invalid scene, 4 not converged, 5 cannot write,\n"
        "6 beyond the limits of the scene (`limits`) or not finite, 7 another run writes the same\n"
        "result, 75 out of time (--max-time), 129, 130 and 143 interrupted.\n"
        "Abbreviations of the progress bar on a narrow terminal: b bodies, c contacts, sw sweeps\n"
        "per step, e velocity error or residual, K kinetic energy (J), nc steps not converged, we\n"
        "work of errors over that of friction, fb share of processor time in solver.fallback.",
    .options = plu_run_option_table,
    .options_count = PLU_RUN_OPTION_COUNT,
    .run = command_run,
};
