/* counting_sort.h: counting sort on all threads. The result is the same for any number of them. */
#ifndef BASE_COUNTING_SORT_H
#define BASE_COUNTING_SORT_H

#include "pluvia/status.h"

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

/* --- for sorts of other things than numbers --- */

/* In how many parts to cut a counting sort: not more than threads, nor such that the counters of
 * keys outgrow what is sorted. */
int plu_counting_sort_parts(size_t count, int keys);

/* From how often a key occurs in a part, place[part * keys + key], to where the first of these
 * goes: sorted by key, then by part. start[key]: where the key begins; start[keys]: their number.
 */
void plu_counting_sort_places(int parts, int keys, int *place, int *start);

#endif
