/* The contact network of a frame as lines with two points each: VTK XML PolyData, of grains in one
 * file and of grains with boundaries in another, with the names by which OVITO knows both: it
 * refuses a network that names a particle which is not there, as no boundary is.
 *
 *   points   from, to of link 0, from, to of link 1, ...
 *   lines    (0 1) (2 3) ...
 *   cells    id1, id2 (with boundaries: particle_id, wall_id), mode, force, torque, gap, ...
 *
 * Below: the files that open all of a series, one vtkMultiBlockDataSet (.vtm) a frame:
 *
 *   <DataSet index="0" name="grains" file="OUT-000000.vtp"/>
 *   <DataSet index="1" name="contacts" file="OUT-contacts-000000.vtp"/>
 *   <DataSet index="2" name="boundary_contacts"/>          none in this frame */
#include "cli/export/export_vtk.h"
#include "cli/export/vtk_data.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Real numbers of a link. */
typedef struct column {
    const char *name;
    int components;
    size_t at; /* in plu_link */
} column;

#define COLUMN(field, components)                                                                  \
    {                                                                                              \
#field, components, offsetof(plu_link, field)                                              \
    }
static const column columns[] = {
    COLUMN(force, 3),  COLUMN(force_normal, 3), COLUMN(force_tangential, 3),
    COLUMN(torque, 3), COLUMN(normal_force, 1), COLUMN(tangential_force, 1),
    COLUMN(gap, 1)};

/* Which links a file has. */
typedef struct part {
    const plu_network *network;
    bool walls;
    size_t count;
    double time;
} part;

/* With a boundary: a is -1. */
static bool is_in(const part *p, const plu_link *l)
{
    return (l->a < 0) == p->walls;
}

static void put_points(FILE *out, const part *p, double *buffer)
{
    double *to = buffer;
    for (int k = 0; k < p->network->count; k++) {
        const plu_link *l = &p->network->link[k];
        for (int i = 0; is_in(p, l) && i < 6; i++)
            *to++ = i < 3 ? l->from[i] : l->to[i - 3];
    }
    fputs("<Points>\n", out);
    plu_vtk_array(out, PLU_VTK_FLOAT64, "Points", 3, 2 * p->count, buffer);
    fputs("</Points>\n", out);
}

/* `at`: the place of an int within plu_link. */
static void put_whole(FILE *out, const part *p, const char *name, size_t at, int32_t *buffer)
{
    size_t n = 0;
    for (int k = 0; k < p->network->count; k++) {
        const plu_link *l = &p->network->link[k];
        if (is_in(p, l))
            buffer[n++] = *(const int *)(const void *)((const char *)l + at);
    }
    plu_vtk_array(out, PLU_VTK_INT32, name, 1, p->count, buffer);
}

static void put_reals(FILE *out, const part *p, const column *c, float *buffer)
{
    float *to = buffer;
    for (int k = 0; k < p->network->count; k++) {
        const plu_link *l = &p->network->link[k];
        const double *from = (const double *)(const void *)((const char *)l + c->at);
        for (int i = 0; is_in(p, l) && i < c->components; i++)
            *to++ = (float)from[i];
    }
    plu_vtk_array(out, PLU_VTK_FLOAT32, c->name, c->components, p->count, buffer);
}

static plu_status write_part(const plu_export *export, FILE *out, const void *user, plu_error *err)
{
    (void)export;
    const part *p = user;
    void *buffer = malloc(6 * sizeof(double) * p->count + 1);
    if (!buffer)
        return plu_fail(err, PLU_IO, "out of memory: %zu contacts", p->count);
    plu_vtk_begin(out, (plu_vtk_size){.points = 2 * p->count, .lines = p->count});
    put_points(out, p, buffer);
    plu_vtk_cells(out, "Lines", p->count, 2);
    fputs("<CellData Scalars=\"normal_force\">\n", out);
    put_whole(out, p, p->walls ? "particle_id" : "id1",
              p->walls ? offsetof(plu_link, b) : offsetof(plu_link, a), buffer);
    put_whole(out, p, p->walls ? "wall_id" : "id2",
              p->walls ? offsetof(plu_link, boundary) : offsetof(plu_link, b), buffer);
    put_whole(out, p, "mode", offsetof(plu_link, mode), buffer);
    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++)
        put_reals(out, p, &columns[c], buffer);
    fputs("</CellData>\n", out);
    plu_vtk_end(out, &p->time);
    free(buffer);
    return PLU_OK;
}

plu_status plu_vtk_contacts_write(const plu_export *export, const plu_network *network, double time,
                                  bool walls, const char *path, plu_error *err)
{
    const int count = walls ? network->walls : network->count - network->walls;
    const part p = {network, walls, (size_t)count, time};
    return plu_export_stream(export, path, PLU_OUTPUT_OTHER, write_part, &p, err);
}

/* One file that opens all of a series: multiblock files (.vtm) of bodies, contacts and boundaries,
 * one a frame. All have the same blocks, so that they are the same in ParaView at all times; one
 * that is empty names no file. */

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
