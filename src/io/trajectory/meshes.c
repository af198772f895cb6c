/* The triangles of boundaries that come from files: /walls/NAME/vertices and faces. They are
 * stored as they were used, joined and in the order of the mesh, so that a result can be drawn and
 * measured where their files are gone.
 *
 *   vertices   [corners][3] doubles, m      faces   [triangles][3] ints: corners, from 0
 *   number     of the boundary in the scene: names of groups may differ from those of the scene
 *
 * The size of what is read is compared with that of the file before memory is taken for it. */
#include "base/memory.h"
#include "io/h5/h5_read.h"
#include "io/trajectory/summed.h"
#include "io/trajectory/writer.h"
#include "pluvia/boundary.h"
#include "pluvia/scene.h"
#include "pluvia/tool/mesh.h"
#include "pluvia/trajectory.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rows of three numbers. */
static void write_threes(plu_h5 *h5, hid_t wall, const char *name, hid_t in_file, hid_t type,
                         int rows, const void *numbers)
{
    const hsize_t chunk = rows < 4096 ? (hsize_t)rows : 4096;
    const plu_h5_layout layout = {.type = in_file,
                                  .rank = 2,
                                  .size = {(hsize_t)rows, 3},
                                  .chunk = {chunk, 3},
                                  .packed = true,
                                  .gzip = 1};
    const hid_t id = plu_h5_dataset(h5, wall, name, &layout);
    if (h5->status == PLU_OK)
        plu_h5_check(h5, H5Dwrite(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers),
                     "write the mesh of %s", name);
}

void plu_writer_mesh(plu_h5 *h5, hid_t wall, int number, const plu_mesh *mesh)
{
    const plu_mesh_report *r = plu_mesh_reported(mesh);
    plu_h5_attr_int(h5, wall, "number", 0, &number);
    write_threes(h5, wall, "vertices", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, r->corners,
                 plu_mesh_corners(mesh));
    write_threes(h5, wall, "faces", H5T_STD_I32LE, H5T_NATIVE_INT, r->triangles,
                 plu_mesh_triangles(mesh));
}

void plu_wall_name(const plu_boundary_spec *spec, char name[PLU_NAME])
{
    snprintf(name, PLU_NAME, "%s", spec->name);
    for (char *c = name; *c; c++) /* HDF5 reads '/' as a path and "." as this group */
        *c = *c == '/' || !strcmp(name, ".") ? '_' : *c;
}

void plu_wall_other_name(int number, char name[PLU_NAME])
{
    snprintf(name, PLU_NAME, "boundary-%d", number + 1);
}

/* The group of boundary `number`, -1: there is none. */
static hid_t find_wall(plu_h5 *h5, hid_t walls, const plu_boundary_spec *spec, int number)
{
    for (int other = 0; other < 2; other++) {
        char name[PLU_NAME];
        int found = -1;
        plu_wall_name(spec, name);
        if (other)
            plu_wall_other_name(number, name);
        if (h5->status != PLU_OK || !name[0] || !plu_h5_has(walls, name))
            continue;
        const hid_t wall = plu_h5_find(h5, walls, name, H5I_GROUP);
        if (wall >= 0 && H5Aexists(wall, "number") > 0)
            plu_h5_read_number(h5, wall, "number", H5T_NATIVE_INT, &found);
        if (found == number)
            return wall;
        if (wall >= 0)
            H5Gclose(wall);
    }
    return -1;
}

/* Reads rows of three numbers of `size` bytes; the caller frees them. */
static void *read_threes(plu_h5 *h5, hid_t wall, const char *name, hid_t type, size_t size,
                         long *rows, long long bytes)
{
    hsize_t shape[2] = {0, 0};
    const hsize_t start[2] = {0, 0};
    const hid_t id = plu_h5_find(h5, wall, name, H5I_DATASET);
    plu_h5_shape(h5, id, name, 2, shape);
    /* packed a thousand times at most */
    if (h5->status == PLU_OK && (shape[1] != 3 || shape[0] > INT_MAX / 4 ||
                                 (double)shape[0] * (double)size > 3e3 * (double)bytes))
        plu_h5_damaged(h5, "damaged: the mesh has an impossible %s", name);
    void *numbers = h5->status == PLU_OK ? plu_alloc(3 * (size_t)shape[0], size, h5->err) : NULL;
    if (numbers && shape[0] > 0)
        plu_h5_read_part(h5, id, name, type, 2, start, shape, numbers);
    else if (!numbers && h5->status == PLU_OK)
        h5->status = PLU_IO;
    if (id >= 0)
        H5Dclose(id);
    *rows = (long)shape[0];
    return numbers;
}

static void read_mesh(plu_h5 *h5, hid_t wall, plu_boundary_spec *spec, long long bytes)
{
    long corners = 0, triangles = 0;
    plu_error why = {0};
    double(*corner)[3] =
        read_threes(h5, wall, "vertices", H5T_NATIVE_DOUBLE, sizeof(double), &corners, bytes);
    int(*triangle)[3] =
        read_threes(h5, wall, "faces", H5T_NATIVE_INT, sizeof(int), &triangles, bytes);
    if (h5->status == PLU_OK && plu_mesh_make(&spec->mesh, corners, (const double(*)[3])corner,
                                              triangles, (const int(*)[3])triangle, &why) != PLU_OK)
        plu_h5_damaged(h5, "damaged: boundary \"%s\": %s", spec->name, why.text);
    free(corner);
    free(triangle);
}

/* One from outside may have no triangles at all. */
static bool lacks_mesh(const plu_boundary_spec *spec)
{
    return (spec->kind == PLU_MESH || spec->kind == PLU_OWN_SHAPE) && !spec->mesh;
}

plu_status plu_trajectory_meshes(plu_scene *scene, const char *path, plu_error *err)
{
    int meshes = 0;
    for (int b = 0; b < scene->boundaries_count; b++)
        meshes += lacks_mesh(&scene->boundaries[b]);
    if (meshes == 0)
        return PLU_OK;
    const plu_h5_quiet before = plu_h5_quiet_begin(path);
    plu_h5 h5 = {.path = path, .on_bad = PLU_BAD_INPUT, .err = err};
    long long bytes = 0;
    const hid_t file = plu_h5_open(&h5, &bytes);
    const hid_t walls = plu_h5_find(&h5, file, "walls", H5I_GROUP);
    for (int b = 0; b < scene->boundaries_count && h5.status == PLU_OK; b++) {
        plu_boundary_spec *spec = &scene->boundaries[b];
        if (!lacks_mesh(spec))
            continue;
        const hid_t wall = find_wall(&h5, walls, spec, b);
        if (wall >= 0)
            read_mesh(&h5, wall, spec, bytes);
        else if (h5.status == PLU_OK && spec->kind == PLU_MESH)
            plu_h5_damaged(&h5, "damaged: the triangles of boundary \"%s\" are missing",
                           spec->name);
    }
    if (file >= 0)
        H5Fclose(file);
    plu_h5_quiet_end(before);
    return h5.status;
}
