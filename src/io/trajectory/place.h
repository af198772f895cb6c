/* place.h: the names of the files of a result, while it is written and when it is complete.
 *
 * A result is the trajectory NAME.h5md and its sidecar NAME.xdmf. Both are written as
 * NAME.h5md.part and NAME.xdmf.part and get their names together, by renaming, so that an older
 * result stays whole until the new one can be read. Its checkpoints come later
 * (pluvia/checkpoint.h); those of an older result go when the new one takes its place. */
#ifndef IO_TRAJECTORY_PLACE_H
#define IO_TRAJECTORY_PLACE_H

#include "pluvia/status.h"
#include "pluvia/where.h"
#include <stdbool.h>

enum {
    PLU_DATA,
    PLU_SIDECAR,
    PLU_CHECKPOINT,
    PLU_CHECKPOINT_PREV,
    PLU_RESULTS,
    PLU_MADE_TOGETHER = PLU_CHECKPOINT /* the files before this one get their names together */
};

typedef struct plu_files {
    char path[PLU_RESULTS][PLU_PATH];
    char part[PLU_RESULTS][PLU_PATH + 8];
    char folder[PLU_PATH]; /* made for this result; "" where it was there */
    bool force;
} plu_files;

/* Fills in the names. PLU_IO: `path` does not end in .h5md, or is too long. */
plu_status plu_files_names(plu_files *files, const char *path, plu_error *err);

/* The trajectory as seen from its folder. */
const char *plu_files_data_name(const plu_files *files);

/* Checks that `path` may be written (PLU_IO with a sentence otherwise), makes its folder if only
 * that is missing and clears away what an earlier attempt has left. */
plu_status plu_files_prepare(plu_files *files, const char *path, bool force, plu_error *err);

/* Clears away what an earlier attempt at one of the files has left (io/h5/system_file.h). PLU_OK or
 * PLU_IO.
 */
plu_status plu_files_clear(const plu_files *files, int which, plu_error *err);

/* Makes the folder of the result if only that is missing. PLU_OK or PLU_IO. */
plu_status plu_files_make_folder(plu_files *files, plu_error *err);

/* Gives both files their names. An older result is replaced if `force` was given. */
plu_status plu_files_finish(const plu_files *files, plu_error *err);

/* Gives one file its name. PLU_OK or PLU_IO. */
plu_status plu_files_rename(const plu_files *files, int which, plu_error *err);

/* Checks that the name still leads to the trajectory that is open as `file`; PLU_IO if it was
 * removed or replaced, because everything written would be lost. */
plu_status plu_files_still_there(const plu_files *files, int file, plu_error *err);

/* Removes the unfinished files, and the folder if it was made for them. */
void plu_files_discard(const plu_files *files);

#endif
