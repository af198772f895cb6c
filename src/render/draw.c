/* Draws frames, one after the other by all threads, or several at a time.
 *
 *     frame --quantity.c--> a value a sphere --> color by the range that all pictures share
 *           (survey.c) --model.c, rods.c, front.c--> balls, walls, rods --cells.c--> grid
 *           --trace.c--> pixels --legend.c--> bar, ticks, time
 *
 * Large pictures share their rows among the threads; of many small ones each thread draws its own.
 */
#include "base/memory.h"
#include "render/legend.h"
#include "render/plan.h"
#include "render/shade.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>

static void paint(const plu_render *r, plu_model *model, const plu_frame_data *frame)
{
    static const float plain[3] = {0.56f, 0.33f, 0.15f}, unknown[3] = {0.35f, 0.35f, 0.35f};
    const double *range = r->legend.range;
    const bool species = strcmp(r->source.quantity->name, "species") == 0;
    for (int n = 0; n < model->balls; n++) {
        const int body = model->body[n];
        const double value = r->value[body];
        float *rgb = model->balls_rgb[n];
        if (strcmp(r->source.quantity->name, "none") == 0)
            memcpy(rgb, plain, sizeof plain);
        else if (!isfinite(value))
            memcpy(rgb, unknown, sizeof unknown);
        else if (species)
            plu_color_kind(r->materials[0] ? r->kind_of[frame->species[body]] : 0, rgb);
        else if (r->source.quantity->kinds)
            plu_color_kind((int)value, rgb);
        else
            plu_color_map((value - range[0]) / (range[1] - range[0]), rgb);
    }
}

/* The frame as a model, which refers to the orientations of the frame. */
static plu_status make_model(plu_render *r, plu_model *model, const plu_frame_data *frame,
                             plu_error *err)
{
    const plu_render_options *o = &r->options;
    const double scale = o->ball_size > 0.0 ? o->ball_size
                         : o->chains        ? 0.3
                         : o->arrows        ? 0.5
                                            : 1.0;
    const double *cut = o->has_cut ? o->cut : NULL;
    plu_status status = plu_survey_values(&r->survey, r->source.quantity, frame, r->value, err);
    if (status == PLU_OK)
        status = plu_model_balls(model, frame, scale, cut, err);
    if (status == PLU_OK)
        status = plu_model_walls(model, r->scene, r->hidden, r->thickness, frame,
                                 o->solid || o->has_walls ? NULL : r->camera.eye, err);
    if (status == PLU_OK && o->chains)
        status =
            plu_model_chains(model, frame, r->survey.strongest, 0.7 * r->survey.radius, cut, err);
    if (status == PLU_OK && o->arrows)
        status = plu_model_arrows(model, frame, r->source.vector->column(frame),
                                  plu_survey_arrow(&r->survey, o), r->survey.radius, err);
    model->orientation = o->marks ? frame->orientation : NULL;
    if (status == PLU_OK)
        paint(r, model, frame);
    return status;
}

static plu_status draw(const plu_render *r, const plu_model *model, double time, int threads,
                       plu_picture *picture, plu_error *err)
{
    const plu_render_options *o = &r->options;
    *picture = (plu_picture){.width = o->width, .height = o->height};
    picture->rgb = plu_alloc(3 * (size_t)o->width * (size_t)o->height, 1, err);
    if (!picture->rgb)
        return PLU_IO;
    const plu_status status =
        plu_trace(model, &r->camera, o->width, o->height, threads, picture->rgb, err);
    plu_legend legend = r->legend;
    legend.time = time;
    if (status == PLU_OK && o->legend)
        plu_legend_draw(&legend, picture);
    if (status != PLU_OK)
        plu_picture_free(picture);
    return status;
}

plu_status plu_render_frame(plu_render *r, long k, plu_picture *picture, plu_error *err)
{
    plu_frame_data frame;
    *picture = (plu_picture){0};
    plu_status status = plu_source_frame(&r->source, k, &frame, err);
    if (status == PLU_OK)
        status = make_model(r, &r->model, &frame, err);
    return status == PLU_OK ? draw(r, &r->model, frame.time, r->options.threads, picture, err)
                            : status;
}

/* --- several at a time --- */

