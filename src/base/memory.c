#include "base/memory.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void *aligned(size_t count, size_t size)
{
    if (count == 0)
        count = 1;
    if (count > (SIZE_MAX - 63) / size)
        return NULL;
    return aligned_alloc(64, (count * size + 63) & ~(size_t)63);
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
