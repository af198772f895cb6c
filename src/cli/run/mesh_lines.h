/* mesh_lines.h: messages on the meshes of a scene. */
#ifndef CLI_RUN_MESH_LINES_H
#define CLI_RUN_MESH_LINES_H

#include "pluvia/log.h"
#include "pluvia/scene.h"
#include <stdio.h>

/* Warns of what is hardly meant: triangles that were left out, and edges that do not join two
 * triangles of one direction. Open edges are no reason. */
void plu_meshes_warn(const plu_scene *scene, const plu_log *log);

/* A line for each mesh: its size, and whether it is closed. `path`: of the scene. */
void plu_meshes_print(FILE *out, const char *path, const plu_scene *scene);

#endif
