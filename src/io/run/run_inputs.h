/* run_inputs.h: files that a result may not replace: those from which a run came, as the scene in
 * its trajectory names them, and which tables are pluvia's own. */
#ifndef IO_RUN_RUN_INPUTS_H
#define IO_RUN_RUN_INPUTS_H

#include <stdbool.h>
#include <sys/stat.h>

/* Whether `file` is one of them: tables of spheres and of motions, meshes, trajectories. A name
 * that is relative is looked for from the working folder, from that of the trajectory, and from
 * that of the scene, where the command of the run says that it is. False where `path` is no
 * trajectory. */
bool plu_run_reads(const char *path, const struct stat *file);

/* The text tables that pluvia writes, recognized by their first line. A table made
 * by hand, or one that has only columns which a file of spheres has too, is none of them. */

/* Whether the file begins with the names of columns of `pluvia export`, `pluvia measure`, `pluvia
 * fields` or `pluvia solve --history`. False where it cannot be read. */
bool plu_is_own_table(const char *path);

#endif
