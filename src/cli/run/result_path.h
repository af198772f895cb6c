/* result_path.h: where a run puts its trajectory. */
#ifndef CLI_RUN_RESULT_PATH_H
#define CLI_RUN_RESULT_PATH_H

#include "cli/base/options.h"
#include "pluvia/where.h"

struct plu_scene; /* pluvia/scene.h */

/* The path that `option` gives, which must end in .h5md, or output/NAME.h5md after the scene file,
 * the first operand. PLU_OK or PLU_USAGE. */
plu_status plu_result_path(const plu_arguments *arguments, int option, char path[PLU_PATH],
                           plu_error *err);

/* No file of the result at `path` (sidecar, checkpoints, ...) may be one that the scene was read
 * from or reads spheres from. PLU_OK, PLU_USAGE or PLU_IO. */
plu_status plu_result_spare(const char *path, const struct plu_scene *scene, plu_error *err);

#endif
