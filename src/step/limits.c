/* Limits that a sound run never reaches (src/machinery.md, "Limits of a run"). A step that keeps to
 * its limits is judged by a few numbers that other loops work out anyway; bodies and contacts are
 * looked through only beyond them.
 *
 *     speed          v^2 > 100 (v_0^2 + 4 r |g| + boundaries^2 + 2 g (highest - lowest))
 *                    ten times what energy gives a body: impacts pass it on to lighter ones,
 *                    which may be high up again
 *     penetration    overlap over the smaller diameter; where bodies are jammed they may (jams.c)
 *     passage        a center that is on the other side of a wall, or of another sphere:
 *
 *                        ( o )---->|( o' )      straight, or in a stride with one bend; without
 *                                  wall         a contact only in strides of 0.75 r and more
 *
 *     convergence    steps in a row that are not solved to the tolerance
 *
 * What is passed ends the run (exit code 6 or 4) or, on_limit = "warn", is reported once and
 * counted.
 */
#include "step/limits.h"
#include "base/team.h"
#include "base/vec3.h"
#include "pluvia/boundary.h"
#include "pluvia/scene.h"
#include "pluvia/solving.h"
#include "step/integrate.h"
#include "step/jams.h"
#include "step/method.h"
#include "step/projection.h"
#include "step/stepper.h"
#include "sweep/island_sweep.h"
#include "world/cell.h"
#include "world/servo.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LONG_TIME = 1000 }; /* steps without convergence after which a warning is due in any case */

/* A center that passes a wall without a contact moves by more than its radius; a part of the way
 * may be the projection's, which velocities do not show (radii). */
#define LONG_STRIDE 0.75

/* Of two bodies that pass through each other, together (radii of the smaller one). */
#define PAIR_STRIDE 0.5

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
    s->lowest = HUGE_VAL;
    for (int i = 0; i < w->bodies.count; i++) { /* also those that wait */
        speed = plu_max(speed, plu_speed_squared(w, i));
        radius = plu_max(radius, w->bodies.position[i][3]);
        s->smallest_radius = plu_min(s->smallest_radius, w->bodies.position[i][3]);
        s->highest = plu_max(s->highest, potential(w, i));
        s->lowest = plu_min(s->lowest, potential(w, i));
    }
    const double pushed = plu_motions_fastest(w);
    const double sheared = plu_cell_speed(w);
    s->base_speed =
        speed + 4.0 * radius * plu_norm(s->world->gravity) + pushed * pushed + sheared * sheared;
}

/* Deals with a limit of kind `kind` that was passed, as the scene asks. */
static plu_status beyond(plu_stepper *s, plu_limit kind, bool stop, plu_error *err,
                         const char *format, ...) PLU_PRINTF(5, 6);

/* Only the first step beyond each kind of limit is told, for thousands often follow. */
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
    return s->scene->limits->on_limit == PLU_STOP;
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
        if (!w->motions[m].pose.moves || w->motions[m].boundary < 0)
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

/* A body may have its speed from others that have fallen farther than itself: what counts is how
 * deep any has been, where some body is fast enough to ask. */
static double allowed_speed_squared(plu_stepper *s)
{
    const plu_world *w = s->world;
    const double given = s->scene->limits->velocity;
    if (given > 0.0)
        return given * given;
    for (int i = 0; i < w->bodies.count; i++)
        if (w->bodies.state[i] == PLU_ACTIVE)
            s->lowest = plu_min(s->lowest, potential(w, i));
    return square_of_ten * (s->base_speed + 2.0 * plu_max(0.0, s->highest - s->lowest));
}

