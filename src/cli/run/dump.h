/* dump.h: writes the contact problems of a run to files (output.dump_problems). */
#ifndef CLI_RUN_DUMP_H
#define CLI_RUN_DUMP_H

#include "cli/run/simulation.h"

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
