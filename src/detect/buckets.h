/* buckets.h: inside of the grid: spheres sorted by hashed cells on levels that double in size. */
#ifndef DETECT_BUCKETS_H
#define DETECT_BUCKETS_H

#include "base/cpu.h"
#include "base/reorder.h"
#include "detect/grid.h"
#include <math.h>

enum { PLU_LEVELS = 32 };

/* A row of cells along x has consecutive buckets, so that three cells are read in one go. */
typedef struct plu_buckets {
    int levels;
    double size[PLU_LEVELS]; /* of the cells of a level (m) */
    int used[PLU_LEVELS];    /* spheres in a level */
    int count;               /* of buckets, a power of two */
    plu_groups groups;       /* spheres by bucket: those of bucket i are groups.start[i] and on */
    double *x, *y, *z, *r;   /* by place in the order of buckets, with spare places at the end */
    int64_t *row;            /* of its cell */
    int *id;                 /* of the sphere */

    double *numbers;   /* where x to r lie */
    int *bucket;       /* of each sphere before sorting */
    int64_t *unsorted; /* row, likewise */
    size_t numbers_capacity, row_capacity, id_capacity, bucket_capacity, unsorted_capacity;
} plu_buckets;

/* Sorts spheres as plu_grid_pairs has them. PLU_OK or PLU_IO. */
plu_status plu_buckets_fill(plu_buckets *cells, int count, const int *member,
                            const double (*sphere)[4], plu_error *err);
void plu_buckets_free(plu_buckets *cells);

/* Appends the pairs that the spheres in places begin to end - 1 find: each pair is found by the one
 * in the finer level, or by one of both. PLU_OK or PLU_IO. */
typedef plu_status plu_meet_function(const plu_buckets *cells, int begin, int end,
                                     plu_pairs *pairs);
PLU_ISA_DECLARE(plu_meet_function, plu_meet);

/* Appends the pairs of any sphere with all that are sorted. */
typedef plu_status plu_seek_function(const plu_buckets *cells, int id, const double sphere[4],
                                     plu_pairs *pairs);
PLU_ISA_DECLARE(plu_seek_function, plu_seek);

static inline int plu_level_of(const plu_buckets *cells, double radius)
{
    int level = 0;
    while (level + 1 < cells->levels && cells->size[level] < 2.0 * radius)
        level++;
    return level;
}

static inline int64_t plu_cell_of(double x, double size)
{
    const double c = floor(x / size);
    return fabs(c) < 1e15 ? (int64_t)c : 0;
}

/* Coordinates wrap at 2^29 cells: spheres that meet by wrapping are distinguished by their
 * distance.
 */
static inline int64_t plu_row_of(int level, int64_t j, int64_t k)
{
    const uint64_t low = (UINT64_C(1) << 29) - 1;
    return (int64_t)((uint64_t)level << 58 | ((uint64_t)j & low) << 29 | ((uint64_t)k & low));
}

static inline int plu_level_of_row(int64_t row)
{
    return (int)((uint64_t)row >> 58);
}

/* Bucket of cell i of a row. */
static inline int plu_bucket_of(const plu_buckets *cells, int64_t row, int64_t i)
{
    const uint64_t start = ((uint64_t)row * UINT64_C(0x9E3779B97F4A7C15)) >> 32;
    return (int)((start + (uint64_t)i) & (uint64_t)(cells->count - 1));
}

#endif
