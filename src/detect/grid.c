#include "detect/grid.h"
#include "base/group.h"
#include "base/memory.h"
#include "base/vec3.h"
#include <limits.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum {
    LEVELS = 32,
    BITS = 19,
    THREADS = 64,
    FEW = 2000 /* spheres for which threads do not pay */
};

typedef struct entry { /* a sphere in the order of the cells */
    double x, y, z, r;
    uint64_t cell; /* level and masked cell coordinates */
    int id, level;
} entry;

struct plu_grid {
    size_t entries_capacity, keys_capacity, bucket_capacity, first_capacity, place_capacity;
    entry *entries;
    plu_groups cells; /* spheres by bucket */
    uint64_t *keys;   /* cell of each sphere before sorting */
    int *bucket;      /* the bucket of that cell */
    int *first;       /* first pair of each body */
    int *place;       /* scratch of the sort of the pairs */
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
    plu_groups_free(&grid->cells);
    free(grid->keys);
    free(grid->bucket);
    free(grid->first);
    free(grid->place);
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
#pragma omp parallel for schedule(static) reduction(min                                            \
                                                    : smallest)                                    \
    reduction(max                                                                                  \
              : largest) if (count > FEW)
    for (int k = 0; k < count; k++) {
        smallest = plu_min(smallest, sphere[k][3]);
        largest = plu_max(largest, sphere[k][3]);
    }
    /* A cell must hold a sphere's diameter; sizes up to 1.5 times the smallest share a level. */
    grid->size[0] = largest <= 1.5 * smallest ? 2.0 * largest : 3.0 * smallest;
    grid->levels = 1;
    while (grid->size[grid->levels - 1] < 2.0 * largest && grid->levels < LEVELS) {
        grid->size[grid->levels] = 2.0 * grid->size[grid->levels - 1];
        grid->levels++;
    }
    grid->size[grid->levels - 1] = fmax(grid->size[grid->levels - 1], 2.0 * largest);
}

static plu_status reserve(plu_grid *grid, int count, int bodies, plu_error *err)
{
    grid->buckets = 64;
    while (grid->buckets < count && grid->buckets < 1 << 30)
        grid->buckets *= 2;
    plu_status s = plu_reserve(&grid->entries, &grid->entries_capacity, (size_t)count,
                               sizeof *grid->entries, 0, err);
    if (s == PLU_OK)
        s = plu_reserve(&grid->bucket, &grid->bucket_capacity, (size_t)count, sizeof *grid->bucket,
                        0, err);
    if (s == PLU_OK)
        s = plu_reserve(&grid->keys, &grid->keys_capacity, (size_t)count, sizeof *grid->keys, 0,
                        err);
    if (s == PLU_OK)
        s = plu_reserve(&grid->first, &grid->first_capacity, (size_t)bodies + 1,
                        sizeof *grid->first, 0, err);
    return s;
}

/* Level, cell and bucket of each sphere. */
static void choose_cells(plu_grid *grid, int count, const double (*sphere)[4])
{
    int used[LEVELS] = {0};
#pragma omp parallel for schedule(static) reduction(+ : used[:LEVELS]) if (count > FEW)
    for (int k = 0; k < count; k++) {
        int level = 0;
        while (level + 1 < grid->levels && grid->size[level] < 2.0 * sphere[k][3])
            level++;
        const double size = grid->size[level];
        used[level]++;
        grid->keys[k] = cell_key(level, cell_of(sphere[k][0], size), cell_of(sphere[k][1], size),
                                 cell_of(sphere[k][2], size));
        grid->bucket[k] = bucket_of(grid, grid->keys[k]);
    }
    memcpy(grid->used, used, sizeof used);
}

/* The spheres in the order of their buckets. */
static plu_status fill(plu_grid *grid, int count, const int *member, const double (*sphere)[4],
                       plu_error *err)
{
    choose_cells(grid, count, sphere);
    const plu_status s = plu_groups_make(&grid->cells, count, grid->bucket, grid->buckets, err);
    if (s != PLU_OK)
        return s;
#pragma omp parallel for schedule(static) if (count > FEW)
    for (int at = 0; at < count; at++) {
        const int k = grid->cells.order[at];
        const uint64_t cell = grid->keys[k];
        grid->entries[at] =
            (entry){sphere[k][0], sphere[k][1], sphere[k][2],           sphere[k][3],
                    cell,         member[k],    (int)(cell >> 3 * BITS)};
    }
    return PLU_OK;
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
    const int begin = cell == e->cell ? at + 1 : grid->cells.start[bucket];
    for (int k = begin; k < grid->cells.start[bucket + 1]; k++) {
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
                                                                 : THREADS) if (count > FEW)
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

/* How often each body comes first in the finds of a part: of every `parts`-th thread. */
static void count_found(const plu_grid *grid, int part, int parts, int *place, int bodies)
{
    memset(place, 0, (size_t)bodies * sizeof *place);
    for (int t = part; t < THREADS; t += parts)
        for (size_t k = 0; k < grid->found[t].count; k++)
            place[grid->found[t].pair[k].a]++;
}

static void sort_found(const plu_grid *grid, int part, int parts, int *place, plu_pairs *pairs)
{
    for (int t = part; t < THREADS; t += parts)
        for (size_t k = 0; k < grid->found[t].count; k++)
            pairs->pair[place[grid->found[t].pair[k].a]++] = grid->found[t].pair[k];
}

static plu_status reserve_pairs(plu_grid *grid, size_t total, int bodies, int parts,
                                plu_pairs *pairs, plu_error *err)
{
    if (total > INT_MAX)
        return plu_fail(err, PLU_IO, "%zu pairs of %d bodies are near each other: at most %d",
                        total, bodies, INT_MAX);
    pairs->count = 0;
    plu_status s = plu_reserve(&pairs->pair, &pairs->capacity, total, sizeof *pairs->pair, 0, err);
    if (s == PLU_OK)
        s = plu_reserve(&grid->place, &grid->place_capacity, (size_t)parts * (size_t)bodies,
                        sizeof *grid->place, 0, err);
    if (s == PLU_OK)
        pairs->count = total;
    return s;
}

/* The threads' finds in one list: counting sort by a, then each short run by b. The result does not
 * depend on which thread found what. */
static plu_status gather(plu_grid *grid, int bodies, plu_pairs *pairs, plu_error *err)
{
    size_t total = 0;
    for (int t = 0; t < THREADS; t++)
        total += grid->found[t].count;
    const int parts = plu_group_parts(total, bodies);
    const plu_status s = reserve_pairs(grid, total, bodies, parts, pairs, err);
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
    s = fill(grid, count, member, sphere, err);
    if (s == PLU_OK)
        s = search(grid, count, err);
    return s == PLU_OK ? gather(grid, bodies, pairs, err) : s;
}
