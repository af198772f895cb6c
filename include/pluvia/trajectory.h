/* trajectory.h: writes and reads H5MD trajectories (output/README.md has the layout). */
#ifndef PLUVIA_TRAJECTORY_H
#define PLUVIA_TRAJECTORY_H

#include "pluvia/step.h"
#include "pluvia/where.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default) /* what the library exports */

typedef struct plu_trajectory plu_trajectory;

/* How a run ended, as kept in /parameters/pluvia of the file. */
typedef enum plu_run_state {
    PLU_RUN_RUNNING,     /* still running, or killed */
    PLU_RUN_COMPLETE,    /* reached time.end or rest */
    PLU_RUN_INTERRUPTED, /* stopped by a signal or by a limit of wall time */
    PLU_RUN_FAILED,      /* stopped by an error */
    PLU_RUN_STATES       /* number of kinds */
} plu_run_state;

/* What the file records about the command that made it, beside the scene. */
typedef struct plu_provenance {
    const char *command; /* the command line */
    int threads;
    const char *changes; /* of a run that is continued: what differs in the scene; NULL: nothing */
} plu_provenance;

/* The lock of a result, PATH.lock, which names its holder (process and machine). A run holds it
 * from before it reads an existing result until after its last checkpoint, so that only one run at
 * a time writes a result. The lock of a killed run does not count (for file systems without locks
 * see io/run/lock.c). PLU_OK, PLU_HELD or PLU_IO. Releasing accepts NULL. */
typedef struct plu_run_lock plu_run_lock;
plu_status plu_run_lock_take(plu_run_lock **lock, const char *path, plu_error *err);
void plu_run_lock_release(plu_run_lock *lock);

/* Creates PATH (extension .h5md) and its ParaView sidecar (same name, .xdmf). The file is PATH.part
 * until its first frame is written, so that an older result remains if the start fails. An existing
 * PATH is refused with PLU_IO unless `force`.
 * `scene`, `world` and `stepper` must outlive the trajectory. Returns PLU_OK or PLU_IO. */
plu_status plu_trajectory_create(plu_trajectory **trajectory, const char *path, bool force,
                                 const struct plu_scene *scene, const plu_world *world,
                                 const plu_stepper *stepper, const plu_provenance *provenance,
                                 plu_error *err);

/* Opens the trajectory of a run that goes on, made from a scene that plu_scene_compare accepts;
 * nothing in it changes before plu_trajectory_cut. PLU_OK, PLU_BAD_INPUT (of another run, damaged)
 * or PLU_IO (held by another program, ...). */
plu_status plu_trajectory_continue(plu_trajectory **trajectory, const char *path,
                                   const struct plu_scene *scene, const plu_world *world,
                                   const plu_stepper *stepper, plu_error *err);

/* Cuts the trajectory back to its first `frames` frames (> 0), the last of which must be of step
 * `step`, and notes the restart. Frames may follow. PLU_OK, PLU_BAD_INPUT (then nothing has
 * changed) or PLU_IO. */
plu_status plu_trajectory_cut(plu_trajectory *trajectory, long frames, long step,
                              const plu_provenance *provenance, plu_error *err);

/* Waits until all frames so far are on the disk; needed before a checkpoint, which refers to them.
 */
plu_status plu_trajectory_sync(plu_trajectory *trajectory, plu_error *err);

/* Appends the present state as a frame and flushes the file (later after plu_trajectory_behind).
 * `info` is that of the last step, NULL before the first one. Returns PLU_OK or PLU_IO; after
 * PLU_IO earlier frames stay readable. */
plu_status plu_trajectory_frame(plu_trajectory *trajectory, const plu_step_info *info,
                                plu_error *err);

/* From now on frames, except for the first of a file and large ones, are written by a thread of the
 * library: plu_trajectory_frame returns when it has copied them, and the next call that gets this
 * trajectory waits until they are in the file, and returns PLU_IO if that failed. Until then only
 * this library may use HDF5 in the process. If no thread can be made, frames are written at once.
 */
void plu_trajectory_behind(plu_trajectory *trajectory);

/* How many whole frames are in the file. */
long plu_trajectory_frames(plu_trajectory *trajectory);

/* Notes how the run ended, closes and frees. Accepts NULL. Returns PLU_OK or PLU_IO. */
plu_status plu_trajectory_close(plu_trajectory *trajectory, plu_run_state end, plu_error *err);

/* --- reading --- */

enum { PLU_OBSERVABLES = 256 }; /* at most, that are read */

typedef struct plu_trajectory_info {
    int schema;       /* of pluvia's own part of the file */
    char version[32]; /* of the program that wrote it */
    char title[256];
    char state[32]; /* "complete", "interrupted", "failed", "running" */
    char command[PLU_PATH];
    long frames;
    int bodies;
    double start, end; /* s, of the first and the last frame */
    double step;       /* s, time step h */
    uint64_t seed;
    int threads;
    long contacts; /* rows of the contact table, -1 without one */
    int quantities_count;
    char quantities[32][PLU_NAME]; /* elements of /particles/trajectory */
    int observables_count;
    char observables[PLU_OBSERVABLES][PLU_NAME];
    double last[PLU_OBSERVABLES]; /* last value of each observable */
    int active, waiting, removed; /* bodies in the last frame */
    long long bytes;              /* size of the file */
} plu_trajectory_info;

/* Reads the data that `pluvia info` prints. PLU_OK, PLU_BAD_INPUT (not a pluvia trajectory, or
 * damaged) or PLU_IO (cannot be opened). */
plu_status plu_trajectory_info_read(plu_trajectory_info *info, const char *path, plu_error *err);

typedef struct plu_verified {
    long frames, datasets;
} plu_verified;

/* Reads all of a trajectory and compares it with its checksums; shapes, times and numbers are
 * checked too. PLU_OK: every number is as written. Otherwise PLU_BAD_INPUT, and `err` names the
 * first damage, or PLU_IO. */
plu_status plu_trajectory_verify(plu_verified *verified, const char *path, plu_error *err);

/* The scene in the file, as read or (`resolved`) with all default values; the caller frees
 * `*text`. Same status as above. */
plu_status plu_trajectory_scene(char **text, bool resolved, const char *path, plu_error *err);

/* Adds the triangles of its meshes to the scene that plu_scene_read_stored made from this
 * trajectory. Same status as above. */
plu_status plu_trajectory_meshes(struct plu_scene *scene, const char *path, plu_error *err);

/* The first part of each boundary of the scene that plu_scene_read_stored made from this
 * trajectory, by which contacts name boundaries: those of a boundary follow each other, and those
 * of the next boundary follow them. -1: it has none. Same status as above. */
plu_status plu_trajectory_parts(int *first, const struct plu_scene *scene, const char *path,
                                plu_error *err);

/* Writes the ParaView sidecar (.xdmf) of an existing trajectory to `path`: beside it, it names the
 * trajectory by its name, elsewhere by its full path. PLU_OK, PLU_BAD_INPUT or PLU_IO. */
plu_status plu_trajectory_sidecar(const char *trajectory, const char *path, plu_error *err);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
