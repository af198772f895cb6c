/* info_end.h: where the last frame of a trajectory has its cell and its boundaries. */
#ifndef CLI_MEASURE_INFO_END_H
#define CLI_MEASURE_INFO_END_H

#include "pluvia/frames.h"

/* Lines for `pluvia info`; none where the file has neither. PLU_OK or as plu_frames_read. */
plu_status plu_info_end_print(const char *path, plu_error *err);

/* The same as members "cell" and "boundaries" of a JSON object, behind others; null where the file
 * has none. `frames`: the trajectory, if it is open, or NULL. */
plu_status plu_info_end_json(const char *path, plu_frames *frames, plu_error *err);

#endif
