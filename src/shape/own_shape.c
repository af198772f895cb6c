/* A shape from outside, by the functions that a program has registered (pluvia/extension.h): how
 * many parts, their bounds, and the distance of a point with its normal. The program sees points in
 * the frame of its shape, x' = R^T (x - center).
 *
 * Whether a center passed a part in a step is found by its distance alone, as rays are marched (J.
 * C. Hart, The Visual Computer 12 (1996) 527): the distance says how far one may go without meeting
 * anything,
 *
 *     a --d1--> o --d2--> o -d3-> o ...     by a thousandth of the way at least
 *
 * A solid is passed where the distance falls below 0, a thin part where it has been reached and its
 * normal at b is that of the other side. Distances that are not finite, and normals that are no
 * unit vectors, are faults, which end a run. */
#include "shape/own_shape.h"
#include "base/extensions.h"
#include "base/memory.h"
#include "base/vec3.h"
#include "pluvia/tool/mesh.h"
#include "shape/shape.h"
#include "shape/shape_parts.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is kept of a shape that was registered. */
typedef struct own_row {
    plu_own_shape shape;
    void *user;
} own_row;

plu_status plu_extensions_add_shape(plu_extensions *extensions, const char *name,
                                    const plu_own_shape *shape, void *user, plu_error *err)
{
    plu_extension *added;
    if (!shape->parts || !shape->bounds || !shape->distance)
        return plu_fail(err, PLU_USAGE, "the shape \"%s\" needs parts, bounds and distance", name);
    const plu_status status = plu_extension_add(&added, extensions, PLU_EXTENSION_SHAPE, name,
                                                false, sizeof(own_row), err);
    if (status == PLU_OK)
        *(own_row *)added->row = (own_row){*shape, user};
    return status;
}

static void own_inward(const plu_own_use *use, const double x[3], double inside[3])
{
    double arm[3];
    plu_sub(x, use->center, arm);
    for (int k = 0; k < 3; k++)
        inside[k] = use->turn[0][k] * arm[0] + use->turn[1][k] * arm[1] + use->turn[2][k] * arm[2];
}

/* From the frame of the scene to that of the shape, and a direction back. */
static void own_outward(const plu_own_use *use, const double inside[3], double direction[3])
{
    for (int k = 0; k < 3; k++)
        direction[k] = plu_dot(use->turn[k], inside);
}

/* --- the surface of a part --- */

/* Keeps the first fault; a run that has one ends. */
static void note_fault(plu_own_use *use, int part, const double x[3], const char *wrong)
{
#pragma omp critical(plu_own_fault)
    if (!*use->fault)
        snprintf(use->fault, sizeof use->fault,
                 "the shape \"%s\": %s at (%g, %g, %g) of its part %d", use->name, wrong, x[0],
                 x[1], x[2], part);
}

/* The distance of the point x. */
static double own_distance(const plu_part *part, const double x[3], double normal[3])
{
    plu_own_use *use = part->own;
    double inside[3], own[3] = {0.0, 0.0, 1.0};
    double distance = HUGE_VAL; /* also of a body whose place is not finite: reported elsewhere */
    own_inward(use, x, inside);
    if (isfinite(inside[0] + inside[1] + inside[2])) {
        distance = use->shape.distance(use->user, &use->numbers, part->number, inside, own);
        const char *wrong = plu_own_wrong(distance, own);
        if (wrong) {
            note_fault(use, part->number, inside, wrong);
            distance = HUGE_VAL;
            own[0] = own[1] = 0.0;
            own[2] = 1.0;
        }
    }
    own_outward(use, own, normal);
    return distance;
}

static double own_gap(const plu_part *part, const double sphere[4], double normal[3])
{
    return own_distance(part, sphere, normal) - sphere[3];
}

/* Goes from a towards b by as much as the distance allows, by a thousandth of the way at least: a
 * solid is passed by a point that enters it, a thin part by one that is on its other side at b.
 */
static bool own_passed(const plu_part *part, const double a[3], const double b[3])
{
    double way[3], at[3], start[3], end[3], here[3];
    plu_sub(b, a, way);
    const double length = plu_norm(way), least = 1e-3 * length;
    double distance = own_distance(part, a, start), gone = 0.0;
    bool reached = false;
    if (distance < 0.0 || distance > length)
        return false;
    while (distance >= 0.0) {
        reached |= distance <= least;
        gone += plu_max(distance, least);
        if (!(gone < length))
            break;
        for (int i = 0; i < 3; i++)
            at[i] = a[i] + gone / length * way[i];
        distance = own_distance(part, at, here);
    }
    return distance < 0.0 || own_distance(part, b, end) < 0.0 ||
           (reached && plu_dot(start, end) < 0.0);
}

static void own_bounds(const plu_part *part, double low[3], double high[3])
{
    const plu_own_use *use = part->own;
    double own[2][3], direction[3];
    use->shape.bounds(use->user, &use->numbers, part->number, own[0], own[1]);
    bool finite = true;
    for (int k = 0; k < 3; k++)
        finite = finite && isfinite(own[0][k]) && isfinite(own[1][k]);
    for (int k = 0; k < 3; k++) {
        low[k] = finite ? HUGE_VAL : -HUGE_VAL;
        high[k] = -low[k];
    }
    for (int corner = 0; corner < 8 && finite; corner++) {
        const double x[3] = {own[corner & 1][0], own[corner >> 1 & 1][1], own[corner >> 2][2]};
        own_outward(use, x, direction);
        for (int k = 0; k < 3; k++) {
            low[k] = plu_min(low[k], use->center[k] + direction[k]);
            high[k] = plu_max(high[k], use->center[k] + direction[k]);
        }
    }
}

