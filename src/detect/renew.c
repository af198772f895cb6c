/* Between two builds of the candidates: the few spheres that used up their skin get a new one where
 * they are now, and their pairs are found anew; all others keep theirs.
 *
 *     built at t_0     (  o  )  skin m_i about the origin o_i; sphere i has moved by s_i since
 *     rule             a pair that is not listed has |o_a - o_b| > r_a + m_a + r_b + m_b, so it is
 *                      no contact while s_i + reach_i <= m_i of both (reach: what it may close)
 *     renewed at t_1   o_i and m_i are new: the grid is asked for what the grown sphere meets of
 *                      the origins of t_0, and the spheres renewed since, which the grid has where
 *                      they were, are compared one by one
 *
 * so the rule (src/machinery.md, "Detection") holds with the origin and the skin that each has.
 * What is found joins the `extra` pairs, merged in their order; a pair too many is no harm. */
#include "base/memory.h"
#include "base/vec3.h"
#include "detect/detector.h"
#include <stdlib.h>
#include <string.h>

static int by_number(const void *x, const void *y)
{
    const int a = *(const int *)x, b = *(const int *)y;
    return (a > b) - (a < b);
}

static int by_key(const void *x, const void *y)
{
    const uint64_t a = plu_pair_key(*(const plu_pair *)x), b = plu_pair_key(*(const plu_pair *)y);
    return (a > b) - (a < b);
}

enum { AT_LEAST = 4 }; /* spheres, however few there are in all */

/* Whether `count` spheres are at most a `part`-th of all. */
static bool are_few(const plu_detector *d, int count, int part)
{
    return count <= AT_LEAST * 256 / part || count <= d->world->spheres.count / part;
}

bool plu_renewable(const plu_detector *d)
{
    const plu_world *w = d->world;
    return d->built && w->space.kind == PLU_OPEN_SPACE && d->generation == w->generation &&
           !d->watching && d->over_count <= PLU_AT_ONCE && are_few(d, d->over_count, 256) &&
           d->renewed_count + d->over_count <= PLU_MOST_RENEWED &&
           are_few(d, d->renewed_count + d->over_count, 64) && plu_grid_can_seek(d->grid);
}

static bool grown_meet(const plu_detector *d, int i, int j)
{
    double apart[3];
    plu_apart(&d->world->space, d->origin[i], d->origin[j], apart);
    const double reach =
        d->world->spheres.at[i][3] + d->origin[i][3] + d->world->spheres.at[j][3] + d->origin[j][3];
    return plu_dot(apart, apart) <= reach * reach;
}

static plu_status append(plu_pairs *pairs, plu_pair pair, plu_error *err)
{
    const plu_status s =
        plu_reserve(&pairs->pair, &pairs->capacity, pairs->count + 1, sizeof *pairs->pair, 1, err);
    if (s == PLU_OK)
        pairs->pair[pairs->count++] = pair;
    return s;
}

/* The grid has all spheres where they were at the build: also those renewed since. */
static plu_status seek(plu_detector *d, int i, plu_error *err)
{
    const double *o = d->origin[i];
    const double sphere[4] = {o[0], o[1], o[2], o[3] + d->world->spheres.at[i][3]};
    plu_status s = plu_grid_seek(d->grid, i, sphere, &d->found, err);
    for (int k = 0; s == PLU_OK && k < d->renewed_count; k++) {
        const int j = d->renewed[k];
        if (j != i && grown_meet(d, i, j))
            s = append(&d->found, i < j ? (plu_pair){i, j} : (plu_pair){j, i}, err);
    }
    return s;
}

static bool holds(const plu_pairs *pairs, plu_pair pair)
{
    const size_t at = plu_pair_place(pairs, pair);
    return at < pairs->count && plu_pair_key(pairs->pair[at]) == plu_pair_key(pair);
}

