/* The boundaries of a series as triangles: VTK XML PolyData.
 *
 * Those that have one place in all frames are written once (NAME-standing.vtp), the others for each
 * frame (NAME-moving-000000.vtp, ...). The collection lists at each time the standing file as part
 * 0 and the moving one as the next part:
 *
 *   <DataSet timestep="0"    part="0" file="NAME/NAME-standing.vtp"/>
 *   <DataSet timestep="0"    part="1" file="NAME/NAME-moving-000000.vtp"/>
 *   <DataSet timestep="0.01" part="0" file="NAME/NAME-standing.vtp"/>  ...
 *
 * Order of calls: _begin, _take for each frame (places of boundaries, and the box around all
 * bodies, which decides how large infinite planes are drawn), then _write, since what stands is
 * known only after the last frame. */
#include "cli/base/run_scene.h"
#include "cli/base/text.h"
#include "cli/export/boundary_triangles.h"
#include "cli/export/export_vtk.h"
#include "cli/export/vtk_data.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The scene of the run; one without boundaries where it cannot be read. */
static void read_scene(plu_scene *scene, const char *trajectory)
{
    plu_error why = {0};
    if (plu_run_scene_read(scene, trajectory, NULL, &why) == PLU_OK)
        return;
    plu_message("exported without boundaries, because the scene of the run cannot be read: %.*s",
                (int)strcspn(why.text, "\n"), why.text);
    *scene = (plu_scene){0};
}

/* Its list is checked now, before hours of writing. */
plu_status plu_vtk_boundaries_begin(plu_vtk_boundaries *b, const plu_export *export,
                                    const char *list, long first, long frames, plu_error *err)
{
    *b = (plu_vtk_boundaries){.first = first, .low = {NAN, NAN, NAN}, .high = {NAN, NAN, NAN}};
    read_scene(&b->scene, export->source);
    const size_t count = (size_t)b->scene.boundaries_count;
    const plu_output_rule rule = plu_export_rule(export, PLU_OUTPUT_OTHER);
    const plu_status status = count > 0 ? plu_output_check(list, &rule, err) : PLU_OK;
    if (status != PLU_OK)
        return status;
    b->time = calloc((size_t)frames + 1, sizeof *b->time);
    b->place = calloc((size_t)frames * count + 1, sizeof *b->place);
    return b->time && b->place
               ? PLU_OK
               : plu_fail(err, PLU_IO, "out of memory: the places of %zu boundaries in %ld frames",
                          count, frames);
}

void plu_vtk_boundaries_take(plu_vtk_boundaries *b, const plu_frame_data *f)
{
    const int count = b->scene.boundaries_count;
    if (f->boundaries < count) { /* the file has no places: no boundary moves */
        free(b->place);
        b->place = NULL;
    }
    if (b->place && count > 0) /* without boundaries the frame has no places to copy from */
        memcpy(b->place + (size_t)b->frames * (size_t)count, f->place,
               (size_t)count * sizeof *f->place);
    for (int k = 0; k < f->bodies; k++)
        for (int i = 0; f->state[k] == PLU_ACTIVE && i < 3; i++) {
            b->low[i] = fmin(b->low[i], f->position[k][i] - f->radius[k]);
            b->high[i] = fmax(b->high[i], f->position[k][i] + f->radius[k]);
        }
    b->time[b->frames++] = f->time;
}

static bool same(const plu_boundary_place *a, const plu_boundary_place *b)
{
    return a->gone == b->gone && memcmp(a->position, b->position, sizeof a->position) == 0 &&
           memcmp(a->rotation, b->rotation, sizeof a->rotation) == 0;
}

static const plu_boundary_place *place_of(const plu_vtk_boundaries *b, long frame, int number)
{
    return b->place ? &b->place[(size_t)frame * (size_t)b->scene.boundaries_count + (size_t)number]
                    : NULL;
}

/* Compared to the last bit with the first frame. */
static bool stands(const plu_vtk_boundaries *b, int number)
{
    for (long k = 1; b->place && k < b->frames; k++)
        if (!same(place_of(b, 0, number), place_of(b, k, number)))
            return false;
    return true;
}

/* Around all that is exported; 1 m without bodies. */
static plu_boundary_triangles_extent extent_of(const plu_vtk_boundaries *b)
{
    plu_boundary_triangles_extent extent = {{0.0, 0.0, 0.0}, 0.5};
    double square = 0.0;
    for (int i = 0; i < 3 && !isnan(b->low[0]); i++) {
        extent.middle[i] = 0.5 * (b->low[i] + b->high[i]);
        square += (b->high[i] - b->low[i]) * (b->high[i] - b->low[i]);
    }
    if (square > 0.0)
        extent.half = 0.5 * sqrt(square);
    return extent;
}

bool *plu_vtk_boundaries_which(const plu_vtk_boundaries *b, bool moving, plu_error *err)
{
    bool *chosen = calloc((size_t)b->scene.boundaries_count + 1, sizeof *chosen);
    if (!chosen)
        plu_fail(err, PLU_IO, "out of memory: %d boundaries", b->scene.boundaries_count);
    for (int k = 0; chosen && k < b->scene.boundaries_count; k++)
        chosen[k] = stands(b, k) != moving;
    return chosen;
}

