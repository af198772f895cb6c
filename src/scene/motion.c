/* Checks and completes the motion of a boundary. */
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

void plu_check_motion(plu_reader *reader, int index)
{
    plu_boundary_spec *b = &reader->scene->boundaries[index];
    plu_motion_spec *m = &b->motion;
    if (!b->moves || !plu_boundary_has(reader, index, "motion.center"))
        own_center(b, m->center);
    reader->scene->output.boundaries |= b->moves || b->until > 0.0;
    if (!b->moves)
        return;
    plu_settle_axis(reader, index, "motion", m->axis);
    plu_check_path(reader, "boundaries", index, "motion.table", m->table);
    if (m->stop > 0.0 && m->stop <= m->start)
        plu_complain(reader, plu_entry_place(reader, "boundaries", index, "motion.stop"),
                     "boundaries[%d].motion.stop must be later than start = %g (found %g)", index,
                     m->start, m->stop);
    plu_check_until(reader, index, "motion", m->start);
}
