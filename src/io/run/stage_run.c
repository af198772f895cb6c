/* Stages of a run: when they end, and the next ones. An end has to last: each condition (rest, a
 * stress, a number of `measure`) is looked at between steps, and the time since it has held
 * counts.
 *
 *     stage k  |-- condition fails --|-- holds ... for so long --|  stage k + 1, on the same world
 *                                    still_since                    and in the same file
 *
 *   until.duration   steps since the stage began, as a whole number
 *   until.time       a time of the run
 *   until.rest       plu_stage_run_rests
 *   until a number   least <= value <= most, for `hold` seconds
 *   within           later than that is an error (plu_stage_run_overdue)
 *
 * Times are compared with a slack of 1e-6 steps: 0.3 is not three times 0.1 in a double. */
#include "pluvia/stage_run.h"
#include "pluvia/material.h"
#include "pluvia/scene.h"
#include "pluvia/sensor.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double slack = 1e-6; /* steps: times of steps are rounded */

enum { UNDEFINED = 100 }; /* steps after which a message says that a number is */

static const plu_stage_spec *present(const plu_stage_run *run)
{
    return &run->scene->stages[run->record->stage];
}

/* The diameter of the largest body (m). */
static double diameter(const plu_world *world)
{
    const plu_bodies_view bodies = plu_world_bodies(world);
    double radius = 0.0;
    for (int i = 0; i < bodies.count; i++)
        radius = fmax(radius, bodies.position[i][3]);
    return 2.0 * radius;
}

/* Whether what ends the stage has lasted for so long (s), up to now. */
static bool has_lasted(plu_stage_run *run, bool now, double long_enough)
{
    const double time = plu_world_time(run->world);
    if (!now)
        run->record->still_since = time;
    return now && time - run->record->still_since >= long_enough - slack * run->scene->step;
}

/* sqrt(2 d / g) is the time of a fall by a diameter: a body at the top of its flight is slow, too,
 * but falls again within that time. */
bool plu_stage_run_rests(plu_stage_run *run)
{
    const double *gravity = run->scene->gravity;
    const double g =
        sqrt(gravity[0] * gravity[0] + gravity[1] * gravity[1] + gravity[2] * gravity[2]);
    if (!(run->scene->until_rest > 0.0))
        return false;
    const double time = plu_world_time(run->world);
    if (!(plu_stepper_rest_measure(run->stepper) < run->scene->until_rest)) {
        run->record->still_since = time;
        return false;
    }
    return time - run->record->still_since >= sqrt(2.0 * diameter(run->world) / g);
}

/* The time of a passage that has not been yet is none: that may still come. */
static bool may_come(const plu_scene *scene, const plu_stage_number *reading)
{
    return reading->kind == PLU_READ_SENSOR &&
           strcmp(plu_sensor_number_name(scene->sensors[reading->index].kind, reading->part),
                  "first") == 0;
}

/* A number that is undefined ends no stage: once, after some steps. */
static void tell_undefined(plu_stage_run *run, const plu_stage_spec *stage, double value)
{
    char where[PLU_PATH + 32];
    run->undefined = isnan(value) ? run->undefined + 1 : 0;
    if (run->undefined != UNDEFINED || may_come(run->scene, &stage->reading))
        return;
    plu_log_write(run->log, PLU_LOG_WARNING,
                  "%s: stage \"%s\" ends by %s, which is undefined for %d steps up to t = %g s: it "
                  "cannot end as long as that lasts",
                  plu_scene_where(run->scene, stage->where, where, sizeof where), stage->name,
                  stage->number, UNDEFINED, plu_world_time(run->world));
}

bool plu_stage_run_over(plu_stage_run *run, const plu_step_info *info)
{
    const plu_stage_spec *stage = present(run);
    const double h = run->scene->step, time = plu_world_time(run->world);
    if (stage->duration > 0.0)
        return (double)(plu_world_steps(run->world) - run->record->staged) >=
               fmax(1.0, round(stage->duration / h));
    if (stage->time > 0.0)
        return time >= stage->time - slack * h;
    if (stage->rest > 0.0)
        return plu_stage_run_rests(run);
    if (!*stage->number)
        return false;
    const double value = plu_stepper_reading(run->stepper, &stage->reading, info);
    tell_undefined(run, stage, value);
    return has_lasted(run, value >= stage->least && value <= stage->most, stage->hold);
}

