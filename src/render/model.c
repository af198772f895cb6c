#include "render/model.h"
#include "base/memory.h"
#include <stdlib.h>
#include <string.h>

static plu_status add_rod(plu_model *model, const double a[3], const double b[3], double r,
                          const float rgb[3], plu_error *err)
{
    const size_t need = (size_t)model->rods + 1;
    if (plu_reserve(&model->rod, &model->room_rods, need, sizeof *model->rod, 1, err) != PLU_OK ||
        plu_reserve(&model->rods_rgb, &model->room_rgb, need, sizeof *model->rods_rgb, 1, err) !=
            PLU_OK)
        return PLU_IO;
    plu_rod *rod = &model->rod[model->rods];
    rod->r = r;
    for (int k = 0; k < 3; k++) {
        rod->a[k] = a[k];
        rod->b[k] = b[k];
        model->rods_rgb[model->rods][k] = rgb[k];
    }
    model->rods++;
    return PLU_OK;
}

static const float outline_rgb[3] = {0.10f, 0.11f, 0.13f};

static void add_flat(plu_model *model, const double center[3], const double normal[3],
                     const double u[3], const double half[2], bool is_round)
{
    plu_flat *flat = &model->flat[model->flats++];
    *flat = (plu_flat){.half = {half[0], half[1]}, .round = is_round};
    memcpy(flat->center, center, sizeof flat->center);
    memcpy(flat->normal, normal, sizeof flat->normal);
    memcpy(flat->u, u, sizeof flat->u);
    plu_cross(normal, u, flat->v);
}

/* Planes, plates and discs: the first edge as the world chooses it. */
static void add_plane(plu_model *model, const plu_boundary_spec *spec)
{
    double u[3], other[3];
    const bool is_plane = spec->kind == PLU_PLANE, is_round = spec->kind == PLU_DISC;
    if (spec->kind == PLU_PLATE && plu_norm(spec->direction) > 0.0) {
        memcpy(u, spec->direction, sizeof u);
    } else {
        const double axis[3] = {fabs(spec->normal[0]) < 0.9, fabs(spec->normal[0]) >= 0.9, 0.0};
        const double along = plu_dot(axis, spec->normal);
        for (int k = 0; k < 3; k++)
            u[k] = axis[k] - along * spec->normal[k];
        const double s = 1.0 / plu_norm(u);
        for (int k = 0; k < 3; k++)
            u[k] *= s;
    }
    const double half[2] = {is_plane   ? INFINITY
                            : is_round ? spec->radius
                                       : spec->size[0] / 2.0,
                            is_plane ? INFINITY : spec->size[1] / 2.0};
    add_flat(model, spec->center, spec->normal, u, half, is_round);
    for (int k = 0; k < 3; k++)
        other[k] = -spec->normal[k];
    if (!is_plane) /* seen from both sides, unless from straight below a floor */
        if (fabs(spec->normal[2]) < 0.9)
            add_flat(model, spec->center, other, u, half, is_round);
}

/* The six faces, each seen from inside only, and the edges of those that exist. */
static plu_status add_box(plu_model *model, const plu_boundary_spec *spec, double r, plu_error *err)
{
    plu_status status = PLU_OK;
    for (int face = 0; face < 6; face++) {
        const int k = face / 2, i = (k + 1) % 3, j = (k + 2) % 3;
        double center[3], normal[3] = {0}, u[3] = {0};
        if (!(spec->faces >> face & 1))
            continue;
        for (int m = 0; m < 3; m++)
            center[m] = (spec->box[0][m] + spec->box[1][m]) / 2.0;
        center[k] = spec->box[face & 1][k];
        normal[k] = face & 1 ? -1.0 : 1.0;
        u[i] = 1.0;
        const double half[2] = {(spec->box[1][i] - spec->box[0][i]) / 2.0,
                                (spec->box[1][j] - spec->box[0][j]) / 2.0};
        add_flat(model, center, normal, u, half, false);
    }
    for (int edge = 0; edge < 12 && status == PLU_OK; edge++) {
        const int k = edge / 4, i = (k + 1) % 3, j = (k + 2) % 3;
        const int at_i = edge & 1, at_j = edge >> 1 & 1;
        double a[3], b[3];
        if (!(spec->faces >> (2 * i + at_i) & 1) && !(spec->faces >> (2 * j + at_j) & 1))
            continue;
        a[k] = spec->box[0][k];
        b[k] = spec->box[1][k];
        a[i] = b[i] = spec->box[at_i][i];
        a[j] = b[j] = spec->box[at_j][j];
        status = add_rod(model, a, b, r, outline_rgb, err);
    }
    return status;
}

