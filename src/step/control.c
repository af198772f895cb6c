/* What a program may do to a run between two steps (pluvia/control.h): set velocities, loads,
 * drags, gravity, and drive boundaries. Each call
 *
 *     1. checks all that it is given before it sets any of it, so that a refused call leaves the
 *        state,
 *     2. wakes whom it concerns, since sleepers are not looked at,
 *     3. counts the energy that it brings in (`inserted`), so that the balance still closes,
 *     4. raises the speed that energy allows (limits.c), so that what a program may do is no
 *        error. */
#include "pluvia/control.h"
#include "base/strategy.h"
#include "base/vec3.h"
#include "pluvia/boundary.h"
#include "pluvia/scene.h"
#include "step/jams.h"
#include "step/limits.h"
#include "step/stepper.h"
#include "world/body_energy.h"
#include "world/loads.h"
#include "world/motion.h"
#include <math.h>
#include <string.h>

/* What a call gives bodies: rows of numbers, one a body. */
typedef struct given {
    int count;
    const int *body; /* NULL: all of the world, of which those are left out that cannot take it */
    const double (*row[2])[3]; /* NULL: not given */
    const double *number;
} given;

static int body_of(const given *g, int k)
{
    return g->body ? g->body[k] : k;
}

static plu_status check_finite(const given *g, int k, plu_error *err)
{
    bool finite = !g->number || (isfinite(g->number[k]) && g->number[k] >= 0.0);
    for (int r = 0; r < 2; r++)
        for (int i = 0; i < 3 && g->row[r]; i++)
            finite = finite && isfinite(g->row[r][k][i]);
    if (finite)
        return PLU_OK;
    return plu_fail(err, PLU_USAGE, "body %d: a number given for it is not finite%s", body_of(g, k),
                    g->number ? ", or its drag is negative" : "");
}

/* Whether the body can take a load or, `moving`, a velocity; says why not unless `err` is NULL. */
static plu_status check_can(const plu_world *w, int body, bool moving, plu_error *err)
{
    if (moving && w->bodies.state[body] != PLU_ACTIVE)
        return plu_fail(err, PLU_USAGE,
                        "body %d is not active: it waits for its release or has been removed",
                        body);
    if (plu_is_fixed(w, body))
        return plu_fail(err, PLU_USAGE,
                        "body %d is fixed (bodies.fixed, or by a call): it takes no velocities and "
                        "loads",
                        body);
    return PLU_OK;
}

/* All before any of it is set. */
static plu_status check(const plu_stepper *s, const given *g, bool moving, plu_error *err)
{
    const int bodies = s->world->bodies.count;
    plu_status status = PLU_OK;
    if (!g->body && g->count != bodies)
        return plu_fail(err, PLU_USAGE, "%d rows are given for all bodies, which are %d", g->count,
                        bodies);
    for (int k = 0; k < g->count && status == PLU_OK; k++) {
        const int body = body_of(g, k);
        if (body < 0 || body >= bodies)
            return plu_fail(err, PLU_USAGE, "body %d does not exist: bodies are numbered 0 to %d",
                            body, bodies - 1);
        status = check_finite(g, k, err);
        if (status == PLU_OK && g->body)
            status = check_can(s->world, body, moving, err);
    }
    return status;
}

void plu_stepper_wake(plu_stepper *s, int body)
{
    plu_world *w = s->world;
    if (plu_asleep(w, body))
        plu_wake(w, body);
    if (!plu_is_fixed(w, body))
        w->bodies.rest[body] = 0;
}

/* A velocity that is set is energy from outside: `inserted` has it, so that the energy account
 * still closes. base_speed rises with it, or limits.velocity would take the new speed for an
 * error. */
static void set_velocity(plu_stepper *s, int body, const double *velocity, const double *spin)
{
    plu_world *w = s->world;
    double *row = w->bodies.row[body];
    const double before = plu_energy_sum(plu_body_energy(w, body));
    if (velocity)
        memcpy(row, velocity, 3 * sizeof *row);
    if (spin)
        memcpy(row + 3, spin, 3 * sizeof *row);
    plu_stepper_wake(s, body);
    s->totals.inserted += plu_energy_sum(plu_body_energy(w, body)) - before;
    s->base_speed = plu_max(s->base_speed, plu_speed_squared(w, body));
}

plu_status plu_stepper_set_velocities(plu_stepper *s, int count, const int *body,
                                      const double (*velocity)[3],
                                      const double (*angular_velocity)[3], plu_error *err)
{
    const given g = {.count = count, .body = body, .row = {velocity, angular_velocity}};
    const plu_status status = check(s, &g, true, err);
    for (int k = 0; k < count && status == PLU_OK; k++)
        if (check_can(s->world, body_of(&g, k), true, NULL) == PLU_OK)
            set_velocity(s, body_of(&g, k), velocity ? velocity[k] : NULL,
                         angular_velocity ? angular_velocity[k] : NULL);
    return status;
}