static int threads_of(const plu_render *r)
{
    return r->options.threads > 0 ? r->options.threads : omp_get_max_threads();
}

int plu_render_at_once(const plu_render *r)
{
    static const double most = 2147483648.0; /* bytes */
    const double body = 250.0, pixel = 30.0; /* bytes, about */
    const double each = body * plu_frames_bodies(r->source.frames) +
                        pixel * (double)r->options.width * (double)r->options.height;
    const long frames = r->options.last - r->options.first + 1;
    const double fit = plu_max(floor(most / each), 1.0);
    const int threads = frames < threads_of(r) ? (int)frames : threads_of(r);
    return fit < threads ? (int)fit : threads;
}

static plu_status set_desk(const plu_render *r, plu_desk *desk, plu_error *err)
{
    desk->model.tile = r->model.tile;
    desk->model.clear = r->model.clear;
    desk->model.mantles = r->model.mantles;
    if (!r->options.marks)
        return PLU_OK;
    desk->orientation =
        plu_alloc((size_t)plu_frames_bodies(r->source.frames), sizeof *desk->orientation, err);
    return desk->orientation ? PLU_OK : PLU_IO;
}

static plu_status set_desks(plu_render *r, plu_error *err)
{
    const int desks = plu_render_at_once(r);
    plu_status status = PLU_OK;
    if (!r->desk)
        r->desk = plu_alloc((size_t)desks, sizeof *r->desk, err);
    if (!r->desk)
        return PLU_IO;
    for (; status == PLU_OK && r->desks < desks; r->desks += status == PLU_OK) {
        status = set_desk(r, &r->desk[r->desks], err);
        if (status != PLU_OK)
            plu_model_free(&r->desk[r->desks].model);
    }
    return status;
}

/* The frame is overwritten by the next one, so that nothing may refer to it. */
static plu_status take(plu_render *r, long k, plu_desk *desk, plu_error *err)
{
    plu_frame_data frame;
    plu_status status = plu_source_frame(&r->source, k, &frame, err);
    if (status == PLU_OK)
        status = make_model(r, &desk->model, &frame, err);
    if (status != PLU_OK)
        return status;
    desk->time = frame.time;
    if (desk->model.orientation) {
        memcpy(desk->orientation, frame.orientation,
               (size_t)frame.bodies * sizeof *desk->orientation);
        desk->model.orientation = (const double(*)[4])desk->orientation;
    }
    return PLU_OK;
}

typedef struct batch {
    plu_render *render;
    long first, count;
    plu_picture *picture;
    long failed; /* the first frame that did; `count`: none */
    plu_status status;
    plu_error *err;
} batch;

static void fail(batch *b, long i, plu_status status, const plu_error *why)
{
    if (i >= b->failed)
        return;
    b->failed = i;
    b->status = status;
    if (b->err)
        *b->err = *why;
}

static void draw_one(batch *b, long i)
{
    plu_error why = {0};
    plu_desk *desk = &b->render->desk[omp_get_thread_num()];
    plu_status status;
    b->picture[i] = (plu_picture){0};
#pragma omp critical(plu_render_read)
    status = take(b->render, b->first + i, desk, &why);
    if (status == PLU_OK)
        status = draw(b->render, &desk->model, desk->time, 1, &b->picture[i], &why);
    if (status != PLU_OK) {
#pragma omp critical(plu_render_failed)
        fail(b, i, status, &why);
    }
}

plu_status plu_render_frames(plu_render *r, long first, long count, plu_picture *picture,
                             plu_error *err)
{
    batch b = {r, first, count, picture, count, PLU_OK, err};
    if (plu_render_at_once(r) == 1) {
        plu_status status = PLU_OK;
        memset(picture, 0, (size_t)count * sizeof *picture);
        for (long i = 0; i < count && status == PLU_OK; i++)
            status = plu_render_frame(r, first + i, &picture[i], err);
        return status;
    }
    const plu_status ready = set_desks(r, err);
    if (ready != PLU_OK)
        return ready;
#pragma omp parallel for schedule(dynamic, 1) num_threads(r->desks)
    for (long i = 0; i < count; i++)
        draw_one(&b, i);
    for (long i = b.failed; i < count; i++)
        plu_picture_free(&picture[i]);
    return b.status;
}
