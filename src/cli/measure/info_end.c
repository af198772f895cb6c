/* What a trajectory has at its end, for `pluvia info`: the periodic cell, where boundaries are and
 * how far they have moved, and when stages began and ended.
 *
 *   cell at the end, origin (0, 0, 0) m
 *     edge a             (0.1, 0, 0) m
 *   boundary, at the end
 *     lid                at (0, 0, 0.21) m, moved by (0, 0, -0.04) m, stress 1000 Pa
 *
 * A boundary is moved from the center of its motion in the scene. Rotations are unit quaternions q
 * = (cos(a/2), n sin(a/2)), the scalar first, hence the angle a = 2 atan2(|q_xyz|, q_w).
 *
 * Only where there is something to show is the scene read, which names boundaries and stages. */
#include "cli/base/run_scene.h"
#include "cli/base/text.h"
#include "cli/measure/info.h"
#include "pluvia/boundary.h"
#include "pluvia/frames.h"
#include "pluvia/scene.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct info_end {
    plu_frames *frames;
    bool given; /* they are not closed here */
    plu_frame_data frame;
    plu_scene scene; /* for the names of boundaries, and stages */
    plu_run_stages stages;
} info_end;

/* Only then is the scene needed, whose reading takes longer than all else. */
static bool has_stages(const plu_frames *frames)
{
    for (int i = 0; i < plu_frames_observables(frames); i++)
        if (strcmp(plu_frames_observable_name(frames, i), "stage") == 0)
            return true;
    return false;
}

/* A file without frames has no end: nothing to show. */
static plu_status open_end(info_end *end, const char *path, plu_frames *frames, plu_error *err)
{
    *end = (info_end){.frames = frames, .given = frames != NULL};
    plu_status status = frames ? PLU_OK : plu_frames_open(&end->frames, path, err);
    const long count = status == PLU_OK ? plu_frames_count(end->frames) : 0;
    if (count > 0)
        status = plu_frames_read(end->frames, count - 1, &end->frame, err);
    if (status == PLU_OK && (end->frame.boundaries > 0 || has_stages(end->frames)))
        status = plu_run_scene_read(&end->scene, path, end->frames, err);
    if (status == PLU_OK)
        status = plu_run_stages_read(&end->stages, &end->scene, end->frames, err);
    if (status == PLU_OK && end->frame.boundaries > end->scene.boundaries_count)
        status = plu_fail(err, PLU_BAD_INPUT, "%s: damaged: its scene has fewer boundaries", path);
    return status;
}

static void close_end(info_end *end)
{
    if (!end->given)
        plu_frames_close(end->frames);
    plu_run_stages_free(&end->stages);
    plu_scene_free(&end->scene);
}

/* By how much boundary b is moved from where its shape says (m). */
static void find_way(const info_end *end, int b, double way[3])
{
    for (int k = 0; k < 3; k++)
        way[k] = end->frame.place[b].position[k] - end->scene.boundaries[b].motion.center[k];
}

/* The angle of a boundary about the axis of its motion (rad), up to whole turns. */
static double angle_of(const plu_boundary_place *place)
{
    const double *q = place->rotation;
    return 2.0 * atan2(sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3]), q[0]);
}

static double stress_of(const info_end *end, int b)
{
    return end->frame.boundary_stress ? end->frame.boundary_stress[b] + 0.0 : NAN; /* no -0 */
}

static void print_boundary(const info_end *end, int b)
{
    const plu_boundary_place *place = &end->frame.place[b];
    double way[3];
    find_way(end, b, way);
    printf("  %-24s at (%.9g, %.9g, %.9g) m", end->scene.boundaries[b].name, place->position[0],
           place->position[1], place->position[2]);
    if (place->gone)
        printf(", removed");
    if (way[0] != 0.0 || way[1] != 0.0 || way[2] != 0.0)
        printf(", moved by (%.9g, %.9g, %.9g) m", way[0], way[1], way[2]);
    if (angle_of(place) != 0.0)
        printf(", turned by %.9g rad", angle_of(place));
    if (isfinite(stress_of(end, b)))
        printf(", stress %.6g Pa", stress_of(end, b));
    printf("\n");
}

