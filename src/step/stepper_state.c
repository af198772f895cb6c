/* The state of a stepper for checkpoints: every number from which the next step and the totals
 * follow, each with a name. One list serves both ways (base/state.h): a function that saves is the
 * function that loads, so that neither can have a number that the other has not.
 *
 *     plu_stepper_state -> world, then what the stepper has itself: contacts with impulses, totals,
 *                          jams, sensors, calm steps, ladder, what the method keeps (springs)
 *
 * What follows from the state is not in it (border, islands, colors): it is forgotten, and made
 * anew in the next step, with the same bits. What is loaded is checked: a counter below zero is no
 * state. */
#include "assemble/cohesion.h"
#include "base/memory.h"
#include "base/state.h"
#include "pluvia/scene.h"
#include "pluvia/tool/state.h"
#include "step/carried.h"
#include "step/jams.h"
#include "step/ladder.h"
#include "step/method.h"
#include "step/stepper.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Energy that contacts created, and that the projection added. */
static void added(plu_totals *t, plu_state *state)
{
    double created[] = {t->created, t->created_by_solver, t->created_by_impacts};
    double lifted[] = {t->projection, t->projection_up, t->projection_most, t->projection_time};
    long steps[] = {t->creating, t->restrained};
    plu_state_real(state, "totals/created", sizeof created / sizeof *created, 1, created);
    plu_state_real(state, "totals/projection", sizeof lifted / sizeof *lifted, 1, lifted);
    plu_state_long(state, "totals/creating", sizeof steps / sizeof *steps, 1, steps);
    t->created = created[0];
    t->created_by_solver = created[1];
    t->created_by_impacts = created[2];
    t->projection = lifted[0];
    t->projection_up = lifted[1];
    t->projection_most = lifted[2];
    t->projection_time = lifted[3];
    t->creating = steps[0];
    t->restrained = steps[1];
}

static void totals(plu_totals *t, plu_state *state)
{
    added(t, state);
    plu_state_long(state, "totals/steps", 1, 1, &t->steps);
    plu_state_long(state, "totals/unconverged", 1, 1, &t->unconverged);
    plu_state_long(state, "totals/iterations", 1, 1, &t->iterations);
    plu_state_long(state, "totals/updates", 1, 1, &t->updates);
    plu_state_real(state, "totals/worst_scaled", 1, 1, &t->worst_scaled);
    plu_state_real(state, "totals/worst_natural", 1, 1, &t->worst_natural);
    plu_state_real(state, "totals/worst_velocity", 1, 1, &t->worst_velocity);
    plu_state_real(state, "totals/worst_sinking", 1, 1, &t->worst_sinking);
    plu_state_long(state, "totals/natural_open", 1, 1, &t->natural_open);
    plu_state_real(state, "totals/worst_penetration", 1, 1, &t->worst_penetration);
    plu_state_real(state, "totals/worst_penetration_ratio", 1, 1, &t->worst_penetration_ratio);
    plu_state_real(state, "totals/worst_missed", 1, 1, &t->worst_missed);
    plu_state_real(state, "totals/unconverged_masses", 1, 1, &t->unconverged_masses);
    plu_state_real(state, "totals/inserted", 1, 1, &t->inserted);
    plu_state_real(state, "totals/removed", 1, 1, &t->removed);
    plu_state_real(state, "totals/work_impact", 1, 1, &t->work_impact);
    plu_state_real(state, "totals/work_friction", 1, 1, &t->work_friction);
    plu_state_real(state, "totals/work_rolling", 1, 1, &t->work_rolling);
    plu_state_real(state, "totals/work_pivoting", 1, 1, &t->work_pivoting);
    plu_state_real(state, "totals/work_cohesion", 1, 1, &t->work_cohesion);
    plu_state_real(state, "totals/work_boundary", 1, 1, &t->work_boundary);
    plu_state_real(state, "totals/work_cell", 1, 1, &t->work_cell);
    plu_state_real(state, "totals/theta", 1, 1, &t->theta);
    plu_state_real(state, "totals/initial", 1, 1, &t->initial);
    plu_state_long(state, "totals/cold", 1, 1, &t->cold);
    plu_state_real(state, "totals/last_work", 1, 1, &t->last_work);
    plu_state_long(state, "totals/yielding_steps", 1, 1, &t->yielding_steps);
    plu_state_long(state, "totals/yields", 1, 1, &t->yields);
    plu_state_long(state, "totals/jams", 1, 1, &t->jams);
    plu_state_real(state, "totals/jam_time", 1, 1, &t->jam.time);
    plu_state_real(state, "totals/jam_depth", 1, 1, &t->jam.depth);
    plu_state_real(state, "totals/jam_force", 1, 1, &t->jam.force);
    plu_state_long(state, "totals/jam_body", 1, 1, &t->jam.body);
    plu_state_long(state, "totals/jam_between", 1, 2, t->jam.between);
    plu_state_long(state, "totals/beyond", PLU_LIMITS, 1, t->beyond);
    plu_state_long(state, "totals/unconverged_in_a_row", 1, 1, &t->unconverged_in_a_row);
    plu_state_long(state, "totals/too_long", PLU_RULES, 1, t->too_long);
    plu_state_real(state, "totals/worst_long", PLU_RULES, 1, t->worst_long);
    plu_state_real(state, "totals/worst_long_time", PLU_RULES, 1, t->worst_long_time);
    plu_state_long(state, "totals/repeated", 1, 1, &t->repeated);
    plu_state_real(state, "totals/shortest", 1, 1, &t->shortest);
    plu_state_real(state, "totals/seconds", PLU_PHASES, 1, t->seconds);
    plu_state_real(state, "totals/solver_seconds", 1, 1, &t->solver_seconds);
}

