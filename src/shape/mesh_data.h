/* mesh_data.h: inside of a mesh. */
#ifndef SHAPE_MESH_DATA_H
#define SHAPE_MESH_DATA_H

#include "base/vec3.h"
#include "pluvia/mesh.h"

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
