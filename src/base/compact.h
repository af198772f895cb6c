/* compact.h: copies the selected elements of a long array to another one, with all threads and in
 * the order of the array. */
#ifndef BASE_COMPACT_H
#define BASE_COMPACT_H

#include "pluvia/status.h"

/* The caller's selection: writes to `out` at most one element for each of the elements begin to
 * end - 1 of `row`, and returns how many it wrote. */
typedef size_t plu_compact_from(const void *row, size_t begin, size_t end, void *out);

/* Scratch memory; all zero at first; free with plu_compaction_free. */
typedef struct plu_compaction {
    size_t *first; /* by chunk: the place in `out` of its first selected element */
    size_t first_capacity;
} plu_compaction;

/* Fills `out`, which has room for `count` elements of `size` bytes; *selected: the number written.
 * `from` is called once for each element of `row`, by any thread. PLU_OK or PLU_IO (no memory). */
plu_status plu_compact(plu_compaction *scratch, size_t count, size_t size, plu_compact_from *from,
                       const void *row, void *out, size_t *selected, plu_error *err);

void plu_compaction_free(plu_compaction *scratch);

#endif
