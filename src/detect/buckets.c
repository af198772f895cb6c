/* Spheres in hashed cells on levels whose cells double in size:
 *
 *     level 0   |_|_|_|_|_|_|_|_|     a sphere is in the level whose cells just hold its diameter:
 *     level 1   |___|___|___|___|     in its own level it can meet those of the 27 cells around it
 *     level 2   |_______|_______|     only, and of a coarser level those of the cells it reaches
 *
 * so that any mixture of sizes takes linear time: a boulder is not compared with all sand, the sand
 * around it looks for the boulder. A row of cells along x is named by (level, y, z), and its bucket
 * is the hash of its name plus x: neighbors along x are in consecutive buckets, and the spheres of
 * all buckets, sorted, in consecutive places. One range of places has three cells of a row (and
 * perhaps others, whose row differs). There are as many buckets as spheres, about. */
#include "detect/buckets.h"
#include "base/memory.h"
#include "base/team.h"
#include "base/vec3.h"
#include <stdlib.h>
#include <string.h>

enum {
    FEW = 2000, /* spheres for which threads do not pay */
    SPARE = 8   /* places behind the last sphere that a look at several may reach */
};

static void find_sizes(int count, const double (*sphere)[4], double *smallest, double *largest)
{
#pragma omp for schedule(static) nowait reduction(min : smallest[:1]) reduction(max : largest[:1])
    for (int k = 0; k < count; k++) {
        *smallest = plu_min(*smallest, sphere[k][3]);
        *largest = plu_max(*largest, sphere[k][3]);
    }
}

static void choose_levels(plu_buckets *cells, int count, const double (*sphere)[4])
{
    double smallest = INFINITY, largest = 0.0;
    PLU_TEAM(plu_many(count, FEW), find_sizes(count, sphere, &smallest, &largest));
    /* A cell must hold a sphere's diameter; sizes up to 1.5 times the smallest share a level. */
    cells->size[0] = largest <= 1.5 * smallest ? 2.0 * largest : 3.0 * smallest;
    cells->levels = 1;
    while (cells->size[cells->levels - 1] < 2.0 * largest && cells->levels < PLU_LEVELS) {
        cells->size[cells->levels] = 2.0 * cells->size[cells->levels - 1];
        cells->levels++;
    }
    cells->size[cells->levels - 1] = fmax(cells->size[cells->levels - 1], 2.0 * largest);
}

/* Level, row and bucket of each sphere. */
static void choose_cells(plu_buckets *cells, int count, const double (*sphere)[4])
{
    int *used = cells->used;
#pragma omp for schedule(static) nowait reduction(+ : used[:PLU_LEVELS])
    for (int k = 0; k < count; k++) {
        const int level = plu_level_of(cells, sphere[k][3]);
        const double size = cells->size[level];
        const int64_t row =
            plu_row_of(level, plu_cell_of(sphere[k][1], size), plu_cell_of(sphere[k][2], size));
        used[level]++;
        cells->unsorted[k] = row;
        cells->bucket[k] = plu_bucket_of(cells, row, plu_cell_of(sphere[k][0], size));
    }
}

static plu_status reserve(plu_buckets *cells, size_t count, plu_error *err)
{
    const size_t places = (count + 2 * SPARE - 1) / SPARE * SPARE;
    cells->count = 64;
    while ((size_t)cells->count < count && cells->count < 1 << 30)
        cells->count *= 2;
    plu_status s = plu_reserve(&cells->numbers, &cells->numbers_capacity, 4 * places,
                               sizeof *cells->numbers, 0, err);
    if (s == PLU_OK)
        s = plu_reserve(&cells->row, &cells->row_capacity, places, sizeof *cells->row, 0, err);
    if (s == PLU_OK)
        s = plu_reserve(&cells->id, &cells->id_capacity, places, sizeof *cells->id, 0, err);
    if (s == PLU_OK)
        s = plu_reserve(&cells->bucket, &cells->bucket_capacity, count, sizeof *cells->bucket, 0,
                        err);
    if (s == PLU_OK)
        s = plu_reserve(&cells->unsorted, &cells->unsorted_capacity, count, sizeof *cells->unsorted,
                        0, err);
    if (s != PLU_OK)
        return s;
    cells->x = cells->numbers;
    cells->y = cells->x + places;
    cells->z = cells->y + places;
    cells->r = cells->z + places;
    return PLU_OK;
}

static void sort_members(plu_buckets *cells, int count, const int *member,
                         const double (*sphere)[4])
{
#pragma omp for schedule(static) nowait
    for (int at = 0; at < count; at++) {
        const int k = cells->groups.order[at];
        cells->x[at] = sphere[k][0];
        cells->y[at] = sphere[k][1];
        cells->z[at] = sphere[k][2];
        cells->r[at] = sphere[k][3];
        cells->row[at] = cells->unsorted[k];
        cells->id[at] = member[k];
    }
}

/* Spare places are in no row. */
static void clear_spare(plu_buckets *cells, int count)
{
    for (int at = count; at < count + SPARE; at++) {
        cells->x[at] = cells->y[at] = cells->z[at] = cells->r[at] = 0.0;
        cells->row[at] = cells->id[at] = -1;
    }
}

plu_status plu_buckets_fill(plu_buckets *cells, int count, const int *member,
                            const double (*sphere)[4], plu_error *err)
{
    plu_status s = reserve(cells, (size_t)count, err);
    if (s != PLU_OK)
        return s;
    choose_levels(cells, count, sphere);
    memset(cells->used, 0, sizeof cells->used);
    PLU_TEAM(plu_many(count, FEW), choose_cells(cells, count, sphere));
    s = plu_counting_sort(&cells->groups, count, cells->bucket, cells->count, err);
    if (s != PLU_OK)
        return s;
    PLU_TEAM(plu_many(count, FEW), sort_members(cells, count, member, sphere));
    clear_spare(cells, count);
    return PLU_OK;
}

void plu_buckets_free(plu_buckets *cells)
{
    plu_groups_free(&cells->groups);
    free(cells->numbers);
    free(cells->row);
    free(cells->id);
    free(cells->bucket);
    free(cells->unsorted);
}
