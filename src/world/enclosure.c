/* Area and volume between flat walls, for planes in any direction: each is a half space, n.(x - p)
 * >= 0.
 *
 *     area of a wall: the others cut its plane in lines, a.x >= -c in its frame (t1, t2), |a| = 1
 *
 *         \    area     /        each line is clipped by the others, to [low, high] along it:
 *       c  \           / c       A = 1/2 sum c (high - low) ,
 *      -----+---------+-----     the triangles over the edges with their tip at the frame's origin
 *                                (c < 0: signed)
 *
 *     volume: pyramids over the walls with their tip at a point p_0 of the first one
 *
 *         V = 1/3 sum_w A_w (p_0 - p_w).n_w
 *
 * Of two walls that are the same one counts. A wall that others do not close has no bound: its area
 * is infinite, and so is the volume. */
#include "world/enclosure.h"
#include "base/exact.h"
#include "base/memory.h"
#include "base/vec3.h"
#include "pluvia/boundary.h"
#include "pluvia/cell.h"
#include "pluvia/scene.h"
#include "world/motion.h"
#include <stdlib.h>
#include <string.h>

enum { FACES = 6 };

static const double parallel = 1e-9; /* sine of an angle */

/* Walls of a periodic cell have numbers beyond those of all boundaries. */
static int cell_wall(const plu_scene *scene, int face)
{
    return FACES * scene->boundaries_count + face;
}

typedef struct half_space {
    double point[3], normal[3]; /* the normal points to the bodies */
} half_space;

int *plu_enclosure_walls(const plu_scene *scene, int *count, plu_error *err)
{
    int *wall = plu_alloc((size_t)(scene->boundaries_count + 1) * FACES, sizeof *wall, err);
    *count = 0;
    for (int face = 0; wall && face < FACES; face++)
        if (scene->cell->periodic >> face / 2 & 1)
            wall[(*count)++] = cell_wall(scene, face);
    for (int b = 0; wall && b < scene->boundaries_count; b++) {
        const plu_boundary_spec *spec = &scene->boundaries[b];
        if (spec->kind == PLU_PLANE)
            wall[(*count)++] = FACES * b;
        for (int face = 0; spec->kind == PLU_BOX && face < FACES; face++)
            if (spec->faces >> face & 1)
                wall[(*count)++] = FACES * b + face;
    }
    return wall;
}

static const plu_pose *pose_of(const plu_world *w, int boundary)
{
    for (int m = 0; m < w->motions_count; m++)
        if (w->motions[m].boundary == boundary)
            return &w->motions[m].pose;
    return NULL;
}

/* A border of the periodic cell, whose other edges lie in it. */
static void place_border(const plu_space *space, int face, half_space *h)
{
    const int k = face / 2;
    const double sign = face % 2 ? -1.0 : 1.0;
    memcpy(h->point, space->origin, sizeof h->point);
    if (face % 2)
        plu_add_scaled(h->point, 1.0, space->edge[k]);
    for (int i = 0; i < 3; i++)
        h->normal[i] = sign * space->inverse[k][i] * space->height[k];
}

/* Where wall `number` is; false: it was taken away. */
static bool place(const plu_world *w, int number, half_space *h)
{
    const int boundary = w->wall[number] / FACES, face = w->wall[number] % FACES;
    if (boundary == w->scene->boundaries_count) {
        place_border(&w->space, face, h);
        return true;
    }
    const plu_boundary_spec *spec = &w->scene->boundaries[boundary];
    const plu_pose *pose = pose_of(w, boundary);
    double normal[3] = {0.0, 0.0, 0.0}, point[3], arm[3];
    if (pose && pose->gone)
        return false;
    if (spec->kind == PLU_PLANE) {
        memcpy(normal, spec->normal, sizeof normal);
        memcpy(point, spec->center, sizeof point);
    } else {
        normal[face / 2] = face % 2 ? -1.0 : 1.0;
        memcpy(point, spec->box[face % 2], sizeof point);
    }
    memcpy(h->point, point, sizeof point);
    memcpy(h->normal, normal, sizeof normal);
    if (!pose)
        return true;
    plu_sub(point, pose->center, arm);
    plu_pose_outward(pose, &pose->now, normal, h->normal);
    plu_pose_outward(pose, &pose->now, arm, h->point);
    for (int k = 0; k < 3; k++)
        h->point[k] += pose->center[k] + pose->now.shift[k];
    return true;
}

/* Where a wall cuts a plane: a x >= -c in the frame (t1, t2) of the plane, |a| = 1. */
typedef struct line {
    double a[2], c;
} line;

typedef enum cut { CUTS, CUTS_NOT, CUTS_ALL } cut;

