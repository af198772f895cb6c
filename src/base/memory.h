/* memory.h: arrays that grow, arrays aligned to cache lines, prefetches. */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include "pluvia/status.h"
#include <stddef.h>
#include <string.h>

/* Zeroed array of count elements, aligned to 64 bytes; NULL and a message when there is no memory.
 * Free with free(). count 0 gives an array of one element. */
void *plu_alloc(size_t count, size_t size, plu_error *err);

/* Makes room for at least `need` elements of `size` bytes in `*array`, which has room for
 * `*capacity` of them. An array that has to grow at least doubles; its contents are kept if `keep`
 * is nonzero, else lost. `array` is the address of a pointer, which may be NULL. Aligned to 64
 * bytes; free with free(). PLU_OK or PLU_IO. */
plu_status plu_reserve(void *array, size_t *capacity, size_t need, size_t size, int keep,
                       plu_error *err);

#ifdef PLU_POISON
enum { PLU_POISONS = 1 };
#else
enum { PLU_POISONS = 0 };
#endif

/* In debug builds (meson: debug=true) fills memory that must not be read before it is written with
 * NaN, so that a read too early shows in the results. */
static inline void plu_poison(void *array, size_t size)
{
    if (PLU_POISONS)
        memset(array, 0xff, size);
}

/* Prefetches memory. A loop that follows indices waits for each cache line in turn; when
 * the lines are prefetched some iterations ahead, their latencies overlap.
 *
 * Functions that only prefetch must be declared with PLU_FETCH, which inlines them: gcc regards
 * such a function as one without effect and would drop calls of it. */

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
