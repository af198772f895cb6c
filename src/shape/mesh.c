/* A mesh from a file: each of its triangles is a part, thin and with two sides. Corners are placed
 * once, x -> center + scale R(axis, angle) x, by the formula of Rodrigues,
 *
 *     R x = cos(angle) x + sin(angle) (n cross x) + (1 - cos(angle)) (n.x) n
 *
 * A closed surface whose volume is negative (its normals point inwards) is a vessel: a container
 * for pictures and for what lies within.
 *
 *   file --triangles_read--> corners, triangles --place_corner--> scene --mesh_make.c--> plu_mesh
 *        --> parts (contacts), outline (pictures), description (/walls of the trajectory) */
#include "pluvia/tool/mesh.h"
#include "base/vec3.h"
#include "shape/mesh_read.h"
#include "shape/shape_parts.h"
#include <stdio.h>
#include <string.h>

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
    for (int t = 0; t < r->triangles; t++) {
        const int *c = triangle[t];
        plu_triangle_fill(plu_parts_add(parts, spec, &plu_surface_triangle), corner[c[0]],
                          corner[c[1]], corner[c[2]]);
    }
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
