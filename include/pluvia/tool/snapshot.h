/* snapshot.h: the state of a run in memory, as a checkpoint has it, so that `pluvia run` can go
 * back to the last good step. */
/* Of the tool: neither installed nor exported by the shared library. */
#ifndef PLUVIA_TOOL_SNAPSHOT_H
#define PLUVIA_TOOL_SNAPSHOT_H

#include "pluvia/checkpoint.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct plu_snapshot plu_snapshot;

/* Creates an empty snapshot; NULL and a message: out of memory. Its memory is reused when it is
 * taken again. */
plu_snapshot *plu_snapshot_create(plu_error *err);
void plu_snapshot_destroy(plu_snapshot *snapshot); /* accepts NULL */

/* Saves the state. PLU_OK or PLU_IO (no memory; the snapshot is then empty). */
plu_status plu_snapshot_take(plu_snapshot *snapshot, const plu_world *world, plu_stepper *stepper,
                             plu_run_record *record, plu_error *err);
long plu_snapshot_step(const plu_snapshot *snapshot); /* number of the step, -1: empty */

/* Restores the stepper from which the snapshot was taken, whatever its present state. PLU_OK,
 * PLU_USAGE (the snapshot is empty) or PLU_IO. */
plu_status plu_snapshot_restore(plu_snapshot *snapshot, plu_stepper *stepper,
                                plu_run_record *record, plu_error *err);

#ifdef __cplusplus
}
#endif

#endif
