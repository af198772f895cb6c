/* fetch.h: prefetches memory. A loop that follows indices waits for each cache line in turn; when
 * the lines are prefetched some iterations ahead, their latencies overlap.
 *
 * Functions that only prefetch must be declared with PLU_FETCH, which inlines them: gcc regards
 * such a function as one without effect and would drop calls of it. */
#ifndef BASE_FETCH_H
#define BASE_FETCH_H

#include <stddef.h>

#define PLU_FETCH static inline __attribute__((always_inline))

PLU_FETCH void plu_fetch(const void *at)
{
    __builtin_prefetch(at, 1);
}

/* Prefetches all cache lines of a record of `size` bytes that is aligned to a line. */
PLU_FETCH void plu_fetch_record(const void *at, size_t size)
{
    for (size_t k = 0; k < size; k += 64)
        plu_fetch((const char *)at + k);
}

#endif
