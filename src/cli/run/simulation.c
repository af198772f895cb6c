/* A scene and all that is made of it before the first step. Times of the scene become numbers of
 * steps, round(time / h), with a warning where that is no whole number. A run that goes on from
 * its own result gets its bodies from there where the runs are gone that its scene starts from.
 *
 *   scene + overrides (-s, --until)                    plu_scene_read
 *     parts that the run took from another one         adopt_again (only where a result exists)
 *     bodies: of the scene, or of frame 0 of the       make_world | make_again
 *       result, if the runs it starts from are gone
 *     numbers of steps, frames, checkpoints            plan
 *     all stages tried: each must be possible          plu_world_try_stages
 *     stepper, with the impulses of other runs         plu_stepper_create, plu_stepper_start
 *     messages and hints, at a first start only        hints.c */
#include "cli/run/simulation.h"
#include "cli/run/advice.h"
#include "cli/run/summary.h"
#include "pluvia/body.h"
#include "pluvia/cell.h"
#include "pluvia/frames.h"
#include "pluvia/writing.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* `last` (--until) after all others: the later override wins. */
static plu_status read_scene(plu_simulation *simulation, const char *path,
                             const plu_arguments *arguments, int set, const char *last,
                             plu_error *err)
{
    const char **overrides = calloc((size_t)arguments->given_count + 1, sizeof *overrides);
    if (!overrides)
        return plu_fail(err, PLU_IO, "out of memory for the overrides");
    int count = 0;
    for (int i = 0; i < arguments->given_count; i++)
        if (arguments->given[i].option == set)
            overrides[count++] = arguments->given[i].value;
    if (last)
        overrides[count++] = last;
    const plu_status status = plu_scene_read(&simulation->scene, path, overrides, count, err);
    free(overrides);
    return status;
}

/* How many steps `time` takes: the nearest number, at least one. */
static long steps_in(double time, const plu_scene *scene, const char *key, const plu_log *log)
{
    const double exact = time / scene->step;
    const double steps = fmax(1.0, round(exact));
    if (fabs(exact - steps) > 1e-6 * steps)
        plu_log_write(log, PLU_LOG_WARNING,
                      "%s = %g s is not a multiple of time.step = %g s: the run uses %g s instead",
                      key, time, scene->step, steps * scene->step);
    return (long)steps;
}

/* Falling forever has no end at rest, and speeds that no step suits. */
static void warn_of_falls(const plu_scene *scene, const plu_world *world, const plu_log *log)
{
    const bool held = scene->boundaries_count > 0 || plu_world_fixed(world) > 0;
    for (int k = 0; k < 3 && !held; k++)
        if (scene->cell->given && scene->cell->periodic >> k & 1 && scene->gravity[k] != 0.0)
            plu_log_write(log, PLU_LOG_WARNING,
                          "gravity acts along %c, where the cell is periodic, and no boundary "
                          "supports the spheres: they fall forever; set gravity = [0, 0, 0], or "
                          "remove \"%c\" from cell.periodic and add a floor",
                          "xyz"[k], "xyz"[k]);
}

void plu_simulation_plan_frames(plu_simulation *simulation, const plu_log *log)
{
    const plu_scene *scene = &simulation->scene;
    const bool one = scene->output->interval >= scene->end && scene->stages_count == 0;
    simulation->every =
        one ? simulation->steps : steps_in(scene->output->interval, scene, "output.interval", log);
}

/* 1e15: beyond that a number of steps is no longer exact in a double. */
static plu_status plan(plu_simulation *simulation, const plu_log *log, plu_error *err)
{
    const plu_scene *scene = &simulation->scene;
    if (scene->end / scene->step > 1e15)
        return plu_fail(err, PLU_BAD_INPUT,
                        "%s: time.end = %g s takes more than 1e15 steps of time.step = %g s",
                        scene->path, scene->end, scene->step);
    warn_of_falls(scene, simulation->world, log);
    simulation->steps = steps_in(scene->end, scene, "time.end", log);
    plu_simulation_plan_frames(simulation, log);
    for (int k = 0; k < scene->stages_count; k++) {
        char key[48];
        snprintf(key, sizeof key, "stages[%d].until.duration", k);
        if (scene->stages[k].duration > 0.0)
            steps_in(scene->stages[k].duration, scene, key, log);
    }
    if (scene->output->checkpoint_interval > 0.0 && scene->output->checkpoint_interval < scene->end)
        simulation->checkpoint_every =
            steps_in(scene->output->checkpoint_interval, scene, "output.checkpoint_interval", log);
    return PLU_OK;
}

