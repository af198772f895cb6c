/* info_json.h: what a trajectory contains, for the commands that print it. */
#ifndef CLI_MEASURE_INFO_JSON_H
#define CLI_MEASURE_INFO_JSON_H

#include "pluvia/trajectory.h"

/* As `pluvia info --json`, to the standard output, without the last brace: members may follow. */
void plu_info_json(const plu_trajectory_info *info, const char *path);

#endif
