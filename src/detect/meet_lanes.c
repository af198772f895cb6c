/* The search for pairs in the cells of buckets.c, several at a time (compiled for each instruction
 * set, base/cpu.h). Of the cells around that of a sphere o half are looked at, so that each pair of
 * cells is met once; in y and z, each with three cells along x:
 *
 *         z      # # #  +1           a row of three cells is one run of places in memory
 *         ^      . o #   0           (two where it goes over the end of the buckets),
 *         |      . . .  -1           which is scanned WIDTH places at a time:
 *          --> y
 *                                    |d|^2 <= (r_a + r_b)^2 , and the name of the row is the same
 *
 * In its own row o looks at what is behind it in its cell, and at the next one. Larger spheres it
 * finds in coarser levels, in all cells within its reach: those do not look for it. */
#include "base/lanes.h"
#include "base/memory.h"
#include "detect/buckets.h"

typedef struct seeker { /* a sphere */
    lanes x, y, z, r;
    int id;
} seeker;

/* Places begin to end - 1 hold some cells of a row, and perhaps others. */
typedef struct run {
    int begin, end;
    mask row;
} run;

/* What the spheres of a cell meet in their own level: half of the cells around it, so that each
 * pair is found once. */
typedef struct half {
    int64_t row, i;
    int runs;
    run run[10]; /* five rows, each perhaps in two pieces; the first begins behind the sphere */
} half;

static inline mask all_names(int64_t name)
{
    return name - (mask){0};
}

/* The pairs of a sphere with those of WIDTH others whose bits are set, in their order; may write
 * WIDTH pairs behind the last. */
#if defined(__AVX512F__)
static inline void keep(const int *id, unsigned which, int own, plu_pairs *pairs)
{
    const __m256i others = _mm256_loadu_si256((const __m256i *)(const void *)id),
                  same = _mm256_set1_epi32(own);
    const __m512i a = _mm512_cvtepu32_epi64(_mm256_min_epi32(same, others)),
                  b = _mm512_cvtepu32_epi64(_mm256_max_epi32(same, others));
    const __m512i all = _mm512_or_si512(a, _mm512_slli_epi64(b, 32));
    _mm512_storeu_si512(pairs->pair + pairs->count,
                        _mm512_maskz_compress_epi64((__mmask8)which, all));
    pairs->count += (size_t)__builtin_popcount(which);
}
#else
static inline void keep(const int *id, unsigned which, int own, plu_pairs *pairs)
{
    for (; which; which &= which - 1) {
        const int other = id[__builtin_ctz(which)];
        pairs->pair[pairs->count++] = own < other ? (plu_pair){own, other} : (plu_pair){other, own};
    }
}
#endif

static inline void meet_run(const plu_buckets *cells, const seeker *s, const run *r,
                            plu_pairs *pairs)
{
    for (int at = r->begin; at < r->end; at += WIDTH) {
        const vectors d = {load(cells->x + at) - s->x, load(cells->y + at) - s->y,
                           load(cells->z + at) - s->z};
        const lanes reach = load(cells->r + at) + s->r;
        mask row;
        memcpy(&row, cells->row + at, sizeof row);
        const unsigned beyond = r->end - at < WIDTH ? ~0u << (r->end - at) : 0;
        const unsigned met = bits((dot(d, d) <= reach * reach) & (row == r->row)) & ~beyond;
        if (met)
            keep(cells->id + at, met, s->id, pairs);
    }
}

static plu_status meet_runs(const plu_buckets *cells, const seeker *s, const run *r, int runs,
                            plu_pairs *pairs)
{
    size_t most = pairs->count + WIDTH;
    for (int k = 0; k < runs; k++)
        most += (size_t)(r[k].end - r[k].begin);
    if (most > pairs->capacity || !pairs->pair) {
        const plu_status status =
            plu_reserve(&pairs->pair, &pairs->capacity, most + 1024, sizeof *pairs->pair, 1, NULL);
        if (status != PLU_OK)
            return status;
    }
    for (int k = 0; k < runs; k++)
        meet_run(cells, s, &r[k], pairs);
    return PLU_OK;
}

