/* The objects in a picture: spheres, walls, outlines and force chains of one frame (model.h). A
 * face of a container is a sheet that is seen from inside only: what stands between the eye and
 * the grains has its back to the eye and is not drawn, so that one looks into a box without
 * cutting it.
 *
 *   ball    a sphere                         rod    a cylinder with round ends: lines, chains,
 * arrows; flat    a plate, disc or plane                  without length a ball (solid globes)
 *   facet   a triangle of a mesh, or of a mantle where walls are clear
 *
 *   rods    | 0 ... lines | ... outlines | ... rods
 *           walls, cell     solid globes   chains, made anew for each frame
 *
 * A mantle is drawn as two rings and four lines: a closed surface would hide what is within. */
#include "render/model.h"
#include "base/memory.h"
#include "base/space.h"
#include "pluvia/boundary.h"
#include "pluvia/outline.h"
#include "pluvia/scene.h"
#include <stdlib.h>
#include <string.h>

static plu_status add_flat(plu_model *model, const plu_piece *sheet, const double normal[3],
                           plu_error *err)
{
    const size_t need = (size_t)model->flats + 1;
    if (plu_reserve(&model->flat, &model->room_flats, need, sizeof *model->flat, 1, err) != PLU_OK)
        return PLU_IO;
    plu_flat *flat = &model->flat[model->flats++];
    *flat = (plu_flat){.half = {sheet->half[0], sheet->half[1]}, .round = sheet->round};
    memcpy(flat->center, sheet->center, sizeof flat->center);
    memcpy(flat->normal, normal, sizeof flat->normal);
    memcpy(flat->u, sheet->edge, sizeof flat->u);
    plu_cross(normal, sheet->edge, flat->v);
    return PLU_OK;
}

/* The corner x, y (-1 or 1, along the edges) of a rectangle. */
static void corner_of(const plu_piece *sheet, int x, int y, double corner[3])
{
    double across[3];
    plu_cross(sheet->axis, sheet->edge, across);
    memcpy(corner, sheet->center, sizeof sheet->center);
    plu_add_scaled(corner, x * sheet->half[0], sheet->edge);
    plu_add_scaled(corner, y * sheet->half[1], across);
}

/* A face of a container is seen from inside only, with its edges. A plate or a disc is seen from
 * both sides, unless from straight below a floor. */
static plu_status add_sheet(plu_model *model, const plu_piece *sheet, double r, plu_error *err)
{
    static const int x[5] = {-1, 1, 1, -1, -1}, y[5] = {-1, -1, 1, 1, -1};
    plu_status status = add_flat(model, sheet, sheet->axis, err);
    const double other[3] = {-sheet->axis[0], -sheet->axis[1], -sheet->axis[2]};
    if (!sheet->container)
        return status == PLU_OK && isfinite(sheet->half[0]) && fabs(sheet->axis[2]) < 0.9
                   ? add_flat(model, sheet, other, err)
                   : status;
    for (int k = 0; k < 4 && !sheet->round && status == PLU_OK; k++) {
        double a[3], b[3];
        corner_of(sheet, x[k], y[k], a);
        corner_of(sheet, x[k + 1], y[k + 1], b);
        status = plu_model_rod(model, a, b, r, plu_outline_rgb, err);
    }
    return status;
}

static plu_status add_facet(plu_model *model, const plu_piece *triangle, int wall, plu_error *err)
{
    if (plu_reserve(&model->facet, &model->room_facets, (size_t)model->facets + 1,
                    sizeof *model->facet, 1, err) != PLU_OK)
        return PLU_IO;
    plu_facet *facet = &model->facet[model->facets++];
    facet->front = triangle->container;
    facet->clear = model->clear > 0.0;
    facet->wall = wall;
    memcpy(facet->corner, triangle->corner[0], sizeof facet->corner);
    plu_sub(triangle->corner[1], triangle->corner[0], facet->edge[0]);
    plu_sub(triangle->corner[2], triangle->corner[0], facet->edge[1]);
    return PLU_OK;
}

enum { SURFACE = 96 }; /* sides of a mantle's surface */