static void print_stages(const info_end *end)
{
    const plu_run_stages *s = &end->stages;
    if (s->count > 0)
        printf("\nstage\n");
    for (int k = 0; k < s->count; k++) {
        printf("  %-24s ", end->scene.stages[k].name);
        if (s->first[k] < 0)
            printf("not begun\n");
        else
            printf("from %.9g s to %.9g s, frames %ld to %ld\n", s->begun[k], s->ended[k],
                   s->first[k], s->last[k]);
    }
}

plu_status plu_info_end_print(const char *path, plu_error *err)
{
    info_end end;
    const plu_status status = open_end(&end, path, NULL, err);
    const plu_cell_box *cell = &end.frame.cell;
    if (status == PLU_OK)
        print_stages(&end);
    if (status == PLU_OK && cell->given) {
        printf("\ncell at the end, origin (%.9g, %.9g, %.9g) m\n", cell->origin[0], cell->origin[1],
               cell->origin[2]);
        for (int k = 0; k < 3; k++)
            printf("  edge %c                   (%.9g, %.9g, %.9g) m%s\n", "abc"[k],
                   cell -> edge[k][0], cell -> edge[k][1], cell -> edge[k][2],
                   cell -> periodic[k] ? "" : ", not periodic");
    }
    if (status == PLU_OK && end.frame.boundaries > 0)
        printf("\nboundary, at the end\n");
    for (int b = 0; status == PLU_OK && b < end.frame.boundaries; b++)
        print_boundary(&end, b);
    close_end(&end);
    return status;
}

static void json_numbers(const char *name, const double *value, int count, bool first)
{
    plu_json_key(name, first);
    printf("[");
    for (int k = 0; k < count; k++)
        printf("%s%.17g", k ? ", " : "", value[k]);
    printf("]");
}

static void json_cell(const plu_cell_box *cell)
{
    plu_json_key("cell", false);
    if (!cell->given) {
        printf("null");
        return;
    }
    printf("{");
    json_numbers("origin", cell->origin, 3, true);
    json_numbers("a", cell->edge[0], 3, false);
    json_numbers("b", cell->edge[1], 3, false);
    json_numbers("c", cell->edge[2], 3, false);
    plu_json_key("periodic", false);
    printf("[");
    for (int k = 0; k < 3; k++)
        printf("%s%s", k ? ", " : "", cell->periodic[k] ? "true" : "false");
    printf("]}");
}

static void json_boundaries(const info_end *end)
{
    plu_json_key("boundaries", false);
    if (end->frame.boundaries == 0) {
        printf("null");
        return;
    }
    printf("[");
    for (int b = 0; b < end->frame.boundaries; b++) {
        const plu_boundary_place *place = &end->frame.place[b];
        double way[3];
        find_way(end, b, way);
        printf("%s{", b ? ", " : "");
        plu_json_key("name", true);
        plu_json_string(end->scene.boundaries[b].name);
        json_numbers("position", place->position, 3, false);
        json_numbers("moved", way, 3, false);
        json_numbers("rotation", place->rotation, 4, false);
        plu_json_bool("removed", place->gone);
        plu_json_real("stress", stress_of(end, b), false);
        printf("}");
    }
    printf("]");
}

static void json_stages(const info_end *end)
{
    const plu_run_stages *s = &end->stages;
    if (s->count == 0)
        return;
    plu_json_key("stages", false);
    printf("[");
    for (int k = 0; k < s->count; k++) {
        printf("%s{", k ? ", " : "");
        plu_json_key("name", true);
        plu_json_string(end->scene.stages[k].name);
        plu_json_real("begun", s->first[k] < 0 ? NAN : s->begun[k], false);
        plu_json_real("ended", s->first[k] < 0 ? NAN : s->ended[k], false);
        plu_json_integer("first", s->first[k]);
        plu_json_integer("last", s->last[k]);
        printf("}");
    }
    printf("]");
}

plu_status plu_info_end_json(const char *path, plu_frames *frames, plu_error *err)
{
    info_end end;
    const plu_status status = open_end(&end, path, frames, err);
    if (status == PLU_OK) {
        json_cell(&end.frame.cell);
        json_boundaries(&end);
        json_stages(&end);
    }
    close_end(&end);
    return status;
}
