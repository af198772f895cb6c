/* run_scene.h: the scene that a trajectory holds, read again. */
#ifndef CLI_BASE_RUN_SCENE_H
#define CLI_BASE_RUN_SCENE_H

#include "pluvia/frames.h"

/* Reads the scene of the run in `trajectory`, with every default filled in, for its laws,
 * boundaries and gravity. Files of bodies that it names need not exist any more. `frames`: the
 * trajectory, if it is open (to open it takes longer than all else), or NULL. PLU_OK, PLU_BAD_INPUT
 * or PLU_IO. */
plu_status plu_run_scene_read(struct plu_scene *scene, const char *trajectory, plu_frames *frames,
                              plu_error *err);

/* --- Option --scene: a scene file that, according to the user, is that of a
 * trajectory --- */

/* Compares the scene file `path` with the scene of the run, overrides and all. PLU_OK,
 * PLU_BAD_INPUT (they differ: each key that does is named; or one cannot be read) or PLU_IO. */
plu_status plu_given_scene_check(const char *path, const char *trajectory, plu_error *err);

/* Reads `path` after the same check, without it where the trajectory's own scene cannot be read,
 * with a message. */
plu_status plu_given_scene_read(struct plu_scene *scene, const char *path, const char *trajectory,
                                plu_error *err);

#endif
