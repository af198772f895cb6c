/* Counting sort by parts, a part of the items for each thread. A thread counts the keys of its
 * part; a prefix sum down the columns, key by key, turns the counters into places, from which each
 * part is written in its order. Items of the keys 0 0 2 | 0 1 2, in two parts:
 *
 *     counters   key 0  1  2        places   key 0  1  2        order   0 1 3 | 4 | 2 5
 *     part 0         2  0  1                     0  3  4                 key 0   1   2
 *     part 1         1  1  1                     2  3  5
 *
 * Parts follow each other in the order of the items, so that the sort is stable, and the same for
 * any number of parts. Where there are many keys, threads sum up ranges of them. */
#include "base/reorder.h"
#include "base/memory.h"
#include "base/team.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum {
    FEW = 4000,  /* items or keys up to which more than one thread does not pay */
    RANGES = 64, /* ranges of keys that threads sum up separately */
    COUNTERS = 4 /* counters for each item, at most: each part has one for each key */
};

int plu_counting_sort_parts(size_t count, int keys)
{
    const size_t most = 1 + COUNTERS * count / ((size_t)keys + 1);
    const size_t threads = plu_many(count, FEW) ? (size_t)omp_get_max_threads() : 1;
    return (int)(most < threads ? most : threads);
}

/* The first of `count` items in piece `piece` of `pieces`. */
static int first_of(int count, int pieces, int piece)
{
    return (int)((long)count * piece / pieces);
}

/* Sum over all parts of the counters of keys begin to end - 1. */
static int sum_of(int parts, int keys, const int *place, int begin, int end)
{
    int sum = 0;
    for (int part = 0; part < parts; part++)
        for (int k = begin; k < end; k++)
            sum += place[(size_t)part * (size_t)keys + (size_t)k];
    return sum;
}

/* Turns the counters of keys begin to end - 1 into places; `next` is the place of the first. */
static void set_places(int parts, int keys, int *place, int *start, int begin, int end, int next)
{
    for (int k = begin; k < end; k++) {
        start[k] = next;
        for (int part = 0; part < parts; part++) {
            int *p = &place[(size_t)part * (size_t)keys + (size_t)k];
            const int here = *p;
            *p = next;
            next += here;
        }
    }
    if (end == keys)
        start[keys] = next;
}

void plu_counting_sort_places(int parts, int keys, int *place, int *start)
{
    if (parts == 1 || keys <= FEW) {
        set_places(parts, keys, place, start, 0, keys, 0);
        return;
    }
    int first[RANGES + 1] = {0};
#pragma omp parallel for schedule(static)
    for (int r = 0; r < RANGES; r++)
        first[r + 1] =
            sum_of(parts, keys, place, first_of(keys, RANGES, r), first_of(keys, RANGES, r + 1));
    for (int r = 0; r < RANGES; r++)
        first[r + 1] += first[r];
#pragma omp parallel for schedule(static)
    for (int r = 0; r < RANGES; r++)
        set_places(parts, keys, place, start, first_of(keys, RANGES, r),
                   first_of(keys, RANGES, r + 1), first[r]);
}

static plu_status group_reserve(plu_groups *g, int count, int keys, int parts, plu_error *err)
{
    plu_status s =
        plu_reserve(&g->order, &g->order_capacity, (size_t)count, sizeof *g->order, 0, err);
    if (s == PLU_OK)
        s = plu_reserve(&g->start, &g->start_capacity, (size_t)keys + 1, sizeof *g->start, 0, err);
    return s == PLU_OK ? plu_reserve(&g->place, &g->place_capacity, (size_t)parts * (size_t)keys,
                                     sizeof *g->place, 0, err)
                       : s;
}

/* What is sorted: `count` items with the keys key[i], of which there are `keys`, in `parts` parts.
 */
typedef struct items {
    int count, parts, keys;
    const int *key;
} items;

static int *places_of(const plu_groups *g, const items *all, int part)
{
    return g->place + (size_t)part * (size_t)all->keys;
}

static void count_part(const plu_groups *g, const items *all, int part)
{
    const int end = first_of(all->count, all->parts, part + 1);
    int *place = places_of(g, all, part);
    memset(place, 0, (size_t)all->keys * sizeof *place);
    for (int i = first_of(all->count, all->parts, part); i < end; i++)
        if (all->key[i] >= 0)
            place[all->key[i]]++;
}

static void sort_part(const plu_groups *g, const items *all, int part)
{
    const int end = first_of(all->count, all->parts, part + 1);
    int *place = places_of(g, all, part);
    for (int i = first_of(all->count, all->parts, part); i < end; i++)
        if (all->key[i] >= 0)
            g->order[place[all->key[i]]++] = i;
}

plu_status plu_counting_sort(plu_groups *g, int count, const int *key, int keys, plu_error *err)
{
    const int parts = plu_counting_sort_parts((size_t)count, keys);
    const items all = {count, parts, keys, key};
    const plu_status s = group_reserve(g, count, keys, parts, err);
    if (s != PLU_OK)
        return s;
    if (parts == 1) {
        count_part(g, &all, 0);
        plu_counting_sort_places(1, keys, g->place, g->start);
        sort_part(g, &all, 0);
        return PLU_OK;
    }
#pragma omp parallel for schedule(static, 1)
    for (int part = 0; part < parts; part++)
        count_part(g, &all, part);
    plu_counting_sort_places(parts, keys, g->place, g->start);
#pragma omp parallel for schedule(static, 1)
    for (int part = 0; part < parts; part++)
        sort_part(g, &all, part);
    return PLU_OK;
}

void plu_groups_free(plu_groups *g)
{
    free(g->order);
    free(g->start);
    free(g->place);
    *g = (plu_groups){0};
}

enum {
    CHUNK = 2048,       /* elements that a thread takes at a time */
    FEW_ELEMENTS = 4096 /* elements up to which more than one thread does not pay */
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
    if (!plu_many(count, FEW_ELEMENTS) || omp_get_max_threads() == 1) {
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
