/* One step, and what is kept of it. */
#include "assemble/cohesion.h"
#include "assemble/given_rows.h"
#include "base/memory.h"
#include "base/team.h"
#include "base/vec3.h"
#include "step/carried.h"
#include "step/created.h"
#include "step/impacts.h"
#include "step/integrate.h"
#include "step/jams.h"
#include "step/ladder.h"
#include "step/limits.h"
#include "step/locked.h"
#include "step/method.h"
#include "step/projection.h"
#include "step/rules.h"
#include "step/stepper.h"
#include "step/totals.h"
#include "world/cell.h"
#include "world/energy.h"
#include "world/groups.h"
#include "world/loads.h"
#include "world/servo.h"
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

static const plu_step_method *const methods[] = {
    [PLU_NONSMOOTH] = &plu_nonsmooth, [PLU_PENALTY] = &plu_penalty};
_Static_assert(sizeof methods / sizeof *methods == PLU_METHODS, "a row for each method");

plu_status plu_stepper_create(plu_stepper **stepper, plu_world *world, const plu_scene *scene,
                              const plu_log *log, plu_error *err)
{
    return plu_stepper_create_with(stepper, world, scene, NULL, log, err);
}

plu_status plu_stepper_create_with(plu_stepper **stepper, plu_world *world, const plu_scene *scene,
                                   const plu_extensions *extensions, const plu_log *log,
                                   plu_error *err)
{
    *stepper = NULL;
    plu_stepper *s = plu_alloc(1, sizeof *s, err);
    if (!s)
        return PLU_IO;
    s->world = world;
    s->scene = scene;
    s->method = methods[scene->method];
    s->natural = NAN;
    s->extensions = extensions;
    if (log)
        s->log = *log;
    s->detector = plu_detector_create(world, err);
    s->assembler = plu_assembler_create(world, err);
    s->problem.flow.done = (plu_flow_end_call){plu_finish_strip, s};
    const size_t chunks = (size_t)plu_body_chunks(world);
    s->potential = plu_alloc(chunks, sizeof *s->potential, err);
    s->moved = plu_alloc((size_t)world->bodies.count, sizeof *s->moved, err);
    s->bounced = plu_alloc((size_t)world->bodies.count, sizeof *s->bounced, err);
    s->hurries = plu_alloc((size_t)world->bodies.count, sizeof *s->hurries, err);
    if (world->bounces)
        s->height = plu_alloc((size_t)world->bodies.count, sizeof *s->height, err);
    s->carried = plu_carried_create(s, err);
    plu_status status = plu_quiet_create(s, err);
    if (!s->carried || !s->bounced || !s->detector || !s->assembler || !s->potential || !s->moved ||
        !s->hurries || (world->bounces && !s->height))
        status = PLU_IO;
    if (status == PLU_OK)
        status = s->method->prepare(s, err); /* sets the settings as a whole */
    plu_stepper_weigh(s);
    plu_strength_begin(s);
    if (status == PLU_OK)
        status = plu_sensors_create(s, err);
    if (status != PLU_OK) {
        plu_stepper_destroy(s);
        return status;
    }
    s->totals.initial = plu_energy_sum(plu_world_energy(world));
    plu_limits_begin(s);
    plu_rules_begin(s);
    if (scene->chooses)
        status = plu_ladder_begin(s, err);
    if (status != PLU_OK) {
        plu_stepper_destroy(s);
        return status;
    }
    *stepper = s;
    return PLU_OK;
}

void plu_stepper_destroy(plu_stepper *s)
{
    if (!s)
        return;
    plu_detector_destroy(s->detector);
    plu_assembler_destroy(s->assembler);
    s->method->discard(s);
    free(s->potential);
    free(s->height);
    free(s->moved);
    free(s->bounced);
    free(s->hurries);
    free(s->arrival);
    free(s->too_deep);
    free(s->apart);
    free(s->strip);
    free(s->start);
    free(s->way);
    plu_carried_free(s->carried);
    free(s->ways);
    plu_quiet_free(s);
    plu_impacts_free(s);
    plu_jams_free(s);
    plu_ladder_end(s);
    plu_sensors_free(s);
    free(s);
}

