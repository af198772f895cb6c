/* place.h: the names of a result while it is made and when it is whole.
 *
 * A result is two files, the trajectory NAME.h5md and its sidecar NAME.xdmf. Both are written as
 * NAME.h5md.part and NAME.xdmf.part and get their names together, by renaming, so that an older
 * result stays whole until the new one can be read. */
#ifndef IO_PLACE_H
#define IO_PLACE_H

#include "pluvia/scene.h"

enum { PLU_DATA, PLU_SIDECAR, PLU_RESULTS };

typedef struct plu_result {
    char path[PLU_RESULTS][PLU_PATH];
    char part[PLU_RESULTS][PLU_PATH + 8];
    char folder[PLU_PATH]; /* made for this result; "" where it was there */
    bool force;
} plu_result;

/* Checks that `path` may be written (PLU_IO with a sentence otherwise), makes its folder if only
 * that is missing and clears away what an earlier attempt has left. */
plu_status plu_result_prepare(plu_result *place, const char *path, bool force, plu_error *err);

/* Gives both files their names. An older result is replaced if `force` was given. */
plu_status plu_result_finish(const plu_result *place, plu_error *err);

/* Removes the unfinished files, and the folder if it was made for them. */
void plu_result_discard(const plu_result *place);

#endif
