/* pluvia run: from a scene to a trajectory. */
#include "commands.h"
#include "dump.h"
#include "message.h"
#include "progress.h"
#include "stop.h"
#include "summary.h"
#include <math.h>
#include <omp.h>
#include <string.h>

enum { OUTPUT, THREADS, SET, UNTIL, FORCE, PROGRESS, QUIET };

static const plu_option options[] = {
    [OUTPUT] = {'o', "output", "FILE.h5md", NULL,
                "the trajectory; default: output/NAME.h5md, NAME being\n"
                "the scene file without its folder and without .cfg"},
    [THREADS] = {'j', "threads", "N", NULL,
                 "default: OMP_NUM_THREADS, else all cores;\n"
                 "the result is the same for every N"},
    [SET] = {'s', "set", "KEY=VALUE", NULL, "overrides a key of the scene; may be given again"},
    [UNTIL] = {0, "until", "T", NULL, "simulated time in s; the same as -s time.end=T"},
    [FORCE] = {0, "force", NULL, NULL, "replaces an existing result"},
    [PROGRESS] = {0, "progress", "KIND", "auto",
                  "auto, bar, plain (a line every 10 s)\nor none; on stderr"},
    [QUIET] = {'q', "quiet", NULL, NULL, "only warnings and errors: no progress, no summary"},
};

typedef struct run {
    char path[PLU_PATH]; /* of the trajectory */
    plu_simulation simulation;
    plu_progress progress;
    plu_trajectory *trajectory;
    plu_step_info info; /* of the last step */
    plu_run_report report;
    plu_dump_folder dump;
    long framed;          /* step of the last frame, -1: none */
    double rest_duration; /* s that all must be still to count as at rest */
} run;

/* NAME of output/NAME.h5md */
static void default_path(const char *scene, char *path, size_t size)
{
    const char *slash = strrchr(scene, '/');
    const char *name = slash ? slash + 1 : scene;
    size_t length = strlen(name);
    if (length > 4 && strcmp(name + length - 4, ".cfg") == 0)
        length -= 4;
    snprintf(path, size, "output/%.*s.h5md", (int)length, name);
}

static plu_status choose_path(const plu_arguments *arguments, char *path, size_t size,
                              plu_error *err)
{
    if (!plu_argument_given(arguments, OUTPUT)) {
        default_path(arguments->operands[0], path, size);
        return PLU_OK;
    }
    const char *given = plu_argument(arguments, OUTPUT);
    const char *slash = strrchr(given, '/');
    const char *name = slash ? slash + 1 : given;
    const size_t length = strlen(name), extension = strlen(".h5md");
    if (length <= extension || strcmp(name + length - extension, ".h5md") != 0)
        return plu_fail(err, PLU_USAGE,
                        "option --output: \"%s\" is no name of a trajectory; it must end in .h5md",
                        given);
    if (strlen(given) >= size)
        return plu_fail(err, PLU_USAGE, "option --output: the path is too long");
    strcpy(path, given);
    return PLU_OK;
}

static plu_status use_threads(const plu_arguments *arguments, plu_error *err)
{
    long threads;
    if (!plu_argument_given(arguments, THREADS))
        return PLU_OK;
    const plu_status status = plu_argument_integer(arguments, THREADS, 1, 1024, &threads, err);
    if (status == PLU_OK)
        omp_set_num_threads((int)threads);
    return status;
}

static plu_status write_frame(run *r, plu_error *err)
{
    const double start = omp_get_wtime();
    const long step = plu_world_steps(r->simulation.world);
    const plu_status status = plu_trajectory_frame(r->trajectory, step ? &r->info : NULL, err);
    r->report.output_seconds += omp_get_wtime() - start;
    if (status == PLU_OK) {
        r->report.frames++;
        r->framed = step;
    }
    return status;
}

/* True when nothing has moved for the time of a fall through one diameter: a sphere at the top of
 * its flight is still for a moment only. */
static bool at_rest(const run *r, double *still_since)
{
    const plu_simulation *simulation = &r->simulation;
    if (!(simulation->scene.until_rest > 0.0))
        return false;
    const double time = plu_world_time(simulation->world);
    if (!(plu_stepper_unrest(simulation->stepper) < simulation->scene.until_rest)) {
        *still_since = time;
        return false;
    }
    return time - *still_since >= r->rest_duration;
}

/* Steps to the end, to rest, to a signal or to the first failure. */
static plu_status advance(run *r, plu_error *err)
{
    plu_simulation *simulation = &r->simulation;
    double still_since = plu_world_time(simulation->world);
    for (long step = 1; step <= simulation->steps && !plu_stop_signal(); step++) {
        plu_status status = plu_step(simulation->stepper, &r->info, err);
        if (status == PLU_OK || status == PLU_NOT_CONVERGED)
            status = plu_dump_step(&r->dump, simulation, &r->info, status, err);
        if (status != PLU_OK)
            return status;
        if (step % simulation->every == 0) {
            status = write_frame(r, err);
            if (status != PLU_OK)
                return status;
        }
        plu_progress_step(&r->progress, &r->info);
        if (at_rest(r, &still_since)) {
            r->report.at_rest = step < simulation->steps;
            return PLU_OK;
        }
    }
    return PLU_OK;
}

