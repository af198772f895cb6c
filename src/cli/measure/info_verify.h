/* info_verify.h: pluvia info --verify. */
#ifndef CLI_MEASURE_INFO_VERIFY_H
#define CLI_MEASURE_INFO_VERIFY_H

#include "pluvia/status.h"

/* Reads all of a trajectory, a checkpoint or a contact problem and says on stdout that it is whole,
 * or on stderr what is wrong first. Returns PLU_OK, PLU_BAD_INPUT or PLU_IO. */
plu_status plu_verify(const char *path);

#endif
