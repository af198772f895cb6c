/* A mesh from a file: each of its triangles is a part, thin and with two sides. */
#include "pluvia/mesh.h"
#include "base/vec3.h"
#include "shape/flat.h"
#include "shape/mesh_outline.h"
#include "shape/mesh_read.h"
#include <stdio.h>
#include <string.h>

/* --- the surface of a triangle: `center` is a corner, `axis` the edges that leave it; half[0],
 * half[1] and `radius` are the products of these with themselves and with each other --- */

/* The point of the segment from `from` along `edge` that is closest to x, as a share of its length,
 * and the vector from there to x. */
static double from_segment(const double from[3], const double edge[3], double away[3])
{
    const double share = plu_min(plu_max(plu_dot(from, edge) / plu_dot(edge, edge), 0.0), 1.0);
    for (int k = 0; k < 3; k++)
        away[k] = from[k] - share * edge[k];
    return plu_dot(away, away);
}

/* From the nearest of the three edges to a point at `from` from the corner. */
static void from_edges(const plu_part *part, const double from[3], double away[3])
{
    double other[3], last[3], beyond[3];
    double least = from_segment(from, part->axis[0], away);
    plu_sub(part->axis[1], part->axis[0], last);
    plu_sub(from, part->axis[0], beyond);
    const double *const start[2] = {from, beyond}, *const edge[2] = {part->axis[1], last};
    for (int k = 0; k < 2; k++) {
        const double squared = from_segment(start[k], edge[k], other);
        if (squared < least) {
            least = squared;
            memcpy(away, other, sizeof other);
        }
    }
}

/* Whether the foot of a point on the plane of the triangle is in it, the point being at `from` from
 * the corner. */
static bool is_above(const plu_part *part, const double from[3])
{
    const double a = part->half[0], b = part->half[1], ab = part->radius;
    const double p = plu_dot(from, part->axis[0]), q = plu_dot(from, part->axis[1]);
    const double v = b * p - ab * q, w = a * q - ab * p;
    return v >= 0.0 && w >= 0.0 && v + w <= a * b - ab * ab;
}

static double triangle_gap(const plu_part *part, const double sphere[4], double normal[3])
{
    double from[3], away[3];
    plu_sub(sphere, part->center, from);
    if (is_above(part, from))
        return plu_distance_of_face(part, plu_dot(from, part->normal), normal) - sphere[3];
    from_edges(part, from, away);
    return plu_distance_of(away, part->normal, normal) - sphere[3];
}

static bool triangle_passed(const plu_part *part, const double a[3], const double b[3])
{
    double at[3];
    return plu_flat_crossed(part, a, b, at) && is_above(part, at);
}

static void triangle_bounds(const plu_part *part, double low[3], double high[3])
{
    for (int k = 0; k < 3; k++) {
        const double a = part->axis[0][k], b = part->axis[1][k];
        low[k] = part->center[k] + plu_min(plu_min(a, b), 0.0);
        high[k] = part->center[k] + plu_max(plu_max(a, b), 0.0);
    }
}

static const plu_surface surface = PLU_SURFACE(triangle_gap, triangle_passed, triangle_bounds);

static void add_triangle(plu_parts *parts, const plu_boundary_spec *spec, const double a[3],
                         const double b[3], const double c[3])
{
    plu_part *part = plu_parts_add(parts, spec, &surface);
    memcpy(part->center, a, sizeof part->center);
    plu_sub(b, a, part->axis[0]);
    plu_sub(c, a, part->axis[1]);
    part->half[0] = plu_dot(part->axis[0], part->axis[0]);
    part->half[1] = plu_dot(part->axis[1], part->axis[1]);
    part->radius = plu_dot(part->axis[0], part->axis[1]);
    plu_cross(part->axis[0], part->axis[1], part->normal);
    const double length = plu_norm(part->normal);
    for (int k = 0; k < 3; k++)
        part->normal[k] /= length;
}

/* --- the shape --- */

/* From the units of the file to the scene: scaled, turned about `axis` through the origin, moved.
 */
