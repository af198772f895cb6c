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
