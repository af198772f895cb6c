/* result_files.h: the files beside the scene that a run makes: where its trajectory goes, and the
 * contact problems that a scene asks for (output.dump_problems). */
#ifndef CLI_RUN_RESULT_FILES_H
#define CLI_RUN_RESULT_FILES_H

#include "cli/base/options.h"
#include "cli/run/simulation.h"
#include "pluvia/where.h"

struct plu_scene; /* pluvia/scene.h */

/* The path that `option` gives, which must end in .h5md, or output/NAME.h5md after the scene file,
 * the first operand. PLU_OK or PLU_USAGE. */
plu_status plu_result_path(const plu_arguments *arguments, int option, char path[PLU_PATH],
                           plu_error *err);

/* No file of the result at `path` (sidecar, checkpoints, ...) may be one that the scene was read
 * from or reads spheres from. PLU_OK, PLU_USAGE or PLU_IO. */
plu_status plu_result_spare(const char *path, const struct plu_scene *scene, plu_error *err);

/* --- contact problems as files --- */

typedef struct plu_dump_folder {
    char path[PLU_PATH]; /* empty: nothing is dumped */
    long written;
    bool replace; /* replace the files of an earlier run; set before plu_dump_open */
} plu_dump_folder;

/* Makes the folder NAME.problems beside the trajectory, where the scene asks for it. What an
 * earlier run left in it is removed (`replace`) or makes a new run fail. PLU_OK or PLU_IO. */
plu_status plu_dump_open(plu_dump_folder *dump, const plu_simulation *simulation,
                         const char *trajectory, plu_error *err);

/* Writes the problem of the last step if it is one of those wanted. Returns `outcome`, that of the
 * step, or PLU_IO. */
plu_status plu_dump_step(plu_dump_folder *dump, const plu_simulation *simulation,
                         const plu_step_info *info, plu_status outcome, plu_error *err);

#endif
