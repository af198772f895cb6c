/* Limits that a sound run never reaches (src/machinery.md, "Limits of a run"). A step that keeps to
 * its limits is judged by a few numbers that other loops work out anyway; bodies and contacts are
 * looked through only beyond them. */
#include "step/limits.h"
#include "base/team.h"
#include "base/vec3.h"
#include "solve/sweep.h"
#include "step/integrate.h"
#include "step/jams.h"
#include "step/method.h"
#include "step/projection.h"
#include "step/stepper.h"
#include "world/cell.h"
#include "world/servo.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LONG_TIME = 1000 }; /* steps without convergence after which a warning is due in any case */

/* A center that passes a wall without a contact moves by more than its radius; a part of the way
 * may be the projection's, which velocities do not show (radii). */
#define LONG_STRIDE 0.75

/* Speeds may exceed what energy gives to a single body: impacts pass it on to lighter ones. */
static const double square_of_ten = 100.0;

/* Where the body would be had it not come back by other sides of a periodic cell. */
static double potential(const plu_world *w, int i)
{
    double high = -plu_dot(w->gravity, w->bodies.position[i]);
    for (int k = 0; k < 3 && w->image; k++)
        high -= w->image[i][k] * plu_dot(w->gravity, w->space.edge[k]);
    return high;
}

void plu_limits_begin(plu_stepper *s)
{
    const plu_world *w = s->world;
    double speed = 0.0, radius = 0.0;
    s->smallest_radius = HUGE_VAL;
    s->highest = -HUGE_VAL;
    for (int i = 0; i < w->bodies.count; i++) { /* also those that wait */
        speed = plu_max(speed, plu_speed_squared(w, i));
        radius = plu_max(radius, w->bodies.position[i][3]);
        s->smallest_radius = plu_min(s->smallest_radius, w->bodies.position[i][3]);
        s->highest = plu_max(s->highest, potential(w, i));
    }
    const double pushed = plu_motions_fastest(w);
    const double sheared = plu_cell_speed(w);
    s->base_speed =
        speed + 4.0 * radius * plu_norm(s->world->gravity) + pushed * pushed + sheared * sheared;
}

/* Deals with a limit of kind `kind` that was passed, as the scene asks. */
static plu_status beyond(plu_stepper *s, plu_limit kind, bool stop, plu_error *err,
                         const char *format, ...) PLU_PRINTF(5, 6);