/* Depths of the contacts that sleep, and how many of them bear something. */
static void look_at_dormant(const plu_stepper *s, double *depth, double *ratio, int *bearing)
{
    const plu_contacts *list = s->contacts;
#pragma omp for schedule(static) nowait reduction(max : depth[:1], ratio[:1])                      \
    reduction(+ : bearing[:1])
    for (int i = 0; i < list->count; i++) {
        const plu_contact *c = &list->contact[i];
        if (plu_pair_awake(s->world, c->a, c->b))
            continue;
        bearing[0] += list->impulse[i].n > 0.0;
        *depth = plu_max(*depth, -c->gap);
        *ratio = plu_max(*ratio, -c->gap / (2.0 * plu_smaller_radius(s->world, c)));
    }
}

/* A contact that sleeps of a sphere that is fixed bears as one with a wall. */
static void bear_dormant(plu_stepper *s, int i)
{
    const plu_world *w = s->world;
    const plu_contact *c = &s->contacts->contact[i];
    const plu_impulse *p = &s->contacts->impulse[i];
    const bool a = plu_side_fixed(w, c->a);
    if (!(p->n > 0.0) || plu_pair_awake(w, c->a, c->b) ||
        (!a && !plu_is_fixed(w, plu_owner(&w->spheres, c->b))))
        return;
    double normal[3], t[3];
    for (int k = 0; k < 3; k++) {
        normal[k] = a ? c->normal[k] : -c->normal[k];
        t[k] = a ? p->t[k] : -p->t[k];
    }
    plu_bear_wall(s, normal, p->n - plu_attraction(w, s->contacts, i), t, &s->dormant);
}

/* Contacts that sleep stay as they are: they are looked at when they are others. */
static void look_over(plu_stepper *s)
{
    const plu_contacts *list = s->contacts;
    s->dormant_depth = s->dormant_ratio = 0.0;
    s->dormant = (plu_bearing){0};
    if (s->world->asleep == 0)
        return;
    PLU_TEAM(list->count > 4000,
             look_at_dormant(s, &s->dormant_depth, &s->dormant_ratio, &s->dormant.contacts));
    const int first_wall = plu_contact_place(list, PLU_FIRST_WALL, 0);
    for (int i = s->world->fixed > 0 ? 0 : first_wall; i < first_wall; i++)
        bear_dormant(s, i);
    for (int i = first_wall; i < list->count; i++) {
        const plu_impulse *p = &list->impulse[i];
        if (p->n > 0.0 && !plu_pair_awake(s->world, list->contact[i].a, list->contact[i].b))
            plu_bear_wall(s, list->contact[i].normal, p->n - plu_attraction(s->world, list, i),
                          p->t, &s->dormant);
    }
}

/* Adds the time since *since to a phase. */
static void lap(plu_stepper *s, plu_phase phase, double *since)
{
    const double now = omp_get_wtime();
    s->totals.seconds[phase] += now - *since;
    *since = now;
}

static plu_status judge(const plu_stepper *s, const plu_step_info *info, plu_error *err)
{
    if (info->converged || s->scene->solver.on_failure != PLU_STOP)
        return PLU_OK;
    char missed[256];
    return plu_fail(err, PLU_NOT_CONVERGED,
                    "step %ld (t = %g s): the solver stopped after %d iterations with %s; raise "
                    "solver.max_iterations or set solver.on_failure = \"warn\"",
                    s->world->steps, s->world->time, info->iterations,
                    plu_missed_text(s, info, "", missed, sizeof missed));
}

enum { MOST_FOUND = 7, MOST_LATE = 32 }; /* solves after which contacts are looked for */

/* After a solve: more contacts for the step, where it sets bodies in motion that sleep or, if not,
 * brings bodies together that were no contact, which counts in *found. *again: there are some. */
