/* A rectangular container: rectangles with their normals inward, for those of its faces that exist.
 */
#include "base/vec3.h"
#include "shape/shape.h"
#include <stdio.h>
#include <string.h>

enum { FACES = 6 };

/* Where face `face` (bit number) is: its center, its normal, unit vectors along its edges and half
 * of their lengths. */
typedef struct box_face {
    double center[3], normal[3], axis[2][3], half[2];
} box_face;

static box_face face_of(const plu_boundary_spec *spec, int face)
{
    const int k = face / 2, a = (k + 1) % 3, b = (k + 2) % 3;
    const bool upper = face % 2;
    const double(*box)[3] = spec->box;
    box_face f = {.half = {0.5 * (box[1][a] - box[0][a]), 0.5 * (box[1][b] - box[0][b])}};
    for (int i = 0; i < 3; i++)
        f.center[i] = 0.5 * (box[0][i] + box[1][i]);
    f.center[k] = box[upper][k];
    f.normal[k] = upper ? -1.0 : 1.0;
    f.axis[0][a] = 1.0;
    plu_cross(f.normal, f.axis[0], f.axis[1]);
    return f;
}

static void box_settle(const plu_settling *s)
{
    const double *lower = s->spec->box[0], *upper = s->spec->box[1];
    const bool given = s->given(s->user, "lower") && s->given(s->user, "upper");
    char text[128];
    for (int k = 0; k < 3; k++)
        if (given && !(lower[k] < upper[k])) {
            snprintf(text, sizeof text, ": %c of upper must be above %c of lower (found %g and %g)",
                     "xyz"[k], "xyz"[k], upper[k], lower[k]);
            s->complain(s->user, "upper", text);
            return;
        }
}

static const char *box_make(const plu_boundary_spec *spec, plu_parts *parts)
{
    for (int face = 0; face < FACES; face++) {
        if (!(spec->faces & 1u << face))
            continue;
        plu_part *part = plu_parts_add(parts, spec, &plu_surface_rectangle);
        const box_face f = face_of(spec, face);
        memcpy(part->center, f.center, sizeof part->center);
        memcpy(part->normal, f.normal, sizeof part->normal);
        memcpy(part->axis, f.axis, sizeof part->axis);
        memcpy(part->half, f.half, sizeof part->half);
        part->wall = face;
    }
    return NULL;
}

static void box_outline(const plu_boundary_spec *spec, plu_piece_visit *visit, void *user)
{
    for (int face = 0; face < FACES; face++) {
        if (!(spec->faces & 1u << face))
            continue;
        const box_face f = face_of(spec, face);
        plu_piece piece = {.kind = PLU_SHEET, .container = true, .half = {f.half[0], f.half[1]}};
        memcpy(piece.center, f.center, sizeof piece.center);
        memcpy(piece.axis, f.normal, sizeof piece.axis);
        memcpy(piece.edge, f.axis[0], sizeof piece.edge);
        visit(user, &piece);
    }
}

static void box_describe(const plu_boundary_spec *spec, const plu_describer *d)
{
    d->real(d->user, "lower", 3, spec->box[0]);
    d->real(d->user, "upper", 3, spec->box[1]);
    d->whole(d->user, "faces", (int)spec->faces);
}

const plu_shape plu_shape_box = PLU_SHAPE("box", box_settle, box_make, box_outline, box_describe);