bool plu_simulation_start_text(const plu_simulation *simulation, int entry, char *text, size_t size)
{
    const plu_scene *scene = &simulation->scene;
    const plu_start_entry *from =
        entry < simulation->start.entries ? &simulation->start.entry[entry] : NULL;
    if (!from || !from->read)
        return false;
    char where[PLU_PATH + 32], left[96] = "", impulses[96];
    if (from->waiting + from->removed > 0)
        snprintf(left, sizeof left, " (%d waiting and %d removed ones are left out)", from->waiting,
                 from->removed);
    if (!(scene->bodies[entry].keep & PLU_KEEP_IMPULSES))
        snprintf(impulses, sizeof impulses, "without impulses");
    else if (scene->method == PLU_PENALTY)
        snprintf(impulses, sizeof impulses, "the springs start unloaded");
    else if (from->contacts < 0)
        snprintf(impulses, sizeof impulses,
                 "without impulses: the file contains no contacts (output.contacts)");
    else
        snprintf(impulses, sizeof impulses, "impulses of %d of %d contacts", from->found,
                 from->contacts);
    char kept[160] = "";
    if (from->took_cell)
        snprintf(kept, sizeof kept, ", cell of %g x %g x %g m", scene->cell->size[0],
                 scene->cell->size[1], scene->cell->size[2]);
    if (from->took_cell && scene->cell->tilt != 0.0)
        snprintf(kept + strlen(kept), sizeof kept - strlen(kept), " tilted by %g m",
                 scene->cell->tilt);
    if (from->carried > 0)
        snprintf(kept + strlen(kept), sizeof kept - strlen(kept), ", %d boundar%s where %s",
                 from->carried, from->carried == 1 ? "y" : "ies",
                 from->carried == 1 ? "it was" : "they were");
    snprintf(text, size, "%s: %d sphere%s of %s at t = %.9g s%s, %s%s",
             plu_scene_where(scene, scene->bodies[entry].where, where, sizeof where), from->count,
             from->count == 1 ? "" : "s", scene->bodies[entry].path, from->time, left, impulses,
             kept);
    return true;
}

static bool lacks_runs(const plu_scene *scene)
{
    bool lacks = false;
    for (int e = 0; e < scene->bodies_count; e++)
        lacks |= scene->bodies[e].kind == PLU_FROM_RUN && access(scene->bodies[e].path, F_OK) != 0;
    return lacks;
}

/* The world of a run that is to go on, without the runs that it started from: its spheres are those
 * of its own first frame. */
static plu_status make_again(plu_simulation *simulation, const char *result, plu_error *err)
{
    plu_frames *frames = NULL;
    plu_frame_data f;
    plu_status status = plu_frames_open(&frames, result, err);
    if (status == PLU_OK && plu_frames_count(frames) == 0)
        status = plu_fail(err, PLU_BAD_INPUT, "%s: it has no frames to continue from", result);
    if (status == PLU_OK)
        status = plu_frames_read(frames, 0, &f, err);
    if (status == PLU_OK) {
        const plu_known_bodies known = {.count = f.bodies,
                                        .position = f.position,
                                        .radius = f.radius,
                                        .species = f.species,
                                        .state = f.state,
                                        .fixed = f.fixed,
                                        .velocity = f.velocity,
                                        .angular_velocity = f.angular_velocity};
        status = plu_world_create_again(&simulation->world, &simulation->scene, &known, err);
    }
    plu_frames_close(frames);
    simulation->again = true;
    return status;
}

