/* All pairs of spheres, grown by their skins, that overlap: cells in hashed buckets (buckets.c), a
 * search with SIMD lanes (meet_lanes.c), and here what makes one sorted list of what threads find:
 *
 *     64 ranges of spheres --search, by any thread--> 64 lists of pairs (a, b), a < b
 *     counting sort by a (in parts, one a thread)     first[a] ... first[a + 1]
 *     each of these short runs by b                   insertion sort
 *
 * A pair is found once, by the sphere that comes first in the order of cells, or by the smaller one
 * of two levels, and the list is sorted by (a, b) however the work was shared. */
#include "detect/grid.h"
#include "base/memory.h"
#include "base/team.h"
#include "detect/buckets.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum {
    RANGES = 64,    /* of spheres, searched side by side */
    FEW = 2000,     /* spheres for which threads do not pay */
    RUN = 256,      /* spheres whose pairs a thread sorts at a time: the first ones have more */
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

static void search_ranges(plu_grid *grid, int count, plu_status *status)
{
#pragma omp for schedule(dynamic, 1) nowait
    for (int r = 0; r < RANGES; r++) {
        const int begin = (int)((long)count * r / RANGES),
                  end = (int)((long)count * (r + 1) / RANGES);
        grid->found[r].count = 0;
        const plu_status s = PLU_ISA_BEST(plu_meet)(&grid->cells, begin, end, &grid->found[r]);
        if (s != PLU_OK) {
#pragma omp atomic write
            *status = s;
        }
    }
}

static plu_status search(plu_grid *grid, int count, plu_error *err)
{
    plu_status status = PLU_OK;
    PLU_TEAM(plu_many(count, FEW), search_ranges(grid, count, &status));
    return status == PLU_OK
               ? PLU_OK
               : plu_fail(err, status, "out of memory for the pairs of %d bodies", count);
}

/* How often each body comes first in the finds of a part: of every `parts`-th range. */
static void count_found(const plu_grid *grid, int parts, int bodies)
{
#pragma omp for schedule(static, 1) nowait
    for (int part = 0; part < parts; part++) {
        int *place = grid->place + (size_t)part * (size_t)bodies;
        memset(place, 0, (size_t)bodies * sizeof *place);
        for (int t = part; t < RANGES; t += parts)
            for (size_t k = 0; k < grid->found[t].count; k++)
                place[grid->found[t].pair[k].a]++;
    }
}

static void sort_found(const plu_grid *grid, int parts, int bodies, plu_pairs *pairs)
{
#pragma omp for schedule(static, 1) nowait
    for (int part = 0; part < parts; part++) {
        int *place = grid->place + (size_t)part * (size_t)bodies;
        for (int t = part; t < RANGES; t += parts)
            for (size_t k = 0; k < grid->found[t].count; k++)
                pairs->pair[place[grid->found[t].pair[k].a]++] = grid->found[t].pair[k];
    }
}

static void sort_runs(const plu_grid *grid, int bodies, plu_pairs *pairs)
{
#pragma omp for schedule(dynamic, RUN) nowait
    for (int a = 0; a < bodies; a++)
        sort_by_b(pairs->pair + grid->first[a], (size_t)(grid->first[a + 1] - grid->first[a]));
}

static plu_status reserve_pairs(plu_grid *grid, size_t total, int bodies, int parts,
                                plu_pairs *pairs, plu_error *err)
{
    if (total > INT_MAX)
        return plu_fail(err, PLU_IO, "%zu pairs of %d bodies are near each other; the limit is %d",
                        total, bodies, INT_MAX);
    plu_status s = plu_reserve(&grid->first, &grid->first_capacity, (size_t)bodies + 1,
                               sizeof *grid->first, 0, err);
    if (s == PLU_OK)
        s = plu_reserve(&pairs->pair, &pairs->capacity, total, sizeof *pairs->pair, 0, err);
    if (s == PLU_OK)
        s = plu_reserve(&grid->place, &grid->place_capacity, (size_t)parts * (size_t)bodies,
                        sizeof *grid->place, 0, err);
    if (s == PLU_OK)
        pairs->count = total;
    return s;
}

/* The finds of all ranges in one list: counting sort by a, then each short run by b. */
static plu_status gather(plu_grid *grid, int bodies, plu_pairs *pairs, plu_error *err)
{
    size_t total = 0;
    for (int r = 0; r < RANGES; r++)
        total += grid->found[r].count;
    const int parts = plu_counting_sort_parts(total, bodies);
    const plu_status s = reserve_pairs(grid, total, bodies, parts, pairs, err);
    if (s != PLU_OK)
        return s;
    PLU_TEAM(parts > 1, count_found(grid, parts, bodies));
    plu_counting_sort_places(parts, bodies, grid->place, grid->first);
    PLU_TEAM(parts > 1, sort_found(grid, parts, bodies, pairs));
    PLU_TEAM(plu_many(bodies, FEW), sort_runs(grid, bodies, pairs));
    return PLU_OK;
}

plu_status plu_grid_pairs(plu_grid *grid, int count, const int *member, const double (*sphere)[4],
                          int bodies, plu_pairs *pairs, plu_error *err)
{
    pairs->count = 0;
    if (count < 1) /* nobody will seek */
        return PLU_OK;
    plu_status s = plu_buckets_fill(&grid->cells, count, member, sphere, err);
    if (s != PLU_OK || count < 2)
        return s;
    s = search(grid, count, err);
    return s == PLU_OK ? gather(grid, bodies, pairs, err) : s;
}

bool plu_grid_can_seek(const plu_grid *grid)
{
    return grid->cells.levels <= SEEK_LEVELS;
}

plu_status plu_grid_seek(const plu_grid *grid, int id, const double sphere[4], plu_pairs *pairs,
                         plu_error *err)
{
    const plu_status s = PLU_ISA_BEST(plu_seek)(&grid->cells, id, sphere, pairs);
    return s == PLU_OK ? s : plu_fail(err, s, "out of memory for the pairs of body %d", id);
}