/* Two rings, four lines and the bottom. */
static plu_status add_cylinder(plu_model *model, const plu_boundary_spec *spec, double r,
                               plu_error *err)
{
    enum { SIDES = 64 };
    const double *c = spec->center, turn = 2.0 * acos(-1.0) / SIDES;
    plu_status status = PLU_OK;
    for (int s = 0; s < SIDES && status == PLU_OK; s++) {
        const double x[2] = {c[0] + spec->radius * cos(turn * s),
                             c[0] + spec->radius * cos(turn * (s + 1))};
        const double y[2] = {c[1] + spec->radius * sin(turn * s),
                             c[1] + spec->radius * sin(turn * (s + 1))};
        const double top = c[2] + spec->height;
        status = add_rod(model, (double[]){x[0], y[0], c[2]}, (double[]){x[1], y[1], c[2]}, r,
                         outline_rgb, err);
        if (status == PLU_OK)
            status = add_rod(model, (double[]){x[0], y[0], top}, (double[]){x[1], y[1], top}, r,
                             outline_rgb, err);
        if (status == PLU_OK && s % (SIDES / 4) == 0)
            status = add_rod(model, (double[]){x[0], y[0], c[2]}, (double[]){x[0], y[0], top}, r,
                             outline_rgb, err);
    }
    if (spec->bottom)
        add_flat(model, c, (double[]){0.0, 0.0, 1.0}, (double[]){1.0, 0.0, 0.0},
                 (double[]){spec->radius, spec->radius}, true);
    return status;
}

plu_status plu_model_walls(plu_model *model, const plu_scene *scene, double thickness,
                           plu_error *err)
{
    enum { FLATS = 6 }; /* at most, of one boundary */
    plu_status status = PLU_OK;
    model->flat = plu_alloc(FLATS * (size_t)scene->boundaries_count, sizeof *model->flat, err);
    if (!model->flat)
        return PLU_IO;
    for (int i = 0; i < scene->boundaries_count && status == PLU_OK; i++) {
        const plu_boundary_spec *spec = &scene->boundaries[i];
        if (spec->kind == PLU_BOX)
            status = add_box(model, spec, thickness, err);
        else if (spec->kind == PLU_CYLINDER)
            status = add_cylinder(model, spec, thickness, err);
        else
            add_plane(model, spec);
    }
    model->outlines = model->rods;
    return status;
}

plu_status plu_model_balls(plu_model *model, const plu_frame_data *frame, double scale,
                           plu_error *err)
{
    const size_t bodies = (size_t)frame->bodies;
    if (!model->ball) {
        model->ball = plu_alloc(bodies, sizeof *model->ball, err);
        model->body = plu_alloc(bodies, sizeof *model->body, err);
        model->balls_rgb = plu_alloc(bodies, sizeof *model->balls_rgb, err);
        if (!model->ball || !model->body || !model->balls_rgb)
            return PLU_IO;
    }
    model->balls = 0;
    double sum = 0.0;
    for (int i = 0; i < frame->bodies; i++) {
        const double *x = frame->position[i], r = frame->radius[i];
        if (frame->state[i] != PLU_ACTIVE)
            continue;
        if (!(isfinite(x[0] + x[1] + x[2]) && isfinite(r) && r > 0.0))
            return plu_fail(err, PLU_BAD_INPUT,
                            "damaged: position or radius of body %d at t = %g s", i, frame->time);
        const int n = model->balls++;
        model->ball[n] = (plu_ball){{x[0], x[1], x[2]}, r * scale};
        model->body[n] = i;
        for (int k = 0; k < 3; k++)
            model->balls_rgb[n][k] = 0.5f;
        sum += r;
    }
    model->size = model->balls ? sum / model->balls : 1.0;
    return PLU_OK;
}

plu_status plu_model_chains(plu_model *model, const plu_frame_data *frame, double strongest,
                            double thickness, plu_error *err)
{
    plu_status status = PLU_OK;
    model->rods = model->outlines;
    for (int i = 0; i < frame->contacts && status == PLU_OK; i++) {
        const plu_contact_row *row = &frame->contact[i];
        const double share = row->impulse_normal / frame->dt / strongest;
        if (!(share > 1e-2) || row->b < 0 || row->b >= frame->bodies || row->a >= frame->bodies)
            continue;
        const double *from = row->a >= 0 ? frame->position[row->a] : row->point;
        const float dark = (float)(1.0 - plu_min(share, 1.0));
        const float rgb[3] = {0.55f + 0.25f * dark, 0.02f + 0.45f * dark, 0.02f + 0.12f * dark};
        status = add_rod(model, from, frame->position[row->b], thickness * plu_min(share, 1.0), rgb,
                         err);
    }
    return status;
}

void plu_model_free(plu_model *model)
{
    free(model->ball);
    free(model->body);
    free(model->balls_rgb);
    free(model->rod);
    free(model->rods_rgb);
    free(model->flat);
    *model = (plu_model){0};
}
