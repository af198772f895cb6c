/* The end of a step: positions by the theta rule (src/theory.md), orientations by the same mean of
 * the angular velocity w = theta w_{k+1} + (1 - theta) w_k.
 *
 * A sphere has no gyroscopic moment (its inertia is a multiple of the identity), so that its free
 * rotation has a constant w in the world frame. Then dq/dt = (0, w) q / 2 for the quaternion q from
 * the body to the world has the exact solution
 *
 *     q(h) = exp(h w / 2) q(0) ,   exp(h w / 2) = (cos(h |w| / 2), sin(h |w| / 2) w / |w|) ,
 *
 * which keeps |q| = 1 for any h |w|; only rounding is taken back. */
#include "step/integrate.h"
#include "assemble/rebound.h"
#include "assemble/turn.h"
#include "base/team.h"
#include "base/vec3.h"
#include "pluvia/scene.h"
#include "step/impacts.h"
#include "step/limits.h"
#include "step/move_lanes.h"
#include "step/projection.h"
#include "step/stepper.h"
#include "world/motion.h"
#include <string.h>

/* q <- exp(h omega / 2) q; sine and cosine by their series where that is exact to rounding. */
static void rotate(double q[4], const double omega[3], double h)
{
    const double x = 0.25 * h * h * plu_dot(omega, omega); /* half the angle, squared */
    if (x == 0.0)
        return;
    double c, s; /* cos(angle / 2), sin(angle / 2) / |omega| */
    if (x < PLU_SMALL_TURN) {
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

/* What bodies add to sums: (theta - 1/2) m g . (v_{k+1} - v_k), their potential energy where they
 * are now, taken negative, and what a cell that moves faster does to them. */
typedef struct gains {
    plu_exact *theta, *potential, *cell;
} gains;

/* What a cell that changes its motion adds to a velocity is not the body's own change, nor is what
 * rounding leaves of that. */
static void take_kick(const plu_world *w, const double *fresh, int i, double change[3],
                      const gains *sum)
{
    const double *v = w->bodies.row[i];
    double kick[3] = {0.0, 0.0, 0.0};
    plu_space_kick(&w->space, w->bodies.position[i], kick);
    plu_add_scaled(change, -1.0, kick);
    if (plu_dot(change, change) <= 1e-20 * plu_dot(fresh, fresh))
        memset(change, 0, 3 * sizeof *change);
    plu_exact_add(sum->cell, 0.5 / v[6] * (plu_dot(kick, fresh) + plu_dot(kick, v)));
}

/* The theta rule moves a body by h (theta v' + (1 - theta) v), while the change of its kinetic
 * energy by weight is that of the mean velocity: the rule creates -h (theta - 1/2) m g . (v' - v),
 * which the energy account has as `theta`. */
static void move(const plu_stepper *s, const double *fresh, int i, const gains *sum)
{
    PLU_SPHERES_ARE_BODIES; /* the sphere moves along; no moment, no change of omega */
    const plu_world *w = s->world;
    const double h = w->step, *g = w->gravity;
    double *v = w->bodies.row[i], *x = w->bodies.position[i], omega[3], change[3], own[3];
    plu_sub(fresh, v, change);
    memcpy(own, change, sizeof own);
    if (w->space.moves)
        take_kick(w, fresh, i, own, sum);
    const double theta = plu_theta_of(s, i, own);
    const plu_turn *turn = &plu_assembler_turns(s->assembler)[i];
    double beside[3];
    for (int k = 0; k < 3; k++) {
        beside[k] = plu_turn_beside(turn, s->turn_unit, theta, k);
        x[k] += h * (theta * fresh[k] + (1.0 - theta) * v[k] + beside[k]);
        omega[k] = theta * fresh[3 + k] + (1.0 - theta) * v[3 + k];
    }
    rotate(w->bodies.orientation[i], omega, h);
    memcpy(v, fresh, 6 * sizeof *v);
    const double mass = 1.0 / v[6];
    if (theta != 0.5 || plu_dot(beside, beside) > 0.0)
        plu_exact_add(sum->theta,
                      (theta - 0.5) * mass * plu_dot(g, change) + mass * plu_dot(g, beside));
    if (s->projects)
        plu_exact_add(sum->potential, mass * plu_dot(g, x));
}

/* What is found out about the bodies of a thread. */
typedef struct findings {
    int broken;     /* the first body whose numbers are not finite */
    double fastest; /* largest squared speed */
    long slow;      /* bodies that are slow (sleep.h) */
} findings;

static void find(int i, double speed, findings *found)
{
    if (!isfinite(speed) && i < found->broken)
        found->broken = i;
    found->fastest = plu_max(found->fastest, speed);
}

static void move_one(plu_stepper *s, int i, const gains *sum, findings *found)
{
    double before[8];
    memcpy(before, s->world->bodies.row[i], sizeof before);
    move(s, s->problem.v[i], i, sum);
    plu_sleep_note(s->world, &s->sleep, i);
    found->slow += plu_is_slow(s, i, s->world->bodies.row[i]);
    s->sleep.marked[i] = plu_slows_down(s, i, before, s->world->bodies.row[i]);
    find(i, plu_speed_squared(s->world, i), found);
}

/* Whether bodies move all in the same way, so that lanes serve. */
static bool moves_plainly(const plu_stepper *s)
{
    const plu_world *w = s->world;
    return !w->space.moves && !w->bounces && w->loads_count == 0 && !s->swift;
}

/* All that the lanes need of a step, by value: move_lanes.c is compiled per instruction set and
 * sees no stepper. */
static plu_moving motion_of(const plu_stepper *s)
{
    const plu_world *w = s->world;
    plu_moving m = {.row = w->bodies.row,
                    .position = w->bodies.position,
                    .orientation = w->bodies.orientation,
                    .fresh = (const double(*)[8])s->problem.v,
                    .step = w->step,
                    .theta = w->scene->theta,
                    .hit = s->hit + s->jerk,
                    .turn = plu_assembler_turns(s->assembler),
                    .turns = plu_theta_turns(w),
                    .turn_unit = s->turn_unit,
                    .lands = w->lands,
                    .rest_speed = s->sleep.speed,
                    .slow_speed = s->sleep.ringing};
    memcpy(m.gravity, w->gravity, sizeof m.gravity);
    return m;
}

/* move_one for up to PLU_MOVED bodies. */
static void move_some(plu_stepper *s, const int *body, int count, const gains *sum, findings *found)
{
    plu_world *w = s->world;
    const plu_moving motion = motion_of(s);
    plu_moved moved;
    PLU_ISA_BEST(plu_move_bodies)(&motion, body, count, &moved);
    for (int k = 0; k < count; k++) {
        const int i = body[k];
        if (moved.turns >> k & 1)
            rotate(w->bodies.orientation[i],
                   (double[3]){moved.omega[0][k], moved.omega[1][k], moved.omega[2][k]},
                   motion.step);
        plu_exact_add(sum->theta, moved.theta[k]);
        if (s->projects)
            plu_exact_add(sum->potential, moved.potential[k]);
        plu_sleep_count(w, i, moved.still >> k & 1);
        found->slow += moved.slow >> k & 1;
        s->sleep.marked[i] = moved.slows >> k & 1;
        find(i, moved.speed[k], found);
    }
}

/* Bodies of a chunk, collected for lanes; one with a theta of its own, or any one in a scene that
 * does not move plainly, goes alone. Sums are exact (base/exact.h), so the order does not matter.
 */
static void move_chunk(plu_stepper *s, int chunk, plu_exact gained[2], findings *found)
{
    plu_world *w = s->world;
    const bool plainly = moves_plainly(s);
    const int end = plu_chunk_end(w, chunk);
    const gains sum = {&gained[0], &s->potential[chunk], &gained[1]};
    int body[PLU_MOVED], count = 0;
    *sum.potential = (plu_exact){0};
    for (int i = chunk * PLU_BODY_CHUNK; i < end; i++) {
        if (w->bodies.state[i] != PLU_ACTIVE || !plu_awake(w, i))
            continue;
        if (!plainly || !isnan(plu_theta_given(s, i))) {
            move_one(s, i, &sum, found);
            continue;
        }
        body[count++] = i;
        if (count == PLU_MOVED) {
            move_some(s, body, count, &sum, found);
            count = 0;
        }
    }
    if (count > 0)
        move_some(s, body, count, &sum, found);
}

/* `gained`: of the rule of theta, and of the cell. */
static void move_all(plu_stepper *s, int chunks, plu_exact gained[2], int *broken, double *fastest,
                     long *slow)
{
    plu_exact own[2] = {0};
#pragma omp for schedule(static) nowait reduction(min : broken[:1]) reduction(max : fastest[:1])      \
    reduction(+ : slow[:1])
    for (int chunk = 0; chunk < chunks; chunk++) {
        findings found = {*broken, *fastest, 0};
        move_chunk(s, chunk, own, &found);
        *broken = found.broken;
        *fastest = found.fastest;
        *slow += found.slow;
    }
#pragma omp critical
    for (int k = 0; k < 2; k++)
        plu_exact_join(&gained[k], &own[k]);
}

plu_status plu_integrate_begin(plu_stepper *s, plu_error *err)
{
    s->turn_unit = plu_turn_unit(s->world);
    const plu_status found = plu_theta_find(s, err);
    if (found != PLU_OK)
        return found;
    plu_impacts_share(s);
    s->jerk = 2.0 * plu_motions_change(s->world);
    return PLU_OK;
}

plu_status plu_integrate(plu_stepper *s, plu_error *err)
{
    plu_world *w = s->world;
    if (w->rebounds)
        plu_rebound_store(w, s->contacts);
    plu_impacts_end(s);
    const int chunks = plu_body_chunks(w);
    int broken = w->bodies.count;
    double fastest = 0.0;
    plu_exact gained[2] = {0};
    s->projects = plu_projects(s);
    s->sleep.slower = 0;
    PLU_TEAM(plu_many(chunks, 4), move_all(s, chunks, gained, &broken, &fastest, &s->sleep.slower));
    const double before = plu_detector_stride(s->detector) / w->step;
    s->fastest[0] = fastest;
    s->fastest[1] = before * before;
    s->totals.theta -= s->world->step * plu_exact_value(&gained[0]);
    s->totals.work_cell += plu_exact_value(&gained[1]);
    if (broken == w->bodies.count)
        return PLU_OK;
    return plu_fail(err, PLU_BREAKDOWN,
                    "step %ld (t = %g s): the velocity of body %d is not a finite number",
                    w->steps + 1, w->time + w->step, broken);
}