/* Where friction lets spheres roll and no rolling friction stops them, they may do so for ever. */
static bool spins_on(const plu_scene *scene)
{
    bool free = false;
    for (int l = 0; l < scene->laws_count; l++)
        free |= scene->laws[l].friction > 0.0 && scene->laws[l].rolling_friction == 0.0;
    return free;
}

/* "it is not at rest" */
static const char *why_not(const plu_stage_run *run, const plu_stage_spec *stage,
                           const plu_step_info *info, char *text, size_t size)
{
    if (stage->rest > 0.0)
        snprintf(text, size, "the bodies are not at rest (their largest energy is %.3g m g d)%s",
                 plu_stepper_rest_measure(run->stepper),
                 spins_on(run->scene) ? "; where rolling_friction of contacts is 0, what rolls or "
                                        "spins may do so for ever"
                                      : "");
    else if (*stage->number && run->undefined > 0)
        snprintf(text, size, "%s is undefined", stage->number);
    else if (*stage->number)
        snprintf(text, size, "%s is %.6g", stage->number,
                 plu_stepper_reading(run->stepper, &stage->reading, info));
    else
        snprintf(text, size, "its end has not come");
    return text;
}

plu_status plu_stage_run_overdue(const plu_stage_run *run, const plu_step_info *info,
                                 plu_error *err)
{
    const plu_stage_spec *stage = present(run);
    const double lasted = plu_world_time(run->world) - run->record->begun[run->record->stage];
    char where[PLU_PATH + 32], why[256];
    if (!(stage->within > 0.0) || lasted < stage->within - slack * run->scene->step)
        return PLU_OK;
    return plu_fail(err, PLU_BREAKDOWN,
                    "%s: stage \"%s\" is not over %g s after it began (until.within), at t = %g s: "
                    "%s",
                    plu_scene_where(run->scene, stage->where, where, sizeof where), stage->name,
                    stage->within, plu_world_time(run->world),
                    why_not(run, stage, info, why, sizeof why));
}

plu_status plu_stage_run_enter(plu_stage_run *run, bool goes_on, plu_error *err)
{
    run->undefined = 0;
    plu_scene_enter(run->scene, (int)run->record->stage, run->record->begun);
    return plu_stepper_restage(run->stepper, goes_on, err);
}

/* The stage begins with this step: durations and times of its motions count from here. */
plu_status plu_stage_run_next(plu_stage_run *run, plu_error *err)
{
    const char *ended = present(run)->name;
    const double time = plu_world_time(run->world);
    run->record->stage++;
    run->record->staged = plu_world_steps(run->world);
    run->record->begun[run->record->stage] = run->record->still_since = time;
    plu_log_write(run->log, PLU_LOG_INFO,
                  "step %ld (t = %g s): stage \"%s\" is over, \"%s\" begins", run->record->staged,
                  time, ended, present(run)->name);
    return plu_stage_run_enter(run, true, err);
}

void plu_stage_run_warn(const plu_stage_run *run)
{
    const plu_scene *scene = run->scene;
    char left[512] = "";
    if (scene->stages_count == 0 || run->record->at_rest ||
        (run->record->stage + 1 == scene->stages_count && !present(run)->ends))
        return;
    for (long k = run->record->stage + 1; k < scene->stages_count; k++) {
        const size_t used = strlen(left);
        snprintf(left + used, sizeof left - used, "%s\"%s\"",
                 *left ? ", " : "; not begun: ", scene->stages[k].name);
    }
    plu_log_write(run->log, PLU_LOG_WARNING,
                  "time.end = %g s came before the end of stage \"%s\"%s%s%s; a later --until with "
                  "--restart auto goes on",
                  scene->end, present(run)->name,
                  run->undefined > 0 ? ", whose number is undefined: " : "",
                  run->undefined > 0 ? present(run)->number : "", left);
}
