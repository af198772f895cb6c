/* What has to be in the picture: of containers their corners, of circles points around them, of
 * arrows their tips; of periodic cells their corners. All are seen from the camera, which is then
 * as near as it can be.
 *
 *   for each looked-at frame:  spheres within the box of the survey, arrows  --> plu_fit_ball
 *                              corners of the cell
 *                              containers that hold spheres and are less than 1.8 times as large
 *
 * A hopper over a small heap would make the heap tiny: containers larger than that may be cut off.
 */
#include "pluvia/boundary.h"
#include "pluvia/outline.h"
#include "pluvia/scene.h"
#include "render/model.h"
#include "render/survey.h"
#include <string.h>

enum { SIDES = 16, CORNERS = 2 * SIDES };

/* Points around a piece of a container: corners, or points of its circles. */
static int corners_of(const plu_piece *piece, double corner[CORNERS][3])
{
    const double turn = 2.0 * acos(-1.0) / SIDES;
    double across[3];
    if (!piece->container || piece->kind == PLU_GLOBE)
        return 0;
    if (piece->kind == PLU_TRIANGLE) {
        memcpy(corner, piece->corner, sizeof piece->corner);
        return 3;
    }
    plu_cross(piece->axis, piece->edge, across);
    if (piece->kind == PLU_SHEET && !piece->round) {
        for (int k = 0; k < 4; k++) {
            memcpy(corner[k], piece->center, sizeof corner[k]);
            plu_add_scaled(corner[k], k & 1 ? piece->half[0] : -piece->half[0], piece->edge);
            plu_add_scaled(corner[k], k & 2 ? piece->half[1] : -piece->half[1], across);
        }
        return 4;
    }
    const bool flat = piece->kind == PLU_SHEET;
    for (int k = 0; k < CORNERS; k++) {
        const int end = k / SIDES;
        double center[3];
        memcpy(center, piece->center, sizeof center);
        plu_add_scaled(center, flat ? 0.0 : end * piece->height, piece->axis);
        plu_ring_point(center, piece->edge, across, flat ? piece->half[0] : piece->radius[end],
                       turn * k, corner[k]);
    }
    return CORNERS;
}

typedef struct fitter {
    plu_fit *fit;
    const plu_camera *camera;
    plu_box box; /* of the pieces of one boundary */
    const plu_vector *vector;
    double arrow; /* m, for a vector of length 1 */
} fitter;

static void add_to_box(void *user, const plu_piece *piece)
{
    fitter *f = user;
    double corner[CORNERS][3];
    int corners = corners_of(piece, corner);
    for (int i = 0; i < 6 && piece->kind == PLU_GLOBE && piece->container; i++) {
        memcpy(corner[corners], piece->center, sizeof *corner);
        corner[corners++][i / 2] += i & 1 ? piece->radius[0] : -piece->radius[0];
    }
    for (int k = 0; k < corners; k++)
        for (int i = 0; i < 3; i++) {
            f->box.low[i] = plu_min(f->box.low[i], corner[k][i]);
            f->box.high[i] = plu_max(f->box.high[i], corner[k][i]);
        }
}

static void add_to_fit(void *user, const plu_piece *piece)
{
    const fitter *f = user;
    double corner[CORNERS][3];
    if (piece->kind == PLU_GLOBE && piece->container)
        plu_fit_ball(f->fit, f->camera, piece->center, piece->radius[0]);
    const int corners = corners_of(piece, corner);
    for (int k = 0; k < corners; k++)
        plu_fit_ball(f->fit, f->camera, corner[k], 0.0);
}

/* Whether spheres are in a container, which is not so large that they would be lost in it. */
static bool holds_spheres(const plu_box *container, const plu_box *spheres)
{
    static const double much = 1.8;
    double all[3], some[3];
    for (int i = 0; i < 3; i++) {
        if (!(container->low[i] < spheres->high[i] && container->high[i] > spheres->low[i]))
            return false;
        all[i] = plu_max(container->high[i], spheres->high[i]) -
                 plu_min(container->low[i], spheres->low[i]);
        some[i] = spheres->high[i] - spheres->low[i];
    }
    return plu_norm(all) < much * plu_norm(some);
}

static void outline(const plu_scene *scene, const plu_frame_data *frame, int i,
                    plu_piece_visit *visit, void *user)
{
    if (i < frame->boundaries)
        plu_boundary_outline_at(&scene->boundaries[i], &frame->place[i], visit, user);
    else
        plu_boundary_outline(&scene->boundaries[i], visit, user);
}

static void fit_frame(fitter *f, const plu_survey *survey, const plu_scene *scene,
                      const plu_frame_data *frame)
{
    const plu_box *box = &survey->box;
    const plu_cell_box cell = plu_model_cell(frame);
    const double *tip = f->vector ? f->vector->column(frame) : NULL;
    for (int b = 0; b < frame->bodies; b++) {
        const double *x = frame->position[b];
        bool in = frame->state[b] == PLU_ACTIVE && isfinite(frame->radius[b]);
        for (int i = 0; i < 3; i++)
            in = in && x[i] >= box->low[i] && x[i] <= box->high[i];
        if (!in)
            continue;
        plu_fit_ball(f->fit, f->camera, x, frame->radius[b]);
        if (tip) {
            double end[3] = {x[0], x[1], x[2]};
            plu_add_scaled(end, f->arrow, tip + 3 * (size_t)b);
            if (isfinite(plu_norm(end)))
                plu_fit_ball(f->fit, f->camera, end, 0.0);
        }
    }
    for (int corner = 0; corner < 8 && cell.given; corner++) {
        double x[3] = {cell.origin[0], cell.origin[1], cell.origin[2]};
        for (int k = 0; k < 3; k++)
            plu_add_scaled(x, corner >> k & 1, cell.edge[k]);
        plu_fit_ball(f->fit, f->camera, x, 0.0);
    }
    for (int i = 0; i < scene->boundaries_count; i++) {
        for (int k = 0; k < 3; k++) {
            f->box.low[k] = INFINITY;
            f->box.high[k] = -INFINITY;
        }
        outline(scene, frame, i, add_to_box, f);
        if (holds_spheres(&f->box, box))
            outline(scene, frame, i, add_to_fit, f);
    }
}

plu_status plu_survey_fit(const plu_survey *survey, plu_fit *fit, const plu_camera *camera,
                          plu_source *source, const plu_render_options *options,
                          const plu_scene *scene, plu_error *err)
{
    fitter f = {.fit = fit,
                .camera = camera,
                .vector = source->vector,
                .arrow = plu_survey_arrow(survey, options)};
    plu_status status = PLU_OK;
    for (long i = 0; i <= plu_survey_looks(options) && status == PLU_OK; i++) {
        plu_frame_data frame;
        status = plu_source_frame(source, plu_survey_look(options, i), &frame, err);
        if (status == PLU_OK)
            fit_frame(&f, survey, scene, &frame);
    }
    return status;
}