/* Counters that a run continues. */
static void check_counters(const plu_totals *t, const plu_world *w, plu_state *state)
{
    static const long most = 1L << 60;
    const long counters[] = {t->steps,    t->unconverged, t->natural_open, t->iterations,
                             t->updates,  w->steps,       w->delayed,      t->unconverged_in_a_row,
                             t->creating, t->cold,        t->restrained,   t->yielding_steps,
                             t->yields,   t->jams,        t->repeated,     t->errors_beyond};
    bool right = true;
    for (size_t k = 0; k < sizeof counters / sizeof *counters; k++)
        right = right && counters[k] >= 0 && counters[k] < most;
    for (int k = 0; k < PLU_LIMITS; k++)
        right = right && t->beyond[k] >= 0 && t->beyond[k] < most;
    for (int k = 0; k < PLU_RULES; k++)
        right = right && t->too_long[k] >= 0 && t->too_long[k] < most;
    if (!right)
        plu_state_refuse(state, "a counter has an impossible value");
}

/* None of it is known until the next step. */
void plu_stepper_forget(plu_stepper *s)
{
    s->contacts = NULL;
    s->bearing = (plu_bearing){0};
    s->natural_open = false;
    s->natural = NAN;
}

void plu_stepper_state(plu_stepper *s, plu_state *state)
{
    plu_world_state(s->world, state);
    plu_stepper_own_state(s, state);
}

void plu_stepper_own_state(plu_stepper *s, plu_state *state)
{
    plu_detector_state(s->detector, state);
    totals(&s->totals, state);
    plu_jams_state(s, state);
    plu_sensors_state(s, state);
    plu_error_work_state(s, state);
    plu_locked_state(s, state);
    plu_held_state(s, state);
    plu_state_real(state, "strength/speed", 1, 1, &s->strength.speed);
    plu_state_int(state, "sleep/calm", 1, 1, &s->sleep.calm);
    plu_state_real(state, "limits/base_speed", 1, 1, &s->base_speed);
    plu_state_real(state, "limits/highest", 1, 1, &s->highest);
    plu_state_real(state, "limits/lowest", 1, 1, &s->lowest);
    if (s->scene->parts)
        plu_ladder_state(s, state);
    if (s->method->state)
        s->method->state(s, state);
    if (!state->loading)
        return;
    plu_stepper_forget(s);
    plu_stepper_weigh(s);
    if (state->status == PLU_OK)
        check_counters(&s->totals, s->world, state);
    if (state->status == PLU_OK && (s->base_speed < 0.0 || s->strength.speed < 0.0))
        plu_state_refuse(state, "a speed is negative");
    /* the speed was loaded: of a plane that turns it is the one where bodies were at first */
    plu_strength_weigh(s);
}

