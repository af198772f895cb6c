/* Servos: boundaries that a force moves along an axis. Here is what they are pulled with; their
 * contacts are solved with all others (blocks/servos.h).
 *
 *     v_free = v_k + (h/m) (F(t*) + m g.a) ,   t* = t_k + (3/2 - theta) h
 *
 * with F a force, or a stress times an area, at the middle of the step for theta = 1, at its end
 * for theta = 1/2. The area of a plane is what the other walls leave of it (enclosure.c). */
#include "world/servo.h"
#include "base/vec3.h"
#include "pluvia/boundary.h"
#include "pluvia/scene.h"
#include "world/enclosure.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double own_area(const plu_boundary_spec *b)
{
    if (b->servo.area > 0.0)
        return b->servo.area;
    if (b->kind == PLU_DISC)
        return PLU_PI * b->radius * b->radius;
    return b->kind == PLU_PLATE ? b->size[0] * b->size[1] : 0.0;
}

double plu_servo_area(const plu_world *w, const plu_world_servo *s)
{
    const plu_boundary_spec *b = &w->scene->boundaries[s->boundary];
    const double own = own_area(b);
    if (own > 0.0 || b->kind != PLU_PLANE)
        return own;
    const double enclosed = plu_enclosed_area(w, s->boundary);
    return isfinite(enclosed) ? enclosed : 0.0;
}

static void start(plu_world *w, plu_world_servo *s)
{
    const double h = w->step, t = plu_world_step_end(w) + (0.5 - w->scene->theta) * h;
    const plu_servo_spec *spec = s->spec;
    plu_pose *pose = &s->motion->pose;
    const double share =
        s->table.count ? plu_motion_table_value(&s->table, t - spec->start, 0) : 1.0;
    s->force = share * (spec->stress != 0.0 ? spec->stress * s->area : spec->force);
    s->load = s->force + spec->mass * plu_dot(w->gravity, spec->axis);
    s->free = plu_dot(pose->velocity[0], spec->axis) + h / spec->mass * s->load;
    s->holder = -1;
    w->wakings += !pose->moves;
    pose->moves = true;
}

plu_status plu_servos_begin(plu_world *w, plu_error *err)
{
    const double t = w->time, slack = plu_time_slack(w->step);
    for (int k = 0; k < w->servos_count; k++) {
        plu_world_servo *s = &w->servos[k];
        const plu_servo_spec *spec = s->spec;
        s->active = !s->motion->pose.gone && t >= spec->start - slack &&
                    !(spec->stop > 0.0 && t >= spec->stop - slack);
        s->motion->pose.servo = s->active ? k + 1 : 0;
        s->area = plu_servo_area(w, s);
        if (s->active && spec->stress != 0.0 && !(s->area > 0.0))
            return plu_fail(err, PLU_BREAKDOWN,
                            "step %ld (t = %g s): the other walls leave no area of %s for "
                            "servo.stress to act on: they have met or passed each other",
                            w->steps + 1, plu_world_step_end(w),
                            w->scene->boundaries[s->boundary].name);
        if (!s->active)
            continue;
        start(w, s);
        plu_servo_bound(w, k, -s->limit, s->limit);
    }
    return PLU_OK;
}

void plu_servo_bound(plu_world *w, int number, double low, double high)
{
    plu_world_servo *s = &w->servos[number];
    const double v = plu_max(low, plu_min(s->free, high));
    s->low = low;
    s->high = high;
    for (int k = 0; k < 3; k++)
        s->motion->pose.velocity[1][k] = v * s->spec->axis[k];
}

void plu_servo_end(plu_world *w, int number, double velocity, bool pushed)
{
    plu_world_servo *s = &w->servos[number];
    if (!s->active)
        return;
    for (int k = 0; k < 3; k++)
        s->motion->pose.velocity[1][k] = velocity * s->spec->axis[k];
    s->idle = pushed ? 0 : s->idle + 1;
    s->hurries = !pushed && fabs(velocity) >= s->limit;
}

/* Between the rows of a table values lie between theirs. */
static bool rises(const plu_world_servo *s, double time)
{
    const double t = time - s->spec->start;
    double before = fabs(plu_motion_table_value(&s->table, t, 0)), later = 0.0;
    for (int k = 0; k < s->table.count; k++) {
        const plu_motion_row *row = &s->table.row[k];
        double *most = row->t <= t ? &before : &later;
        *most = plu_max(*most, fabs(row->value[0]));
    }
    return later > before;
}

bool plu_world_load_rises(const plu_world *w)
{
    for (int k = 0; k < w->servos_count; k++)
        if (w->servos[k].table.count > 0 && rises(&w->servos[k], w->time))
            return true;
    return false;
}

double plu_boundary_stress(const plu_world *w, int boundary, const double force[3])
{
    const plu_boundary_spec *b = &w->scene->boundaries[boundary];
    for (int k = 0; k < w->servos_count; k++) {
        const plu_world_servo *s = &w->servos[k];
        const double area = s->boundary == boundary ? plu_servo_area(w, s) : 0.0;
        if (area > 0.0)
            return -plu_dot(force, s->spec->axis) / area;
    }
    const double area = b->kind == PLU_PLANE ? plu_enclosed_area(w, boundary) : 0.0;
    return area > 0.0 && isfinite(area) ? -plu_normal_part(w, boundary, force) / area : NAN;
}

void plu_servos_state(plu_world *w, plu_state *state)
{
    for (int k = 0; k < w->servos_count; k++)
        plu_motion_table_state(w, &w->servos[k].table, w->servos[k].boundary, "servo", state);
    for (int k = 0; k < w->servos_count; k++) {
        char name[48];
        snprintf(name, sizeof name, "world/servo-%d", k);
        long kept[2] = {w->servos[k].idle, w->servos[k].warned};
        plu_state_long(state, name, 1, 2, kept);
        w->servos[k].idle = kept[0];
        w->servos[k].warned = kept[1] != 0;
    }
}

void plu_servos_free(plu_world *w)
{
    for (int k = 0; w->servos && k < w->servos_count; k++)
        free(w->servos[k].table.row);
    free(w->servos);
    free(w->wall);
    w->servos = NULL;
    w->wall = NULL;
    w->servos_count = w->walls_count = 0;
}