/* `first`: the other wall comes before this one; of two that are the same only one counts. */
static cut cut_by(const half_space *plane, double t[2][3], const half_space *other, bool first,
                  line *l)
{
    double way[3];
    plu_sub(plane->point, other->point, way);
    const double a[2] = {plu_dot(other->normal, t[0]), plu_dot(other->normal, t[1])};
    const double length = hypot(a[0], a[1]), c = plu_dot(other->normal, way);
    if (length < parallel) {
        const bool same = plu_dot(plane->normal, other->normal) > 0.0;
        return c < 0.0 || (same && c == 0.0 && first) ? CUTS_ALL : CUTS_NOT;
    }
    *l = (line){{a[0] / length, a[1] / length}, c / length};
    return CUTS;
}

/* The part of line j within the others, from `low` to `high` along it. */
static void clip(const line *l, int count, int j, double *low, double *high)
{
    const double along[2] = {l[j].a[1], -l[j].a[0]},
                 x[2] = {-l[j].c * l[j].a[0], -l[j].c * l[j].a[1]};
    *low = -HUGE_VAL;
    *high = HUGE_VAL;
    for (int k = 0; k < count; k++) {
        if (k == j)
            continue;
        const double value = l[k].a[0] * x[0] + l[k].a[1] * x[1] + l[k].c;
        const double slope = l[k].a[0] * along[0] + l[k].a[1] * along[1];
        const bool same = l[k].a[0] * l[j].a[0] + l[k].a[1] * l[j].a[1] > 0.0;
        if (fabs(slope) > parallel && slope > 0.0)
            *low = plu_max(*low, -value / slope);
        else if (fabs(slope) > parallel)
            *high = plu_min(*high, -value / slope);
        else if (value < 0.0 || (same && value == 0.0 && k < j))
            *high = -HUGE_VAL;
    }
}

/* The area of what all lines leave, by its edges, counterclockwise. */
static double area_within(const line *l, int count)
{
    double twice = 0.0;
    if (count == 0)
        return HUGE_VAL;
    for (int j = 0; j < count; j++) {
        double low, high;
        clip(l, count, j, &low, &high);
        if (!(high > low))
            continue;
        if (!isfinite(low) || !isfinite(high))
            return HUGE_VAL;
        twice += l[j].c * (high - low); /* a triangle of the height c, from the middle */
    }
    return 0.5 * twice;
}

static double area_of(const plu_world *w, int number, const half_space *plane)
{
    double t[2][3];
    line l[PLU_WALLS];
    int count = 0;
    plu_frame(plane->normal, t[0], t[1]);
    if (w->walls_count > PLU_WALLS)
        return HUGE_VAL;
    for (int k = 0; k < w->walls_count; k++) {
        half_space other;
        if (k == number || !place(w, k, &other))
            continue;
        const cut how = cut_by(plane, t, &other, k < number, &l[count]);
        if (how == CUTS_ALL)
            return 0.0;
        count += how == CUTS;
    }
    return area_within(l, count);
}

double plu_enclosed_area(const plu_world *w, int boundary)
{
    half_space plane;
    for (int k = 0; k < w->walls_count; k++)
        if (w->wall[k] / FACES == boundary && place(w, k, &plane))
            return area_of(w, k, &plane);
    return HUGE_VAL;
}

double plu_enclosed_volume(const plu_world *w)
{
    half_space first = {{0.0}, {0.0}}, plane;
    double volume = 0.0;
    int walls = 0;
    for (int k = 0; k < w->walls_count; k++) {
        double way[3];
        if (!place(w, k, &plane))
            continue;
        first = walls++ == 0 ? plane : first;
        const double area = area_of(w, k, &plane);
        plu_sub(first.point, plane.point, way);
        if (area == HUGE_VAL)
            return HUGE_VAL;
        volume += area * plu_dot(way, plane.normal) / 3.0;
    }
    return walls > 0 ? plu_max(volume, 0.0) : HUGE_VAL;
}

double plu_normal_part(const plu_world *w, int boundary, const double vector[3])
{
    half_space plane;
    for (int k = 0; k < w->walls_count; k++)
        if (w->wall[k] / FACES == boundary && place(w, k, &plane))
            return plu_dot(plane.normal, vector);
    return 0.0;
}

/* The volume of the bodies that are fixed, or of the others (m^3). */
static double solid_volume(const plu_world *w, bool fixed)
{
    plu_exact volume = {0};
    for (int i = 0; i < w->spheres.count; i++) {
        const double r = w->spheres.at[i][3];
        const int body = plu_owner(&w->spheres, i);
        if (w->bodies.state[body] == PLU_ACTIVE && plu_is_fixed(w, body) == fixed)
            plu_exact_add(&volume, 4.0 / 3.0 * PLU_PI * r * r * r);
    }
    return plu_exact_value(&volume);
}

double plu_solid_fraction(const plu_world *w, double volume)
{
    return solid_volume(w, false) / (volume - solid_volume(w, true));
}

double plu_enclosed_fraction(const plu_world *w)
{
    const double volume = plu_enclosed_volume(w);
    return volume > 0.0 && isfinite(volume) ? plu_solid_fraction(w, volume) : NAN;
}
