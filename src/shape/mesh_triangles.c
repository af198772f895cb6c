#include "base/memory.h"
#include "shape/mesh_read.h"
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void plu_triangles_free(plu_triangles *read)
{
    free(read->corner);
    free(read->triangle);
    *read = (plu_triangles){0};
}

plu_status plu_triangles_corner(plu_triangles *read, const double corner[3], plu_error *err)
{
    if (!(isfinite(corner[0]) && isfinite(corner[1]) && isfinite(corner[2])))
        return plu_fail(err, PLU_BAD_INPUT, "corner %ld is not a finite point: (%g, %g, %g)",
                        read->corners + 1, corner[0], corner[1], corner[2]);
    if (read->corners == INT_MAX)
        return plu_fail(err, PLU_BAD_INPUT, "it has more than %d corners", INT_MAX);
    const plu_status s = plu_reserve(&read->corner, &read->corner_capacity,
                                     (size_t)read->corners + 1, sizeof *read->corner, 1, err);
    if (s == PLU_OK)
        memcpy(read->corner[read->corners++], corner, sizeof *read->corner);
    return s;
}

plu_status plu_triangles_add(plu_triangles *read, const int triangle[3], plu_error *err)
{
    const plu_status s = plu_reserve(&read->triangle, &read->triangle_capacity,
                                     (size_t)read->triangles + 1, sizeof *read->triangle, 1, err);
    if (s == PLU_OK)
        memcpy(read->triangle[read->triangles++], triangle, sizeof *read->triangle);
    return s;
}