/* Frames from the start to the end, which is written whatever ended the run. */
static plu_status simulate(run *r, plu_error *err)
{
    plu_status status = write_frame(r, err);
    if (status != PLU_OK)
        return status;
    status = advance(r, err);
    if (status != PLU_IO && r->framed != plu_world_steps(r->simulation.world)) {
        plu_error last = {0};
        if (write_frame(r, &last) != PLU_OK && status == PLU_OK) {
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
        r->report.at_rest || plu_world_steps(r->simulation.world) >= r->simulation.steps;
    return done ? PLU_RUN_COMPLETE : PLU_RUN_INTERRUPTED;
}

/* The command line, options spelled out, as far as it fits. */
static void join_command(const plu_arguments *arguments, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "pluvia run %s", arguments->operands[0]);
    for (int i = 0; i < arguments->given_count && used < size; i++) {
        const struct plu_given *given = &arguments->given[i];
        used += (size_t)snprintf(text + used, size - used, " --%s%s%s", options[given->option].name,
                                 given->value ? "=" : "", given->value ? given->value : "");
    }
}

static plu_status create_trajectory(run *r, const plu_arguments *arguments, plu_error *err)
{
    char command[PLU_PATH];
    join_command(arguments, command, sizeof command);
    const plu_provenance provenance = {command, r->report.threads};
    return plu_trajectory_create(&r->trajectory, r->path, plu_argument_given(arguments, FORCE),
                                 &r->simulation.scene, r->simulation.world, r->simulation.stepper,
                                 &provenance, err);
}

/* The run between the creation of the trajectory and its end; fills the report. */
static plu_status record(run *r, const plu_arguments *arguments, plu_error *err)
{
    const double *gravity = r->simulation.scene.gravity;
    const double g =
        sqrt(gravity[0] * gravity[0] + gravity[1] * gravity[1] + gravity[2] * gravity[2]);
    r->rest_duration = sqrt(2.0 * plu_simulation_diameter(&r->simulation) / g);
    r->report.path = r->path;
    r->report.threads = omp_get_max_threads();
    plu_stop_listen();
    plu_status status = create_trajectory(r, arguments, err);
    if (status == PLU_OK)
        status = plu_dump_open(&r->dump, &r->simulation, r->path, err);
    if (status != PLU_OK)
        return status;
    plu_progress_start(&r->progress, &r->simulation);
    const double start = omp_get_wtime();
    status = simulate(r, err);
    r->report.end = end_state(status, r);
    plu_error closing = {0};
    const plu_status closed = plu_trajectory_close(r->trajectory, r->report.end, &closing);
    r->report.wall_seconds = omp_get_wtime() - start;
    if (status == PLU_OK && closed != PLU_OK) {
        *err = closing;
        r->report.end = PLU_RUN_FAILED;
        return closed;
    }
    return status;
}

/* All options but the overrides; `until` is the override that --until stands for, or empty. */
static plu_status read_options(run *r, const plu_arguments *arguments, char *until, size_t size,
                               plu_error *err)
{
    plu_status status = choose_path(arguments, r->path, sizeof r->path, err);
    if (status == PLU_OK)
        status = use_threads(arguments, err);
    if (status == PLU_OK)
        status = plu_progress_open(&r->progress, plu_argument(arguments, PROGRESS),
                                   plu_argument_given(arguments, QUIET), err);
    until[0] = '\0';
    if (status == PLU_OK && plu_argument_given(arguments, UNTIL)) {
        double end;
        status = plu_argument_positive(arguments, UNTIL, &end, err);
        snprintf(until, size, "time.end=%.15g", end);
    }
    return status;
}

static plu_status run_scene(run *r, const plu_arguments *arguments, plu_error *err)
{
    char until[64];
    plu_status status = read_options(r, arguments, until, sizeof until, err);
    if (status != PLU_OK)
        return status;
    const plu_log log = plu_progress_log(&r->progress);
    status = plu_simulation_open(&r->simulation, arguments->operands[0], arguments, SET,
                                 until[0] ? until : NULL, &log, err);
    if (status == PLU_OK)
        status = record(r, arguments, err);
    if (r->report.frames > 0 && !r->progress.quiet)
        plu_summary_print(stdout, &r->simulation, &r->report);
    plu_simulation_close(&r->simulation);
    return status;
}

static int command_run(const plu_arguments *arguments)
{
    run r = {.framed = -1};
    plu_error err = {0};
    const plu_status status = run_scene(&r, arguments, &err);
    if (status != PLU_OK) {
        plu_message_error(&err);
        return (int)status;
    }
    if (r.report.end == PLU_RUN_INTERRUPTED) {
        plu_message("interrupted; the trajectory is readable up to this step");
        return 128 + plu_stop_signal();
    }
    return PLU_OK;
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
        "pluvia run scenes/pile/pile.cfg --until 2 --force",
    .notes =
        "The first frame is the start, the last one the end. Ctrl-C ends the present step, writes\n"
        "it as the last frame and leaves with 130; a second one stops at once.\n"
        "Exit codes: 0 done (also with steps that did not converge, unless the scene says\n"
        "solver.on_failure = \"stop\"), 3 invalid scene, 4 not converged, 5 cannot write,\n"
        "6 a velocity is not finite, 130 and 143 interrupted.\n"
        "The bar on a narrow terminal shortens: b bodies, c contacts, sw sweeps a step, e "
        "residual,\n"
        "K kinetic energy (J).",
    .options = options,
    .options_count = sizeof options / sizeof *options,
    .run = command_run,
};
