/* One step:
 *
 *     begin -> feed -> detect -> assemble and solve -> integrate -> project -> clear -> fall asleep
 *
 * Each stage is a function below, and calls the folders and files that do it; src/README.md has
 * the table. Nothing else changes the world within a step.
 *
 * A scene whose steps are chosen, or made in parts (scene.parts), climbs a ladder of halvings
 * (plu_ladder_climb), which calls `advance` once for each part; callbacks of a program run before
 * and after the whole step. */
#include "base/vec3.h"
#include "pluvia/scene.h"
#include "pluvia/solving.h"
#include "step/carried.h"
#include "step/impacts.h"
#include "step/integrate.h"
#include "step/jams.h"
#include "step/ladder.h"
#include "step/limits.h"
#include "step/method.h"
#include "step/projection.h"
#include "step/rules.h"
#include "step/stepper.h"
#include "step/totals.h"
#include "world/cell.h"
#include "world/groups.h"
#include "world/loads.h"
#include "world/servo.h"
#include <omp.h>
#include <string.h>

/* A step in progress. */
typedef struct passage {
    plu_stepper *s;
    plu_step_info *info;
    double since;  /* wall time at the end of the stage before */
    bool followed; /* the problem of the step before is that of the state now: not after a state was
                      set */
    bool same;     /* the live contacts are those of the step before */
} passage;

/* What is prescribed for the step: motions of boundaries and of groups of fixed grains, the cell,
 * servos. */
static plu_status begin(passage *p, plu_error *err)
{
    plu_stepper *s = p->s;
    p->since = omp_get_wtime();
    p->followed = s->contacts != NULL;
    s->cold = s->world->steps == 0 && plu_detector_count(s->detector) == 0;
    s->stop.given_up = false;
    memset(p->info, 0, sizeof *p->info);
    plu_motions_begin(s->world);
    plu_groups_begin(s->world);
    plu_cell_begin(s->world);
    const plu_status status = plu_servos_begin(s->world, err);
    plu_held_begin(s);
    return status;
}

/* Bodies that are due and fit enter. */
static plu_status feed(passage *p, plu_error *err)
{
    plu_stepper *s = p->s;
    const plu_status status = plu_world_release(s->world, &s->log, &s->totals.inserted, err);
    plu_lap(s, PLU_PHASE_FEED, &p->since);
    return status;
}

/* Finds the contacts of the step, wakes what touches a boundary that moves, and finds the moments
 * of the impacts within the step. */
static plu_status detect(passage *p, plu_error *err)
{
    plu_stepper *s = p->s;
    plu_status status = plu_detect_step(s->detector, &s->contacts, err);
    p->same = status == PLU_OK && p->followed && plu_detector_same_graph(s->detector);
    if (status == PLU_OK && plu_sleep_wake_at_walls(s)) {
        status = plu_detect_woken(s->detector, err);
        p->same = false;
    }
    if (status == PLU_OK)
        status = plu_world_shapes_fault(s->world, err);
    if (status == PLU_OK)
        status = plu_sensors_begin(s, err);
    if (status == PLU_OK)
        status = plu_impacts_begin(s, err);
    if (status != PLU_OK)
        return status;
    if (!p->same)
        plu_sleepers_look(s);
    plu_lap(s, PLU_PHASE_DETECT, &p->since);
    return PLU_OK;
}

/* Finds the impulses and the velocities at the end of the step, and hands them to those that need
 * them before bodies move: jams, the reports of islands, the work of errors, servos. */
static plu_status solve(passage *p, plu_error *err)
{
    plu_stepper *s = p->s;
    plu_loads_begin(s->world);
    plu_status status = plu_step_impulses(s, p->same, &p->since, p->info, err);
    if (status == PLU_OK)
        status = plu_jams_note(s, p->info, err);
    if (status != PLU_OK)
        return status;
    plu_report_islands(s, p->info);
    plu_error_work_measure(s, p->info);
    plu_servos_take(s);
    plu_lap(s, PLU_PHASE_SOLVE, &p->since);
    return PLU_OK;
}

