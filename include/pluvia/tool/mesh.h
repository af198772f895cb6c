/* mesh.h: the triangles of a boundary from a file, and their defects. */
#ifndef PLUVIA_TOOL_MESH_H
#define PLUVIA_TOOL_MESH_H

/* Of the tool: neither installed nor exported by the shared library. */

#include "pluvia/status.h"
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Triangles that share corners, in the frame of the scene. Constant once made. */
typedef struct plu_mesh plu_mesh;

/* Findings when the mesh was made. An edge is a pair of corners; a correct closed surface has each
 * edge in two triangles, once in each direction. */
typedef struct plu_mesh_report {
    long given;               /* triangles of the file */
    long dropped;             /* of these: without an area, or duplicates */
    int corners, triangles;   /* that remain */
    long open;                /* edges with one triangle */
    long crowded;             /* edges with more than two */
    long flipped;             /* edges whose two triangles have opposite orientation */
    long joints;              /* open edges with a corner of another triangle between their ends */
    double low[3], high[3];   /* m: the box around it */
    double area;              /* m^2 */
    double volume;            /* m^3; meaningful only without such edges */
    double shortest, longest; /* m: of the edges */
    uint64_t hash;            /* of corners and triangles */
} plu_mesh_report;

/* Makes a mesh of `triangles` triples of numbers of corners (m). Corners that are equal, or whose
 * distance is less than 1e-6 of the box around all, are merged. PLU_OK, PLU_BAD_INPUT (no
 * triangles, numbers that are not finite or out of range) or PLU_IO (no memory). */
plu_status plu_mesh_make(plu_mesh **mesh, long corners, const double (*corner)[3], long triangles,
                         const int (*triangle)[3], plu_error *err);
void plu_mesh_free(plu_mesh *mesh); /* accepts NULL */

const plu_mesh_report *plu_mesh_reported(const plu_mesh *mesh);
const double (*plu_mesh_corners(const plu_mesh *mesh))[3];
const int (*plu_mesh_triangles(const plu_mesh *mesh))[3]; /* counterclockwise, seen from outside */

#ifdef __cplusplus
}
#endif

#endif