/* What is found and not yet listed joins the extra pairs, in their order. */
static plu_status list_found(plu_detector *d, plu_error *err)
{
    plu_pairs *found = &d->found, *extra = &d->extra;
    if (found->count == 0)
        return PLU_OK;
    size_t fresh = 0;
    qsort(found->pair, found->count, sizeof *found->pair, by_key);
    for (size_t k = 0; k < found->count; k++) {
        const plu_pair p = found->pair[k];
        const bool again = fresh && plu_pair_key(found->pair[fresh - 1]) == plu_pair_key(p);
        if (p.a != p.b && !plu_both_fixed(d->world, p.a, p.b) && !again && !holds(&d->spheres, p) &&
            !holds(extra, p))
            found->pair[fresh++] = p;
    }
    const plu_status s = plu_reserve(&extra->pair, &extra->capacity, extra->count + fresh,
                                     sizeof *extra->pair, 1, err);
    if (s != PLU_OK)
        return s;
    size_t old = extra->count, to = extra->count += fresh;
    while (fresh) {
        const bool old_last =
            old && plu_pair_key(extra->pair[old - 1]) > plu_pair_key(found->pair[fresh - 1]);
        extra->pair[--to] = old_last ? extra->pair[--old] : found->pair[--fresh];
    }
    return PLU_OK;
}

/* Walls are listed by sphere, then part: the first candidate that does not stand before these. */
static size_t first_wall(const plu_pairs *walls, int sphere, int part)
{
    size_t low = 0, high = walls->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const plu_pair p = walls->pair[middle];
        if (p.b < sphere || (p.b == sphere && p.a < part))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static plu_status list_walls(plu_detector *d, int i, plu_error *err)
{
    const plu_world *w = d->world;
    plu_pairs *walls = &d->walls;
    plu_part_search search =
        plu_parts_near(w->spheres.at[i], w->spheres.at[i][3] + d->origin[i][3]);
    search.more = plu_part_skins(d);
    for (int part; (part = plu_part_next(&w->tree, &search)) >= 0;) {
        double normal[3];
        if (plu_part_gap(&w->parts[part], w->spheres.at[i], normal) > d->origin[i][3])
            if (!plu_in_part_skin(d, part, i)) /* of those that move */
                continue;
        const size_t low = first_wall(walls, i, part);
        if (low < walls->count && walls->pair[low].b == i && walls->pair[low].a == part)
            continue;
        plu_status s = append(walls, (plu_pair){part, i}, err);
        if (s == PLU_OK)
            s = plu_reserve(&d->wall_note, &d->capacity_wall_note, walls->count,
                            sizeof *d->wall_note, 1, err);
        if (s != PLU_OK)
            return s;
        memmove(d->wall_note + low + 1, d->wall_note + low,
                (walls->count - 1 - low) * sizeof *d->wall_note);
        memmove(walls->pair + low + 1, walls->pair + low,
                (walls->count - 1 - low) * sizeof *walls->pair);
        walls->pair[low] = (plu_pair){part, i};
    }
    const size_t begin = first_wall(walls, i, 0), end = first_wall(walls, i + 1, 0);
    plu_begin_wall_notes(d, begin, end);
    return PLU_OK;
}

static void note_renewed(plu_detector *d, int i)
{
    for (int k = 0; k < d->renewed_count; k++)
        if (d->renewed[k] == i)
            return;
    d->renewed[d->renewed_count++] = i;
}

plu_status plu_renew(plu_detector *d, plu_error *err)
{
    PLU_SPHERES_ARE_BODIES; /* two spheres of one body are no candidate */
    const plu_world *w = d->world;
    d->found.count = 0;
    qsort(d->over, (size_t)d->over_count, sizeof *d->over, by_number);
    for (int k = 0; k < d->over_count; k++) {
        const int i = d->over[k];
        memcpy(d->origin[i], w->spheres.at[i], 3 * sizeof(double));
        d->origin[i][3] = plu_skin(d, i);
        note_renewed(d, i);
    }
    plu_status s = PLU_OK;
    for (int k = 0; s == PLU_OK && k < d->over_count; k++) {
        s = seek(d, d->over[k], err);
        if (s == PLU_OK && !plu_sphere_fixed(d->world, d->over[k]))
            s = list_walls(d, d->over[k], err);
    }
    s = s == PLU_OK ? list_found(d, err) : s;
    d->built = s == PLU_OK;
    return s;
}
