/* given_scene.h: option --scene: a scene file that, according to the user, is that of a trajectory.
 */
#ifndef CLI_BASE_GIVEN_SCENE_H
#define CLI_BASE_GIVEN_SCENE_H

#include "pluvia/scene.h"

/* Compares the scene file `path` with the scene of the run, overrides and all. PLU_OK,
 * PLU_BAD_INPUT (they differ: each key that does is named; or one cannot be read) or PLU_IO. */
plu_status plu_given_scene_check(const char *path, const char *trajectory, plu_error *err);

/* Reads `path` after the same check, without it where the trajectory's own scene cannot be read,
 * with a message that says so. */
plu_status plu_given_scene_read(plu_scene *scene, const char *path, const char *trajectory,
                                plu_error *err);

#endif
