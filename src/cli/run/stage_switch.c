#include "cli/run/stage_switch.h"
#include <math.h>
#include <string.h>

static const double slack = 1e-6; /* steps: times of steps are rounded */

static const plu_stage_spec *present(const plu_simulation *simulation, const plu_run_record *record)
{
    return &simulation->scene.stages[record->stage];
}

/* Whether what ends the stage has lasted for so long (s), up to now. */
static bool has_lasted(const plu_simulation *simulation, plu_run_record *record, bool now,
                       double long_enough)
{
    const double time = plu_world_time(simulation->world);
    if (!now)
        record->still_since = time;
    return now && time - record->still_since >= long_enough - slack * simulation->scene.step;
}

bool plu_stage_rests(const plu_simulation *simulation, plu_run_record *record)
{
    const double *gravity = simulation->scene.gravity;
    const double g =
        sqrt(gravity[0] * gravity[0] + gravity[1] * gravity[1] + gravity[2] * gravity[2]);
    if (!(simulation->scene.until_rest > 0.0))
        return false;
    const double time = plu_world_time(simulation->world);
    if (!(plu_stepper_rest_measure(simulation->stepper) < simulation->scene.until_rest)) {
        record->still_since = time;
        return false;
    }
    return time - record->still_since >= sqrt(2.0 * plu_simulation_diameter(simulation) / g);
}

bool plu_stage_over(const plu_simulation *simulation, plu_run_record *record,
                    const plu_step_info *info)
{
    const plu_stage_spec *stage = present(simulation, record);
    const double h = simulation->scene.step, time = plu_world_time(simulation->world);
    if (stage->duration > 0.0)
        return (double)(plu_world_steps(simulation->world) - record->staged) >=
               fmax(1.0, round(stage->duration / h));
    if (stage->time > 0.0)
        return time >= stage->time - slack * h;
    if (stage->rest > 0.0)
        return plu_stage_rests(simulation, record);
    if (!*stage->number)
        return false;
    const double value = plu_stepper_reading(simulation->stepper, &stage->reading, info);
    return has_lasted(simulation, record, value >= stage->least && value <= stage->most,
                      stage->hold);
}

/* "it is not at rest" */
static const char *why_not(const plu_simulation *simulation, const plu_stage_spec *stage,
                           const plu_step_info *info, char *text, size_t size)
{
    if (stage->rest > 0.0)
        snprintf(text, size, "the bodies are not at rest (their largest energy is %.3g m g d)",
                 plu_stepper_rest_measure(simulation->stepper));
    else if (*stage->number)
        snprintf(text, size, "%s is %.6g", stage->number,
                 plu_stepper_reading(simulation->stepper, &stage->reading, info));
    else
        snprintf(text, size, "its end has not come");
    return text;
}

plu_status plu_stage_overdue(const plu_simulation *simulation, const plu_run_record *record,
                             const plu_step_info *info, plu_error *err)
{
    const plu_stage_spec *stage = present(simulation, record);
    const double lasted = plu_world_time(simulation->world) - record->begun[record->stage];
    char where[PLU_PATH + 32], why[256];
    if (!(stage->within > 0.0) || lasted < stage->within - slack * simulation->scene.step)
        return PLU_OK;
    return plu_fail(err, PLU_BREAKDOWN,
                    "%s: stage \"%s\" is not over %g s after it began (until.within), at t = %g s: "
                    "%s",
                    plu_scene_where(&simulation->scene, stage->where, where, sizeof where),
                    stage->name, stage->within, plu_world_time(simulation->world),
                    why_not(simulation, stage, info, why, sizeof why));
}

plu_status plu_stage_next(plu_simulation *simulation, plu_run_record *record, const plu_log *log,
                          plu_error *err)
{
    const char *ended = present(simulation, record)->name;
    const double time = plu_world_time(simulation->world);
    record->stage++;
    record->staged = plu_world_steps(simulation->world);
    record->begun[record->stage] = record->still_since = time;
    plu_log_write(log, PLU_LOG_INFO, "step %ld (t = %g s): stage \"%s\" is over, \"%s\" begins",
                  record->staged, time, ended, present(simulation, record)->name);
    return plu_simulation_stage(simulation, record, true, log, err);
}

void plu_stage_warn(const plu_simulation *simulation, const plu_run_record *record,
                    const plu_log *log)
{
    const plu_scene *scene = &simulation->scene;
    char left[512] = "";
    if (scene->stages_count == 0 || record->at_rest ||
        (record->stage + 1 == scene->stages_count && !present(simulation, record)->ends))
        return;
    for (long k = record->stage + 1; k < scene->stages_count; k++) {
        const size_t used = strlen(left);
        snprintf(left + used, sizeof left - used, "%s\"%s\"",
                 *left ? ", " : "; not begun: ", scene->stages[k].name);
    }
    plu_log_write(log, PLU_LOG_WARNING,
                  "time.end = %g s came before the end of stage \"%s\"%s; a later --until with "
                  "--restart auto goes on",
                  scene->end, present(simulation, record)->name, left);
}