static void place_corner(const plu_boundary_spec *spec, double x[3])
{
    const double *n = spec->axis, cosine = cos(spec->angle), sine = sin(spec->angle);
    double across[3], turned[3];
    plu_cross(n, x, across);
    const double along = plu_dot(n, x);
    for (int k = 0; k < 3; k++)
        turned[k] = cosine * x[k] + sine * across[k] + (1.0 - cosine) * along * n[k];
    const double *y = spec->angle == 0.0 ? x : turned;
    for (int k = 0; k < 3; k++)
        x[k] = spec->center[k] + spec->scale * y[k];
}

static plu_status read_mesh(plu_boundary_spec *spec, const char *path, plu_error *err)
{
    plu_triangles read;
    plu_error why = {0};
    plu_status s = plu_triangles_read(&read, path, err);
    for (long c = 0; s == PLU_OK && c < read.corners; c++)
        place_corner(spec, read.corner[c]);
    if (s == PLU_OK) {
        s = plu_mesh_make(&spec->mesh, read.corners, (const double(*)[3])read.corner,
                          read.triangles, (const int(*)[3])read.triangle, &why);
        if (s != PLU_OK)
            plu_fail(err, s, "%s: %s", path, why.text);
    }
    plu_triangles_free(&read);
    return s;
}

static void mesh_settle(const plu_settling *s)
{
    char path[PLU_PATH], text[PLU_PATH + 256];
    plu_error err = {0};
    if (!plu_settle_unit(s, "axis", s->spec->axis) || !s->spec->file[0] ||
        !s->find(s->user, "file", s->spec->file, path))
        return;
    if (read_mesh(s->spec, path, &err) != PLU_OK) {
        snprintf(text, sizeof text, ".file: %.*s", (int)sizeof text - 16, err.text);
        s->complain(s->user, "file", text);
    }
    snprintf(s->spec->file, sizeof s->spec->file, "%s", path);
}

static const char *mesh_make(const plu_boundary_spec *spec, plu_parts *parts)
{
    if (!spec->mesh)
        return "its triangles are unknown: neither the result nor the file of the mesh contains "
               "them";
    const plu_mesh_report *r = plu_mesh_reported(spec->mesh);
    const double(*corner)[3] = plu_mesh_corners(spec->mesh);
    const int(*triangle)[3] = plu_mesh_triangles(spec->mesh);
    for (int t = 0; t < r->triangles; t++)
        add_triangle(parts, spec, corner[triangle[t][0]], corner[triangle[t][1]],
                     corner[triangle[t][2]]);
    return NULL;
}

bool plu_mesh_is_vessel(const plu_boundary_spec *spec)
{
    const plu_mesh_report *r = plu_mesh_reported(spec->mesh);
    const bool closed = r->open == 0 && r->crowded == 0 && r->flipped == 0;
    return spec->inside || (closed && r->volume < 0.0);
}

void plu_mesh_outline(const plu_boundary_spec *spec, plu_piece_visit *visit, void *user)
{
    if (!spec->mesh)
        return;
    const plu_mesh_report *r = plu_mesh_reported(spec->mesh);
    const double(*corner)[3] = plu_mesh_corners(spec->mesh);
    const int(*triangle)[3] = plu_mesh_triangles(spec->mesh);
    for (int t = 0; t < r->triangles; t++) {
        plu_piece piece = {.kind = PLU_TRIANGLE, .container = plu_mesh_is_vessel(spec)};
        for (int k = 0; k < 3; k++)
            memcpy(piece.corner[k], corner[triangle[t][k]], sizeof piece.corner[k]);
        visit(user, &piece);
    }
}

static void mesh_describe(const plu_boundary_spec *spec, const plu_describer *d)
{
    d->real(d->user, "position", 3, spec->center);
    d->real(d->user, "axis", 3, spec->axis);
    d->real(d->user, "angle", 1, &spec->angle);
    d->real(d->user, "scale", 1, &spec->scale);
    d->whole(d->user, "inside", spec->mesh && plu_mesh_is_vessel(spec));
}

const plu_shape plu_shape_mesh =
    PLU_SHAPE("mesh", mesh_settle, mesh_make, plu_mesh_outline, mesh_describe);
