/* info.h: what the files of pluvia info share, and what a campaign takes of it. */
#ifndef CLI_MEASURE_INFO_H
#define CLI_MEASURE_INFO_H

#include "pluvia/frames.h"
#include "pluvia/status.h"
#include "pluvia/trajectory.h"

/* --- info.c: what a trajectory contains, for the commands that print it --- */

/* As `pluvia info --json`, to the standard output, without the last brace: members may follow. */
void plu_info_json(const plu_trajectory_info *info, const char *path);

/* --- info.c: pluvia info --verify --- */

/* --- info_end.c: where the last frame of a trajectory has its cell and its boundaries --- */

/* Lines for `pluvia info`; none where the file has neither. PLU_OK or as plu_frames_read. */
plu_status plu_info_end_print(const char *path, plu_error *err);

/* The same as members "cell" and "boundaries" of a JSON object, behind others; null where the file
 * has none. `frames`: the trajectory, if it is open, or NULL. */
plu_status plu_info_end_json(const char *path, plu_frames *frames, plu_error *err);

#endif