plu_status plu_vtk_boundaries_triangles(const plu_vtk_boundaries *b, const bool *chosen, long frame,
                                        plu_boundary_triangles *t, plu_error *err)
{
    *t = (plu_boundary_triangles){.extent = extent_of(b)};
    for (int k = 0; k < b->scene.boundaries_count; k++)
        if (chosen[k])
            plu_boundary_triangles_add(t, &b->scene, k, place_of(b, frame, k));
    return t->full ? plu_fail(err, PLU_IO, "out of memory: more than %zu triangles of boundaries",
                              t->count)
                   : PLU_OK;
}

/* What a file shows: the boundaries that stand, or the others, in a frame of the series. */
typedef struct view {
    const plu_vtk_boundaries *boundaries;
    const bool *chosen; /* of each boundary */
    bool moves;
    long frame;
} view;

static plu_status write_view(const plu_export *export, FILE *out, const void *user, plu_error *err)
{
    (void)export;
    const view *v = user;
    const plu_vtk_boundaries *b = v->boundaries;
    plu_boundary_triangles t;
    const plu_status status = plu_vtk_boundaries_triangles(b, v->chosen, v->frame, &t, err);
    if (status == PLU_OK) {
        plu_vtk_begin(out, (plu_vtk_size){.points = 3 * t.count, .polys = t.count});
        fputs("<Points>\n", out);
        plu_vtk_array(out, PLU_VTK_FLOAT64, "Points", 3, 3 * t.count, t.corner);
        fputs("</Points>\n", out);
        plu_vtk_cells(out, "Polys", t.count, 3);
        fputs("<CellData Scalars=\"boundary\">\n", out);
        plu_vtk_array(out, PLU_VTK_INT32, "boundary", 1, t.count, t.boundary);
        plu_vtk_array(out, PLU_VTK_INT32, "species", 1, t.count, t.material);
        fputs("</CellData>\n", out);
        plu_vtk_end(out, v->moves ? &b->time[v->frame] : NULL);
    }
    plu_boundary_triangles_free(&t);
    return status;
}

typedef struct series {
    const plu_vtk_boundaries *boundaries;
    const char *stem, *name; /* name: the last part of the stem */
    bool *stands, *moves;    /* of each boundary */
    bool any_stands, any_moves;
} series;

static plu_status write_series(const plu_export *export, FILE *list, const void *user,
                               plu_error *err)
{
    const series *s = user;
    const plu_vtk_boundaries *b = s->boundaries;
    char still[2 * PLU_PATH + 32], moving[2 * PLU_PATH + 32];
    const size_t folder = (size_t)(s->name - s->stem); /* the list names files as seen from there */
    plu_status status = PLU_OK;
    snprintf(still, sizeof still, "%s/%s-standing.vtp", s->stem, s->name);
    if (s->any_stands)
        status = plu_export_stream(export, still, PLU_OUTPUT_OTHER, write_view,
                                   &(view){b, s->stands, false, 0}, err);
    plu_vtk_collection_begin(list);
    for (long k = 0; k < b->frames && status == PLU_OK; k++) {
        if (s->any_stands)
            plu_vtk_collection_add(list, b->time[k], 0, still + folder);
        if (!s->any_moves)
            continue;
        snprintf(moving, sizeof moving, "%s/%s-moving-%06ld.vtp", s->stem, s->name, b->first + k);
        status = plu_export_stream(export, moving, PLU_OUTPUT_OTHER, write_view,
                                   &(view){b, s->moves, true, k}, err);
        plu_vtk_collection_add(list, b->time[k], s->any_stands, moving + folder);
    }
    plu_vtk_collection_end(list);
    return status;
}

plu_status plu_vtk_boundaries_write(const plu_vtk_boundaries *b, const plu_export *export,
                                    const char *list, const char *stem, plu_error *err)
{
    const int count = b->scene.boundaries_count;
    if (count == 0 || b->frames == 0)
        return PLU_OK;
    const char *slash = strrchr(stem, '/');
    series s = {b, stem, slash ? slash + 1 : stem, NULL, NULL, false, false};
    s.stands = plu_vtk_boundaries_which(b, false, err);
    s.moves = plu_vtk_boundaries_which(b, true, err);
    for (int k = 0; k < count && s.stands && s.moves; k++) {
        s.any_stands |= s.stands[k];
        s.any_moves |= s.moves[k];
    }
    const plu_status status =
        s.stands && s.moves
            ? plu_export_stream(export, list, PLU_OUTPUT_OTHER, write_series, &s, err)
            : PLU_IO;
    free(s.stands);
    free(s.moves);
    return status;
}

void plu_vtk_boundaries_free(plu_vtk_boundaries *b)
{
    plu_scene_free(&b->scene);
    free(b->time);
    free(b->place);
    *b = (plu_vtk_boundaries){0};
}
