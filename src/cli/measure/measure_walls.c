/* Whether a heap leans against walls, so that its slope is no angle of repose: more than half of
 * the sectors around its axis that have a sphere above the base have one within 1.1 r of a wall.
 *
 *     a wall     |n_z| < cos 45 degrees; what is flatter is a floor, on which heaps may lie
 *     distance   along n, infinite beside a piece and beyond its ends
 *
 * On a cone with radius R(z) = R_0 + k z along its axis the normal is (radial, axial) = (1, -k) /
 * sqrt(1 + k^2), and a point at the distance a from the axis is |R - a| / sqrt(1 + k^2) from it. */
#include "cli/base/small_vector.h"
#include "cli/measure/measure_run.h"
#include "pluvia/boundary.h"
#include "pluvia/outline.h"
#include <math.h>

static const double steep = 0.70710678; /* cosine to the vertical of normals of floors */

/* A point and the nearest wall. */
typedef struct nearest {
    const double *x;
    double least; /* m; infinite without one */
} nearest;

/* Distance to a sheet; infinite beside it. */
static double to_sheet(const double from[3], const plu_piece *p)
{
    const double off = plu_dot3(from, p->axis), along = plu_dot3(from, p->edge);
    const double across = sqrt(fmax(plu_dot3(from, from) - off * off - along * along, 0.0));
    const bool within = p->round ? hypot(along, across) <= p->half[0]
                                 : fabs(along) <= p->half[0] && across <= p->half[1];
    return within && fabs(p->axis[2]) < steep ? fabs(off) : INFINITY;
}

/* Distance to a tube or a cone; infinite beyond its ends and where it is no wall but a floor. */
static double to_mantle(const double from[3], const plu_piece *p)
{
    const double along = plu_dot3(from, p->axis), slope = (p->radius[1] - p->radius[0]) / p->height;
    const double axial = sqrt(fmax(plu_dot3(from, from) - along * along, 0.0)),
                 cosine = 1.0 / hypot(1.0, slope);
    const double up = axial > 0.0 ? (from[2] - along * p->axis[2]) / axial : 0.0;
    if (along < 0.0 || along > p->height || fabs(up - slope * p->axis[2]) * cosine >= steep)
        return INFINITY;
    return fabs(p->radius[0] + slope * along - axial) * cosine;
}

/* The normal of a sphere is radial: flat parts, at its poles, are floors. */
static double to_globe(const double from[3], const plu_piece *p)
{
    const double distance = sqrt(plu_dot3(from, from));
    return fabs(from[2]) < steep * distance ? fabs(distance - p->radius[0]) : INFINITY;
}

/* Distance to a triangle; infinite beside it. */
static double to_triangle(const double x[3], const plu_piece *p)
{
    double edge[2][3], from[3];
    for (int k = 0; k < 3; k++) {
        edge[0][k] = p->corner[1][k] - p->corner[0][k];
        edge[1][k] = p->corner[2][k] - p->corner[0][k];
        from[k] = x[k] - p->corner[0][k];
    }
    const double a = plu_dot3(edge[0], edge[0]), b = plu_dot3(edge[1], edge[1]),
                 ab = plu_dot3(edge[0], edge[1]), square = a * b - ab * ab;
    const double u = plu_dot3(from, edge[0]), v = plu_dot3(from, edge[1]);
    const double s = (b * u - ab * v) / square, t = (a * v - ab * u) / square;
    const double up = (edge[0][0] * edge[1][1] - edge[0][1] * edge[1][0]) / sqrt(square);
    if (!(s >= 0.0 && t >= 0.0 && s + t <= 1.0) || fabs(up) >= steep)
        return INFINITY;
    for (int k = 0; k < 3; k++)
        from[k] -= s * edge[0][k] + t * edge[1][k];
    return sqrt(plu_dot3(from, from));
}

static void look_at(void *user, const plu_piece *p)
{
    nearest *n = user;
    const double from[3] = {n->x[0] - p->center[0], n->x[1] - p->center[1], n->x[2] - p->center[2]};
    switch (p->kind) {
    case PLU_SHEET:
        n->least = fmin(n->least, to_sheet(from, p));
        break;
    case PLU_MANTLE:
        n->least = fmin(n->least, to_mantle(from, p));
        break;
    case PLU_GLOBE:
        n->least = fmin(n->least, to_globe(from, p));
        break;
    case PLU_TRIANGLE:
        n->least = fmin(n->least, to_triangle(n->x, p));
        break;
    }
}

/* From a point to the nearest wall, where walls are at the time of the view; infinite without one.
 */
static double to_walls(const plu_scene *scene, const plu_view *view, const double x[3])
{
    nearest n = {x, INFINITY};
    for (int i = 0; i < scene->boundaries_count; i++)
        if (i < view->boundaries)
            plu_boundary_outline_at(&scene->boundaries[i], &view->place[i], look_at, &n);
        else
            plu_boundary_outline(&scene->boundaries[i], look_at, &n);
    return n.least;
}

static int sector_of(const double x[3], const plu_repose *repose)
{
    static const double full_turn = 6.283185307179586;
    const double turn = atan2(x[1] - repose->axis[1], x[0] - repose->axis[0]) / full_turn;
    const double sector = (turn < 0.0 ? turn + 1.0 : turn) * repose->sectors;
    return sector < repose->sectors ? (int)sector : 0; /* NAN: 0 */
}

bool plu_walls_confine(const plu_scene *scene, const plu_view *view, double base,
                       const plu_repose *repose)
{
    static const double near = 1.1; /* radii */
    bool taken[PLU_SECTORS] = {false}, reached[PLU_SECTORS] = {false};
    int sectors = 0, at_walls = 0;
    for (int b = 0; b < view->bodies; b++) {
        const double *x = plu_view_position(view, b);
        const double r = plu_view_radius(view, b);
        if (view->state[b] != PLU_ACTIVE || !(x[2] > base))
            continue;
        const int sector = sector_of(x, repose);
        taken[sector] = true;
        reached[sector] |= to_walls(scene, view, x) <= near * r;
    }
    for (int s = 0; s < repose->sectors; s++) {
        sectors += taken[s];
        at_walls += reached[s];
    }
    return 2 * at_walls > sectors;
}