static const plu_surface surface = PLU_SURFACE(own_gap, own_passed, own_bounds);

/* --- the shape --- */

typedef struct listing {
    char text[256];
    size_t used;
} listing;

static void list_name(void *user, const char *name)
{
    listing *l = user;
    if (l->used < sizeof l->text)
        l->used += (size_t)snprintf(l->text + l->used, sizeof l->text - l->used, "%s%s",
                                    l->used ? ", " : "", name);
}

static plu_status no_such_shape(const plu_extensions *extensions, const char *type, plu_error *err)
{
    listing known = {.used = 0};
    plu_extension_names(extensions, PLU_EXTENSION_SHAPE, list_name, &known);
    if (!known.used)
        return plu_fail(err, PLU_BAD_INPUT,
                        "unknown shape \"%s\": this program has not registered any shape (by "
                        "plu_extensions_add_shape, see pluvia/extension.h)",
                        type);
    return plu_fail(err, PLU_BAD_INPUT, "unknown shape \"%s\" (known: %s)", type, known.text);
}

plu_status plu_own_use_make(plu_own_use **use, const plu_extensions *extensions,
                            const plu_boundary_spec *spec, plu_error *err)
{
    const own_row *row = plu_extension_named(extensions, PLU_EXTENSION_SHAPE, spec->type);
    if (!row)
        return no_such_shape(extensions, spec->type, err);
    plu_own_use *made = plu_alloc(1, sizeof *made, err);
    if (!made)
        return PLU_IO;
    *made = (plu_own_use){
        .shape = row->shape, .user = row->user, .numbers = {spec->numbers_count, spec->numbers}};
    memcpy(made->name, spec->type, sizeof made->name);
    plu_placing turned = {.angle = spec->angle};
    plu_placing_turn(&turned, spec->axis);
    memcpy(made->turn, turned.turn, sizeof made->turn);
    memcpy(made->center, spec->center, sizeof made->center);
    char why[PLU_OWN_WHY] = "";
    made->parts = row->shape.parts(row->user, &made->numbers, why);
    why[sizeof why - 1] = '\0';
    const plu_status status =
        made->parts > 0 ? plu_own_check(made, err)
                        : plu_fail(err, PLU_BAD_INPUT, "the shape \"%s\" refuses its numbers: %s",
                                   spec->type, *why ? why : "it has no parts");
    if (status == PLU_OK)
        *use = made;
    else
        free(made);
    return status;
}

/* The triangles of its pictures, as a mesh in the frame of the scene. */
static plu_status make_mesh(plu_boundary_spec *spec, plu_error *err)
{
    const plu_own_use *use = spec->own;
    const int count =
        use->shape.triangles ? use->shape.triangles(use->user, &use->numbers, NULL) : 0;
    if (count <= 0)
        return PLU_OK;
    double(*corner)[3][3] = plu_alloc((size_t)count, sizeof *corner, err);
    int(*triangle)[3] = plu_alloc((size_t)count, sizeof *triangle, err);
    plu_status status = corner && triangle ? PLU_OK : PLU_IO;
    if (status == PLU_OK)
        use->shape.triangles(use->user, &use->numbers, corner);
    for (int t = 0; status == PLU_OK && t < count; t++)
        for (int c = 0; c < 3; c++) {
            double turned[3];
            own_outward(use, corner[t][c], turned);
            for (int k = 0; k < 3; k++)
                corner[t][c][k] = use->center[k] + turned[k];
            triangle[t][c] = 3 * t + c;
        }
    if (status == PLU_OK)
        status = plu_mesh_make(&spec->mesh, 3L * count, (const double(*)[3])corner, count,
                               (const int(*)[3])triangle, err);
    free(corner);
    free(triangle);
    return status;
}

static void own_settle(const plu_settling *s)
{
    plu_boundary_spec *spec = s->spec;
    plu_error err = {0};
    if (!plu_settle_unit(s, "axis", spec->axis) || !*spec->type || s->stored)
        return;
    const plu_status status = plu_own_use_make(&spec->own, s->extensions, spec, &err);
    if (status != PLU_OK || make_mesh(spec, &err) != PLU_OK) {
        char text[sizeof err.text / 4];
        snprintf(text, sizeof text, ".type: %s%.1500s", spec->own ? "its triangles: " : "",
                 err.text);
        s->complain(s->user, "type", text);
    }
}

static const char *own_make(const plu_boundary_spec *spec, plu_parts *parts)
{
    if (!spec->own)
        return "its shape is registered by a program, and only that program can run it";
    for (int k = 0; k < spec->own->parts; k++) {
        plu_part *part = plu_parts_add(parts, spec, &surface);
        part->own = spec->own;
        part->number = k;
    }
    return NULL;
}

static void own_describe(const plu_boundary_spec *spec, const plu_describer *d)
{
    d->text(d->user, "type", spec->type);
    if (spec->numbers_count > 0)
        d->real(d->user, "numbers", spec->numbers_count, spec->numbers);
    d->real(d->user, "position", 3, spec->center);
    d->real(d->user, "axis", 3, spec->axis);
    d->real(d->user, "angle", 1, &spec->angle);
    d->whole(d->user, "inside", spec->mesh && plu_mesh_is_vessel(spec));
}

const plu_shape plu_shape_own =
    PLU_SHAPE("own", own_settle, own_make, plu_mesh_outline, own_describe);
