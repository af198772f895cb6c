#include "detect/grid.h"
#include "base/memory.h"
#include "detect/buckets.h"
#include <limits.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum {
    RANGES = 64,    /* of spheres, searched side by side */
    FEW = 2000,     /* spheres for which threads do not pay */
    SEEK_LEVELS = 4 /* so that a large sphere looks at few rows of small cells */
};

struct plu_grid {
    plu_buckets cells;
    plu_pairs found[RANGES];
    int *first; /* first pair of each body */
    int *place; /* scratch of the sort of the pairs */
    size_t first_capacity, place_capacity;
};

plu_grid *plu_grid_create(plu_error *err)
{
    return plu_alloc(1, sizeof(plu_grid), err);
}

void plu_grid_destroy(plu_grid *grid)
{
    if (!grid)
        return;
    plu_buckets_free(&grid->cells);
    for (int r = 0; r < RANGES; r++)
        free(grid->found[r].pair);
    free(grid->first);
    free(grid->place);
    free(grid);
}

static int by_b(const void *x, const void *y)
{
    const plu_pair *p = x, *q = y;
    return (p->b > q->b) - (p->b < q->b);
}

static void sort_by_b(plu_pair *pair, size_t count)
{
    if (count > 64) {
        qsort(pair, count, sizeof *pair, by_b);
        return;
    }
    for (size_t i = 1; i < count; i++) {
        const plu_pair p = pair[i];
        size_t j = i;
        for (; j > 0 && pair[j - 1].b > p.b; j--)
            pair[j] = pair[j - 1];
        pair[j] = p;
    }
}

/* In one level a sphere finds those of larger number only: its pairs are a run of the list. */
static bool in_order(const plu_grid *grid)
{
    int levels = 0;
    for (int level = 0; level < grid->cells.levels; level++)
        levels += grid->cells.used[level] > 0;
    return levels == 1;
}

static plu_status search_range(plu_grid *grid, int range, int count, const int *member,
                               const double (*sphere)[4])
{
    plu_meet_function *const meet = PLU_ISA_BEST(plu_meet);
    plu_pairs *found = &grid->found[range];
    const bool sorted = in_order(grid);
    const int end = (int)((long)count * (range + 1) / RANGES);
    found->count = 0;
    for (int k = (int)((long)count * range / RANGES); k < end; k++) {
        const size_t begin = found->count;
        const plu_status s = meet(&grid->cells, member[k], sphere[k], false, found);
        if (s != PLU_OK)
            return s;
        if (sorted && found->count > begin)
            sort_by_b(found->pair + begin, found->count - begin);
    }
    return PLU_OK;
}

static plu_status search(plu_grid *grid, int count, const int *member, const double (*sphere)[4],
                         plu_error *err)
{
    plu_status status = PLU_OK;
#pragma omp parallel for schedule(dynamic, 1) reduction(max : status) if (count > FEW)
    for (int r = 0; r < RANGES; r++)
        status = search_range(grid, r, count, member, sphere);
    return status == PLU_OK
               ? PLU_OK
               : plu_fail(err, status, "out of memory for the pairs of %d bodies", count);
}

/* The finds of the ranges one after the other. */
static void join(const plu_grid *grid, plu_pairs *pairs)
{
    size_t first[RANGES + 1] = {0};
    for (int r = 0; r < RANGES; r++)
        first[r + 1] = first[r] + grid->found[r].count;
#pragma omp parallel for schedule(static) if (first[RANGES] > FEW)
    for (int r = 0; r < RANGES; r++)
        if (grid->found[r].count)
            memcpy(pairs->pair + first[r], grid->found[r].pair,
                   grid->found[r].count * sizeof *pairs->pair);
}

/* How often each body comes first in the finds of a part: of every `parts`-th range. */
static void count_found(const plu_grid *grid, int part, int parts, int *place, int bodies)
{
    memset(place, 0, (size_t)bodies * sizeof *place);
    for (int t = part; t < RANGES; t += parts)
        for (size_t k = 0; k < grid->found[t].count; k++)
            place[grid->found[t].pair[k].a]++;
}

static void sort_found(const plu_grid *grid, int part, int parts, int *place, plu_pairs *pairs)
{
    for (int t = part; t < RANGES; t += parts)
        for (size_t k = 0; k < grid->found[t].count; k++)
            pairs->pair[place[grid->found[t].pair[k].a]++] = grid->found[t].pair[k];
}

/* The finds of all ranges: counting sort by a, then each short run by b. */
static plu_status sort_pairs(plu_grid *grid, int bodies, plu_pairs *pairs, plu_error *err)
{
    const int parts = plu_group_parts(pairs->count, bodies);
    plu_status s = plu_reserve(&grid->first, &grid->first_capacity, (size_t)bodies + 1,
                               sizeof *grid->first, 0, err);
    if (s == PLU_OK)
        s = plu_reserve(&grid->place, &grid->place_capacity, (size_t)parts * (size_t)bodies,
                        sizeof *grid->place, 0, err);
    if (s != PLU_OK)
        return s;
#pragma omp parallel for schedule(static, 1) if (parts > 1)
    for (int part = 0; part < parts; part++)
        count_found(grid, part, parts, grid->place + (size_t)part * (size_t)bodies, bodies);
    plu_group_places(parts, bodies, grid->place, grid->first);
#pragma omp parallel for schedule(static, 1) if (parts > 1)
    for (int part = 0; part < parts; part++)
        sort_found(grid, part, parts, grid->place + (size_t)part * (size_t)bodies, pairs);
#pragma omp parallel for schedule(static) if (bodies > FEW)
    for (int a = 0; a < bodies; a++)
        sort_by_b(pairs->pair + grid->first[a], (size_t)(grid->first[a + 1] - grid->first[a]));
    return PLU_OK;
}

static plu_status gather(plu_grid *grid, int bodies, plu_pairs *pairs, plu_error *err)
{
    size_t total = 0;
    for (int r = 0; r < RANGES; r++)
        total += grid->found[r].count;
    if (total > INT_MAX)
        return plu_fail(err, PLU_IO, "%zu pairs of %d bodies are near each other: at most %d",
                        total, bodies, INT_MAX);
    plu_status s = plu_reserve(&pairs->pair, &pairs->capacity, total, sizeof *pairs->pair, 0, err);
    if (s != PLU_OK)
        return s;
    pairs->count = total;
    if (in_order(grid))
        join(grid, pairs);
    else
        s = sort_pairs(grid, bodies, pairs, err);
    if (s != PLU_OK)
        pairs->count = 0;
    return s;
}

plu_status plu_grid_pairs(plu_grid *grid, int count, const int *member, const double (*sphere)[4],
                          int bodies, plu_pairs *pairs, plu_error *err)
{
    pairs->count = 0;
    if (count < 2)
        return PLU_OK;
    plu_status s = plu_buckets_fill(&grid->cells, count, member, sphere, err);
    if (s == PLU_OK)
        s = search(grid, count, member, sphere, err);
    return s == PLU_OK ? gather(grid, bodies, pairs, err) : s;
}

bool plu_grid_can_seek(const plu_grid *grid)
{
    return grid->cells.levels <= SEEK_LEVELS;
}

plu_status plu_grid_seek(const plu_grid *grid, int id, const double sphere[4], plu_pairs *pairs,
                         plu_error *err)
{
    const plu_status s = PLU_ISA_BEST(plu_meet)(&grid->cells, id, sphere, true, pairs);
    return s == PLU_OK ? s : plu_fail(err, s, "out of memory for the pairs of body %d", id);
}
