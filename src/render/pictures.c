/* What all pictures of a film share: the camera, the range of colors, the quantity and its unit,
 * which walls are opened. They are chosen once, from a survey of the frames, so that a film
 * neither flickers nor jumps.
 *
 *   plu_render_create   options checked --> quantity, materials --> survey of up to 49 frames
 *                       --> walls --> legend --> camera, aimed so that all fits beside the legend
 *   plu_render_frame, plu_render_frames    a picture, several at once
 *   plu_render_destroy */
#include "base/memory.h"
#include "base/words.h"
#include "pluvia/boundary.h"
#include "pluvia/material.h"
#include "pluvia/scene.h"
#include "pluvia/tool/render.h"
#include "render/plan.h"
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

plu_render_options plu_render_defaults(void)
{
    return (plu_render_options){.width = 1200,
                                .height = 900,
                                .azimuth = -75.0,
                                .elevation = 22.0,
                                .zoom = 1.0,
                                .legend = true};
}

static plu_status refuse_color(const char *name, plu_error *err)
{
    char known[512] = "";
    for (int i = 0; plu_coloring_at(i); i++) {
        const size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "",
                 plu_coloring_at(i)->name);
    }
    return plu_fail(err, PLU_USAGE,
                    "unknown quantity \"%s\" to color by; choose one of %s, or an "
                    "entry of a column, such as velocity.x or stress.zz",
                    name, known);
}

/* The materials that spheres are made of; returns how many. */
static int find_materials(plu_render *r, const plu_frame_data *frame, const plu_scene *scene)
{
    int kinds = 0;
    for (int m = 0; m < scene->materials_count; m++)
        r->kind_of[m] = -1;
    for (int i = 0; i < frame->bodies; i++)
        if (frame->species[i] >= 0 && frame->species[i] < scene->materials_count)
            r->kind_of[frame->species[i]] = 0;
    for (int m = 0; m < scene->materials_count; m++)
        if (r->kind_of[m] == 0) {
            r->kind_of[m] = kinds;
            r->materials[kinds++] = scene->materials[m].name;
        }
    return kinds;
}

static plu_status choose_quantity(plu_render *r, const plu_scene *scene, plu_error *err)
{
    const plu_render_options *o = &r->options;
    plu_frame_data frame;
    const size_t materials = (size_t)scene->materials_count;
    r->kind_of = plu_alloc(materials, sizeof *r->kind_of, err);
    r->materials = plu_alloc(materials + 1, sizeof *r->materials, err);
    r->value = plu_alloc((size_t)plu_frames_bodies(r->source.frames), sizeof *r->value, err);
    if (!r->kind_of || !r->materials || !r->value)
        return PLU_IO;
    const plu_status status = plu_frames_read(r->source.frames, o->last, &frame, err);
    if (status != PLU_OK)
        return status;
    const int kinds = find_materials(r, &frame, scene);
    const char *name = o->color ? o->color : kinds > 1 ? "species" : "none";
    r->source.quantity = plu_coloring_find(name);
    if (!r->source.quantity)
        return refuse_color(name, err);
    if (o->arrows && !(r->source.vector = plu_vector_find(o->arrows)))
        return plu_fail(err, PLU_USAGE,
                        "unknown arrows \"%s\"; choose one of velocity, angular_velocity, force, "
                        "torque",
                        o->arrows);
    if (o->marks && !frame.orientation)
        return plu_fail(err, PLU_USAGE,
                        "the trajectory contains no orientations, which marks need; run the scene "
                        "with \"orientation\" in output.quantities");
    if (o->chains && frame.contacts < 0)
        return plu_fail(err, PLU_USAGE,
                        "the trajectory contains no contacts, which force chains need; run the "
                        "scene with output.contacts = true");
    return PLU_OK;
}

static double diagonal(const plu_box *box)
{
    double d[3];
    plu_sub(box->high, box->low, d);
    return plu_norm(d);
}

static plu_status check_options(const plu_render_options *o, long frames, plu_error *err)
{
    enum { MOST = 16384 };
    if (o->width < 16 || o->height < 16 || o->width > MOST || o->height > MOST)
        return plu_fail(err, PLU_USAGE,
                        "the width and height of a picture must be 16 to %d pixels, not %d x %d",
                        MOST, o->width, o->height);
    if (!(o->zoom > 0.0) || !isfinite(o->zoom))
        return plu_fail(err, PLU_USAGE, "zoom must be positive");
    if (!(o->distance >= 0.0) || !isfinite(o->distance))
        return plu_fail(err, PLU_USAGE, "the distance must not be negative");
    if (!(fabs(o->elevation) < 90.0) || !isfinite(o->azimuth))
        return plu_fail(err, PLU_USAGE, "the elevation must be between -90 and 90 degrees");
    if (o->has_range && !(o->range[0] < o->range[1]))
        return plu_fail(err, PLU_USAGE, "the range of colors must increase");
    if (!(o->arrow_length >= 0.0) || !isfinite(o->arrow_length))
        return plu_fail(err, PLU_USAGE, "the length of arrows must not be negative");
    if (o->has_walls && !(o->walls >= 0.0 && o->walls <= 1.0))
        return plu_fail(err, PLU_USAGE,
                        "the opacity of walls must be between 0 (clear) and 1 (solid)");
    if (o->has_cut && !(plu_norm(o->cut) > 0.0 && isfinite(plu_norm(o->cut) + o->cut[3])))
        return plu_fail(err, PLU_USAGE, "the normal of the cutting plane must not be zero");
    if (o->first < 0 || o->last < o->first || o->last >= frames)
        return plu_fail(err, PLU_USAGE, "the trajectory does not have these frames");
    return PLU_OK;
}

