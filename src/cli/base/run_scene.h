/* run_scene.h: the scene that a trajectory holds, read again, and when its stages were. */
#ifndef CLI_BASE_RUN_SCENE_H
#define CLI_BASE_RUN_SCENE_H

#include "cli/base/chosen_frames.h"
#include "pluvia/frames.h"
#include "pluvia/stage.h"

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

/* --- when the stages of a run were, from its trajectory --- */

typedef struct plu_run_stages {
    int count;              /* of the scene; 0: it has none */
    long first[PLU_STAGES]; /* frames of each; -1: the run did not come to it. It begins */
    long last[PLU_STAGES];  /* with the last frame of the stage before */
    double begun[PLU_STAGES], ended[PLU_STAGES]; /* s */
    int *of;                                     /* by frame; owned */
} plu_run_stages;

/* The stages of a scene that plu_run_scene_read has read. PLU_OK, PLU_BAD_INPUT or PLU_IO;
 * plu_run_stages_free in any case. */
plu_status plu_run_stages_read(plu_run_stages *stages, const struct plu_scene *scene,
                               plu_frames *frames, plu_error *err);
void plu_run_stages_free(plu_run_stages *stages);

/* The window of the frames of a stage by its name or number (option --stage): of that part of it
 * whose times *window has, which count from its beginning. PLU_OK or PLU_USAGE. */
plu_status plu_run_stages_window(const plu_run_stages *stages, const struct plu_scene *scene,
                                 const char *name, plu_window *window, const plu_frames *frames,
                                 plu_error *err);
/* All frames of it, `to` not included, of a trajectory whose scene is not read yet. PLU_OK,
 * PLU_USAGE, PLU_BAD_INPUT or PLU_IO.
 */
plu_status plu_stage_argument(const plu_arguments *arguments, int option, plu_frames *frames,
                              const char *path, long *from, long *to, plu_error *err);

#endif