/* A result that cannot be read is named where the run goes on from it. */
static plu_status adopt_again(plu_scene *scene, const char *result, plu_error *err)
{
    char *began = NULL;
    plu_error unread = {0};
    plu_status status = PLU_OK;
    if (plu_trajectory_scene(&began, true, result, &unread) == PLU_OK)
        status = plu_start_adopt_again(scene, result, began, err);
    free(began);
    return status;
}

static plu_status make_world(plu_simulation *simulation, const char *result, plu_error *err)
{
    if (result && lacks_runs(&simulation->scene))
        return make_again(simulation, result, err);
    const plu_status status = plu_start_read(&simulation->start, &simulation->scene, err);
    return status == PLU_OK ? plu_world_create_from(&simulation->world, &simulation->scene,
                                                    &simulation->start, err)
                            : status;
}

plu_status plu_simulation_open(plu_simulation *simulation, const char *path,
                               const plu_arguments *arguments, int set, const char *last,
                               const char *result, const plu_log *log, plu_error *err)
{
    char text[2 * PLU_PATH + 256];
    const bool begun = result && access(result, F_OK) == 0;
    *simulation = (plu_simulation){0};
    plu_status status = read_scene(simulation, path, arguments, set, last, err);
    if (status == PLU_OK && begun)
        status = adopt_again(&simulation->scene, result, err);
    if (status == PLU_OK)
        status = make_world(simulation, begun ? result : NULL, err);
    if (status == PLU_OK)
        status = plan(simulation, log, err);
    if (status == PLU_OK && simulation->scene.stages_count > 1)
        status = plu_world_try_stages(simulation->world, &simulation->scene, err);
    if (status == PLU_OK)
        status = plu_stepper_create(&simulation->stepper, simulation->world, &simulation->scene,
                                    log, err);
    if (status == PLU_OK)
        status = plu_stepper_start(simulation->stepper, &simulation->start, err);
    for (int e = 0; status == PLU_OK && !begun && e < simulation->start.entries; e++)
        if (plu_simulation_start_text(simulation, e, text, sizeof text))
            plu_log_write(log, PLU_LOG_INFO, "%s", text);
    if (status == PLU_OK)
        plu_meshes_warn(&simulation->scene, log);
    if (status == PLU_OK && !begun) {
        const plu_bodies_view bodies = plu_world_bodies(simulation->world);
        plu_hints_warn(&simulation->scene, 0.5 * plu_simulation_diameter(simulation), log);
        plu_hints_warn_of_idle(&simulation->scene, &bodies, log);
    }
    return status;
}

void plu_simulation_close(plu_simulation *simulation)
{
    plu_stepper_destroy(simulation->stepper);
    plu_world_destroy(simulation->world);
    plu_start_free(&simulation->start);
    plu_scene_free(&simulation->scene);
    *simulation = (plu_simulation){0};
}

double plu_simulation_trajectory_bytes(const plu_simulation *simulation)
{
    const plu_output_spec *output = simulation->scene.output;
    const unsigned q = output->quantities;
    const int reals = 3 + 3 * !!(q & PLU_OUT_VELOCITY) + 3 * !!(q & PLU_OUT_ANGULAR_VELOCITY) +
                      4 * !!(q & PLU_OUT_ORIENTATION) + 3 * !!(q & PLU_OUT_FORCE);
    const double real = output->float32 ? 4.0 : 8.0;
    /* Moving bodies: shuffled mantissas shrink little. A grain has about two contacts of 200 bytes.
     */
    const double shrink = output->compression > 0 ? 0.7 : 1.0;
    const double body = shrink * (reals * real + 5.0) + (output->contacts ? 2.0 * 200.0 : 0.0);
    const double frames = (double)(simulation->steps / simulation->every) + 2.0;
    /* What HDF5 needs for the data sets of a file with one body, and for each frame of it. */
    const double empty = 320e3, frame = 1100.0;
    return empty + frames * (plu_world_bodies(simulation->world).count * body + frame);
}

double plu_simulation_diameter(const plu_simulation *simulation)
{
    const plu_bodies_view bodies = plu_world_bodies(simulation->world);
    double radius = 0.0;
    for (int i = 0; i < bodies.count; i++)
        radius = fmax(radius, bodies.position[i][3]);
    return 2.0 * radius;
}