static plu_status refuse_hidden(const char *name, int length, const plu_scene *scene,
                                plu_error *err)
{
    char names[512] = "";
    for (int i = 0; i < scene->boundaries_count; i++)
        plu_names_add(names, sizeof names, scene->boundaries[i].name);
    return plu_fail(err, PLU_USAGE, "unknown boundary \"%.*s\" to hide; the run has %s", length,
                    name, *names ? names : "none");
}

/* Each name of `hide` must be that of a boundary. */
static plu_status find_hidden(plu_render *r, const plu_scene *scene, plu_error *err)
{
    r->hidden = plu_alloc((size_t)scene->boundaries_count, sizeof *r->hidden, err);
    if (!r->hidden)
        return PLU_IO;
    for (const char *name = r->options.hide; name; name = strchr(name, ',')) {
        name += *name == ',';
        const int length = (int)strcspn(name, ",");
        bool known = false;
        for (int i = 0; i < scene->boundaries_count; i++)
            if (strncmp(scene->boundaries[i].name, name, (size_t)length) == 0 &&
                !scene->boundaries[i].name[length])
                known = r->hidden[i] = true;
        if (!known)
            return refuse_hidden(name, length, scene, err);
    }
    return PLU_OK;
}

static void make_legend(plu_render *r, double size)
{
    const plu_survey *survey = &r->survey;
    const plu_render_options *o = &r->options;
    const bool species = strcmp(r->source.quantity->name, "species") == 0;
    r->model.tile = plu_legend_step(size, 8, false);
    r->model.clear = o->has_walls ? 1.0 - o->walls : 0.0;
    r->legend = (plu_legend){.quantity = r->source.quantity,
                             .kinds = species ? r->materials : r->source.quantity->kinds,
                             .range = {survey->range[0], survey->range[1]},
                             .tile = r->model.flats ? r->model.tile : 0.0,
                             .force = o->chains ? survey->strongest : 0.0,
                             .arrow = r->source.vector ? survey->longest : 0.0,
                             .arrow_unit = r->source.vector ? r->source.vector->unit : ""};
    if (o->has_range)
        memcpy(r->legend.range, o->range, sizeof o->range);
    memcpy(r->legend.all, survey->all, sizeof survey->all);
}

static plu_status set_up(plu_render *r, const plu_scene *scene, plu_error *err)
{
    plu_status status = check_options(&r->options, plu_frames_count(r->source.frames), err);
    if (status == PLU_OK)
        status = find_hidden(r, scene, err);
    if (status == PLU_OK)
        status = choose_quantity(r, scene, err);
    if (status == PLU_OK)
        status = plu_survey_make(&r->survey, &r->source, &r->options, err);
    if (status != PLU_OK)
        return status;
    const double size = diagonal(&r->survey.box);
    plu_fit fit;
    r->scene = scene;
    r->thickness = 0.0025 * size;
    r->model.mantles = r->options.has_walls;
    status = plu_model_walls(&r->model, scene, r->hidden, r->thickness, NULL, NULL, err);
    if (status != PLU_OK)
        return status;
    make_legend(r, size);
    plu_camera_turn(&r->camera, &fit, &r->options,
                    r->options.legend ? plu_legend_width(&r->legend, r->options.height) : 0.0,
                    r->options.legend ? plu_legend_foot(r->options.height) : 0.0);
    status = plu_survey_fit(&r->survey, &fit, &r->camera, &r->source, &r->options, scene, err);
    if (status == PLU_OK)
        plu_camera_aim(&r->camera, &fit, &r->options);
    return status;
}

plu_status plu_render_create(plu_render **render, plu_frames *frames, const plu_scene *scene,
                             const plu_render_options *options, plu_error *err)
{
    *render = NULL;
    plu_render *r = plu_alloc(1, sizeof *r, err);
    if (!r)
        return PLU_IO;
    r->source.frames = frames;
    r->options = *options;
    const plu_status status = set_up(r, scene, err);
    if (status == PLU_OK)
        *render = r;
    else
        plu_render_destroy(r);
    return status;
}

void plu_render_destroy(plu_render *r)
{
    if (!r)
        return;
    for (int i = 0; i < r->desks; i++) {
        plu_model_free(&r->desk[i].model);
        free(r->desk[i].orientation);
    }
    free(r->desk);
    plu_model_free(&r->model);
    plu_survey_free(&r->survey);
    plu_grain_columns_free(&r->source.columns);
    free(r->value);
    free(r->kind_of);
    free(r->materials);
    free(r->hidden);
    free(r);
}

/* --- A picture as a file --- */

plu_status plu_picture_write(const plu_picture *picture, const char *path, plu_error *err)
{
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)picture->width,
                       .height = (png_uint_32)picture->height,
                       .format = PNG_FORMAT_RGB};
    if (!png_image_write_to_file(&image, path, 0, picture->rgb, 0, NULL))
        return plu_fail(err, PLU_IO, "cannot write %s: %s", path, image.message);
    return PLU_OK;
}

void plu_picture_free(plu_picture *picture)
{
    free(picture->rgb);
    *picture = (plu_picture){0};
}
