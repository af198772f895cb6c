/* checkpoint.h: the state of a run in a file, from which it goes on with the same bits.
 *
 * Beside the trajectory NAME.h5md lie NAME.checkpoint.h5 and, one older, NAME.checkpoint_prev.h5
 * (output/README.md has the layout). A checkpoint is written under another name and renamed when it
 * is safely on the disk, so that at every moment one of the two is whole. */
#ifndef PLUVIA_CHECKPOINT_H
#define PLUVIA_CHECKPOINT_H

#include "pluvia/step.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a run remembers beside the state of its stepper. */
typedef struct plu_run_record {
    double wall_seconds;   /* of steps and frames, over all starts */
    double output_seconds; /* of frames */
    double still_since;    /* simulated time from which on all was below time.until_rest */
    double until_rest;     /* the scene's time.until_rest */
    long at_rest;          /* 1: ended because all was at rest by it */
} plu_run_record;

/* Writes the state as the newest checkpoint of `trajectory`; the one that was the newest is kept as
 * the previous one. `stepper` and `record` are only read. Returns PLU_OK or PLU_IO; after PLU_IO
 * the checkpoints are those from before. */
plu_status plu_checkpoint_write(const char *trajectory, const plu_scene *scene,
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
    char *scene;  /* that the run had, with every default; owned */
    void *inside; /* of the library */
} plu_checkpoint;

/* Opens a checkpoint after comparing the whole file with the hash in it. PLU_OK, PLU_BAD_INPUT (no
 * checkpoint, damaged, of another schema) or PLU_IO (cannot be opened); plu_checkpoint_close in any
 * case. */
plu_status plu_checkpoint_open(plu_checkpoint *checkpoint, const char *path, plu_error *err);
void plu_checkpoint_close(plu_checkpoint *checkpoint);

/* Sets the state. `stepper` is fresh, made from a scene that plu_scene_compare accepts. PLU_OK,
 * PLU_BAD_INPUT or PLU_IO; after a failure `stepper` and its world must not be used. */
plu_status plu_checkpoint_load(plu_checkpoint *checkpoint, plu_stepper *stepper,
                               plu_run_record *record, plu_error *err);

/* Makes the state that was loaded from `source` the newest checkpoint, and sees to it that none
 * from later in the run remains: a trajectory may then be cut back to it. PLU_OK or PLU_IO. */
plu_status plu_checkpoint_adopt(const char *trajectory, const char *source, const plu_scene *scene,
                                const plu_world *world, plu_stepper *stepper,
                                plu_run_record *record, plu_error *err);

/* --- in memory --- */

typedef struct plu_snapshot plu_snapshot;

/* NULL and a message when there is no memory. A snapshot keeps its memory when taken again. */
plu_snapshot *plu_snapshot_create(plu_error *err);
void plu_snapshot_destroy(plu_snapshot *snapshot); /* accepts NULL */

/* Saves the state. PLU_OK or PLU_IO (no memory; the snapshot is then empty). */
plu_status plu_snapshot_take(plu_snapshot *snapshot, const plu_world *world, plu_stepper *stepper,
                             plu_run_record *record, plu_error *err);
long plu_snapshot_step(const plu_snapshot *snapshot); /* number of the step, -1: empty */

/* Sets the state of the stepper that it was taken from, whatever has become of it. PLU_OK,
 * PLU_USAGE (empty) or PLU_IO. */
plu_status plu_snapshot_restore(plu_snapshot *snapshot, plu_stepper *stepper,
                                plu_run_record *record, plu_error *err);

#ifdef __cplusplus
}
#endif

#endif
