/* Checks and completes the motion and the servo of a boundary.
 *
 *   motion.center   default: the middle of the boundary       motion.axis   made a unit vector
 *   start.axis      default: that of the motion, else upright
 *   servo.axis      default: the normal, of flat shapes only  servo.force or servo.stress, not both
 *   until           later than the start of motion and servo
 *
 * A servo whose axis lies within its plane would push against nothing, and a belt on a boundary
 * that moves by a servo would have two speeds: both are refused. Whatever moves, or may vanish,
 * has its place written in each frame (output.boundaries). */
#include "base/vec3.h"
#include "pluvia/writing.h"
#include "scene/reader.h"
#include "shape/shape.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Checks of a group of keys of a boundary (its motion, its servo ...): complaints name the
 * boundary, the group and the line of the scene. */

void plu_settled_complain(void *settled, const char *key, const char *text)
{
    const plu_settled *b = settled;
    char path[64];
    snprintf(path, sizeof path, "%s.%s", b->group, key);
    plu_complain(b->reader, plu_entry_place(b->reader, "boundaries", b->index, path),
                 "boundaries[%d].%s%s", b->index, b->group, text);
}

static void settle_axis(plu_reader *reader, int index, const char *group, double axis[3])
{
    plu_settled user = {reader, index, group};
    plu_settle_unit(&(plu_settling){.spec = &reader->scene->boundaries[index],
                                    .complain = plu_settled_complain,
                                    .user = &user},
                    "axis", axis);
}

/* --- Checks and completes the motion of a boundary --- */

/* The middle of a box, the center of any other shape. */
static void own_center(const plu_boundary_spec *b, double center[3])
{
    for (int k = 0; k < 3; k++)
        center[k] = b->kind == PLU_BOX ? 0.5 * (b->box[0][k] + b->box[1][k]) : b->center[k];
}

static void check_until(plu_reader *reader, int index, const char *group, double start)
{
    const plu_boundary_spec *b = &reader->scene->boundaries[index];
    if (b->until > 0.0 && b->until <= start)
        plu_complain(
            reader, plu_entry_place(reader, "boundaries", index, "until"),
            "boundaries[%d].until must be later than %s.start = %g (found %g): it would be "
            "gone before it moves",
            index, group, start, b->until);
}

/* The axis of its first rotation, which is that of its motion where it has one. */
static void settle_start(plu_reader *reader, int index)
{
    plu_boundary_spec *b = &reader->scene->boundaries[index];
    const double *given = b->motion.axis, upright[3] = {0.0, 0.0, 1.0};
    static const double same = 1e-9;
    if (plu_boundary_has(reader, index, "start.axis"))
        settle_axis(reader, index, "start", b->start_axis);
    else
        memcpy(b->start_axis, b->moves ? given : upright, sizeof b->start_axis);
    if (b->moves && b->start_angle != 0.0 && plu_dot(b->start_axis, given) < 1.0 - same)
        plu_complain(reader, plu_entry_place(reader, "boundaries", index, "start.axis"),
                     "boundaries[%d].start.axis must be that of the motion, about which it turns",
                     index);
}

void plu_check_motion(plu_reader *reader, int index)
{
    plu_boundary_spec *b = &reader->scene->boundaries[index];
    plu_motion_spec *m = &b->motion;
    if (!b->moves || !plu_boundary_has(reader, index, "motion.center"))
        own_center(b, m->center);
    reader->scene->output->boundaries |= b->moves || b->until > 0.0 || b->displaced;
    if (b->moves)
        settle_axis(reader, index, "motion", m->axis);
    if (b->displaced)
        settle_start(reader, index);
    if (!b->moves)
        return;
    plu_check_path(reader, "boundaries", index, "motion.table", m->table);
    if (m->stop > 0.0 && m->stop <= m->start)
        plu_complain(reader, plu_entry_place(reader, "boundaries", index, "motion.stop"),
                     "boundaries[%d].motion.stop must be later than start = %g (found %g)", index,
                     m->start, m->stop);
    check_until(reader, index, "motion", m->start);
}

/* --- Checks and completes the servo of a boundary --- */

static bool is_flat(const plu_boundary_spec *b)
{
    return b->kind == PLU_PLANE || b->kind == PLU_PLATE || b->kind == PLU_DISC;
}

/* An axis with a smaller share along the normal cannot be distinguished from one within the plane.
 */
static const double across = 1e-6;

static void check_axis(plu_reader *reader, int index)
{
    plu_boundary_spec *b = &reader->scene->boundaries[index];
    if (!plu_boundary_has(reader, index, "servo.axis")) {
        memcpy(b->servo.axis, b->normal, sizeof b->normal);
        if (!is_flat(b))
            plu_complain(reader, plu_entry_place(reader, "boundaries", index, "servo"),
                         "boundaries[%d].servo.axis is missing: this shape has no normal", index);
        return;
    }
    settle_axis(reader, index, "servo", b->servo.axis);
    if (is_flat(b) && fabs(plu_dot(b->servo.axis, b->normal)) < across)
        plu_complain(
            reader, plu_entry_place(reader, "boundaries", index, "servo.axis"),
            "boundaries[%d].servo.axis lies in the plane of the boundary, which presses on "
            "nothing that way: give one that leaves it, or a motion",
            index);
}

static void check_force(plu_reader *reader, int index)
{
    const plu_boundary_spec *b = &reader->scene->boundaries[index];
    const bool force = plu_boundary_has(reader, index, "servo.force"),
               stress = plu_boundary_has(reader, index, "servo.stress");
    if (force == stress)
        plu_complain(reader, plu_entry_place(reader, "boundaries", index, "servo"),
                     "boundaries[%d].servo: give either force (N) or stress (Pa)%s", index,
                     force ? ", not both" : "");
    if (stress && !is_flat(b) && !(b->servo.area > 0.0))
        plu_complain(reader, plu_entry_place(reader, "boundaries", index, "servo.stress"),
                     "boundaries[%d].servo.stress needs servo.area: only planes, plates and discs "
                     "have an area of their own",
                     index);
}

void plu_check_servo(plu_reader *reader, int index)
{
    plu_boundary_spec *b = &reader->scene->boundaries[index];
    reader->scene->output->boundaries |= b->has_servo;
    if (!b->has_servo)
        return;
    check_axis(reader, index);
    check_force(reader, index);
    plu_check_path(reader, "boundaries", index, "servo.table", b->servo.table);
    if (b->servo.stop > 0.0 && b->servo.stop <= b->servo.start)
        plu_complain(reader, plu_entry_place(reader, "boundaries", index, "servo.stop"),
                     "boundaries[%d].servo.stop must be later than start = %g (found %g)", index,
                     b->servo.start, b->servo.stop);
    check_until(reader, index, "servo", b->servo.start);
    if (plu_norm(b->motion.belt) > 0.0)
        plu_complain(reader, plu_entry_place(reader, "boundaries", index, "motion.belt"),
                     "boundaries[%d].motion.belt: a boundary with a servo cannot be a belt as "
                     "well; remove one of the two",
                     index);
    if (reader->scene->method == PLU_PENALTY)
        plu_complain(
            reader, plu_entry_place(reader, "boundaries", index, "servo"),
            "boundaries[%d].servo: method = \"penalty\" does not support servos; use a motion",
            index);
}
