/* Candidates with walls: the parts within the skin of a sphere, found by the tree of parts. The
 * distance to a part changes by no more than the center moves, so the sphere's skin alone says for
 * how long the list holds:
 *
 *     gap(x + s) >= gap(x) - |s| :    a part with gap > skin is none while |s| + reach <= skin
 *
 * Each thread lists a share of the spheres, in their order; shares are joined in theirs, so that
 * the list is by sphere and part. Notes (verdict.c) begin with the gap at the time of the build. */
#include "base/memory.h"
#include "base/team.h"
#include "detect/detector.h"
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { FEW = 4000 }; /* spheres for which threads do not pay */

static int by_part(const void *x, const void *y)
{
    return ((const plu_pair *)x)->a - ((const plu_pair *)y)->a;
}

/* Appends the pairs of a sphere, in the order of the parts. */
static plu_status append_walls(const plu_detector *d, int sphere, plu_pairs *pairs)
{
    const plu_world *w = d->world;
    const double *x = w->spheres.at[sphere], skin = d->origin[sphere][3];
    const size_t begin = pairs->count;
    plu_part_search search = plu_parts_near(x, x[3] + skin);
    search.more = plu_part_skins(d);
    double normal[3];
    for (int p; (p = plu_part_next(&w->tree, &search)) >= 0;) {
        if (plu_part_gap(&w->parts[p], x, normal) > skin && !plu_in_part_skin(d, p, sphere))
            continue;
        if (pairs->count == pairs->capacity &&
            plu_reserve(&pairs->pair, &pairs->capacity, pairs->count + 1024, sizeof *pairs->pair, 1,
                        NULL) != PLU_OK)
            return PLU_IO;
        pairs->pair[pairs->count++] = (plu_pair){p, sphere};
    }
    if (pairs->count > begin + 1)
        qsort(pairs->pair + begin, pairs->count - begin, sizeof *pairs->pair, by_part);
    return PLU_OK;
}

/* The pairs of the members from begin to end - 1. */
static plu_status list_share(const plu_detector *d, int begin, int end, plu_pairs *pairs)
{
    plu_status s = PLU_OK;
    pairs->count = 0;
    for (int k = begin; k < end && s == PLU_OK; k++)
        if (!plu_sphere_fixed(d->world, d->member[k]))
            s = append_walls(d, d->member[k], pairs);
    return s;
}

static int share_begin(int count, int shares, int share)
{
    return (int)((int64_t)count * share / shares);
}

/* A share of the members for each thread, in their order; the first one is written to where all are
 * gathered. */
static void list_each(plu_detector *d, int count, int shares, bool *failed)
{
#pragma omp for schedule(static, 1) nowait
    for (int k = 0; k < shares; k++)
        if (list_share(d, share_begin(count, shares, k), share_begin(count, shares, k + 1),
                       k ? &d->share[k - 1] : &d->walls) != PLU_OK) {
#pragma omp atomic write
            *failed = true;
        }
}

static plu_status list_shares(plu_detector *d, int count, int shares)
{
    bool failed = false;
    PLU_TEAM(shares > 1, list_each(d, count, shares, &failed));
    size_t all = d->walls.count;
    for (int k = 1; k < shares; k++)
        all += d->share[k - 1].count;
    if (failed || plu_reserve(&d->walls.pair, &d->walls.capacity, all, sizeof *d->walls.pair, 1,
                              NULL) != PLU_OK)
        return PLU_IO;
    for (int k = 1; k < shares; k++) {
        const plu_pairs *from = &d->share[k - 1];
        if (from->count > 0)
            memcpy(d->walls.pair + d->walls.count, from->pair, from->count * sizeof *from->pair);
        d->walls.count += from->count;
    }
    return PLU_OK;
}

void plu_begin_wall_notes(plu_detector *d, size_t begin, size_t end)
{
    for (size_t k = begin; k < end; k++) {
        const plu_pair pair = d->walls.pair[k];
        const double *o = d->origin[pair.b],
                     sphere[4] = {o[0], o[1], o[2], d->world->spheres.at[pair.b][3]};
        double normal[3];
        const plu_part *part = &d->world->parts[pair.a];
        /* of one that moves it tells nothing of what is near later */
        d->wall_note[k] =
            (plu_wall_note){.gap = part->pose ? -HUGE_VAL : plu_part_gap(part, sphere, normal)};
    }
}

static void begin_notes(plu_detector *d, int shares)
{
    const size_t all = d->walls.count;
#pragma omp for schedule(static) nowait
    for (int k = 0; k < shares; k++)
        plu_begin_wall_notes(d, all * (size_t)k / (size_t)shares,
                             all * (size_t)(k + 1) / (size_t)shares);
}

plu_status plu_list_walls(plu_detector *d, int count, plu_error *err)
{
    const int threads = plu_many(count, FEW) ? omp_get_max_threads() : 1;
    const int shares = threads < PLU_MOST_SHARES + 1 ? threads : PLU_MOST_SHARES + 1;
    d->walls.count = 0;
    if (d->world->parts_count == 0)
        return PLU_OK;
    plu_status s = list_shares(d, count, shares);
    if (s == PLU_OK)
        s = plu_reserve(&d->wall_note, &d->capacity_wall_note, d->walls.count, sizeof *d->wall_note,
                        0, NULL);
    if (s != PLU_OK)
        return plu_fail(err, PLU_IO, "out of memory: candidates with walls");
    PLU_TEAM(shares > 1, begin_notes(d, shares));
    return PLU_OK;
}