static plu_status check_speed(plu_stepper *s, plu_error *err)
{
    const plu_world *w = s->world;
    const double given = s->scene->limits->velocity;
    const double least = given > 0.0 ? given * given : square_of_ten * s->base_speed;
    if (s->fastest[0] <= least || least == 0.0)
        return PLU_OK;
    char advice[PLU_NAME + 96];
    const double most = allowed_speed_squared(s);
    for (int i = 0; i < w->bodies.count; i++) {
        const double speed = plu_speed_squared(w, i);
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
    if (info->penetration_ratio <= s->scene->limits->penetration)
        return PLU_OK;
    const plu_contact *worst = NULL;
    double most = 0.0;
    for (int i = 0; i < s->contacts->count; i++) {
        const plu_contact *c = &s->contacts->contact[i];
        const double ratio = -c->gap / (2.0 * plu_smaller_radius(s->world, c));
        if (ratio > most && !plu_are_jammed(s, c)) { /* of jams jams.c reports */
            most = ratio;
            worst = c;
        }
    }
    if (!worst || most <= s->scene->limits->penetration)
        return PLU_OK;
    char name[PLU_NAME], advice[PLU_NAME + 96];
    const double *x = s->world->spheres.at[worst->b];
    return beyond(s, PLU_LIMIT_PENETRATION, stops(s), err,
                  "body %d and %s overlap by %.3g m, %.3g of the smaller diameter (the limit is "
                  "%g, limits.penetration), at (%.4g, %.4g, %.4g) m%s",
                  plu_owner(&s->world->spheres, worst->b),
                  name_of(s->world, worst->a, name, sizeof name), -worst->gap, most,
                  s->scene->limits->penetration, x[0], x[1], x[2],
                  advice_on(s, shorter, advice, sizeof advice));
}

/* How far boundaries moved in this step (m). */
static double wall_stride(const plu_stepper *s)
{
    double most = 0.0;
    for (int m = 0; m < s->world->motions_count; m++)
        most = plu_max(most, plu_motion_speed_squared(&s->world->motions[m]));
    return s->world->step * sqrt(most);
}

/* `way`: the body's. */
static plu_status report_passage(plu_stepper *s, int body, int part, const double start[3],
                                 double way, plu_error *err)
{
    const plu_world *w = s->world;
    const double r = w->bodies.position[body][3], stride = plu_max(way + wall_stride(s), r);
    char name[PLU_NAME], advice[PLU_NAME + 96], step[64];
    snprintf(step, sizeof step, "; a time.step of %.1g s may avoid this",
             LONG_STRIDE * r / stride * w->step);
    return beyond(s, PLU_LIMIT_PASSAGE, stops(s), err,
                  "body %d passed through %s, from (%.4g, %.4g, %.4g) m to (%.4g, %.4g, %.4g) m in "
                  "one step%s%s",
                  body, name_of(w, plu_side_of_part(part), name, sizeof name), start[0], start[1],
                  start[2], w->bodies.position[body][0], w->bodies.position[body][1],
                  w->bodies.position[body][2], advice_on(s, "", advice, sizeof advice), step);
}

/* The first part (by number) that body i passed in a stride of most of its radius; or how many
 * parts there are. */
static int flown_through(const plu_stepper *s, int i, plu_way *way)
{
    PLU_SPHERES_ARE_BODIES; /* the way of a body is that of its sphere */
    const plu_world *w = s->world;
    const double least = LONG_STRIDE * w->bodies.position[i][3] - wall_stride(s);
    int first = w->parts_count;
    plu_way_of(s, i, way);
    if (way->length <= least)
        return first;
    plu_part_search search = plu_parts_on_way(way->start, way->end);
    search.reach = way->when > 0.0 && way->when < 1.0 ? way->length : 0.0;
    for (int m = 0; m < w->motions_count; m++) {
        const double beside = plu_pose_sagitta(&w->motions[m].pose, way->start, way->end);
        search.reach = plu_max(search.reach, beside);
    }
    search.box = plu_part_box_of(way->start, way->end, search.reach);
    for (int part; (part = plu_part_next(&w->tree, &search)) >= 0;)
        if (part < first &&
            plu_part_passed_along(&w->parts[part], way->start, way->bend, way->when, way->end))
            first = part;
    return first;
}

/* The smallest number of a body that flew through something, so that the message is the same for
 * any number of threads. */
static void find_flown(const plu_stepper *s, int *first)
{
    const plu_world *w = s->world;
    plu_way way;
#pragma omp for schedule(static) nowait reduction(min : first[:1])
    for (int i = 0; i < w->bodies.count; i++)
        if (w->bodies.state[i] == PLU_ACTIVE && (plu_awake(w, i) || w->motions_count) &&
            !plu_is_fixed(w, i) && flown_through(s, i, &way) < w->parts_count && i < *first)
            *first = i;
}

/* The longest way of a body or a part in this step, at most (m). */
static double longest_stride(const plu_stepper *s)
{
    return s->world->step * sqrt(plu_max(s->fastest[0], s->fastest[1])) + wall_stride(s);
}

/* A center passes a boundary from a contact with it, or in one stride. */
static plu_status check_passages(plu_stepper *s, plu_error *err)
{
    const plu_world *w = s->world;
    const int k = plu_walls_passed(s);
    plu_way way;
    if (k < s->walls) {
        const plu_contact *c = &s->contacts->contact[s->contacts->count - s->walls + k];
        plu_way_of(s, plu_owner(&w->spheres, c->b), &way);
        return report_passage(s, plu_owner(&w->spheres, c->b), plu_side_part(c->a), s->way[k].start,
                              way.length, err);
    }
    int i = w->bodies.count;
    if (longest_stride(s) > LONG_STRIDE * s->smallest_radius)
        PLU_TEAM(plu_many(w->bodies.count, 4000), find_flown(s, &i));
    if (i == w->bodies.count)
        return PLU_OK;
    const int part = flown_through(s, i, &way);
    return report_passage(s, i, part, way.start, way.length, err);
}

/* Spheres pass each other in long strides only. */
static plu_status check_meetings(plu_stepper *s, plu_error *err)
{
    const plu_world *w = s->world;
    plu_passage passage;
    if (2.0 * longest_stride(s) + w->step * w->space.fastest <= PAIR_STRIDE * s->smallest_radius)
        return PLU_OK;
    const plu_status status = plu_find_passage(s, &passage, err);
    if (status != PLU_OK || passage.a == w->spheres.count)
        return status;
    const int a = plu_owner(&w->spheres, passage.a), b = plu_owner(&w->spheres, passage.b);
    const double *x = w->bodies.position[b], *y = w->bodies.position[a];
    const double r = plu_min(x[3], y[3]);
    return beyond(
        s, PLU_LIMIT_PASSAGE, stops(s), err,
        "body %d and body %d passed through each other: they moved by up to %.3g m in one "
        "step, to (%.4g, %.4g, %.4g) m and (%.4g, %.4g, %.4g) m; a time.step of %.1g s "
        "may avoid this",
        b, a, passage.stride, x[0], x[1], x[2], y[0], y[1], y[2],
        PAIR_STRIDE * r / passage.stride * w->step);
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
    const int given = s->scene->limits->unconverged_steps;
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
        status = check_meetings(s, err);
    if (status == PLU_OK)
        status = check_convergence(s, info, err);
    return status;
}
