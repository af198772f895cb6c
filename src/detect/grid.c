#include "detect/grid.h"
#include "base/memory.h"
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { LEVELS = 32, BITS = 19, THREADS = 64 };

typedef struct entry { /* a sphere in the order of the cells */
    double x, y, z, r;
    uint64_t cell; /* level and masked cell coordinates */
    int id, level;
} entry;

struct plu_grid {
    size_t entries_capacity, buckets_capacity, keys_capacity, starts_capacity;
    entry *entries;
    int *bucket_start; /* [buckets + 1] */
    uint64_t *keys;    /* cell of each sphere before sorting */
    size_t *starts;    /* first pair of each body */
    int buckets;
    double size[LEVELS]; /* of the cells of a level (m) */
    int used[LEVELS];    /* spheres in a level */
    int levels;
    plu_pairs found[THREADS];
};

plu_grid *plu_grid_create(plu_error *err)
{
    return plu_alloc(1, sizeof(plu_grid), err);
}

void plu_grid_destroy(plu_grid *grid)
{
    if (!grid)
        return;
    free(grid->entries);
    free(grid->bucket_start);
    free(grid->keys);
    free(grid->starts);
    for (int t = 0; t < THREADS; t++)
        free(grid->found[t].pair);
    free(grid);
}

/* Coordinates wrap at 2^19 cells: spheres that meet by wrapping are told apart by their distance.
 */
static uint64_t cell_key(int level, int64_t i, int64_t j, int64_t k)
{
    const uint64_t mask = (UINT64_C(1) << BITS) - 1;
    return (uint64_t)level << 3 * BITS | ((uint64_t)k & mask) << 2 * BITS |
           ((uint64_t)j & mask) << BITS | ((uint64_t)i & mask);
}

/* Neighbours along x stay neighbours, so that a row of cells is read in one go. */
static int bucket_of(const plu_grid *grid, uint64_t cell)
{
    const uint64_t mask = (UINT64_C(1) << BITS) - 1;
    const uint64_t i = cell & mask, j = cell >> BITS & mask, k = cell >> 2 * BITS & mask;
    const uint64_t level = cell >> 3 * BITS;
    const uint64_t h = i + j * UINT64_C(73856093) + k * UINT64_C(19349663) + level * 83492791u;
    return (int)(h & (uint64_t)(grid->buckets - 1));
}

static int64_t cell_of(double x, double size)
{
    const double c = floor(x / size);
    return fabs(c) < 1e15 ? (int64_t)c : 0;
}

static void choose_levels(plu_grid *grid, int count, const double (*sphere)[4])
{
    double smallest = INFINITY, largest = 0.0;
    for (int k = 0; k < count; k++) {
        smallest = fmin(smallest, sphere[k][3]);
        largest = fmax(largest, sphere[k][3]);
    }
    /* A cell must hold a sphere's diameter; sizes up to 1.5 times the smallest share a level. */
    grid->size[0] = largest <= 1.5 * smallest ? 2.0 * largest : 3.0 * smallest;
    grid->levels = 1;
    while (grid->size[grid->levels - 1] < 2.0 * largest && grid->levels < LEVELS) {
        grid->size[grid->levels] = 2.0 * grid->size[grid->levels - 1];
        grid->levels++;
    }
    grid->size[grid->levels - 1] = fmax(grid->size[grid->levels - 1], 2.0 * largest);
    memset(grid->used, 0, sizeof grid->used);
}

static plu_status reserve(plu_grid *grid, int count, int bodies, plu_error *err)
{
    grid->buckets = 64;
    while (grid->buckets < count && grid->buckets < 1 << 30)
        grid->buckets *= 2;
    plu_status s = plu_reserve(&grid->entries, &grid->entries_capacity, (size_t)count,
                               sizeof *grid->entries, 0, err);
    if (s == PLU_OK)
        s = plu_reserve(&grid->bucket_start, &grid->buckets_capacity, (size_t)grid->buckets + 1,
                        sizeof *grid->bucket_start, 0, err);
    if (s == PLU_OK)
        s = plu_reserve(&grid->keys, &grid->keys_capacity, (size_t)count, sizeof *grid->keys, 0,
                        err);
    if (s == PLU_OK)
        s = plu_reserve(&grid->starts, &grid->starts_capacity, (size_t)bodies + 1,
                        sizeof *grid->starts, 0, err);
    return s;
}

/* Counting sort of the spheres by the bucket of their cell. */
static void fill(plu_grid *grid, int count, const int *member, const double (*sphere)[4])
{
    int *start = grid->bucket_start;
    memset(start, 0, ((size_t)grid->buckets + 1) * sizeof *start);
    for (int k = 0; k < count; k++) {
        int level = 0;
        while (level + 1 < grid->levels && grid->size[level] < 2.0 * sphere[k][3])
            level++;
        const double size = grid->size[level];
        grid->used[level]++;
        grid->keys[k] = cell_key(level, cell_of(sphere[k][0], size), cell_of(sphere[k][1], size),
                                 cell_of(sphere[k][2], size));
        start[bucket_of(grid, grid->keys[k]) + 1]++;
    }
    for (int b = 0; b < grid->buckets; b++)
        start[b + 1] += start[b];
    for (int k = 0; k < count; k++) {
        const uint64_t cell = grid->keys[k];
        entry *e = &grid->entries[start[bucket_of(grid, cell)]++];
        *e = (entry){sphere[k][0], sphere[k][1], sphere[k][2],           sphere[k][3],
                     cell,         member[k],    (int)(cell >> 3 * BITS)};
    }
    memmove(start + 1, start, (size_t)grid->buckets * sizeof *start);
    start[0] = 0;
}

