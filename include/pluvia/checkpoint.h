/* checkpoint.h: the state of a run in a file, from which the run continues with the same bits.
 *
 * The checkpoints of the trajectory NAME.h5md are NAME.checkpoint.h5 and, one older,
 * NAME.checkpoint_prev.h5 (output/README.md has the layout). A checkpoint is written under a
 * temporary name and renamed when it is on the disk, so that one of the two is always complete. */
#ifndef PLUVIA_CHECKPOINT_H
#define PLUVIA_CHECKPOINT_H

#include "pluvia/stage.h"
#include "pluvia/step.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default) /* what the library exports */

/* State of a run besides that of its stepper. */
typedef struct plu_run_record {
    double wall_seconds;   /* of steps and frames, over all starts */
    double output_seconds; /* of frames */
    double still_since;    /* simulated time (s) since which all bodies are at rest by until_rest */
    double until_rest;     /* time.until_rest of the scene */
    long at_rest;        /* 1: the run ended because all bodies were at rest, or with its stages */
    long frames, framed; /* that a run which goes on keeps, and the step of the last of them */
    long stage, staged;  /* the present stage, and the step at which it began */
    double begun[PLU_STAGES]; /* s: when each stage up to the present one began */
} plu_run_record;

/* Writes the state as the newest checkpoint of `trajectory`; the one that was the newest is kept as
 * the previous one. `stepper` and `record` are only read. Returns PLU_OK or PLU_IO; after PLU_IO
 * the checkpoints are those from before. */
plu_status plu_checkpoint_write(const char *trajectory, const struct plu_scene *scene,
                                const plu_world *world, plu_stepper *stepper,
                                plu_run_record *record, plu_error *err);

/* Names of the newest and the previous checkpoint of a trajectory (NAME.h5md). */
plu_status plu_checkpoint_names(const char *trajectory, char newest[PLU_PATH],
                                char previous[PLU_PATH], plu_error *err);

typedef struct plu_checkpoint {
    char path[PLU_PATH];
    char version[32]; /* of the program that wrote it */
    long step;
    double time;  /* s */
    char *scene;  /* scene of the run, with all default values; owned */
    void *inside; /* of the library */
} plu_checkpoint;

/* Opens a checkpoint after comparing the whole file with the hash in it. PLU_OK, PLU_BAD_INPUT (no
 * checkpoint, damaged, of another schema) or PLU_IO (cannot be opened); plu_checkpoint_close in any
 * case. */
plu_status plu_checkpoint_open(plu_checkpoint *checkpoint, const char *path, plu_error *err);
void plu_checkpoint_close(plu_checkpoint *checkpoint);

/* Reads the record alone: the stage that the scene must be in before the state is loaded. PLU_OK,
 * PLU_BAD_INPUT or PLU_IO. */
plu_status plu_checkpoint_record(plu_checkpoint *checkpoint, plu_run_record *record,
                                 plu_error *err);

/* Loads the state into `stepper`, which is newly made from a scene that plu_scene_compare accepts,
 * and `record`. PLU_OK, PLU_BAD_INPUT or PLU_IO; after a failure `stepper` and its world must not
 * be used. */
plu_status plu_checkpoint_load(plu_checkpoint *checkpoint, plu_stepper *stepper,
                               plu_run_record *record, plu_error *err);

/* Makes the state that was loaded from `source` the newest checkpoint and removes checkpoints of
 * later steps, so that the trajectory can be cut back to it. PLU_OK or PLU_IO. */
plu_status plu_checkpoint_adopt(const char *trajectory, const char *source,
                                const struct plu_scene *scene, const plu_world *world,
                                plu_stepper *stepper, plu_run_record *record, plu_error *err);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
