#include "base/compact.h"
#include "base/memory.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum {
    CHUNK = 2048, /* elements that a thread takes at a time */
    FEW = 4096    /* elements up to which more than one thread does not pay */
};

static size_t end_of(size_t begin, size_t count)
{
    return count - begin < CHUNK ? count : begin + CHUNK;
}

/* Exclusive prefix sum: turns first[c + 1], the number of elements selected from chunk c, into the
 * place in `out` behind them. */
static void prefix_sum(size_t *first, size_t chunks)
{
    first[0] = 0;
    for (size_t c = 0; c < chunks; c++)
        first[c + 1] += first[c];
}

/* Each chunk writes to its own part of `out`, which has room for the whole chunk. The selected
 * elements are then moved together. */
static void compact_chunks(size_t *first, size_t count, size_t size, plu_compact_from *from,
                           const void *row, char *out)
{
    const size_t chunks = (count + CHUNK - 1) / CHUNK;
#pragma omp parallel for schedule(static)
    for (size_t c = 0; c < chunks; c++)
        first[c + 1] = from(row, c * CHUNK, end_of(c * CHUNK, count), out + c * CHUNK * size);
    prefix_sum(first, chunks);
    for (size_t c = 1; c < chunks; c++)
        if (first[c] < c * CHUNK)
            memmove(out + first[c] * size, out + c * CHUNK * size,
                    (first[c + 1] - first[c]) * size);
}

plu_status plu_compact(plu_compaction *s, size_t count, size_t size, plu_compact_from *from,
                       const void *row, void *out, size_t *selected, plu_error *err)
{
    if (count <= FEW || omp_get_max_threads() == 1) {
        *selected = from(row, 0, count, out);
        return PLU_OK;
    }
    const size_t chunks = (count + CHUNK - 1) / CHUNK;
    const plu_status status =
        plu_reserve(&s->first, &s->first_capacity, chunks + 1, sizeof *s->first, 0, err);
    if (status != PLU_OK)
        return status;
    compact_chunks(s->first, count, size, from, row, out);
    *selected = s->first[chunks];
    return PLU_OK;
}

void plu_compaction_free(plu_compaction *s)
{
    free(s->first);
    *s = (plu_compaction){0};
}
