#include "pluvia/control.h"
#include "base/vec3.h"
#include "step/jams.h"
#include "step/limits.h"
#include "step/stepper.h"
#include "world/body_energy.h"
#include "world/loads.h"
#include "world/motion.h"
#include <math.h>
#include <string.h>

static plu_status check(const plu_stepper *s, int body, const double a[3], const double b[3],
                        plu_error *err)
{
    if (body < 0 || body >= s->world->bodies.count)
        return plu_fail(err, PLU_USAGE, "body %d does not exist: bodies are numbered 0 to %d", body,
                        s->world->bodies.count - 1);
    for (int i = 0; i < 3; i++)
        if (!isfinite(a[i]) || !isfinite(b[i]))
            return plu_fail(err, PLU_USAGE, "body %d: a number given for it is not finite", body);
    return PLU_OK;
}

static void rouse(plu_world *w, int body)
{
    if (plu_asleep(w, body))
        plu_wake(w, body);
    if (!plu_is_fixed(w, body))
        w->bodies.quiet[body] = 0;
}

plu_status plu_stepper_set_velocity(plu_stepper *s, int body, const double velocity[3],
                                    const double angular_velocity[3], plu_error *err)
{
    static const double none[3] = {0};
    plu_world *w = s->world;
    const plu_status status =
        check(s, body, velocity ? velocity : none, angular_velocity ? angular_velocity : none, err);
    if (status != PLU_OK)
        return status;
    if (w->bodies.state[body] != PLU_ACTIVE)
        return plu_fail(err, PLU_USAGE,
                        "body %d is not active: it waits for its release or has been removed",
                        body);
    if (plu_is_fixed(w, body))
        return plu_fail(err, PLU_USAGE, "body %d is fixed (bodies.fixed): no call moves it", body);
    double *row = w->bodies.row[body];
    const double before = plu_energy_sum(plu_body_energy(w, body));
    if (velocity)
        memcpy(row, velocity, 3 * sizeof *row);
    if (angular_velocity)
        memcpy(row + 3, angular_velocity, 3 * sizeof *row);
    rouse(w, body);
    s->totals.inserted += plu_energy_sum(plu_body_energy(w, body)) - before;
    s->base_speed = plu_max(s->base_speed, plu_speed_squared(w, body));
    return PLU_OK;
}

plu_status plu_stepper_set_load(plu_stepper *s, int body, const double force[3],
                                const double moment[3], plu_error *err)
{
    static const double none[3] = {0};
    const double *f = force ? force : none, *m = moment ? moment : none;
    plu_status status = check(s, body, f, m, err);
    if (status == PLU_OK && plu_is_fixed(s->world, body))
        status =
            plu_fail(err, PLU_USAGE, "body %d is fixed (bodies.fixed): no call moves it", body);
    if (status == PLU_OK)
        status = plu_loads_set(s->world, body, f, m, err);
    if (status == PLU_OK && s->world->bodies.state[body] == PLU_ACTIVE)
        rouse(s->world, body);
    return status;
}

void plu_stepper_weigh(plu_stepper *s)
{
    const double h = s->world->step, *gravity = s->world->gravity, g = plu_norm(gravity);
    s->hit = 2.0 * h * g;
    for (int k = 0; k < 3; k++) {
        s->up[k] = g > 0.0 ? -gravity[k] / g : 0.0;
        s->settings.pull[k] = gravity[k] * h;
    }
    plu_quiet_weigh(s);
}

plu_status plu_stepper_set_gravity(plu_stepper *s, const double gravity[3], plu_error *err)
{
    plu_world *w = s->world;
    for (int k = 0; k < 3; k++)
        if (!isfinite(gravity[k]))
            return plu_fail(err, PLU_USAGE, "gravity: a number given for it is not finite");
    if (memcmp(w->gravity, gravity, sizeof w->gravity) == 0)
        return PLU_OK;
    const double before = plu_energy_sum(plu_world_energy(w)), base = s->base_speed;
    memcpy(w->gravity, gravity, sizeof w->gravity);
    for (int i = 0; i < w->bodies.count; i++)
        if (w->bodies.state[i] == PLU_ACTIVE)
            rouse(w, i);
    plu_world_reach(w);
    w->generation++;
    plu_stepper_weigh(s);
    plu_limits_begin(s);
    s->base_speed = plu_max(s->base_speed, base);
    s->totals.inserted += plu_energy_sum(plu_world_energy(w)) - before;
    return PLU_OK;
}

void plu_stepper_gravity(const plu_stepper *s, double gravity[3])
{
    memcpy(gravity, s->world->gravity, sizeof s->world->gravity);
}

/* The motion of a boundary that calls may move; NULL after a complaint. */
static plu_motion *motion_of(const plu_stepper *s, int boundary, plu_error *err)
{
    plu_world *w = s->world;
    if (boundary < 0 || boundary >= s->scene->boundaries_count) {
        plu_fail(err, PLU_USAGE,
                 "boundary %d does not exist: the scene has %d boundaries, counted from 0",
                 boundary, s->scene->boundaries_count);
        return NULL;
    }
    const char *name = s->scene->boundaries[boundary].name;
    if (s->scene->boundaries[boundary].has_servo) {
        plu_fail(err, PLU_USAGE, "boundary \"%s\" is moved by its servo, not by calls", name);
        return NULL;
    }
    for (int m = 0; m < w->motions_count; m++)
        if (w->motions[m].boundary == boundary && w->motions[m].spec)
            return &w->motions[m];
    plu_fail(err, PLU_USAGE,
             "boundary \"%s\" cannot be moved by calls: give it a motion in the scene, which may "
             "be empty (motion = {};)",
             name);
    return NULL;
}

plu_status plu_stepper_drive_boundary(plu_stepper *s, int boundary, const plu_drive *drive,
                                      plu_error *err)
{
    plu_motion *motion = motion_of(s, boundary, err);
    if (!motion)
        return PLU_USAGE;
    bool finite = !drive || isfinite(drive->rate);
    for (int k = 0; drive && k < 3; k++)
        finite = finite && isfinite(drive->velocity[k]) && isfinite(drive->belt[k]);
    if (!finite)
        return plu_fail(err, PLU_USAGE, "boundary \"%s\": a number given for it is not finite",
                        s->scene->boundaries[boundary].name);
    const double before = plu_motions_fastest(s->world);
    plu_motion_drive(motion, drive);
    const double now = plu_motions_fastest(s->world);
    s->base_speed += plu_max(now * now - before * before, 0.0);
    plu_strength_drive(s);
    return PLU_OK;
}

void plu_loads_account(plu_stepper *s)
{
    plu_world *w = s->world;
    if (w->loads_count == 0)
        return;
    const double work = plu_loads_work(w);
    s->totals.inserted += work;
    double lightest = 0.0;
    for (int k = 0; k < w->loads_count; k++) {
        lightest = plu_max(lightest, w->bodies.row[w->loads[k].body][6]);
        rouse(w, w->loads[k].body);
    }
    s->base_speed += 2.0 * fabs(work) * lightest;
}

void plu_stepper_set_calls(plu_stepper *s, plu_step_call *before, plu_step_call *after, void *user)
{
    s->before = before;
    s->after = after;
    s->user = user;
}

void plu_stepper_set_stop(plu_stepper *s, plu_stop_call *stop, void *user)
{
    s->settings.stop = stop;
    s->settings.stop_user = user;
}

plu_world *plu_stepper_world(const plu_stepper *s)
{
    return s->world;
}
