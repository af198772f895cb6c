/* The ParaView sidecar, made anew: for a trajectory that lost it or was moved; and beside it the
 * boundaries as triangles, because XDMF has no transformation that ParaView applies to the
 * positions of /boundaries.
 *
 *   OUT.xdmf              refers to the arrays of the trajectory: plu_trajectory_sidecar
 *   OUT-boundaries.xdmf   has its numbers as text:
 *     <Grid Name="boundaries" ...> or, if one moves, a temporal collection of such grids
 *       <Topology TopologyType="Triangle"> 0 1 2 / 3 4 5 / ...
 *       <Geometry GeometryType="XYZ">      three lines for each triangle
 *       <Attribute Name="boundary">        its number in the scene
 *
 * Triangles share no corners: edges stay sharp where a program smooths normals. */
#include "cli/export/export_vtk.h"
#include <stdlib.h>
#include <string.h>

enum { LIST = PLU_PATH + 32 }; /* characters */

static void write_grid(FILE *out, const char *name, const double *time,
                       const plu_boundary_triangles *t)
{
    fprintf(out, "<Grid Name=\"%s\" GridType=\"Uniform\">\n", name);
    if (time)
        fprintf(out, "<Time Value=\"%.17g\"/>\n", *time);
    fprintf(out,
            "<Topology TopologyType=\"Triangle\" NumberOfElements=\"%zu\">\n"
            "<DataItem Dimensions=\"%zu 3\" NumberType=\"Int\" Format=\"XML\">\n",
            t->count, t->count);
    for (size_t k = 0; k < t->count; k++)
        fprintf(out, "%zu %zu %zu\n", 3 * k, 3 * k + 1, 3 * k + 2);
    fprintf(out,
            "</DataItem>\n</Topology>\n<Geometry GeometryType=\"XYZ\">\n"
            "<DataItem Dimensions=\"%zu 3\" NumberType=\"Float\" Precision=\"8\" Format=\"XML\">\n",
            3 * t->count);
    for (size_t k = 0; k < 3 * t->count; k++) {
        const double *x = t->corner[k / 3][k % 3];
        fprintf(out, "%.15g %.15g %.15g\n", x[0], x[1], x[2]);
    }
    fprintf(out,
            "</DataItem>\n</Geometry>\n<Attribute Name=\"boundary\" AttributeType=\"Scalar\" "
            "Center=\"Cell\">\n<DataItem Dimensions=\"%zu\" NumberType=\"Int\" "
            "Format=\"XML\">\n",
            t->count);
    for (size_t k = 0; k < t->count; k++)
        fprintf(out, "%d\n", t->boundary[k]);
    fputs("</DataItem>\n</Attribute>\n</Grid>\n", out);
}

/* The boundaries of a kind in a frame, unless there are none. */
static plu_status write_frame(FILE *out, const plu_vtk_boundaries *b, const bool *chosen,
                              long frame, const char *name, const double *time, plu_error *err)
{
    plu_boundary_triangles t;
    const plu_status status = plu_vtk_boundaries_triangles(b, chosen, frame, &t, err);
    if (status == PLU_OK && t.count > 0)
        write_grid(out, name, time, &t);
    plu_boundary_triangles_free(&t);
    return status;
}

/* Where one moves, each frame has all of them: ParaView shows no grid that stands beside a temporal
 * collection. */
static plu_status write_frames(FILE *out, const plu_vtk_boundaries *b, const bool *all,
                               plu_error *err)
{
    plu_status status = PLU_OK;
    fputs("<Grid Name=\"boundaries\" GridType=\"Collection\" CollectionType=\"Temporal\">\n", out);
    for (long k = 0; k < b->frames && status == PLU_OK; k++) {
        char name[32];
        snprintf(name, sizeof name, "frame-%ld", k);
        status = write_frame(out, b, all, k, name, &b->time[k], err);
    }
    fputs("</Grid>\n", out);
    return status;
}

static plu_status write_boundaries(const plu_export *export, FILE *out, const void *user,
                                   plu_error *err)
{
    (void)export;
    const plu_vtk_boundaries *b = user;
    bool any = false, *chosen = plu_vtk_boundaries_which(b, true, err);
    if (!chosen)
        return PLU_IO;
    for (int k = 0; k < b->scene.boundaries_count; k++) {
        any |= chosen[k];
        chosen[k] = true;
    }
    fputs("<?xml version=\"1.0\"?>\n<Xdmf Version=\"2.0\">\n<Domain>\n", out);
    const plu_status status = any ? write_frames(out, b, chosen, err)
                                  : write_frame(out, b, chosen, 0, "boundaries", NULL, err);
    fputs("</Domain>\n</Xdmf>\n", out);
    free(chosen);
    return status;
}

/* Beside NAME.xdmf: NAME-boundaries.xdmf. */
static plu_status export_boundaries(const plu_export *export, plu_error *err)
{
    char list[LIST];
    const char *dot = strrchr(export->output, '.');
    const long frames = plu_frames_count(export->frames);
    const int stem = (int)(dot ? (size_t)(dot - export->output) : strlen(export->output));
    if (plu_output_goes_through(export->output) || (size_t)stem + sizeof "-boundaries.xdmf" > LIST)
        return PLU_OK;
    snprintf(list, sizeof list, "%.*s-boundaries.xdmf", stem, export->output);
    plu_vtk_boundaries b;
    plu_frame_data frame;
    plu_status status = plu_vtk_boundaries_begin(&b, export, list, 0, frames, err);
    for (long k = 0; k < frames && status == PLU_OK; k++) {
        if (k > 0 && k + 1 < frames && !b.place)
            continue; /* none moves: the first and the last frame tell how large planes are drawn */
        status = plu_frames_read(export->frames, k, &frame, err);
        if (status == PLU_OK)
            plu_vtk_boundaries_take(&b, &frame);
    }
    if (status == PLU_OK && b.frames > 0 && b.scene.boundaries_count > 0)
        status = plu_export_stream(export, list, PLU_OUTPUT_OTHER, write_boundaries, &b, err);
    plu_vtk_boundaries_free(&b);
    return status;
}

plu_status plu_export_xdmf(const plu_export *export, plu_error *err)
{
    if (export->single || export->end - export->first < plu_frames_count(export->frames))
        return plu_fail(err, PLU_USAGE,
                        "options --at, --stage: a sidecar is always for the whole trajectory");
    plu_output output;
    const plu_output_rule rule = plu_export_rule(export, PLU_OUTPUT_OTHER);
    plu_status status = plu_output_begin(&output, export->output, &rule, err);
    const char *name = status == PLU_OK ? plu_output_name(&output, err) : NULL;
    if (status == PLU_OK)
        status = name ? plu_trajectory_sidecar(export->source, name, err) : PLU_IO;
    status = plu_output_end(&output, status, err);
    return status == PLU_OK ? export_boundaries(export, err) : status;
}
