/* compact.h: lists what is selected from a long row, by all threads, in the order of the row. */
#ifndef BASE_COMPACT_H
#define BASE_COMPACT_H

#include "pluvia/status.h"

/* Writes what is selected from begin to end - 1 of the row to `out` and returns how many elements
 * these are: at most one for each. */
typedef size_t plu_compact_from(const void *row, size_t begin, size_t end, void *out);

/* Scratch; all zero at first; free with plu_compaction_free. */
typedef struct plu_compaction {
    size_t *first;
    size_t first_capacity;
} plu_compaction;

/* Fills `out`, which has room for `count` elements of `size` bytes; *selected: how many there are.
 * Each of the row is looked at once, by the thread that comes to it. PLU_OK or PLU_IO. */
plu_status plu_compact(plu_compaction *scratch, size_t count, size_t size, plu_compact_from *from,
                       const void *row, void *out, size_t *selected, plu_error *err);

void plu_compaction_free(plu_compaction *scratch);

#endif