static plu_status store(plu_pairs *pairs, int i, int j, plu_error *err)
{
    if (pairs->count == pairs->capacity || !pairs->pair) {
        const plu_status s = plu_reserve(&pairs->pair, &pairs->capacity, pairs->count + 1024,
                                         sizeof *pairs->pair, 1, err);
        if (s != PLU_OK)
            return s;
    }
    pairs->pair[pairs->count++] = i < j ? (plu_pair){i, j} : (plu_pair){j, i};
    return PLU_OK;
}

/* Pairs of entry `at` with the spheres of one cell; in its own cell only with those behind it. */
static plu_status meet(const plu_grid *grid, int at, uint64_t cell, plu_pairs *out, plu_error *err)
{
    const entry *e = &grid->entries[at];
    const int bucket = bucket_of(grid, cell);
    const int begin = cell == e->cell ? at + 1 : grid->bucket_start[bucket];
    for (int k = begin; k < grid->bucket_start[bucket + 1]; k++) {
        const entry *o = &grid->entries[k];
        if (o->cell != cell)
            continue;
        const double dx = o->x - e->x, dy = o->y - e->y, dz = o->z - e->z, reach = o->r + e->r;
        if (dx * dx + dy * dy + dz * dz <= reach * reach) {
            const plu_status s = store(out, e->id, o->id, err);
            if (s != PLU_OK)
                return s;
        }
    }
    return PLU_OK;
}

/* In its own level a sphere meets the cells of a half neighbourhood, in coarser levels of the
 * whole. */
static plu_status meet_all(const plu_grid *grid, int at, plu_pairs *out, plu_error *err)
{
    const entry *e = &grid->entries[at];
    plu_status s = PLU_OK;
    for (int level = e->level; level < grid->levels; level++) {
        if (!grid->used[level])
            continue;
        const double size = grid->size[level];
        const int64_t i = cell_of(e->x, size), j = cell_of(e->y, size), k = cell_of(e->z, size);
        const int first = level == e->level ? 13 : 0; /* 13: the cell itself */
        for (int c = first; c < 27 && s == PLU_OK; c++)
            s = meet(grid, at, cell_key(level, i + c % 3 - 1, j + c / 3 % 3 - 1, k + c / 9 - 1),
                     out, err);
    }
    return s;
}

static plu_status search(plu_grid *grid, int count, plu_error *err)
{
    plu_status status[THREADS] = {PLU_OK};
    for (int t = 0; t < THREADS; t++)
        grid->found[t].count = 0;
#pragma omp parallel num_threads(omp_get_max_threads() < THREADS ? omp_get_max_threads()           \
                                                                 : THREADS) if (count > 2000)
    {
        const int t = omp_get_thread_num();
#pragma omp for schedule(dynamic, 256)
        for (int at = 0; at < count; at++)
            if (status[t] == PLU_OK)
                status[t] = meet_all(grid, at, &grid->found[t], NULL);
    }
    for (int t = 0; t < THREADS; t++)
        if (status[t] != PLU_OK)
            return plu_fail(err, status[t], "out of memory for the pairs of %d bodies", count);
    return PLU_OK;
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

/* The threads' finds in one list: counting sort by a, then each short run by b. The result does not
 * depend on which thread found what. */
static plu_status gather(plu_grid *grid, int bodies, plu_pairs *pairs, plu_error *err)
{
    size_t total = 0, *start = grid->starts;
    memset(start, 0, ((size_t)bodies + 1) * sizeof *start);
    for (int t = 0; t < THREADS; t++) {
        for (size_t k = 0; k < grid->found[t].count; k++)
            start[grid->found[t].pair[k].a + 1]++;
        total += grid->found[t].count;
    }
    pairs->count = 0;
    const plu_status s =
        plu_reserve(&pairs->pair, &pairs->capacity, total, sizeof *pairs->pair, 0, err);
    if (s != PLU_OK)
        return s;
    pairs->count = total;
    for (int a = 0; a < bodies; a++)
        start[a + 1] += start[a];
    for (int t = 0; t < THREADS; t++)
        for (size_t k = 0; k < grid->found[t].count; k++)
            pairs->pair[start[grid->found[t].pair[k].a]++] = grid->found[t].pair[k];
#pragma omp parallel for schedule(static) if (bodies > 2000)
    for (int a = 0; a < bodies; a++) {
        const size_t begin = a ? start[a - 1] : 0;
        sort_by_b(pairs->pair + begin, start[a] - begin);
    }
    return PLU_OK;
}

plu_status plu_grid_pairs(plu_grid *grid, int count, const int *member, const double (*sphere)[4],
                          int bodies, plu_pairs *pairs, plu_error *err)
{
    pairs->count = 0;
    if (count < 2)
        return PLU_OK;
    plu_status s = reserve(grid, count, bodies, err);
    if (s != PLU_OK)
        return s;
    choose_levels(grid, count, sphere);
    fill(grid, count, member, sphere);
    s = search(grid, count, err);
    return s == PLU_OK ? gather(grid, bodies, pairs, err) : s;
}
