/* pick.h: lists what is picked from a long row, by all threads, in the order of the row. */
#ifndef BASE_PICK_H
#define BASE_PICK_H

#include "pluvia/status.h"

/* Writes what is picked from begin to end - 1 of the row to `out` and returns how many elements
 * these are: at most one for each. */
typedef size_t plu_pick_from(const void *row, size_t begin, size_t end, void *out);

/* Scratch; all zero at first; free with plu_picks_free. */
typedef struct plu_picks {
    size_t *first;
    size_t first_capacity;
} plu_picks;

/* Fills `out`, which has room for `count` elements of `size` bytes; *picked: how many there are.
 * Each of the row is looked at once, by the thread that comes to it. PLU_OK or PLU_IO. */
plu_status plu_pick(plu_picks *scratch, size_t count, size_t size, plu_pick_from *from,
                    const void *row, void *out, size_t *picked, plu_error *err);

void plu_picks_free(plu_picks *scratch);

#endif
