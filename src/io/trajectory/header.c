/* Writes the header of a trajectory: /h5md (H5MD 1.1: P. de Buyl, P. H. Colberg & F. Hoefling,
 * Computer Physics Communications 185 (2014) 1546), /parameters/pluvia with the scene as it was
 * read, the program and the command, and /walls. It is written once.
 *
 *   /h5md                version, author, creator, modules/units (SI)
 *   /parameters/pluvia   attributes schema, version, state, title, seed, h, threads, compiler, hdf5
 *                        data sets command, scene, scene_resolved, overrides, materials, restarts
 *   /walls/NAME          kind, material, numbers of the shape, outline, parts
 *
 * "state" is an attribute of fixed width, so that it is changed in place when the run ends:
 * "running" becomes "complete", "interrupted" or "failed"; a killed run stays "running". */
#include "base/memory.h"
#include "io/trajectory/writer.h"
#include "pluvia/material.h"
#include "pluvia/scene.h"
#include "shape/shape.h"
#include "world/world.h"
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__clang__)
static const char compiler[] = __VERSION__;
#else
static const char compiler[] = "gcc " __VERSION__;
#endif

static void make_h5md(plu_trajectory *t, plu_h5 *h5)
{
    static const int h5md[2] = {1, 1}, units_version[2] = {1, 0};
    const struct passwd *user = getpwuid(geteuid());
    const hid_t group = plu_h5_group(h5, t->file, "h5md");
    plu_h5_attr_int(h5, group, "version", 2, h5md);
    const hid_t author = plu_h5_group(h5, group, "author");
    plu_h5_attr_text(h5, author, "name", user ? user->pw_name : "unknown");
    const hid_t creator = plu_h5_group(h5, group, "creator");
    plu_h5_attr_text(h5, creator, "name", "pluvia");
    plu_h5_attr_text(h5, creator, "version", plu_version());
    const hid_t units = plu_h5_group(h5, plu_h5_group(h5, group, "modules"), "units");
    plu_h5_attr_int(h5, units, "version", 2, units_version);
    plu_h5_attr_text(h5, units, "system", "SI");
}

static void make_materials(plu_trajectory *t, plu_h5 *h5)
{
    const int count = t->scene->materials_count;
    const char **names = plu_alloc((size_t)count, sizeof *names, h5->err);
    if (!names) {
        h5->status = PLU_IO;
        return;
    }
    for (int k = 0; k < count; k++)
        names[k] = t->scene->materials[k].name;
    plu_h5_texts(h5, t->parameters, "materials", count, names);
    free(names);
}

/* Not part of the sums: a row is added when a run continues, after the header was summed. */
void plu_writer_restarts(plu_trajectory *t, plu_h5 *h5)
{
    const plu_h5_layout layout = {.type = plu_h5_text_type(PLU_RESTART_ROW, false),
                                  .rank = 1,
                                  .chunk = {1},
                                  .growing = 1,
                                  .packed = true};
    t->restarts = plu_series_make(h5, t->parameters, "restarts", &layout);
    t->restarts.summed = false;
    H5Tclose(layout.type);
}

/* Short values are attributes; texts of any length are datasets. */
static void make_parameters(plu_trajectory *t, plu_h5 *h5, const plu_provenance *provenance)
{
    static const int schema = PLU_TRAJECTORY_SCHEMA;
    const plu_scene *scene = t->scene;
    char library[32];
    unsigned v[3] = {0, 0, 0};
    H5get_libversion(&v[0], &v[1], &v[2]);
    snprintf(library, sizeof library, "%u.%u.%u", v[0], v[1], v[2]);

    const hid_t group = plu_h5_group(h5, plu_h5_group(h5, t->file, "parameters"), "pluvia");
    t->parameters = group;
    plu_h5_attr_int(h5, group, "schema", 0, &schema);
    plu_h5_attr_text(h5, group, "version", plu_version());
    plu_h5_attr_field(h5, group, "state", 16);
    plu_h5_attr_field_set(h5, group, "state", "running");
    plu_h5_attr_text(h5, group, "title", scene->title);
    plu_h5_attr_uint64(h5, group, "seed", scene->seed);
    plu_h5_attr_real(h5, group, "h", 0, &scene->step);
    plu_h5_attr_int(h5, group, "threads", 0, &provenance->threads);
    plu_h5_attr_text(h5, group, "compiler", compiler);
    plu_h5_attr_text(h5, group, "hdf5", library);
    plu_h5_text(h5, group, "command", provenance->command ? provenance->command : "");
    plu_h5_text(h5, group, "scene", scene->text ? scene->text : "");
    plu_h5_text(h5, group, "scene_resolved", scene->resolved ? scene->resolved : "");
    plu_h5_texts(h5, group, "overrides", scene->overrides_count,
                 (const char *const *)scene->overrides);
    make_materials(t, h5);
    plu_writer_restarts(t, h5);
}

enum { PIECE_ROW = 17 }; /* numbers of a piece, in the order of plu_piece (output/README.md) */