/* Energies and depths by the impulses; then bodies, boundaries, groups and the cell move. */
static plu_status integrate(passage *p, plu_error *err)
{
    plu_stepper *s = p->s;
    plu_finish_contacts(s, p->info);
    if (s->cold)
        s->totals.cold = p->info->contacts > s->served ? p->info->contacts - s->served : 0;
    plu_rules_find(s, p->info, s->rule);
    plu_status status = plu_walls_start(s, err);
    if (status == PLU_OK)
        status = plu_carried_integrate(s, err);
    plu_loads_account(s);
    plu_motions_end(s->world);
    plu_groups_end(s->world);
    const plu_status held = plu_cell_end(s->world, err);
    return status == PLU_OK ? held : status;
}

/* Overlap beyond the slop is moved apart, and the rules get their numbers. */
static void project(passage *p, plu_status integrated)
{
    plu_stepper *s = p->s;
    if (integrated == PLU_OK && s->scene->stabilization == PLU_PROJECTION)
        plu_project_positions(s);
    if (s->world->split)
        s->rule[PLU_RULE_OVERLAP] = plu_rules_made(s);
    else
        plu_rules_count(s, s->rule);
    plu_lap(s, PLU_PHASE_INTEGRATE, &p->since);
    plu_ladder_tick(s);
}

/* The state at the end is compared with the limits. */
static plu_status check(passage *p, plu_error *err)
{
    const plu_status status = plu_world_shapes_fault(p->s->world, err);
    return status == PLU_OK ? plu_check_limits(p->s, p->info, err) : status;
}

/* Bodies that left the cell come back through its other side, and those that left the domain go. */
static void clear(passage *p)
{
    plu_stepper *s = p->s;
    plu_sensors_pass(s);
    if (s->world->space.kind == PLU_PERIODIC_SPACE) {
        s->totals.work_cell += plu_cell_wrap(s->world);
        plu_detector_follow(s->detector);
    }
    plu_world_remove_outside(s->world, &s->totals.removed);
    plu_sensors_end(s);
}

/* Beds that come to rest are calmed, those that were at rest for long fall asleep; the step is
 * counted. */
static void finish(passage *p)
{
    plu_stepper *s = p->s;
    if (!s->world->split) {
        plu_sleep_calm(s);
        plu_sleep_begin(s);
    }
    plu_lap(s, PLU_PHASE_FEED, &p->since);
    plu_totals_add(s, p->info);
    plu_locked_look(s, p->info);
}

static plu_status judge(const passage *p, plu_error *err)
{
    const plu_stepper *s = p->s;
    if (p->info->converged || s->scene->solver->on_failure != PLU_STOP)
        return PLU_OK;
    char missed[256];
    return plu_fail(err, PLU_NOT_CONVERGED,
                    "step %ld (t = %g s): the solver stopped after %d iterations with %s; raise "
                    "solver.max_iterations or set solver.on_failure = \"warn\"",
                    s->world->steps, s->world->time, p->info->iterations,
                    plu_missed_text(s, p->info, "", missed, sizeof missed));
}

static plu_status advance(plu_stepper *s, plu_step_info *info, plu_error *err)
{
    passage p = {.s = s, .info = info};
    plu_status status = begin(&p, err);
    if (status == PLU_OK)
        status = feed(&p, err);
    if (status == PLU_OK)
        status = detect(&p, err);
    if (status != PLU_OK || plu_ladder_gives_up(s))
        return status;
    status = solve(&p, err);
    if (status != PLU_OK)
        return status;
    status = integrate(&p, err);
    project(&p, status);
    if (status == PLU_OK)
        status = check(&p, err);
    clear(&p);
    finish(&p);
    return status == PLU_OK ? judge(&p, err) : status;
}

plu_status plu_step(plu_stepper *s, plu_step_info *info, plu_error *err)
{
    plu_status status = s->before ? s->before(s->user, s, NULL, err) : PLU_OK;
    if (status == PLU_OK)
        status = s->scene->parts ? plu_ladder_climb(s, advance, info, err) : advance(s, info, err);
    return status == PLU_OK && s->after ? s->after(s->user, s, info, err) : status;
}
