/* Checks and completes the servo of a boundary. */
#include "base/vec3.h"
#include "scene/reader.h"
#include "shape/shape.h"
#include <math.h>
#include <string.h>

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
    plu_settle_axis(reader, index, "servo", b->servo.axis);
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
    reader->scene->output.boundaries |= b->has_servo;
    if (!b->has_servo)
        return;
    check_axis(reader, index);
    check_force(reader, index);
    plu_check_path(reader, "boundaries", index, "servo.table", b->servo.table);
    if (b->servo.stop > 0.0 && b->servo.stop <= b->servo.start)
        plu_complain(reader, plu_entry_place(reader, "boundaries", index, "servo.stop"),
                     "boundaries[%d].servo.stop must be later than start = %g (found %g)", index,
                     b->servo.start, b->servo.stop);
    plu_check_until(reader, index, "servo", b->servo.start);
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
