#include "walls.h"
#include <math.h>

static const double steep = 0.70710678; /* cosine to the vertical of normals of floors */

static double along(const double x[3], const plu_boundary_spec *b)
{
    double sum = 0.0;
    for (int i = 0; i < 3; i++)
        sum += (x[i] - b->center[i]) * b->normal[i];
    return sum;
}

/* Distance to the plane of a plate or disc; infinite beside it. Corners of a plate are round. */
static double to_sheet(const double x[3], const plu_boundary_spec *b)
{
    const double off = along(x, b);
    const double reach = b->kind == PLU_DISC ? b->radius : 0.5 * hypot(b->size[0], b->size[1]);
    double squared = -off * off;
    for (int i = 0; i < 3; i++)
        squared += (x[i] - b->center[i]) * (x[i] - b->center[i]);
    return squared <= reach * reach ? fabs(off) : INFINITY;
}

static double to_box(const double x[3], const plu_boundary_spec *b)
{
    double least = INFINITY;
    for (int face = 0; face < 4; face++)
        if (b->faces >> face & 1)
            least = fmin(least, fabs(x[face / 2] - b->box[face & 1][face / 2]));
    for (int i = 0; i < 3; i++)
        if (x[i] < b->box[0][i] || x[i] > b->box[1][i])
            return INFINITY;
    return least;
}

static double to_tube(const double x[3], const plu_boundary_spec *b)
{
    const double z = x[2] - b->center[2];
    if (z < 0.0 || z > b->height)
        return INFINITY;
    return fabs(b->radius - hypot(x[0] - b->center[0], x[1] - b->center[1]));
}

/* From a point to the nearest wall; infinite without one. */
static double to_walls(const plu_scene *scene, const double x[3])
{
    double least = INFINITY;
    for (int i = 0; i < scene->boundaries_count; i++) {
        const plu_boundary_spec *b = &scene->boundaries[i];
        double distance = INFINITY;
        if (b->kind == PLU_BOX)
            distance = to_box(x, b);
        else if (b->kind == PLU_CYLINDER)
            distance = to_tube(x, b);
        else if (fabs(b->normal[2]) < steep)
            distance = b->kind == PLU_PLANE ? fabs(along(x, b)) : to_sheet(x, b);
        least = fmin(least, distance);
    }
    return least;
}

static int sector_of(const double x[3], const plu_repose *repose)
{
    static const double full_turn = 6.283185307179586;
    const double turn = atan2(x[1] - repose->axis[1], x[0] - repose->axis[0]) / full_turn;
    const int sector = (int)((turn < 0.0 ? turn + 1.0 : turn) * repose->sectors);
    return sector < repose->sectors ? sector : 0;
}

bool plu_walls_confine(const plu_scene *scene, const plu_view *view, double base,
                       const plu_repose *repose)
{
    static const double near = 1.1; /* radii */
    bool taken[PLU_SECTORS] = {false}, reached[PLU_SECTORS] = {false};
    int sectors = 0, at_walls = 0;
    for (int b = 0; b < view->bodies; b++) {
        const double *x = view->position.at + (size_t)view->position.stride * (size_t)b;
        const double r = view->radius.at[(size_t)view->radius.stride * (size_t)b];
        if (view->state[b] != PLU_ACTIVE || !(x[2] > base))
            continue;
        const int sector = sector_of(x, repose);
        taken[sector] = true;
        reached[sector] |= to_walls(scene, x) <= near * r;
    }
    for (int s = 0; s < repose->sectors; s++) {
        sectors += taken[s];
        at_walls += reached[s];
    }
    return 2 * at_walls > sectors;
}
