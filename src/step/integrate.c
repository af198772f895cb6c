#include "base/team.h"
#include "base/vec3.h"
#include "step/stepper.h"
#include <string.h>

/* q <- exp(h omega / 2) q; sine and cosine by their series where that is exact to rounding. */
static void rotate(double q[4], const double omega[3], double h)
{
    const double x = 0.25 * h * h * plu_dot(omega, omega); /* half the angle, squared */
    if (x == 0.0)
        return;
    double c, s; /* cos(angle / 2), sin(angle / 2) / |omega| */
    if (x < 1e-4) {
        c = 1.0 - x * (0.5 - x * (1.0 / 24.0 - x * (1.0 / 720.0)));
        s = 0.5 * h * (1.0 - x * (1.0 / 6.0 - x * (1.0 / 120.0 - x * (1.0 / 5040.0))));
    } else {
        const double half = sqrt(x);
        c = cos(half);
        s = 0.5 * h * sin(half) / half;
    }
    const double v[3] = {s * omega[0], s * omega[1], s * omega[2]};
    double cross[3];
    plu_cross(v, q + 1, cross);
    const double w = c * q[0] - plu_dot(v, q + 1), q0 = q[0];
    for (int k = 0; k < 3; k++)
        q[1 + k] = c * q[1 + k] + q0 * v[k] + cross[k];
    q[0] = w;
    /* |q| is 1 but for rounding: one Newton step of 1 / |q| is enough. */
    const double scale = 1.5 - 0.5 * (q[0] * q[0] + plu_dot(q + 1, q + 1));
    for (int k = 0; k < 4; k++)
        q[k] *= scale;
}

/* What a body adds to sums. */
typedef struct gains {
    double theta;     /* (theta - 1/2) m g . (v_{k+1} - v_k) */
    double potential; /* where it is now */
} gains;

/* A body that was hit goes where its contacts want it, with the new velocity alone: what lands has
 * no gap then. Others by the theta rule, also those that bounce, whose flight would else lose or
 * gain height, and what rolls or slides in contact, which theta = 1 would stop half a step short.
 */
double plu_theta_of(const plu_stepper *s, int i, const double change[3])
{
    const plu_world *w = s->world;
    const double hit = s->hit * s->hit;
    return w->lands && plu_dot(change, change) > hit && !(w->bounces && s->bounced[i])
               ? 1.0
               : w->scene->theta;
}

static void move(const plu_stepper *s, const double *fresh, int i, gains *sum)
{
    const plu_world *w = s->world;
    const double h = w->scene->step, *g = w->scene->gravity;
    double *v = w->velocity[i], *x = w->position[i], omega[3], change[3];
    plu_sub(fresh, v, change);
    const double theta = plu_theta_of(s, i, change);
    for (int k = 0; k < 3; k++) {
        x[k] += h * (theta * fresh[k] + (1.0 - theta) * v[k]);
        omega[k] = theta * fresh[3 + k] + (1.0 - theta) * v[3 + k];
    }
    rotate(w->orientation[i], omega, h);
    memcpy(v, fresh, 6 * sizeof *v);
    const double mass = 1.0 / v[6];
    sum->theta += (theta - 0.5) * mass * plu_dot(g, change);
    sum->potential -= mass * plu_dot(g, x);
}

/* `broken`: the first body whose numbers are not finite; `fastest`: largest squared speed. */
static gains move_chunk(plu_stepper *s, int chunk, int *broken, double *fastest)
{
    plu_world *w = s->world;
    const int end = plu_chunk_end(w, chunk);
    gains sum = {0};
    for (int i = chunk * PLU_BODY_CHUNK; i < end; i++) {
        if (w->state[i] != PLU_ACTIVE || !plu_awake(w, i))
            continue;
        move(s, s->problem.v[i], i, &sum);
        plu_quiet_note(w, &s->quiet, i);
        const double speed = plu_speed_squared(w, i);
        if (!isfinite(speed) && i < *broken)
            *broken = i;
        *fastest = plu_max(*fastest, speed);
    }
    return sum;
}

static void move_all(plu_stepper *s, int chunks, int *broken, double *fastest)
{
#pragma omp for schedule(static) nowait reduction(min : broken[:1]) reduction(max : fastest[:1])
    for (int chunk = 0; chunk < chunks; chunk++) {
        const gains sum = move_chunk(s, chunk, broken, fastest);
        s->partial[chunk] = sum.theta;
        s->potential[chunk] = sum.potential;
    }
}

/* The bodies of contacts with a restitution that bear something, where others land. */
static void find_bounced(plu_stepper *s)
{
    const plu_world *w = s->world;
    const plu_contacts *list = s->contacts;
    memset(s->bounced, 0, (size_t)w->count);
    for (int i = 0; i < list->live_count; i++) {
        const plu_contact *c = &list->contact[list->live[i]];
        if (!(list->impulse[list->live[i]].n > 0.0) || plu_law_of(w, c)->lands)
            continue;
        s->bounced[c->b] = 1;
        if (c->a >= 0)
            s->bounced[c->a] = 1;
    }
}

plu_status plu_integrate(plu_stepper *s, plu_error *err)
{
    plu_world *w = s->world;
    if (w->lands && w->bounces)
        find_bounced(s);
    const int chunks = plu_body_chunks(w);
    int broken = w->count;
    double fastest = 0.0;
    PLU_TEAM(chunks > 4, move_all(s, chunks, &broken, &fastest));
    s->fastest[1] = s->fastest[0];
    s->fastest[0] = fastest;
    double gained = 0.0;
    for (int chunk = 0; chunk < chunks; chunk++)
        gained += s->partial[chunk];
    s->totals.theta -= s->scene->step * gained;
    if (broken == w->count)
        return PLU_OK;
    return plu_fail(err, PLU_BREAKDOWN,
                    "step %ld (t = %g s): the velocity of body %d is not a finite number",
                    w->steps + 1, w->time + w->scene->step, broken);
}
