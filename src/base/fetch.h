/* fetch.h: asks for memory before it is needed. Loops that follow what they read wait for each
 * line; asking for all of them first, while nothing depends on any, takes a fraction of the time.
 *
 * PLU_FETCH goes before functions that do so: gcc takes one that only fetches for one without
 * effect, and drops the call unless it is inlined. */
#ifndef BASE_FETCH_H
#define BASE_FETCH_H

#include <stddef.h>

#define PLU_FETCH static inline __attribute__((always_inline))

PLU_FETCH void plu_fetch(const void *at)
{
    __builtin_prefetch(at, 1);
}

/* All lines of a record that begins with one. */
PLU_FETCH void plu_fetch_record(const void *at, size_t size)
{
    for (size_t k = 0; k < size; k += 64)
        plu_fetch((const char *)at + k);
}

#endif
