/* restart.h: pluvia run --restart: finds the state from which a run continues. */
#ifndef CLI_RUN_RESTART_H
#define CLI_RUN_RESTART_H

#include "cli/run/simulation.h"
#include "pluvia/checkpoint.h"
#include "pluvia/trajectory.h"

typedef enum plu_beginning {
    PLU_BEGIN_NEW,      /* nothing to continue: from zero */
    PLU_BEGIN_REPLACE,  /* from zero, in place of a run that failed or was killed before its first
                           checkpoint */
    PLU_BEGIN_CONTINUE, /* from a checkpoint */
    PLU_BEGIN_NOTHING   /* the run is complete already */
} plu_beginning;

/* Input and output of plu_restart_begin. */
typedef struct plu_restart {
    const char *source;         /* "auto" or the name of a checkpoint */
    const char *path;           /* of the trajectory */
    plu_simulation *simulation; /* fresh */
    plu_provenance provenance;  /* `changes` is filled in */
    char changes[256];
    plu_run_record *record;
    plu_trajectory *trajectory; /* open after PLU_BEGIN_CONTINUE, else NULL */
    long frames;                /* of the trajectory after PLU_BEGIN_CONTINUE */
    const plu_log *log;
} plu_restart;

/* Decides how the run begins. With PLU_BEGIN_CONTINUE simulation and record are in the state of the
 * checkpoint and the trajectory is cut back to it. After a failure the simulation must not be
 * used. PLU_OK, PLU_BAD_INPUT (another scene, damaged, no checkpoint) or PLU_IO. */
plu_status plu_restart_begin(plu_restart *restart, plu_beginning *beginning, plu_error *err);

/* There is nothing to continue: says so, and what would make it go on. */
void plu_restart_tell_complete(const char *path, const plu_scene *scene,
                               const plu_run_record *record, const plu_log *log);

#endif
