/* mesh_read.h: triangles from files. */
#ifndef SHAPE_MESH_READ_H
#define SHAPE_MESH_READ_H

#include "base/vec3.h"
#include "pluvia/status.h"
#include "pluvia/tool/mesh.h"
#include <stddef.h>

/* Larger files are refused before they are read (bytes). */
#define PLU_MESH_LARGEST 512e6

/* What a file holds, in its own units; the triangles of STL share no corners. */
typedef struct plu_triangles {
    long corners, triangles;
    double (*corner)[3]; /* owned */
    int (*triangle)[3];  /* owned */
    size_t corner_capacity, triangle_capacity;
} plu_triangles;

/* Reads an OBJ file (its name ends so) or an STL file, binary if its length is that of one.
 * PLU_OK, PLU_BAD_INPUT or PLU_IO; the message begins with the path. plu_triangles_free in any
 * case. */
plu_status plu_triangles_read(plu_triangles *read, const char *path, plu_error *err);
void plu_triangles_free(plu_triangles *read); /* accepts a zeroed one */

/* The formats: the text ends with a NUL; messages name no path. */
plu_status plu_triangles_stl(plu_triangles *read, const char *bytes, size_t size, plu_error *err);
plu_status plu_triangles_obj(plu_triangles *read, const char *text, plu_error *err);

/* --- inside of a mesh --- */

/* Of the diagonal of the box around the mesh: corners nearer to each other are one. */
#define PLU_WELD 1e-6

struct plu_mesh {
    double (*corner)[3]; /* owned, m */
    int (*triangle)[3];  /* owned */
    plu_mesh_report report;
};

/* Twice the area of a triangle as a vector, along its normal (m^2). */
static inline void plu_mesh_area(const plu_mesh *mesh, int triangle, double area[3])
{
    const int *c = mesh->triangle[triangle];
    double a[3], b[3];
    plu_sub(mesh->corner[c[1]], mesh->corner[c[0]], a);
    plu_sub(mesh->corner[c[2]], mesh->corner[c[0]], b);
    plu_cross(a, b, area);
}

/* Fills the report but for what is about the file. PLU_OK or PLU_IO (no memory). */
plu_status plu_mesh_inspect(plu_mesh *mesh, plu_error *err);

#endif
