/* What the files of the shapes share: the list of parts that they add to, unit vectors of a scene,
 * flat parts. */
#include "shape/shape_parts.h"
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

/* --- what flat parts and tubes share --- */

/* What is left of a direction that is made normal must be more than rounding: this part of it. */
#define TOO_PARALLEL 1e-6

bool plu_flat_direction(const double direction[3], const double normal[3], double edge[3])
{
    memcpy(edge, direction, 3 * sizeof *edge);
    plu_add_scaled(edge, -plu_dot(edge, normal), normal);
    const double length = plu_norm(edge);
    if (!(length > TOO_PARALLEL * plu_norm(direction)))
        return false;
    for (int k = 0; k < 3; k++)
        edge[k] /= length;
    return true;
}

void plu_flat_edge(const double normal[3], double edge[3])
{
    static const double x[3] = {1.0, 0.0, 0.0}, y[3] = {0.0, 1.0, 0.0};
    if (!plu_flat_direction(x, normal, edge))
        plu_flat_direction(y, normal, edge);
}

void plu_flat_settle(const plu_settling *s)
{
    plu_settle_unit(s, "normal", s->spec->normal);
}

plu_piece plu_flat_piece(const plu_boundary_spec *spec, double half, double other)
{
    plu_piece piece = {.kind = PLU_SHEET, .half = {half, other}};
    memcpy(piece.center, spec->center, sizeof piece.center);
    memcpy(piece.axis, spec->normal, sizeof piece.axis);
    plu_flat_edge(spec->normal, piece.edge);
    return piece;
}
