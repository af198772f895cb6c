/* run_inputs.h: the files from which a run came, as the scene in its trajectory names them. */
#ifndef IO_RUN_RUN_INPUTS_H
#define IO_RUN_RUN_INPUTS_H

#include <stdbool.h>
#include <sys/stat.h>

/* Whether `file` is one of them: tables of spheres and of motions, meshes, trajectories. A name
 * that is relative is looked for from the working folder, from that of the trajectory, and from
 * that of the scene, where the command of the run says that it is. False where `path` is no
 * trajectory. */
bool plu_run_reads(const char *path, const struct stat *file);

#endif