static plu_status beyond(plu_stepper *s, plu_limit kind, bool stop, plu_error *err,
                         const char *format, ...)
{
    char what[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    if (stop)
        return plu_fail(err, kind == PLU_LIMIT_UNCONVERGED ? PLU_NOT_CONVERGED : PLU_BREAKDOWN,
                        "step %ld (t = %g s): %s", s->world->steps, s->world->time, what);
    if (s->totals.beyond[kind]++ == 0)
        plu_log_write(&s->log, PLU_LOG_WARNING,
                      "step %ld (t = %g s): %s; further steps like this are only counted",
                      s->world->steps, s->world->time, what);
    return PLU_OK;
}

static bool stops(const plu_stepper *s)
{
    return s->scene->limits.on_limit == PLU_STOP;
}

/* "body 3" or the boundary's name */
static const char *name_of(const plu_world *w, plu_side side, char *buffer, size_t size)
{
    if (plu_side_is_sphere(side))
        snprintf(buffer, size, "body %d", plu_side_owner(w, side));
    else
        snprintf(buffer, size, "%s",
                 w->scene->boundaries[plu_side_surface(w, side)->boundary].name);
    return buffer;
}

/* What it is suspected of. */
static void suspect(const plu_world *w, const plu_motion *motion, char *buffer, size_t size)
{
    const char *name = w->scene->boundaries[motion->boundary].name;
    const int servo = motion->pose.servo - 1;
    if (servo < 0)
        snprintf(buffer, size, "; %s moves and may leave too little room", name);
    else
        snprintf(buffer, size,
                 "; the servo of %s pushes with %.3g N: a smaller force may avoid this", name,
                 w->servos[servo].load);
}

/* What may help: where boundaries move, the one of them on which the bodies press most is the
 * suspect. Else `otherwise`. */
static const char *advice_on(const plu_stepper *s, const char *otherwise, char *buffer, size_t size)
{
    const plu_world *w = s->world;
    double most = -1.0;
    snprintf(buffer, size, "%s", otherwise);
    for (int m = 0; m < w->motions_count; m++) {
        double force[3], moment[3];
        if (!w->motions[m].pose.moves)
            continue;
        plu_stepper_boundary_force(s, w->motions[m].boundary, force, moment);
        if (plu_norm(force) > most) {
            most = plu_norm(force);
            suspect(w, &w->motions[m], buffer, size);
        }
    }
    return buffer;
}

static const char shorter[] = "; a smaller time.step may avoid this";

static double allowed_speed_squared(const plu_stepper *s, int i)
{
    const double given = s->scene->limits.velocity;
    if (given > 0.0)
        return given * given;
    const double fall = plu_max(0.0, s->highest - potential(s->world, i));
    return square_of_ten * (s->base_speed + 2.0 * fall);
}

static plu_status check_speed(plu_stepper *s, plu_error *err)
{
    const plu_world *w = s->world;
    const double given = s->scene->limits.velocity;
    const double least = given > 0.0 ? given * given : square_of_ten * s->base_speed;
    if (s->fastest[0] <= least || least == 0.0)
        return PLU_OK;
    char advice[PLU_NAME + 96];
    for (int i = 0; i < w->bodies.count; i++) {
        const double most = allowed_speed_squared(s, i), speed = plu_speed_squared(w, i);
        if (w->bodies.state[i] == PLU_ACTIVE && speed > most)
            return beyond(s, PLU_LIMIT_VELOCITY, stops(s), err,
                          "body %d moves or rotates at %.3g m/s at (%.4g, %.4g, %.4g) m; %s is "
                          "%.3g m/s (limits.velocity)%s",
                          i, sqrt(speed), w->bodies.position[i][0], w->bodies.position[i][1],
                          w->bodies.position[i][2],
                          given > 0.0 ? "the limit" : "ten times what energy allows", sqrt(most),
                          advice_on(s, "", advice, sizeof advice));
    }
    return PLU_OK;
}

static plu_status check_penetration(plu_stepper *s, const plu_step_info *info, plu_error *err)
{
    if (info->penetration_ratio <= s->scene->limits.penetration)
        return PLU_OK;
    const plu_contact *worst = NULL;
    double most = 0.0;
    for (int i = 0; i < s->contacts->count; i++) {
        const plu_contact *c = &s->contacts->contact[i];
        const double ratio = -c->gap / (2.0 * plu_smaller_radius(s->world, c));
        if (ratio > most && !plu_are_jammed(s, c)) { /* where they may, that is said (jams.c) */
            most = ratio;
            worst = c;
        }
    }
    if (!worst || most <= s->scene->limits.penetration)
        return PLU_OK;
    char name[PLU_NAME], advice[PLU_NAME + 96];
    const double *x = s->world->spheres.at[worst->b];
    return beyond(s, PLU_LIMIT_PENETRATION, stops(s), err,
                  "body %d and %s overlap by %.3g m, %.3g of the smaller diameter (the limit is "
                  "%g, limits.penetration), at (%.4g, %.4g, %.4g) m%s",
                  plu_owner(&s->world->spheres, worst->b),
                  name_of(s->world, worst->a, name, sizeof name), -worst->gap, most,
                  s->scene->limits.penetration, x[0], x[1], x[2],
                  advice_on(s, shorter, advice, sizeof advice));
}

static plu_status report_passage(plu_stepper *s, int body, int part, const double start[3],
                                 plu_error *err)
{
    const plu_world *w = s->world;
    char name[PLU_NAME], advice[PLU_NAME + 96];
    return beyond(s, PLU_LIMIT_PASSAGE, stops(s), err,
                  "body %d passed through %s, from (%.4g, %.4g, %.4g) m to (%.4g, %.4g, %.4g) m in "
                  "one step%s",
                  body, name_of(w, plu_side_of_part(part), name, sizeof name), start[0], start[1],
                  start[2], w->bodies.position[body][0], w->bodies.position[body][1],
                  w->bodies.position[body][2], advice_on(s, shorter, advice, sizeof advice));
}

/* Where the body was before this step moved it, to rounding and the projection: good enough for one
 * that was not near a wall. */
static void start_of(const plu_stepper *s, int i, double start[3])
{
    const plu_world *w = s->world;
    const double h = s->world->step, *v = w->bodies.row[i];
    double old[3], change[3];
    if (!plu_awake(w, i)) {
        memcpy(start, w->bodies.position[i], 3 * sizeof *start);
        return;
    }
    memcpy(old, s->problem.v_free[i], sizeof old);
    plu_add_scaled(old, -h, s->world->gravity);
    plu_sub(v, old, change);
    const double theta = plu_theta_of(s, i, change);
    for (int k = 0; k < 3; k++)
        start[k] = w->bodies.position[i][k] - h * (theta * v[k] + (1.0 - theta) * old[k]);
}

/* How far boundaries moved in this step (m). */
static double wall_stride(const plu_stepper *s)
{
    double most = 0.0;
    for (int m = 0; m < s->world->motions_count; m++)
        most = plu_max(most, plu_motion_speed_squared(&s->world->motions[m]));
    return s->world->step * sqrt(most);
}

/* The first part (by number) that body i passed in a stride of most of its radius; or how many
 * parts there are. */
static int flown_through(const plu_stepper *s, int i, double start[3])
{
    PLU_SPHERES_ARE_BODIES; /* the way of a body is that of its sphere */
    const plu_world *w = s->world;
    const double *end = w->bodies.position[i], least = LONG_STRIDE * end[3] - wall_stride(s);
    int first = w->parts_count;
    double way[3];
    start_of(s, i, start);
    plu_sub(end, start, way);
    plu_part_search search = plu_parts_on_way(start, end);
    if (plu_norm(way) > least)
        for (int part; (part = plu_part_next(&w->tree, &search)) >= 0;)
            if (part < first && plu_part_passed_in_step(&w->parts[part], start, end))
                first = part;
    return first;
}

static void find_flown(const plu_stepper *s, int *first)
{
    const plu_world *w = s->world;
    double start[3];
#pragma omp for schedule(static) nowait reduction(min : first[:1])
    for (int i = 0; i < w->bodies.count; i++)
        if (w->bodies.state[i] == PLU_ACTIVE && (plu_awake(w, i) || w->motions_count) &&
            flown_through(s, i, start) < w->parts_count && i < *first)
            *first = i;
}

/* A center passes a boundary from a contact with it, or in one stride. */
static plu_status check_passages(plu_stepper *s, plu_error *err)
{
    const plu_world *w = s->world;
    const int k = plu_walls_passed(s);
    if (k < s->walls) {
        const plu_contact *c = &s->contacts->contact[s->contacts->count - s->walls + k];
        return report_passage(s, plu_owner(&w->spheres, c->b), plu_side_part(c->a), s->way[k].start,
                              err);
    }
    const double stride =
        s->world->step * sqrt(plu_max(s->fastest[0], s->fastest[1])) + wall_stride(s);
    int i = w->bodies.count;
    if (stride > LONG_STRIDE * s->smallest_radius)
        PLU_TEAM(w->bodies.count > 4000, find_flown(s, &i));
    double start[3];
    return i < w->bodies.count ? report_passage(s, i, flown_through(s, i, start), start, err)
                               : PLU_OK;
}

/* The contact at which the solver is farthest from done. */
static const plu_contact *worst_contact(const plu_stepper *s)
{
    const plu_contact *worst = NULL;
    double most = -1.0;
    for (int i = 0; i < s->contacts->live_count; i++) {
        const double change = plu_slot_change(&s->problem, s->problem.slot_of_contact[i]);
        if (change > most) {
            most = change;
            worst = &s->contacts->contact[s->contacts->live[i]];
        }
    }
    return worst;
}

static plu_status check_convergence(plu_stepper *s, const plu_step_info *info, plu_error *err)
{
    long *row = &s->totals.unconverged_in_a_row;
    const int given = s->scene->limits.unconverged_steps;
    *row = info->converged ? 0 : *row + 1;
    if (*row < (given > 0 ? given : LONG_TIME))
        return PLU_OK;
    const bool stop = given > 0 && stops(s);
    if (!stop && s->totals.beyond[PLU_LIMIT_UNCONVERGED] > 0) {
        s->totals.beyond[PLU_LIMIT_UNCONVERGED]++;
        return PLU_OK;
    }
    const plu_contact *c = worst_contact(s);
    char name[PLU_NAME], missed[256];
    return beyond(s, PLU_LIMIT_UNCONVERGED, stop, err,
                  "the solver has not converged for %ld steps (limits.unconverged_steps); the "
                  "%s after %d iterations, worst at the contact of body %d and %s",
                  *row, plu_missed_text(s, info, "is ", missed, sizeof missed), info->iterations,
                  plu_owner(&s->world->spheres, c->b), name_of(s->world, c->a, name, sizeof name));
}

plu_status plu_check_limits(plu_stepper *s, const plu_step_info *info, plu_error *err)
{
    plu_status status = check_penetration(s, info, err);
    if (status == PLU_OK)
        status = check_speed(s, err);
    if (status == PLU_OK && s->world->parts_count > 0)
        status = check_passages(s, err);
    if (status == PLU_OK)
        status = check_convergence(s, info, err);
    return status;
}
