/* Compiled for each instruction set (base/cpu.h). */
#include "base/lanes.h"
#include "base/memory.h"
#include "detect/buckets.h"

typedef struct seeker { /* a sphere, and whom it looks for */
    lanes x, y, z, r;
    mask row, least; /* in this row, numbers above this one */
    int id;
} seeker;

static inline mask load_names(const int64_t *at)
{
    mask m;
    memcpy(&m, at, sizeof m);
    return m;
}

static inline mask all_names(int64_t name)
{
    return name - (mask){0};
}

/* Other rows may share the buckets. */
static inline void meet_places(const plu_buckets *cells, const seeker *s, int begin, int end,
                               plu_pairs *pairs)
{
    for (int at = begin; at < end; at += WIDTH) {
        const vectors d = {load(cells->x + at) - s->x, load(cells->y + at) - s->y,
                           load(cells->z + at) - s->z};
        const lanes reach = load(cells->r + at) + s->r;
        const mask met = (dot(d, d) <= reach * reach) & (load_names(cells->row + at) == s->row) &
                         (load_names(cells->id + at) > s->least);
        const unsigned beyond = end - at < WIDTH ? ~0u << (end - at) : 0;
        for (unsigned left = bits(met) & ~beyond; left; left &= left - 1) {
            const int other = (int)cells->id[at + __builtin_ctz(left)];
            pairs->pair[pairs->count++] =
                s->id < other ? (plu_pair){s->id, other} : (plu_pair){other, s->id};
        }
    }
}

static plu_status make_room(plu_pairs *pairs, size_t more)
{
    const size_t need = pairs->count + more;
    return need <= pairs->capacity && pairs->pair
               ? PLU_OK
               : plu_reserve(&pairs->pair, &pairs->capacity, need + 1024, sizeof *pairs->pair, 1,
                             NULL);
}

/* Some cells of a row, the first in `bucket`; the row goes on in bucket 0 after the last one. */
static plu_status meet_cells(const plu_buckets *cells, const seeker *s, int bucket, int64_t many,
                             plu_pairs *pairs)
{
    const int *start = cells->groups.start;
    const bool whole = many >= cells->count;
    const int begin = whole ? 0 : start[bucket];
    const int64_t beyond = whole ? 0 : bucket + many - cells->count;
    const int end = start[whole || beyond > 0 ? cells->count : bucket + many];
    const int more = beyond > 0 ? start[beyond] : 0;
    const plu_status status = make_room(pairs, (size_t)(end - begin + more));
    if (status != PLU_OK)
        return status;
    meet_places(cells, s, begin, end, pairs);
    meet_places(cells, s, 0, more, pairs);
    return PLU_OK;
}

/* All cells of a level that hold spheres which it may meet: their radius is at most half a cell. */
static plu_status meet_level(const plu_buckets *cells, int level, const double sphere[4], seeker *s,
                             plu_pairs *pairs)
{
    const double size = cells->size[level];
    const int64_t i = plu_cell_of(sphere[0], size), j = plu_cell_of(sphere[1], size),
                  k = plu_cell_of(sphere[2], size);
    const int64_t far = sphere[3] <= 0.5 * size ? 1 : (int64_t)ceil(sphere[3] / size + 0.5);
    for (int64_t z = k - far; z <= k + far; z++)
        for (int64_t y = j - far; y <= j + far; y++) {
            const int64_t row = plu_row_of(level, y, z);
            s->row = all_names(row);
            const plu_status status =
                meet_cells(cells, s, plu_bucket_of(cells, row, i - far), 2 * far + 1, pairs);
            if (status != PLU_OK)
                return status;
        }
    return PLU_OK;
}

plu_status PLU_ISA(plu_meet)(const plu_buckets *cells, int id, const double sphere[4],
                             bool with_all, plu_pairs *pairs)
{
    const int own = plu_level_of(cells, sphere[3]);
    seeker s = {all(sphere[0]),
                all(sphere[1]),
                all(sphere[2]),
                all(sphere[3]),
                all_names(0),
                all_names(id),
                id};
    for (int level = with_all ? 0 : own; level < cells->levels; level++) {
        if (!cells->used[level])
            continue;
        if (with_all || level > own)
            s.least = all_names(-1);
        const plu_status status = meet_level(cells, level, sphere, &s, pairs);
        if (status != PLU_OK)
            return status;
    }
    return PLU_OK;
}
