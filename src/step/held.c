/* Fixed bodies hold boundaries that a servo moves: pairs of the two are no contacts of the solve,
 * so that the servo's velocity is bounded beforehand where its wall would come to such a body:
 *
 *        wall, axis a, velocity v                       g   distance now
 *       |--->            g            ( ) fixed         c   a.n, the share of the axis along n
 *       |<--------------------------->                  u   velocity of the body along n
 *
 *     after this step                                   g + h u - h c (theta v + (1 - theta) v_0)
 *     a stop in the next one takes at least             (1 - theta) h (c v - u)
 *
 * and the first must not be less than the second, which is a bound of v. What a motion moves (no
 * servo) is held by nothing: a warning says once that the two go through each other. */
#include "base/vec3.h"
#include "pluvia/boundary.h"
#include "pluvia/scene.h"
#include "step/carried.h"
#include "world/groups.h"
#include "world/servo.h"
#include <math.h>
#include <stdio.h>

/* Over its radius: a fixed body that reaches deeper through a boundary does so by intention, as at
 * the rim of a rough base: nothing is held there. */
static const double through = 0.05;
/* What comes so deep, over that, on its way there, by more than rounding (over its radius). */
static const double nearly = 0.9, closes = 1e-9;

/* Cosine of the axis of a servo and a normal below which it slides along. */
static const double along = 1e-6;

enum { WARNED_HELD = 1, WARNED_THROUGH = 2 };

/* A fixed body near a part. */
typedef struct meeting {
    const plu_part *part;
    int body;
    double gap, normal[3]; /* m; from the part to the body */
    double speed;          /* of the body along the normal (m/s) */
} meeting;

/* How fast a point of what has that pose moves along the normal in the step (m/s). */
static double speed_of(const plu_pose *pose, const double x[3], const double normal[3])
{
    double arm[3], v[3];
    if (!pose || !pose->moves)
        return 0.0;
    plu_pose_arm(pose, x, arm);
    plu_pose_velocity(pose, PLU_MEAN, arm, normal, v);
    return plu_dot(v, normal);
}

static plu_motion *motion_at(const plu_world *w, const plu_pose *pose)
{
    for (int m = 0; pose && m < w->motions_count; m++)
        if (&w->motions[m].pose == pose)
            return &w->motions[m];
    return NULL;
}

/* Bounds the velocity v of a servo such that the wall stops at the body: with the distance g, the
 * speed u of the body along the normal, c the share of the axis in it, and a stop in the step after
 * this one, g + h u - h c (theta v + (1 - theta) v_0) >= (1 - theta) h (c v - u). */
static void bound(plu_world *w, const meeting *m)
{
    const int number = m->part->pose->servo - 1;
    plu_world_servo *s = &w->servos[number];
    const double c = plu_dot(s->spec->axis, m->normal), later = 1.0 - w->scene->theta;
    if (fabs(c) < along)
        return;
    const double before = plu_dot(m->part->pose->velocity[0], s->spec->axis);
    const double stop = (m->gap / w->step + (1.0 + later) * m->speed) / c - later * before;
    const double low = c < 0.0 ? plu_min(stop, m->speed / c) : -s->limit,
                 high = c > 0.0 ? plu_max(stop, m->speed / c) : s->limit;
    if (low <= s->low && high >= s->high)
        return;
    s->holder = m->body;
    plu_servo_bound(w, number, plu_min(plu_max(low, s->low), s->limit),
                    plu_max(plu_min(high, s->high), -s->limit));
}

/* "body 7 of bodies[1]" */
static const char *name_of(const plu_world *w, int body, char *buffer, size_t size)
{
    int entry = 0;
    while (body >= w->first[entry + 1])
        entry++;
    snprintf(buffer, size, "body %d of bodies[%d]", body, entry);
    return buffer;
}

/* Whether the two go on through each other in the step, by however much the servo gives way. */
static bool goes_through(const plu_world *w, const meeting *m)
{
    const plu_pose *pose = m->part->pose;
    double wall = speed_of(pose, w->bodies.position[m->body], m->normal);
    if (pose && pose->servo) {
        const plu_world_servo *s = &w->servos[pose->servo - 1];
        wall = (1.0 - w->scene->theta) * plu_dot(pose->velocity[0], m->normal) -
               w->scene->theta * s->limit * fabs(plu_dot(s->spec->axis, m->normal));
    }
    const double r = w->bodies.position[m->body][3], way = w->step * (m->speed - wall);
    return way < -closes * r && m->gap + way < -nearly * through * r;
}

