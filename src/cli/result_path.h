/* result_path.h: where a run puts its trajectory. */
#ifndef CLI_RESULT_PATH_H
#define CLI_RESULT_PATH_H

#include "options.h"
#include "pluvia/scene.h"

/* The path that `option` gives, which must end in .h5md, or output/NAME.h5md after the scene file,
 * the first operand. PLU_OK or PLU_USAGE. */
plu_status plu_result_path(const plu_arguments *arguments, int option, char path[PLU_PATH],
                           plu_error *err);

#endif
