/* pair_share.h: the contacts and bodies that are a thread's own in a pass over pairs.
 *
 * Contacts are sorted by body a, so bodies are cut where contacts are, and only few contacts of a
 * part touch bodies of another part. A first pass writes to bodies of contacts within the share
 * with plain stores; after a barrier a second one does the others with atomic operations, which
 * are much slower. */
#ifndef BLOCKS_PAIR_SHARE_H
#define BLOCKS_PAIR_SHARE_H

#include "blocks/blocks.h"
#include <omp.h>

/* Contacts begin to end - 1, and bodies low to high - 1, to which no other thread writes in the
 * first pass. Over all threads of a team both add up to all there are. */
typedef struct plu_pair_share {
    int begin, end;
    int low, high;
} plu_pair_share;

static inline int plu_pair_part_begin(int contacts, int part, int parts)
{
    return (int)((int64_t)contacts * part / parts);
}

/* The first body of a part. */
static inline int plu_pair_part_low(int contacts, int rows, const plu_contact_pair *pairs, int part,
                                    int parts)
{
    int low = 0;
    for (int k = 1; k <= part && k < parts; k++) {
        const int begin = plu_pair_part_begin(contacts, k, parts);
        const int a = begin < contacts && pairs[begin].a < rows ? pairs[begin].a : low;
        low = a > low ? a : low;
    }
    return part < parts ? low : rows;
}

/* The share of the calling thread. `rows`: moving bodies. */
static inline plu_pair_share plu_pair_share_of(int contacts, int rows,
                                               const plu_contact_pair *pairs)
{
    const int me = omp_get_thread_num(), all = omp_get_num_threads();
    return (plu_pair_share){plu_pair_part_begin(contacts, me, all),
                            plu_pair_part_begin(contacts, me + 1, all),
                            plu_pair_part_low(contacts, rows, pairs, me, all),
                            plu_pair_part_low(contacts, rows, pairs, me + 1, all)};
}

/* Whether both bodies of a contact belong to the share. */
static inline bool plu_pair_within(const plu_pair_share *s, plu_contact_pair pair)
{
    return (pair.a >= s->low) & (pair.b >= s->low) & (pair.a < s->high) & (pair.b < s->high);
}

#endif
