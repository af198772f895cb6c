#include "base/memory.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { LINE = 64, HUGE_PAGE = 1 << 21 };

/* The records of large arrays are not read in the order in which they are stored, so that with
 * small pages nearly every access misses the TLB. A failure of madvise does no harm. */
static void ask_for_huge_pages(void *array, size_t bytes)
{
#if defined(MADV_HUGEPAGE)
    if (array)
        (void)madvise(array, bytes, MADV_HUGEPAGE);
#else
    (void)array, (void)bytes;
#endif
}

static void *aligned(size_t count, size_t size)
{
    if (count == 0)
        count = 1;
    if (count > (SIZE_MAX - HUGE_PAGE) / size)
        return NULL;
    const bool large = count * size >= 2 * (size_t)HUGE_PAGE;
    const size_t unit = large ? HUGE_PAGE : LINE, bytes = (count * size + unit - 1) / unit * unit;
    void *array = aligned_alloc(unit, bytes);
    if (large)
        ask_for_huge_pages(array, bytes);
    return array;
}

void *plu_alloc(size_t count, size_t size, plu_error *err)
{
    void *array = aligned(count, size);
    if (array)
        memset(array, 0, (count ? count : 1) * size);
    else
        plu_fail(err, PLU_IO, "out of memory: %zu elements of %zu bytes", count, size);
    return array;
}

plu_status plu_reserve(void *array, size_t *capacity, size_t need, size_t size, int keep,
                       plu_error *err)
{
    void *old;
    memcpy(&old, array, sizeof old);
    if (old && need <= *capacity)
        return PLU_OK;
    const size_t wanted = need > 2 * *capacity ? need : 2 * *capacity;
    if (!keep) {
        free(old);
        old = NULL;
        memcpy(array, &old, sizeof old);
        *capacity = 0;
    }
    void *fresh = aligned(wanted, size);
    if (!fresh)
        return plu_fail(err, PLU_IO, "out of memory: %zu elements of %zu bytes", wanted, size);
    if (keep && old)
        memcpy(fresh, old, *capacity * size);
    free(old);
    memcpy(array, &fresh, sizeof fresh);
    *capacity = wanted;
    return PLU_OK;
}
