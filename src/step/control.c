#include "pluvia/control.h"
#include "base/vec3.h"
#include "step/limits.h"
#include "step/stepper.h"
#include "world/energy.h"
#include "world/loads.h"
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
    if (!plu_awake(w, body))
        plu_wake(w, body);
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
                        "body %d is not active: it waits for its release or has "
                        "been removed",
                        body);
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
    if (status == PLU_OK)
        status = plu_loads_set(s->world, body, f, m, err);
    if (status == PLU_OK && s->world->bodies.state[body] == PLU_ACTIVE)
        rouse(s->world, body);
    return status;
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
        w->bodies.quiet[w->loads[k].body] = 0;
    }
    s->base_speed += 2.0 * fabs(work) * lightest;
}

void plu_stepper_set_calls(plu_stepper *s, plu_step_call *before, plu_step_call *after, void *user)
{
    s->before = before;
    s->after = after;
    s->user = user;
}

plu_world *plu_stepper_world(const plu_stepper *s)
{
    return s->world;
}
