#include "base/compact.h"
#include "base/memory.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 2048, FEW = 4096 }; /* of the row; up to so many threads do not pay */

static size_t end_of(size_t begin, size_t count)
{
    return count - begin < CHUNK ? count : begin + CHUNK;
}

/* From the number of elements of each chunk to that of its first one. */
static void add_up(size_t *first, size_t chunks)
{
    first[0] = 0;
    for (size_t c = 0; c < chunks; c++)
        first[c + 1] += first[c];
}

/* Each chunk writes to its own part of `out`, in which there is room for all of it; then what was
 * selected moves together. */
static void by_chunks(size_t *first, size_t count, size_t size, plu_compact_from *from,
                      const void *row, char *out)
{
    const size_t chunks = (count + CHUNK - 1) / CHUNK;
#pragma omp parallel for schedule(static)
    for (size_t c = 0; c < chunks; c++)
        first[c + 1] = from(row, c * CHUNK, end_of(c * CHUNK, count), out + c * CHUNK * size);
    add_up(first, chunks);
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
    by_chunks(s->first, count, size, from, row, out);
    *selected = s->first[chunks];
    return PLU_OK;
}

void plu_compaction_free(plu_compaction *s)
{
    free(s->first);
    *s = (plu_compaction){0};
}
