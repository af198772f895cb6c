#include "render/survey.h"
#include "base/memory.h"
#include "render/model.h"
#include <stdlib.h>
#include <string.h>

enum { LOOKS = 48, SAMPLE = 4096, FEW = 10 };

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The last of the frames that are looked at, counted from 0, and frame number i of these. */
static long looks_at(const plu_render_options *options)
{
    const long span = options->last - options->first;
    return span < LOOKS ? span : LOOKS;
}

static long look(const plu_render_options *options, long i)
{
    const long span = options->last - options->first, looks = looks_at(options);
    return options->first + (looks ? span * i / looks : 0);
}

/* Bounds of the active bodies along axis k; false: there are none. Unless `all`, outliers such as
 * spheres that have rolled away are left out: those that lie outside the middle 95 % of the bodies
 * (of few bodies: all but one at each end) by more than half the width of that range plus a
 * diameter. */
static bool bounds(const plu_frame_data *frame, int k, bool all, double *low, double *high)
{
    double sample[SAMPLE];
    const int stride = 1 + frame->bodies / SAMPLE;
    double largest = 0.0;
    int count = 0;
    *low = INFINITY;
    *high = -INFINITY;
    for (int i = 0; i < frame->bodies; i++) {
        const double x = frame->position[i][k], r = frame->radius[i];
        if (frame->state[i] != PLU_ACTIVE || !isfinite(x))
            continue;
        largest = plu_max(largest, r);
        if (i % stride == 0)
            sample[count++] = x;
        *low = plu_min(*low, x - r);
        *high = plu_max(*high, x + r);
    }
    if (all || count < FEW)
        return *low < *high;
    qsort(sample, (size_t)count, sizeof *sample, by_size);
    const int out = count < 40 ? 1 : count / 40;
    const double first = sample[out], last = sample[count - 1 - out];
    const double beyond = 0.5 * (last - first) + 2.0 * largest;
    *low = plu_max(*low, first - beyond);
    *high = plu_min(*high, last + beyond);
    return true;
}

static void look_at_cell(plu_survey *survey, const plu_frame_data *frame)
{
    const plu_cell_box cell = plu_model_cell(frame);
    for (int corner = 0; corner < 8 && cell.given; corner++)
        for (int i = 0; i < 3; i++) {
            double x = cell.origin[i];
            for (int k = 0; k < 3; k++)
                x += (corner >> k & 1) * cell.edge[k][i];
            survey->box.low[i] = plu_min(survey->box.low[i], x);
            survey->box.high[i] = plu_max(survey->box.high[i], x);
        }
}

static void look_at_bodies(plu_survey *survey, const plu_frame_data *frame, bool all)
{
    double sum = 0.0;
    int count = 0;
    for (int i = 0; i < frame->bodies; i++)
        if (frame->state[i] == PLU_ACTIVE) {
            sum += frame->radius[i];
            count++;
        }
    if (count)
        survey->radius = sum / count;
    for (int k = 0; k < 3; k++) {
        double low, high;
        if (!bounds(frame, k, all, &low, &high))
            continue;
        survey->box.low[k] = plu_min(survey->box.low[k], low);
        survey->box.high[k] = plu_max(survey->box.high[k], high);
    }
    look_at_cell(survey, frame);
    for (int i = 0; i < frame->contacts; i++)
        survey->strongest =
            plu_max(survey->strongest, frame->contact[i].impulse_normal / frame->dt);
}

static void look_at_values(plu_survey *survey, const plu_frame_data *frame, const double *value)
{
    for (int i = 0; i < frame->bodies; i++)
        if (frame->state[i] == PLU_ACTIVE && isfinite(value[i])) {
            survey->range[0] = plu_min(survey->range[0], value[i]);
            survey->range[1] = plu_max(survey->range[1], value[i]);
        }
}

plu_status plu_survey_values(const plu_survey *survey, const plu_coloring *quantity,
                             const plu_frame_data *frame, double *value, plu_error *err)
{
    if (!quantity->of) {
        memcpy(value, survey->release, (size_t)frame->bodies * sizeof *value);
        return PLU_OK;
    }
    if (quantity->of(frame, value))
        return PLU_OK;
    return plu_fail(
        err, PLU_USAGE,
        "the trajectory does not contain what the color \"%s\" needs; run the scene with %s",
        quantity->name, quantity->needs);
}

