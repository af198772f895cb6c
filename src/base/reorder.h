/* reorder.h: groups and selects elements of long arrays with all threads. The result does not
 * depend on how many there are. */
#ifndef BASE_REORDER_H
#define BASE_REORDER_H

#include "pluvia/status.h"

/* --- a stable counting sort --- */

/* Numbers grouped by a key. All zero at first; free with plu_groups_free. */
typedef struct plu_groups {
    int *order; /* the numbers of key 0, those of key 1, ..., each group ascending */
    int *start; /* [keys + 1] where in `order` the group of a key begins */
    int *place; /* scratch */
    size_t order_capacity, start_capacity, place_capacity;
} plu_groups;

/* Groups the numbers i from 0 to count - 1 by key[i], which is below `keys`; those with a negative
 * key are left out. PLU_OK or PLU_IO. */
plu_status plu_counting_sort(plu_groups *groups, int count, const int *key, int keys,
                             plu_error *err);

void plu_groups_free(plu_groups *groups);

/* --- the two steps of the sort, for callers that sort something else than numbers --- */

/* The number of parts into which the items are cut, one for each thread, but fewer where the
 * counters (`keys` for each part) would take more memory than the items. */
int plu_counting_sort_parts(size_t count, int keys);

/* On entry place[part * keys + key] counts how often a key occurs in a part; on return it is the
 * place of the first of these items in the order by key, then by part. start[key] is the place at
 * which a key begins; start[keys] is the number of items. */
void plu_counting_sort_places(int parts, int keys, int *place, int *start);

/* --- copies of selected elements, in the order of the array --- */

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
