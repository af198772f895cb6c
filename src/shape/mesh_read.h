/* mesh_read.h: triangles from files. */
#ifndef SHAPE_MESH_READ_H
#define SHAPE_MESH_READ_H

#include "pluvia/status.h"
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

/* --- for the formats: the text ends with a NUL; messages name no path --- */

plu_status plu_triangles_stl(plu_triangles *read, const char *bytes, size_t size, plu_error *err);
plu_status plu_triangles_obj(plu_triangles *read, const char *text, plu_error *err);

plu_status plu_triangles_corner(plu_triangles *read, const double corner[3], plu_error *err);
plu_status plu_triangles_add(plu_triangles *read, const int triangle[3], plu_error *err);

#endif
