/* One file that opens all of a series: multiblock files (.vtm) of bodies, contacts and boundaries,
 * one a frame. All have the same blocks, so that they are the same in ParaView at all times; one
 * that is empty names no file. */
#include "cli/export/export_vtk.h"
#include <stdlib.h>
#include <string.h>

typedef struct series {
    const plu_vtk_boundaries *boundaries;
    const plu_vtk_frame *has;
    const char *stem, *name; /* name: the last part of the stem */
    bool stands, moves;      /* any boundary */
} series;

typedef struct view {
    const series *series;
    long frame;
} view;

/* `number` < 0: the same in all frames. */
static void add(FILE *out, int *index, const series *s, const char *block, const char *what,
                long number, bool there)
{
    fprintf(out, "<DataSet index=\"%d\" name=\"%s\"", (*index)++, block);
    if (there) {
        fputs(" file=\"", out);
        plu_vtk_escape(out, s->name);
        fputs(what, out);
        if (number >= 0)
            fprintf(out, "-%06ld", number);
        fputs(".vtp\"", out);
    }
    fputs("/>\n", out);
}

static plu_status write_blocks(const plu_export *export, FILE *out, const void *user,
                               plu_error *err)
{
    (void)export;
    (void)err;
    const view *v = user;
    const series *s = v->series;
    const plu_vtk_frame *has = &s->has[v->frame];
    const long k = s->boundaries->first + v->frame;
    int index = 0;
    fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"vtkMultiBlockDataSet\" version=\"1.0\" "
          "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<vtkMultiBlockDataSet>\n",
          out);
    add(out, &index, s, "grains", "", k, true);
    if (has->network) {
        add(out, &index, s, "contacts", "-contacts", k, has->pairs > 0);
        add(out, &index, s, "boundary_contacts", "-wall-contacts", k, has->walls > 0);
    }
    if (s->stands)
        add(out, &index, s, "boundaries", "-standing", -1, true);
    if (s->moves)
        add(out, &index, s, "moving_boundaries", "-moving", k, true);
    fputs("</vtkMultiBlockDataSet>\n</VTKFile>\n", out);
    return PLU_OK;
}

static plu_status write_list(const plu_export *export, FILE *list, const void *user, plu_error *err)
{
    const series *s = user;
    const size_t folder = (size_t)(s->name - s->stem); /* the list names files as seen from there */
    plu_status status = PLU_OK;
    plu_vtk_collection_begin(list);
    for (long i = 0; i < s->boundaries->frames && status == PLU_OK; i++) {
        char path[PLU_VTK_PATH];
        snprintf(path, sizeof path, "%s/%s-%06ld.vtm", s->stem, s->name, s->boundaries->first + i);
        status =
            plu_export_stream(export, path, PLU_OUTPUT_OTHER, write_blocks, &(view){s, i}, err);
        plu_vtk_collection_add(list, s->boundaries->time[i], 0, path + folder);
    }
    plu_vtk_collection_end(list);
    return status;
}

plu_status plu_vtk_all_write(const plu_export *export, const plu_vtk_boundaries *b,
                             const plu_vtk_frame *has, const char *list, const char *stem,
                             plu_error *err)
{
    const char *slash = strrchr(stem, '/');
    series s = {b, has, stem, slash ? slash + 1 : stem, false, false};
    bool *stands = plu_vtk_boundaries_which(b, false, err);
    for (int k = 0; stands && k < b->scene.boundaries_count; k++) {
        s.stands |= stands[k];
        s.moves |= !stands[k];
    }
    const plu_status status =
        stands ? plu_export_stream(export, list, PLU_OUTPUT_OTHER, write_list, &s, err) : PLU_IO;
    free(stands);
    return status;
}
