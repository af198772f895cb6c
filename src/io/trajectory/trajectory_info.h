/* trajectory_info.h: what a trajectory contains, from a file that is open. */
#ifndef IO_TRAJECTORY_TRAJECTORY_INFO_H
#define IO_TRAJECTORY_TRAJECTORY_INFO_H

#include "io/trajectory/summed.h"
#include "pluvia/trajectory.h"

/* Reads all but the size of the file into an empty `info`. */
void plu_info_read(plu_trajectory_info *info, plu_h5 *h5, hid_t file);

/* Compares the numbers in it with their checksums, if the file has them by dataset. */
void plu_info_check(const plu_trajectory_info *info, plu_h5 *h5, plu_summed *summed);

#endif
