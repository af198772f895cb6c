/* mesh_outline.h: how the triangles of a boundary are drawn. */
#ifndef SHAPE_MESH_OUTLINE_H
#define SHAPE_MESH_OUTLINE_H

#include "pluvia/outline.h"

/* Whether pictures show it from within: its mesh is closed around a hollow, or the scene says so.
 */
bool plu_mesh_is_vessel(const plu_boundary_spec *spec);

/* Visits the triangles of its mesh, if it has one. */
void plu_mesh_outline(const plu_boundary_spec *spec, plu_piece_visit *visit, void *user);

#endif