plu_status plu_stepper_set_velocity(plu_stepper *s, int body, const double velocity[3],
                                    const double angular_velocity[3], plu_error *err)
{
    return plu_stepper_set_velocities(s, 1, &body, (const double(*)[3])velocity,
                                      (const double(*)[3])angular_velocity, err);
}

/* Each body that is there and has a load now, or had one, is awake. */
static void wake_given(plu_stepper *s, const given *g)
{
    for (int k = 0; k < g->count; k++)
        if (s->world->bodies.state[body_of(g, k)] == PLU_ACTIVE)
            plu_stepper_wake(s, body_of(g, k));
}

/* Loads last until they are set again. With `body` = NULL those that cannot take one are left out,
 * while a body named by number that cannot is an error (check). */
plu_status plu_stepper_set_loads(plu_stepper *s, int count, const int *body,
                                 const double (*force)[3], const double (*moment)[3],
                                 plu_error *err)
{
    static const double none[3] = {0};
    const given g = {.count = count, .body = body, .row = {force, moment}};
    plu_status status = check(s, &g, false, err);
    if (status != PLU_OK)
        return status;
    bool zero = false;
    for (int k = 0; k < count && status == PLU_OK; k++) {
        const double *f = force ? force[k] : none, *m = moment ? moment[k] : none;
        zero |= plu_dot(f, f) + plu_dot(m, m) == 0.0;
        if (check_can(s->world, body_of(&g, k), false, NULL) == PLU_OK)
            status = plu_loads_set(s->world, body_of(&g, k), f, m, err);
    }
    if (zero)
        plu_loads_clean(s->world);
    wake_given(s, &g);
    return status;
}

plu_status plu_stepper_set_load(plu_stepper *s, int body, const double force[3],
                                const double moment[3], plu_error *err)
{
    return plu_stepper_set_loads(s, 1, &body, (const double(*)[3])force, (const double(*)[3])moment,
                                 err);
}

plu_status plu_stepper_set_drags(plu_stepper *s, int count, const int *body, const double *drag,
                                 const double (*flow)[3], plu_error *err)
{
    static const double still[3] = {0};
    const given g = {.count = count, .body = body, .row = {flow}, .number = drag};
    plu_status status = check(s, &g, false, err);
    if (status != PLU_OK)
        return status;
    bool zero = false;
    for (int k = 0; k < count && status == PLU_OK; k++) {
        const double coefficient = drag ? drag[k] : 0.0;
        zero |= coefficient == 0.0;
        if (check_can(s->world, body_of(&g, k), false, NULL) == PLU_OK)
            status = plu_loads_set_drag(s->world, body_of(&g, k), coefficient,
                                        flow ? flow[k] : still, err);
    }
    if (zero)
        plu_loads_clean(s->world);
    wake_given(s, &g);
    return status;
}

void plu_stepper_loads(const plu_stepper *s, double (*force)[3])
{
    const plu_world *w = s->world;
    memset(force, 0, (size_t)w->bodies.count * sizeof *force);
    for (int k = 0; k < w->loads_count; k++)
        memcpy(force[w->loads[k].body], w->loads[k].acting, sizeof *force);
}

/* The speed by which contacts that hold may open (m/s); 0: none holds. */
static double bond_of(const plu_world *w)
{
    double least = INFINITY;
    for (int k = 0; k < w->materials * w->materials; k++)
        if (w->laws[k].index >= 0 && w->laws[k].cohesion > 0.0)
            least = plu_min(least, w->laws[k].cohesion_range);
    return isfinite(least) ? bond_share * least / w->step : 0.0;
}

void plu_stepper_weigh(plu_stepper *s)
{
    const double h = s->world->step, *gravity = s->world->gravity, g = plu_norm(gravity);
    s->hit = 2.0 * h * g;
    for (int k = 0; k < 3; k++) {
        s->up[k] = g > 0.0 ? -gravity[k] / g : 0.0;
        s->settings.pull[k] = gravity[k] * h;
    }
    s->settings.bond = bond_of(s->world);
    plu_sleep_set_speeds(s);
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
            plu_stepper_wake(s, i);
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
        plu_stepper_wake(s, w->loads[k].body);
    }
    s->base_speed += 2.0 * fabs(work) * lightest;
}

void plu_stepper_set_calls(plu_stepper *s, plu_step_call *before, plu_step_call *after, void *user)
{
    s->before = before;
    s->after = after;
    s->user = user;
}

static bool ask(void *stop)
{
    return plu_stops(stop);
}

void plu_stepper_set_stop(plu_stepper *s, plu_stop_call *stop, void *user)
{
    s->stop = (plu_stop){.call = stop, .user = user};
    s->world->stop = stop ? &s->stop : NULL;
    s->settings.stop = stop ? ask : NULL;
    s->settings.stop_user = &s->stop;
}

plu_world *plu_stepper_world(const plu_stepper *s)
{
    return s->world;
}
