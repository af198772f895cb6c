/* What the files of the shapes share: the list of parts that they add to, and unit vectors of a
 * scene. */
#include "base/memory.h"
#include "base/vec3.h"
#include "shape/shape.h"
#include <stdio.h>
#include <string.h>

plu_part *plu_parts_add(plu_parts *parts, const plu_boundary_spec *spec, const plu_surface *surface)
{
    plu_part *part = &parts->spare;
    if (plu_reserve(&parts->part, &parts->capacity, (size_t)parts->count + 1, sizeof *parts->part,
                    1, parts->err) == PLU_OK)
        part = &parts->part[parts->count++];
    else
        parts->status = PLU_IO;
    *part = (plu_part){.surface = surface,
                       .boundary = parts->boundary,
                       .material = spec->material,
                       .radius = spec->radius,
                       .height = spec->height};
    memcpy(part->center, spec->center, sizeof spec->center);
    memcpy(part->normal, spec->normal, sizeof spec->normal);
    return part;
}

bool plu_settle_unit(const plu_settling *s, const char *key, double vector[3])
{
    /* scaled first: squares of tiny or huge numbers leave the range of doubles */
    const double largest = fmax(fabs(vector[0]), fmax(fabs(vector[1]), fabs(vector[2])));
    if (largest == 0.0) {
        char text[96];
        snprintf(text, sizeof text, ".%s has length 0: it must give a direction", key);
        s->complain(s->user, key, text);
        return false;
    }
    for (int k = 0; k < 3; k++)
        vector[k] /= largest;
    const double length = plu_norm(vector);
    for (int k = 0; k < 3; k++)
        vector[k] /= length;
    return true;
}
