/* Checks of a group of keys of a boundary (its motion, its servo ...): complaints name the
 * boundary, the group and the line of the scene. */
#include "scene/reader.h"
#include "shape/shape.h"
#include <stdio.h>

void plu_settled_complain(void *settled, const char *key, const char *text)
{
    const plu_settled *b = settled;
    char path[64];
    snprintf(path, sizeof path, "%s.%s", b->group, key);
    plu_complain(b->reader, plu_entry_place(b->reader, "boundaries", b->index, path),
                 "boundaries[%d].%s%s", b->index, b->group, text);
}

void plu_settle_axis(plu_reader *reader, int index, const char *group, double axis[3])
{
    plu_settled user = {reader, index, group};
    plu_settle_unit(&(plu_settling){.spec = &reader->scene->boundaries[index],
                                    .complain = plu_settled_complain,
                                    .user = &user},
                    "axis", axis);
}