static plu_status find_release(plu_survey *survey, plu_frames *frames, long last, plu_error *err)
{
    const int bodies = plu_frames_bodies(frames);
    survey->release = plu_alloc((size_t)bodies, sizeof *survey->release, err);
    if (!survey->release)
        return PLU_IO;
    for (int i = 0; i < bodies; i++)
        survey->release[i] = NAN;
    for (long k = 0; k <= last; k++) {
        plu_frame_data frame;
        const plu_status status = plu_frames_read(frames, k, &frame, err);
        if (status != PLU_OK)
            return status;
        for (int i = 0; i < bodies; i++)
            if (isnan(survey->release[i]) && frame.state[i] == PLU_ACTIVE)
                survey->release[i] = frame.time;
    }
    return PLU_OK;
}

/* Gives ranges that are still empty a positive width. */
static void complete(plu_survey *survey, const plu_coloring *quantity)
{
    if (!(survey->range[0] <= survey->range[1]))
        survey->range[0] = survey->range[1] = 0.0;
    if (quantity->from_zero)
        survey->range[0] = plu_min(survey->range[0], 0.0);
    if (!(survey->range[1] - survey->range[0] > 1e-9 * fabs(survey->range[1])))
        survey->range[1] = survey->range[0] + 1.0;
    for (int k = 0; k < 3; k++) {
        if (!(survey->box.low[k] <= survey->box.high[k]))
            survey->box.low[k] = survey->box.high[k] = 0.0;
        survey->box.low[k] -= survey->radius;
        survey->box.high[k] += survey->radius;
    }
}

plu_status plu_survey_make(plu_survey *survey, plu_frames *frames,
                           const plu_render_options *options, const plu_coloring *quantity,
                           plu_error *err)
{
    *survey = (plu_survey){.range = {INFINITY, -INFINITY}, .radius = 1.0};
    for (int k = 0; k < 3; k++) {
        survey->box.low[k] = INFINITY;
        survey->box.high[k] = -INFINITY;
    }
    plu_status status = PLU_OK;
    if (!quantity->of)
        status = find_release(survey, frames, options->last, err);
    double *value = plu_alloc((size_t)plu_frames_bodies(frames), sizeof *value, err);
    if (!value)
        return PLU_IO;
    for (long i = 0; i <= looks_at(options) && status == PLU_OK; i++) {
        plu_frame_data frame;
        status = plu_frames_read(frames, look(options, i), &frame, err);
        if (status == PLU_OK)
            status = plu_survey_values(survey, quantity, &frame, value, err);
        if (status != PLU_OK)
            break;
        look_at_bodies(survey, &frame, options->all);
        look_at_values(survey, &frame, value);
    }
    free(value);
    complete(survey, quantity);
    return status;
}

/* --- what has to be in the picture --- */

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
    for (int b = 0; b < frame->bodies; b++) {
        const double *x = frame->position[b];
        bool in = frame->state[b] == PLU_ACTIVE && isfinite(frame->radius[b]);
        for (int i = 0; i < 3; i++)
            in = in && x[i] >= box->low[i] && x[i] <= box->high[i];
        if (in)
            plu_fit_ball(f->fit, f->camera, x, frame->radius[b]);
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
                          plu_frames *frames, const plu_render_options *options,
                          const plu_scene *scene, plu_error *err)
{
    fitter f = {.fit = fit, .camera = camera};
    plu_status status = PLU_OK;
    for (long i = 0; i <= looks_at(options) && status == PLU_OK; i++) {
        plu_frame_data frame;
        status = plu_frames_read(frames, look(options, i), &frame, err);
        if (status == PLU_OK)
            fit_frame(&f, survey, scene, &frame);
    }
    return status;
}

void plu_survey_free(plu_survey *survey)
{
    free(survey->release);
    survey->release = NULL;
}