/* The places of cells i to i + many - 1 of a row; it continues in bucket 0 after the last one.
 * Returns in how many pieces they are, at most two. */
static int find_cells(const plu_buckets *cells, int64_t row, int64_t i, int64_t many, run r[2])
{
    const int *start = cells->groups.start;
    const int bucket = many < cells->count ? plu_bucket_of(cells, row, i) : 0;
    const int64_t end = many < cells->count ? bucket + many : cells->count;
    r[0].begin = start[bucket];
    r[0].end = start[end < cells->count ? end : cells->count];
    r[0].row = all_names(row);
    if (end <= cells->count)
        return 1;
    r[1] = (run){0, start[end - cells->count], r[0].row};
    return 2;
}

static void look_around(const plu_buckets *cells, int at, int64_t i, half *h)
{
    const int level = plu_level_of_row(cells->row[at]);
    const double size = cells->size[level];
    const int64_t j = plu_cell_of(cells->y[at], size), k = plu_cell_of(cells->z[at], size);
    static const int dj[] = {1, -1, 0, 1}, dk[] = {0, 1, 1, 1};
    h->row = cells->row[at];
    h->i = i;
    h->runs = find_cells(cells, h->row, i, 2, h->run); /* the cell itself and the next */
    for (int c = 0; c < 4; c++)
        h->runs +=
            find_cells(cells, plu_row_of(level, j + dj[c], k + dk[c]), i - 1, 3, h->run + h->runs);
}

/* All cells of a level that hold spheres which it may meet: their radius is at most half a cell. */
static plu_status meet_level(const plu_buckets *cells, int level, const double sphere[4],
                             const seeker *s, plu_pairs *pairs)
{
    const double size = cells->size[level];
    const int64_t i = plu_cell_of(sphere[0], size), j = plu_cell_of(sphere[1], size),
                  k = plu_cell_of(sphere[2], size);
    const int64_t far = sphere[3] <= 0.5 * size ? 1 : (int64_t)ceil(sphere[3] / size + 0.5);
    for (int64_t z = k - far; cells->used[level] && z <= k + far; z++)
        for (int64_t y = j - far; y <= j + far; y++) {
            run r[2];
            const int runs = find_cells(cells, plu_row_of(level, y, z), i - far, 2 * far + 1, r);
            const plu_status status = meet_runs(cells, s, r, runs, pairs);
            if (status != PLU_OK)
                return status;
        }
    return PLU_OK;
}

static inline seeker seek_for(int id, const double sphere[4])
{
    return (seeker){all(sphere[0]), all(sphere[1]), all(sphere[2]), all(sphere[3]), id};
}

plu_status PLU_ISA(plu_meet)(const plu_buckets *cells, int begin, int end, plu_pairs *pairs)
{
    half h = {.row = -1};
    plu_status status = PLU_OK;
    for (int at = begin; at < end && status == PLU_OK; at++) {
        const int own = plu_level_of_row(cells->row[at]);
        const int64_t i = plu_cell_of(cells->x[at], cells->size[own]);
        if (h.row != cells->row[at] || h.i != i)
            look_around(cells, at, i, &h);
        h.run[0].begin = at + 1;
        const double sphere[4] = {cells->x[at], cells->y[at], cells->z[at], cells->r[at]};
        const seeker s = seek_for(cells->id[at], sphere);
        status = meet_runs(cells, &s, h.run, h.runs, pairs);
        for (int level = own + 1; level < cells->levels && status == PLU_OK; level++)
            status = meet_level(cells, level, sphere, &s, pairs);
    }
    return status;
}

plu_status PLU_ISA(plu_seek)(const plu_buckets *cells, int id, const double sphere[4],
                             plu_pairs *pairs)
{
    const seeker s = seek_for(id, sphere);
    plu_status status = PLU_OK;
    for (int level = 0; level < cells->levels && status == PLU_OK; level++)
        status = meet_level(cells, level, sphere, &s, pairs);
    return status;
}