static void say_through(plu_stepper *s, const meeting *m)
{
    const plu_world *w = s->world;
    const plu_pose *pose = m->part->pose;
    plu_motion *motion = motion_at(w, pose && pose->moves ? pose : &plu_group_of(w, m->body)->pose);
    char name[64];
    if (!motion || motion->warned & WARNED_THROUGH)
        return;
    motion->warned |= WARNED_THROUGH;
    plu_log_write(
        &s->log, PLU_LOG_WARNING,
        "step %ld (t = %g s): %s and %s, which is fixed, go through each other: %s", w->steps + 1,
        w->time + w->step, s->scene->boundaries[m->part->boundary].name,
        name_of(w, m->body, name, sizeof name),
        pose && pose->servo
            ? "the servo gives way too slowly (servo.speed)"
            : "nothing holds what follows a motion; end it before (motion.stop), or let a "
              "servo move the boundary");
}

/* How far a part and a fixed body may come together in a step, at most (m). */
static double farthest(const plu_world *w)
{
    double most = 0.0;
    for (int m = 0; m < w->motions_count; m++)
        if (w->motions[m].pose.moves)
            most = plu_max(most, sqrt(plu_motion_speed_squared(&w->motions[m])));
    for (int k = 0; k < w->servos_count; k++)
        most = w->servos[k].active ? plu_max(most, w->servos[k].limit) : most;
    return 3.0 * w->step * most;
}

static void look(plu_stepper *s, int body, double reach)
{
    PLU_SPHERES_ARE_BODIES; /* the body is its sphere */
    plu_world *w = s->world;
    const double *x = w->bodies.position[body];
    const plu_motion *group = plu_group_of(w, body);
    plu_part_search search = plu_parts_near(x, x[3] + reach);
    for (int p; (p = plu_part_next(&w->tree, &search)) >= 0;) {
        meeting m = {.part = &w->parts[p], .body = body};
        const plu_pose *pose = m.part->pose;
        if (!(pose && pose->moves) && !(group && group->pose.moves))
            continue;
        m.gap = plu_part_gap(m.part, x, m.normal);
        if (!(m.gap <= reach) || m.gap < -through * x[3])
            continue;
        m.speed = speed_of(group ? &group->pose : NULL, x, m.normal);
        if (pose && pose->servo)
            bound(w, &m);
        if (goes_through(w, &m))
            say_through(s, &m);
    }
}

void plu_held_begin(plu_stepper *s)
{
    plu_world *w = s->world;
    if (w->fixed == 0 || w->parts_count == 0 || !plu_motions_move(w))
        return;
    const double reach = farthest(w);
    for (int b = 0; b < w->bodies.count; b++)
        if (plu_is_fixed(w, b) && w->bodies.state[b] == PLU_ACTIVE)
            look(s, b, reach);
}

void plu_held_note(plu_stepper *s, int number)
{
    const plu_world *w = s->world;
    const plu_world_servo *servo = &w->servos[number];
    const plu_servo *solved = &s->problem.servos[number];
    const double wants = solved->island >= 0 ? solved->pushed : solved->free;
    char name[64];
    if (servo->holder < 0 || servo->motion->warned & WARNED_HELD ||
        (wants >= solved->low && wants <= solved->high))
        return;
    servo->motion->warned |= WARNED_HELD;
    plu_log_write(
        &s->log, PLU_LOG_WARNING,
        "step %ld (t = %g s): the servo of %s is held by %s, which is fixed: fixed bodies "
        "bear a part of its force from here on, and the stress on it is that of the others",
        w->steps + 1, w->time + w->step, s->scene->boundaries[servo->boundary].name,
        name_of(w, servo->holder, name, sizeof name));
}

void plu_held_state(plu_stepper *s, plu_state *state)
{
    for (int m = 0; m < s->world->motions_count && s->world->fixed > 0; m++) {
        char name[48];
        snprintf(name, sizeof name, "world/said-%d", m);
        plu_state_long(state, name, 1, 1, &s->world->motions[m].warned);
    }
}
