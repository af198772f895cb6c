/* Boundaries as triangles for programs that draw: circles have 48 corners, spheres 24 rings from
 * pole to pole, infinite planes are squares as large as what is shown. A piece has the directions
 * edge, axis x edge and axis:
 *
 *       axis                       a piece, pluvia/outline.h:
 *        |   axis x edge             sheet     rectangle, disc, or infinite (half[0] = inf)
 *        |  /                        mantle    between circles at z = 0 and z = height
 *        | /                         globe     rings at z = -r cos(k pi / RINGS)
 *        +-------- edge              triangle  as it is
 *
 *   point on a circle   center + r cos(a) edge + r sin(a) (axis x edge) + z axis
 *   strip      two triangles between each two sides of its circles; those that are a
 *              point or a line, at a tip or a pole, are left out
 *
 * The last corner of a circle is computed from the angle 0, as the first one, so that surfaces are
 * closed to the last bit. Memory grows by doubling; once it fails, `full` is set, no more triangles
 * are added, and the caller reports the error at the end. */
#include "cli/export/boundary_triangles.h"
#include "pluvia/boundary.h"
#include <math.h>
#include <stdlib.h>

enum { SIDES = 48, RINGS = 24 }; /* of a circle; of a sphere from pole to pole */

/* Pointers are kept as soon as they are moved, so that a failure later frees what is there. */
static bool make_room(plu_boundary_triangles *t)
{
    if (t->count < t->room)
        return true;
    const size_t room = t->room ? 2 * t->room : 64;
    void *corner = realloc(t->corner, room * sizeof *t->corner);
    t->corner = corner ? corner : t->corner;
    void *boundary = realloc(t->boundary, room * sizeof *t->boundary);
    t->boundary = boundary ? boundary : t->boundary;
    void *material = realloc(t->material, room * sizeof *t->material);
    t->material = material ? material : t->material;
    if (!corner || !boundary || !material)
        t->full = true;
    else
        t->room = room;
    return !t->full;
}

static bool same_point(const double a[3], const double b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/* A triangle that is a line or a point is left out: those at the tip of a cone. */
static void add_triangle(plu_boundary_triangles *t, const double a[3], const double b[3],
                         const double c[3])
{
    if (same_point(a, b) || same_point(b, c) || same_point(c, a) || !make_room(t))
        return;
    for (int i = 0; i < 3; i++) {
        t->corner[t->count][0][i] = a[i];
        t->corner[t->count][1][i] = b[i];
        t->corner[t->count][2][i] = c[i];
    }
    t->boundary[t->count] = t->number;
    t->material[t->count] = t->spec->material;
    t->count++;
}

/* The piece's third direction: axis x edge. */
static void across_of(const plu_piece *p, double across[3])
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        across[i] = p->axis[j] * p->edge[k] - p->axis[k] * p->edge[j];
    }
}

/* A point at x, y, z of the piece's directions: edge, axis x edge, axis. */
static void point_of(const plu_piece *p, const double center[3], double x, double y, double z,
                     double point[3])
{
    double across[3];
    across_of(p, across);
    for (int i = 0; i < 3; i++)
        point[i] = center[i] + x * p->edge[i] + y * across[i] + z * p->axis[i];
}

/* The point `side` of the circle of radius r at height z. The first one and the last one are the
 * same numbers, so that the surface is closed. */
static void point_on_circle(const plu_piece *p, double r, double z, int side, double point[3])
{
    const double angle = 2.0 * acos(-1.0) / SIDES * (side % SIDES);
    point_of(p, p->center, r * cos(angle), r * sin(angle), z, point);
}

static void add_rectangle(plu_boundary_triangles *t, const plu_piece *p, const double center[3],
                          double x, double y)
{
    double corner[4][3];
    point_of(p, center, -x, -y, 0.0, corner[0]);
    point_of(p, center, x, -y, 0.0, corner[1]);
    point_of(p, center, x, y, 0.0, corner[2]);
    point_of(p, center, -x, y, 0.0, corner[3]);
    add_triangle(t, corner[0], corner[1], corner[2]);
    add_triangle(t, corner[0], corner[2], corner[3]);
}

/* The square around the foot of the perpendicular from the middle of what is shown. */
static void add_plane(plu_boundary_triangles *t, const plu_piece *p)
{
    double center[3], off = 0.0;
    for (int i = 0; i < 3; i++)
        off += (t->extent.middle[i] - p->center[i]) * p->axis[i];
    for (int i = 0; i < 3; i++)
        center[i] = t->extent.middle[i] - off * p->axis[i];
    add_rectangle(t, p, center, t->extent.half, t->extent.half);
}

static void add_disc(plu_boundary_triangles *t, const plu_piece *p)
{
    for (int k = 0; k < SIDES; k++) {
        double a[3], b[3];
        point_on_circle(p, p->half[0], 0.0, k, a);
        point_on_circle(p, p->half[0], 0.0, k + 1, b);
        add_triangle(t, p->center, a, b);
    }
}

/* The strip between two circles: radii and heights. */
static void add_strip(plu_boundary_triangles *t, const plu_piece *p, const double r[2],
                      const double z[2])
{
    for (int k = 0; k < SIDES; k++) {
        double low[2][3], high[2][3];
        for (int i = 0; i < 2; i++) {
            point_on_circle(p, r[0], z[0], k + i, low[i]);
            point_on_circle(p, r[1], z[1], k + i, high[i]);
        }
        add_triangle(t, low[0], low[1], high[1]);
        add_triangle(t, low[0], high[1], high[0]);
    }
}

/* The radius at the poles is exactly 0: sin(pi) is not, and the polar triangles would not be
 * dropped. */
static void add_globe(plu_boundary_triangles *t, const plu_piece *p)
{
    const double step = acos(-1.0) / RINGS;
    for (int k = 0; k < RINGS; k++) {
        const double r[2] = {k > 0 ? p->radius[0] * sin(step * k) : 0.0,
                             k + 1 < RINGS ? p->radius[0] * sin(step * (k + 1)) : 0.0};
        const double z[2] = {-p->radius[0] * cos(step * k), -p->radius[0] * cos(step * (k + 1))};
        add_strip(t, p, r, z);
    }
}

static void add_piece(void *user, const plu_piece *p)
{
    plu_boundary_triangles *t = user;
    const double z[2] = {0.0, p->height};
    switch (p->kind) {
    case PLU_SHEET:
        if (isinf(p->half[0]))
            add_plane(t, p);
        else if (p->round)
            add_disc(t, p);
        else
            add_rectangle(t, p, p->center, p->half[0], p->half[1]);
        break;
    case PLU_MANTLE:
        add_strip(t, p, p->radius, z);
        break;
    case PLU_GLOBE:
        add_globe(t, p);
        break;
    case PLU_TRIANGLE:
        add_triangle(t, p->corner[0], p->corner[1], p->corner[2]);
        break;
    }
}

/* Where it is at `place`; NULL: where the scene has it. */
void plu_boundary_triangles_add(plu_boundary_triangles *to, const plu_scene *scene, int number,
                                const plu_boundary_place *place)
{
    to->number = number;
    to->spec = &scene->boundaries[number];
    if (place)
        plu_boundary_outline_at(to->spec, place, add_piece, to);
    else
        plu_boundary_outline(to->spec, add_piece, to);
}

void plu_boundary_triangles_free(plu_boundary_triangles *triangles)
{
    free(triangles->corner);
    free(triangles->boundary);
    free(triangles->material);
    *triangles = (plu_boundary_triangles){0};
}
