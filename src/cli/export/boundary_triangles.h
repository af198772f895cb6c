/* boundary_triangles.h: boundaries as triangles, for programs that draw nothing else. */
#ifndef CLI_EXPORT_BOUNDARY_TRIANGLES_H
#define CLI_EXPORT_BOUNDARY_TRIANGLES_H

#include "pluvia/outline.h"
#include "pluvia/scene.h"
#include <stddef.h>

/* What is seen of infinite planes: a square around the point nearest to `middle`. Lengths in m. */
typedef struct plu_boundary_triangles_extent {
    double middle[3], half;
} plu_boundary_triangles_extent;

/* Triangles, each with three corners of its own. A circle has 48 corners. */
typedef struct plu_boundary_triangles {
    double (*corner)[3][3];   /* owned: m; those of a mesh counterclockwise from outside */
    int *boundary, *material; /* owned: of each triangle; the boundary's number in the scene */
    size_t count, room;       /* room: for so many */
    plu_boundary_triangles_extent extent; /* to be set before anything is added */
    const plu_boundary_spec *spec;        /* of the boundary that is being added */
    int number;                           /* its own */
    bool full;                            /* memory ran out: triangles are missing */
} plu_boundary_triangles;

/* Adds boundary `number` of the scene at its place; NULL: where the scene has it. A removed one
 * has no triangles. */
void plu_boundary_triangles_add(plu_boundary_triangles *to, const struct plu_scene *scene,
                                int number, const plu_boundary_place *place);

/* Frees the triangles; accepts zeroed ones. */
void plu_boundary_triangles_free(plu_boundary_triangles *triangles);

#endif
