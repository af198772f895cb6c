#include "cli/run/summary_lines.h"

static const plu_mesh_report *report_of(const plu_scene *scene, int boundary)
{
    const plu_mesh *mesh = scene->boundaries[boundary].mesh;
    return mesh ? plu_mesh_reported(mesh) : NULL;
}

static void warn(const plu_boundary_spec *b, const plu_mesh_report *r, const plu_log *log)
{
    if (r->dropped > 0)
        plu_log_write(log, PLU_LOG_WARNING,
                      "mesh \"%s\" (%s): %ld of %ld triangles are left out: they have no area, or "
                      "occur twice",
                      b->name, b->file, r->dropped, r->given);
    if (r->crowded > 0)
        plu_log_write(log, PLU_LOG_WARNING,
                      "mesh \"%s\" (%s): %ld edges have more than two triangles; spheres still "
                      "touch them, on both sides",
                      b->name, b->file, r->crowded);
    if (r->flipped > 0)
        plu_log_write(log, PLU_LOG_WARNING,
                      "mesh \"%s\" (%s): at %ld edges the two triangles have opposite orientation; "
                      "spheres still touch both sides, but the mesh has no outside",
                      b->name, b->file, r->flipped);
}

void plu_meshes_warn(const plu_scene *scene, const plu_log *log)
{
    for (int b = 0; b < scene->boundaries_count; b++)
        if (report_of(scene, b))
            warn(&scene->boundaries[b], report_of(scene, b), log);
}

static void print(FILE *out, const plu_mesh_report *r)
{
    fprintf(out,
            "%d triangles, %d corners, from (%.4g, %.4g, %.4g) to (%.4g, %.4g, %.4g) m, edges of "
            "%.3g to %.3g m, area %.4g m^2; ",
            r->triangles, r->corners, r->low[0], r->low[1], r->low[2], r->high[0], r->high[1],
            r->high[2], r->shortest, r->longest, r->area);
    if (r->open == 0 && r->crowded == 0 && r->flipped == 0)
        fprintf(out, "closed, %s of %.4g m^3\n", r->volume < 0.0 ? "around a cavity" : "a solid",
                r->volume < 0.0 ? -r->volume : r->volume);
    else if (r->joints > 0)
        fprintf(out,
                "%ld open edges, %ld of them with a corner of another triangle between their ends "
                "(T-junctions, which spheres do not notice)\n",
                r->open, r->joints);
    else
        fprintf(out, "%ld open edges\n", r->open);
}

void plu_meshes_print(FILE *out, const char *path, const plu_scene *scene)
{
    for (int b = 0; b < scene->boundaries_count; b++) {
        if (!report_of(scene, b))
            continue;
        fprintf(out, "%s: mesh \"%s\": ", path, scene->boundaries[b].name);
        print(out, report_of(scene, b));
    }
}