/* The group to which the numbers of a boundary are written. */
typedef struct wall_group {
    plu_h5 *h5;
    hid_t wall;
} wall_group;

static void write_real(void *user, const char *name, int count, const double *values)
{
    const wall_group *to = user;
    plu_h5_attr_real(to->h5, to->wall, name, count == 1 ? 0 : (hsize_t)count, values);
}

static void write_whole(void *user, const char *name, int value)
{
    const wall_group *to = user;
    plu_h5_attr_int(to->h5, to->wall, name, 0, &value);
}

static void write_text(void *user, const char *name, const char *value)
{
    const wall_group *to = user;
    plu_h5_attr_text(to->h5, to->wall, name, value);
}

/* The pieces with which a boundary is drawn, one row for each, for programs that do not know the
 * kind of boundary. */
typedef struct outline_rows {
    double (*row)[PIECE_ROW]; /* owned */
    size_t count, capacity;
    plu_h5 *h5;
} outline_rows;

static void add_piece(void *user, const plu_piece *p)
{
    outline_rows *o = user;
    if (p->kind == PLU_TRIANGLE) /* has its data sets (meshes.c) */
        return;
    if (o->h5->status == PLU_OK)
        o->h5->status =
            plu_reserve(&o->row, &o->capacity, o->count + 1, sizeof *o->row, 1, o->h5->err);
    if (o->h5->status != PLU_OK)
        return;
    const double row[PIECE_ROW] = {
        p->kind,    p->container, p->round,     p->center[0], p->center[1], p->center[2],
        p->axis[0], p->axis[1],   p->axis[2],   p->edge[0],   p->edge[1],   p->edge[2],
        p->half[0], p->half[1],   p->radius[0], p->radius[1], p->height};
    memcpy(o->row[o->count++], row, sizeof row);
}

/* 17 numbers a piece, one after the other (output/README.md). */
static void write_outline(plu_h5 *h5, hid_t wall, const plu_boundary_spec *spec)
{
    outline_rows o = {.h5 = h5};
    plu_boundary_outline(spec, add_piece, &o);
    if (o.count > 0)
        plu_h5_attr_real(h5, wall, "outline", o.count * PIECE_ROW, o.row[0]);
    free(o.row);
}

static void describe(plu_h5 *h5, hid_t wall, const plu_boundary_spec *spec)
{
    const plu_shape *shape = plu_shape_of(spec->kind);
    wall_group to = {h5, wall};
    plu_h5_attr_text(h5, wall, "kind", shape->name);
    plu_h5_attr_text(h5, wall, "material", spec->material_name);
    shape->describe(spec, &(plu_describer){write_real, write_whole, write_text, &to});
    write_outline(h5, wall, spec);
}

/* The parts of boundary `b`, `first` and those after it: contacts name part k by plu_side_to_file.
 * Returns the first part of the next boundary. */
static int name_parts(plu_trajectory *t, plu_h5 *h5, hid_t wall, int b, int first)
{
    const plu_world *w = t->world;
    int count = 0;
    while (first + count < w->parts_count && w->parts[first + count].boundary == b)
        count++;
    const plu_mesh *mesh = t->scene->boundaries[b].mesh;
    if (mesh)
        plu_writer_mesh(h5, wall, b, mesh);
    if (t->scene->boundaries[b].kind == PLU_MESH) {
        plu_h5_attr_int(h5, wall, "first_part", 0, &first);
        return first + count;
    }
    int *parts = plu_alloc((size_t)count, sizeof *parts, h5->err);
    if (!parts) {
        h5->status = PLU_IO;
        return first;
    }
    for (int k = 0; k < count; k++)
        parts[k] = first + k;
    if (count > 0)
        plu_h5_attr_int(h5, wall, "parts", (hsize_t)count, parts);
    free(parts);
    return first + count;
}

/* Two boundaries may have one name once '/' is replaced, or none: they get boundary-1, boundary-2,
 * ... */
static void make_walls(plu_trajectory *t, plu_h5 *h5)
{
    const hid_t walls = plu_h5_group(h5, t->file, "walls");
    int part = 0;
    for (int b = 0; b < t->scene->boundaries_count; b++) {
        const plu_boundary_spec *spec = &t->scene->boundaries[b];
        char name[PLU_NAME];
        plu_wall_name(spec, name);
        if (!name[0] || (h5->status == PLU_OK && H5Lexists(walls, name, H5P_DEFAULT) > 0))
            plu_wall_other_name(b, name);
        const hid_t wall = plu_h5_group(h5, walls, name);
        describe(h5, wall, spec);
        part = name_parts(t, h5, wall, b, part);
        if (wall >= 0)
            H5Gclose(wall);
    }
}

void plu_writer_header(plu_trajectory *t, plu_h5 *h5, const plu_provenance *provenance)
{
    make_h5md(t, h5);
    make_parameters(t, h5, provenance);
    make_walls(t, h5);
}
