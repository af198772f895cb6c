#include "shape/flat.h"
#include <string.h>

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