static plu_status add_contacts(plu_stepper *s, int *woken, int *found, bool *again, plu_error *err)
{
    *again = s->world->asleep > 0 && plu_quiet_wake(s, *woken + 1);
    *woken += *again;
    if (*again)
        return plu_detect_woken(s->detector, err);
    if (s->scene->method != PLU_NONSMOOTH || *found >= MOST_LATE)
        return PLU_OK;
    bool late = false;
    plu_status status = *found < MOST_FOUND ? plu_impacts_look(s, found, again, err) : PLU_OK;
    if (status == PLU_OK && !*again) {
        status = plu_detect_late(s->detector, (const double(*)[8])s->problem.v, &late, err);
        *found += late;
        *again = late;
    }
    return status;
}

/* Solves the live contacts (`same`: those of the last step), and again while there are others. */
static plu_status find_impulses(plu_stepper *s, bool same, double *since, plu_step_info *info,
                                plu_error *err)
{
    int woken = 0, found = 0;
    bool again = false;
    for (;; same = false) {
        if (plu_gives_up(&s->settings))
            return plu_fail(err, PLU_STOPPED, "step %ld (t = %g s) was given up",
                            s->world->steps + 1, s->world->time + s->world->step);
        plu_status status = same ? PLU_OK : plu_border_prepare(s, err);
        if (status == PLU_OK)
            status = plu_bodies_reserve_given(&s->world->bodies,
                                              plu_given_rows(s->world, s->contacts), err);
        if (status == PLU_OK)
            status = plu_assemble(s->assembler, s->contacts, same, &s->problem, err);
        if (status == PLU_OK && !same)
            plu_border_place(s);
        if (status == PLU_OK)
            status = plu_finish_begin(s, err);
        lap(s, PLU_PHASE_ASSEMBLE, since);
        if (status == PLU_OK)
            status = s->method->impulses(s, info, err);
        if (status == PLU_OK)
            status = add_contacts(s, &woken, &found, &again, err);
        lap(s, PLU_PHASE_SOLVE, since);
        if (status == PLU_OK && (plu_gives_up(&s->settings) || (!again && plu_impacts_check(s))))
            continue;
        if (status != PLU_OK || !again)
            return status == PLU_OK ? plu_created_restrain(s, err) : status;
        look_over(s);
    }
}

/* Hands the speeds of edges that a stress moves over to the world. */
static void take_edges(plu_stepper *s)
{
    double speed[3] = {0.0, 0.0, 0.0};
    if (s->world->yielding.mass == 0.0)
        return;
    for (int k = s->world->servos_count; k < s->problem.servos_count; k++)
        speed[s->problem.servos[k].edge] = s->problem.servos[k].now;
    plu_cell_yield(s->world, speed);
    plu_assembler_follow_cell(s->assembler);
}

/* A servo that closes a gap on purpose has nothing to push for a while: a way of some diameters. */
static bool runs_idle(const plu_stepper *s, const plu_world_servo *servo)
{
    static const double closes = 4.0;
    const plu_spheres *spheres = &s->world->spheres;
    const double way = (double)servo->idle * s->world->step * servo->limit;
    double largest = 0.0;
    if (!servo->active || !servo->hurries)
        return false;
    for (int i = 0; i < spheres->count; i++)
        largest = plu_max(largest, 2.0 * spheres->at[i][3]);
    return way >= closes * largest;
}

/* Hands the velocities of servos over to the world, and says once of each where it runs idle. */
static void take_servos(plu_stepper *s)
{
    take_edges(s);
    for (int k = 0; k < s->world->servos_count; k++) {
        const plu_servo *solved = &s->problem.servos[k];
        plu_world_servo *servo = &s->world->servos[k];
        plu_servo_end(s->world, k, solved->now,
                      solved->island >= 0 && solved->pushed != solved->free);
        if (servo->said || !runs_idle(s, servo))
            continue;
        servo->said = true;
        plu_log_write(&s->log, PLU_LOG_WARNING,
                      "step %ld (t = %g s): the servo of %s meets no resistance: it moves at its "
                      "speed limit, %.3g m/s (servo.speed)",
                      s->world->steps + 1, s->world->time + s->world->step,
                      s->scene->boundaries[servo->boundary].name, servo->limit);
    }
}