/* Triangles between the circles around the centers; v is across the axis and the edge. */
static plu_status add_surface(plu_model *model, const plu_piece *mantle, double center[2][3],
                              const double v[3], int wall, plu_error *err)
{
    const double turn = 2.0 * acos(-1.0) / SURFACE;
    plu_status status = PLU_OK;
    for (int k = 0; k < 2 * SURFACE && status == PLU_OK; k++) {
        plu_piece triangle = {.kind = PLU_TRIANGLE};
        const int odd = k % 2, side[3] = {k / 2, k / 2 + 1, k / 2 + odd};
        for (int i = 0; i < 3; i++) { /* two of its corners on one circle, one on the other */
            const int end = i < 2 ? odd : !odd;
            plu_ring_point(center[end], mantle->edge, v, mantle->radius[end], turn * side[i],
                           triangle.corner[i]);
        }
        status = add_facet(model, &triangle, wall, err);
    }
    return status;
}

/* A mantle is drawn as two rings and four lines, and as a surface where walls are clear. */
static plu_status add_mantle(plu_model *model, const plu_piece *mantle, int wall, double r,
                             plu_error *err)
{
    const double *u = mantle->edge, quarter = 0.5 * acos(-1.0);
    double v[3], center[2][3];
    plu_cross(mantle->axis, u, v);
    plu_status status = PLU_OK;
    for (int end = 0; end < 2 && status == PLU_OK; end++) {
        memcpy(center[end], mantle->center, sizeof center[end]);
        plu_add_scaled(center[end], end * mantle->height, mantle->axis);
        status = plu_model_ring(model, center[end], u, v, mantle->radius[end], r, err);
    }
    for (int k = 0; k < 4 && status == PLU_OK; k++) {
        double from[3], to[3];
        plu_ring_point(center[0], u, v, mantle->radius[0], k * quarter, from);
        plu_ring_point(center[1], u, v, mantle->radius[1], k * quarter, to);
        status = plu_model_rod(model, from, to, r, plu_outline_rgb, err);
    }
    return status == PLU_OK && model->mantles ? add_surface(model, mantle, center, v, wall, err)
                                              : status;
}

/* A bowl: its three great circles along the axes. */
static plu_status add_bowl(plu_model *model, const plu_piece *bowl, double r, plu_error *err)
{
    double v[3];
    plu_cross(bowl->axis, bowl->edge, v);
    const double *c = bowl->center, *u = bowl->edge, *w = bowl->axis, radius = bowl->radius[0];
    plu_status status = plu_model_ring(model, c, u, v, radius, r, err);
    if (status == PLU_OK)
        status = plu_model_ring(model, c, u, w, radius, r, err);
    return status == PLU_OK ? plu_model_ring(model, c, v, w, radius, r, err) : status;
}

typedef struct walls {
    plu_model *model;
    const bool *hidden; /* by boundary; NULL: none is */
    double thickness;
    int boundary; /* whose pieces are added */
    bool solid;   /* only solid pieces are added, or only the others */
    plu_status status;
    plu_error *err;
} walls;

static plu_status add_lines(plu_model *model, const plu_piece *piece, int wall, double r,
                            plu_error *err)
{
    switch (piece->kind) {
    case PLU_SHEET:
        return add_sheet(model, piece, r, err);
    case PLU_MANTLE:
        return add_mantle(model, piece, wall, r, err);
    case PLU_GLOBE:
        return add_bowl(model, piece, r, err);
    case PLU_TRIANGLE:
        return add_facet(model, piece, wall, err);
    }
    return PLU_OK;
}

/* A rod without length is a ball. */
static void add_piece(void *user, const plu_piece *piece)
{
    static const float stone_rgb[3] = {0.55f, 0.56f, 0.58f};
    walls *w = user;
    const bool solid = piece->kind == PLU_GLOBE && !piece->container;
    if (w->status != PLU_OK || solid != w->solid)
        return;
    w->status = solid ? plu_model_rod(w->model, piece->center, piece->center, piece->radius[0],
                                      stone_rgb, w->err)
                      : add_lines(w->model, piece, w->boundary, w->thickness, w->err);
}

static void add_walls(walls *w, const plu_scene *scene, const plu_frame_data *frame)
{
    for (int i = 0; i < scene->boundaries_count; i++) {
        w->boundary = i;
        if (w->hidden && w->hidden[i])
            continue;
        if (frame && i < frame->boundaries)
            plu_boundary_outline_at(&scene->boundaries[i], &frame->place[i], add_piece, w);
        else
            plu_boundary_outline(&scene->boundaries[i], add_piece, w);
    }
}

