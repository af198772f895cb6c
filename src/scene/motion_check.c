/* Checks and completes the motion of a boundary. */
#include "base/vec3.h"
#include "scene/reader.h"
#include "shape/shape.h"
#include <string.h>

/* The middle of a box, the center of any other shape. */
static void own_center(const plu_boundary_spec *b, double center[3])
{
    for (int k = 0; k < 3; k++)
        center[k] = b->kind == PLU_BOX ? 0.5 * (b->box[0][k] + b->box[1][k]) : b->center[k];
}

void plu_check_until(plu_reader *reader, int index, const char *group, double start)
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
        plu_settle_axis(reader, index, "start", b->start_axis);
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
    reader->scene->output.boundaries |= b->moves || b->until > 0.0 || b->displaced;
    if (b->moves)
        plu_settle_axis(reader, index, "motion", m->axis);
    if (b->displaced)
        settle_start(reader, index);
    if (!b->moves)
        return;
    plu_check_path(reader, "boundaries", index, "motion.table", m->table);
    if (m->stop > 0.0 && m->stop <= m->start)
        plu_complain(reader, plu_entry_place(reader, "boundaries", index, "motion.stop"),
                     "boundaries[%d].motion.stop must be later than start = %g (found %g)", index,
                     m->start, m->stop);
    plu_check_until(reader, index, "motion", m->start);
}