static plu_status advance(plu_stepper *s, plu_step_info *info, plu_error *err)
{
    double since = omp_get_wtime();
    const bool followed = s->contacts != NULL; /* by its problem: not after a state was set */
    const bool cold = s->world->steps == 0 && plu_detector_count(s->detector) == 0;
    memset(info, 0, sizeof *info);

    plu_motions_begin(s->world);
    plu_groups_begin(s->world);
    plu_cell_begin(s->world);
    plu_status status = plu_servos_begin(s->world, err);
    if (status == PLU_OK)
        status = plu_world_release(s->world, &s->log, &s->totals.inserted, err);
    lap(s, PLU_PHASE_FEED, &since);
    if (status == PLU_OK)
        status = plu_detect_step(s->detector, &s->contacts, err);
    bool same = status == PLU_OK && followed && plu_detector_same_graph(s->detector);
    if (status == PLU_OK && plu_quiet_carried(s)) {
        status = plu_detect_woken(s->detector, err);
        same = false;
    }
    if (status == PLU_OK)
        status = plu_world_shapes_fault(s->world, err);
    if (status == PLU_OK)
        status = plu_sensors_begin(s, err);
    if (status == PLU_OK)
        status = plu_impacts_begin(s, err);
    if (status != PLU_OK)
        return status;
    if (!same)
        look_over(s);
    lap(s, PLU_PHASE_DETECT, &since);
    if (plu_ladder_gives_up(s))
        return PLU_OK;

    plu_loads_begin(s->world);
    s->cold = cold;
    status = find_impulses(s, same, &since, info, err);
    if (status == PLU_OK)
        status = plu_jams_note(s, info, err);
    if (status != PLU_OK)
        return status;
    plu_report_islands(s, info);
    plu_error_work_measure(s, info);
    take_servos(s);
    lap(s, PLU_PHASE_SOLVE, &since);

    plu_finish_contacts(s, info);
    if (cold)
        s->totals.cold = info->contacts > s->served ? info->contacts - s->served : 0;
    plu_rules_find(s, info, s->rule);
    status = plu_walls_start(s, err);
    if (status == PLU_OK)
        status = plu_carried_integrate(s, err);
    plu_loads_account(s);
    plu_motions_end(s->world);
    plu_groups_end(s->world);
    const plu_status held = plu_cell_end(s->world, err);
    status = status == PLU_OK ? held : status;
    if (status == PLU_OK && s->scene->stabilization == PLU_PROJECTION)
        plu_project_positions(s);
    if (s->world->split)
        s->rule[PLU_RULE_OVERLAP] = plu_rules_made(s);
    else
        plu_rules_count(s, s->rule);
    lap(s, PLU_PHASE_INTEGRATE, &since);
    plu_ladder_tick(s);
    if (status == PLU_OK)
        status = plu_world_shapes_fault(s->world, err);
    if (status == PLU_OK)
        status = plu_check_limits(s, info, err);
    plu_sensors_pass(s);
    if (s->world->space.kind == PLU_PERIODIC_SPACE) {
        s->totals.work_cell += plu_cell_wrap(s->world);
        plu_detector_follow(s->detector);
    }
    plu_world_remove_outside(s->world, &s->totals.removed);
    plu_sensors_end(s);
    if (!s->world->split)
        plu_quiet_sleep(s);
    lap(s, PLU_PHASE_FEED, &since);
    plu_totals_add(s, info);
    plu_locked_look(s, info);
    return status == PLU_OK ? judge(s, info, err) : status;
}

plu_status plu_step(plu_stepper *s, plu_step_info *info, plu_error *err)
{
    plu_status status = s->before ? s->before(s->user, s, NULL, err) : PLU_OK;
    if (status == PLU_OK)
        status =
            s->scene->chooses ? plu_ladder_climb(s, advance, info, err) : advance(s, info, err);
    return status == PLU_OK && s->after ? s->after(s->user, s, info, err) : status;
}
