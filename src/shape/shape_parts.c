/* The parts that the boundaries of a scene have. */
#include "base/memory.h"
#include "shape/shape.h"
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