/* What attraction is found from. */
static plu_contact contact_of(const plu_contact_row *row)
{
    plu_contact c = {.a = row->a, .b = row->b, .gap = row->gap};
    memcpy(c.normal, row->normal, sizeof c.normal);
    return c;
}

static plu_status set_contacts(plu_stepper *s, const plu_moment *m, plu_error *err)
{
    const size_t count = (size_t)m->contacts;
    int(*body)[3] = plu_alloc(count, sizeof *body, err);
    plu_impulse *impulse = plu_alloc(count, sizeof *impulse, err);
    plu_contact *contact = plu_alloc(count, sizeof *contact, err);
    const plu_contacts list = {.count = m->contacts, .contact = contact};
    plu_status status = body && impulse && contact ? PLU_OK : PLU_IO;
    for (size_t i = 0; status == PLU_OK && i < count; i++)
        contact[i] = contact_of(&m->contact[i]);
    for (size_t i = 0; status == PLU_OK && i < count; i++) {
        const plu_contact_row *row = &m->contact[i];
        body[i][0] = plu_side_to_file(row->a);
        body[i][1] = row->b;
        body[i][2] = plu_side_is_part(row->a)
                         ? 0
                         : plu_side_image(plu_contact_image(s->world, plu_side_sphere(row->a),
                                                            row->b, row->normal, row->gap));
        impulse[i].n = row->impulse_normal + plu_attraction(s->world, &list, (int)i);
        memcpy(impulse[i].t, row->impulse_tangent, sizeof impulse[i].t);
        memcpy(impulse[i].m, row->impulse_moment, sizeof impulse[i].m);
    }
    if (status == PLU_OK)
        status = plu_detector_set(s->detector, m->contacts, (const int(*)[3])body, impulse, err);
    free(body);
    free(impulse);
    free(contact);
    return status;
}

plu_status plu_stepper_set(plu_stepper *s, const plu_moment *m, plu_error *err)
{
    if (s->scene->method == PLU_PENALTY)
        return plu_fail(err, PLU_BAD_INPUT,
                        "a run with method = \"penalty\" continues from a checkpoint only: the "
                        "springs of its contacts are not in the trajectory");
    if (s->scene->parts)
        return plu_fail(err, PLU_BAD_INPUT,
                        "a run that chooses its steps continues from a checkpoint only: the step "
                        "that comes next is not in the trajectory");
    if (s->scene->stages_count > 0)
        return plu_fail(
            err, PLU_BAD_INPUT,
            "a run in stages continues from a checkpoint only: how its boundaries go "
            "on is not in the trajectory (output.dump_problems writes contact problems)");
    if (s->world->servos_count > 0)
        return plu_fail(err, PLU_BAD_INPUT,
                        "a run with a servo continues from a checkpoint only: the velocity of its "
                        "boundary is not in the trajectory");
    if (m->bodies != s->world->bodies.count)
        return plu_fail(err, PLU_BAD_INPUT, "the scene has %d bodies, but the frame has %d",
                        s->world->bodies.count, m->bodies);
    if (s->world->space.moves)
        return plu_fail(
            err, PLU_BAD_INPUT,
            "a run in a moving cell continues from a checkpoint only: the motion of the cell is "
            "not in the trajectory (output.dump_problems writes contact problems)");
    if (!m->velocity || !m->angular_velocity)
        return plu_fail(err, PLU_BAD_INPUT,
                        "velocities and angular velocities are needed (output.quantities)");
    plu_status status = plu_world_set(s->world, m->time, m->step, m->position, m->velocity,
                                      m->angular_velocity, m->orientation, m->state, err);
    if (status == PLU_OK && m->contacts >= 0)
        status = set_contacts(s, m, err);
    plu_stepper_forget(s);
    return status;
}