/* The corner of a cell at the ends of its edges that are named by bits. */
static void cell_corner(const plu_cell_box *cell, int ends, double x[3])
{
    memcpy(x, cell->origin, sizeof cell->origin);
    for (int k = 0; k < 3; k++)
        plu_add_scaled(x, ends >> k & 1, cell->edge[k]);
}

/* The edges of a periodic cell. Where it is open they end with the spheres. */
static plu_status add_cell(plu_model *model, const plu_frame_data *frame, double r, plu_error *err)
{
    plu_cell_box cell = plu_model_cell(frame);
    plu_status status = PLU_OK;
    for (int k = 0; k < 3; k++)
        for (int corner = 0; corner < 8 && status == PLU_OK; corner++) {
            double a[3], b[3];
            if (corner >> k & 1)
                continue;
            cell_corner(&cell, corner, a);
            cell_corner(&cell, corner | 1 << k, b);
            status = plu_model_rod(model, a, b, r, plu_outline_rgb, err);
        }
    return status;
}

plu_cell_box plu_model_cell(const plu_frame_data *frame)
{
    plu_cell_box cell = frame->cell;
    for (int k = 0; k < 3; k++) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (int i = 0; i < frame->bodies && !cell.periodic[k]; i++)
            if (frame->state[i] == PLU_ACTIVE) {
                low = plu_min(low, frame->position[i][k] - frame->radius[i]);
                high = plu_max(high, frame->position[i][k] + frame->radius[i]);
            }
        if (low <= high) {
            cell.origin[k] = low;
            cell.edge[k][k] = high - low;
        }
    }
    return cell;
}

plu_status plu_model_walls(plu_model *model, const plu_scene *scene, const bool *hidden,
                           double thickness, const plu_frame_data *frame, const double *eye,
                           plu_error *err)
{
    walls w = {model, hidden, thickness, 0, false, PLU_OK, err};
    model->rods = model->flats = model->facets = 0;
    add_walls(&w, scene, frame);
    if (w.status == PLU_OK && eye)
        w.status = plu_front_open(model, eye, thickness, err);
    if (w.status == PLU_OK && frame && frame->cell.given)
        w.status = add_cell(model, frame, thickness, err);
    model->lines = model->rods;
    w.solid = true;
    add_walls(&w, scene, frame);
    model->outlines = model->rods;
    return w.status;
}

static bool is_cut(const double *cut, const double x[3])
{
    return plu_dot(cut, x) > cut[3];
}

plu_status plu_model_balls(plu_model *model, const plu_frame_data *frame, double scale,
                           const double *cut, plu_error *err)
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
        if (cut && is_cut(cut, x))
            continue;
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
                            double thickness, const double *cut, plu_error *err)
{
    plu_status status = PLU_OK;
    model->rods = model->outlines;
    for (int i = 0; i < frame->contacts && status == PLU_OK; i++) {
        const plu_contact_row *row = &frame->contact[i];
        const double share = row->impulse_normal / frame->dt / strongest;
        const bool pair = plu_side_is_sphere(row->a);
        if (!(share > 1e-2) || row->b < 0 || row->b >= frame->bodies ||
            (pair && plu_side_sphere(row->a) >= frame->bodies))
            continue;
        if (cut && (is_cut(cut, frame->position[row->b]) ||
                    (pair && is_cut(cut, frame->position[plu_side_sphere(row->a)]))))
            continue;
        double from[3];
        memcpy(from, pair ? frame->position[plu_side_sphere(row->a)] : row->point, sizeof from);
        int s[3];
        plu_image_vector(plu_side_image(row->a), s);
        for (int k = 0; k < 3; k++)
            plu_add_scaled(from, s[k], frame->cell.edge[k]);
        const float dark = (float)(1.0 - plu_min(share, 1.0));
        const float rgb[3] = {0.55f + 0.25f * dark, 0.02f + 0.45f * dark, 0.02f + 0.12f * dark};
        status = plu_model_rod(model, from, frame->position[row->b],
                               thickness * plu_min(share, 1.0), rgb, err);
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
    free(model->facet);
    free(model->flat);
    *model = (plu_model){0};
}
