#include "problem/tiles.h"
#include "base/memory.h"
#include "base/team.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum {
    FEW = 4000,       /* contacts for which threads do not pay */
    GROUPS = 9,       /* eight parities, and one of what reaches too far */
    CONTACTS_KEY = 8, /* at least, on average: bounds the number of tiles of a scattered island */
    RUN = 16          /* tiles that a thread colours at a time */
};

/* Bit of the colour that may hold conflicts, which is never taken. */
static const uint64_t OVERFLOW = UINT64_C(1) << (PLU_COLORS - 1);

/* How an island is cut: pairs of cells from `low` on along each axis, counted round where there
 * would be too many of them. */
typedef struct plu_tiling {
    int island, low[3], pairs[3];
} tiling;

static int tiles_of_group(const tiling *t)
{
    return t->pairs[0] * t->pairs[1] * t->pairs[2];
}

/* The tile of a contact within its island. */
static int tile_of(const tiling *t, const plu_body_cell *a, const plu_body_cell *b)
{
    int parity = 0, index = 0;
    for (int k = 2; k >= 0; k--) {
        const int low = a->at[k] < b->at[k] ? a->at[k] : b->at[k];
        const int high = a->at[k] < b->at[k] ? b->at[k] : a->at[k];
        if (high - low > 1)
            return (GROUPS - 1) * tiles_of_group(t);
        parity |= ((low - t->low[k]) & 1) << k;
        index = index * t->pairs[k] + (low - t->low[k]) / 2 % t->pairs[k];
    }
    return parity * tiles_of_group(t) + index;
}

/* The cells that the bodies begin to end of an island take. */
static void measure(const plu_groups *bodies, int island, const plu_body_cell *cell, int low[3],
                    int high[3])
{
    const int begin = bodies->start[island], end = bodies->start[island + 1];
    for (int k = 0; k < 3; k++) {
        int least = INT_MAX, most = INT_MIN;
#pragma omp parallel for schedule(static) reduction(min : least) reduction(max : most)
        for (int i = begin; i < end; i++) {
            const int at = cell[bodies->order[i]].at[k];
            least = at < least ? at : least;
            most = at > most ? at : most;
        }
        low[k] = least;
        high[k] = most;
    }
}

static void choose_tiling(tiling *t, const plu_groups *bodies, const plu_body_cell *cell,
                          int contacts)
{
    int high[3];
    measure(bodies, t->island, cell, t->low, high);
    for (int k = 0; k < 3; k++)
        t->pairs[k] = (high[k] - t->low[k]) / 2 + 1;
    for (;;) {
        int longest = 0;
        for (int k = 1; k < 3; k++)
            longest = t->pairs[k] > t->pairs[longest] ? k : longest;
        const double tiles = (double)t->pairs[0] * t->pairs[1] * t->pairs[2];
        if (tiles * GROUPS * CONTACTS_KEY <= contacts || t->pairs[longest] == 1)
            return;
        t->pairs[longest] = (t->pairs[longest] + 1) / 2;
    }
}

/* How the islands are cut, and the keys of their tiles. */
static plu_status cut(plu_tiles *t, int islands, const plu_groups *bodies,
                      const plu_body_cell *cell, plu_error *err)
{
    plu_status s = plu_reserve(&t->first_key, &t->first_key_capacity, (size_t)islands + 1,
                               sizeof *t->first_key, 0, err);
    t->keys = t->tilings = 0;
    for (int k = 0; s == PLU_OK && k < islands; k++) {
        const int contacts = t->by_island.start[k + 1] - t->by_island.start[k];
        t->first_key[k] = t->keys;
        if (!cell || contacts < PLU_TILED) {
            t->keys++;
            continue;
        }
        s = plu_reserve(&t->tiling, &t->tiling_capacity, (size_t)t->tilings + 1, sizeof *t->tiling,
                        1, err);
        if (s != PLU_OK)
            return s;
        tiling *here = &t->tiling[t->tilings++];
        here->island = k;
        choose_tiling(here, bodies, cell, contacts);
        t->keys += (GROUPS - 1) * tiles_of_group(here) + 1;
    }
    if (s == PLU_OK)
        t->first_key[islands] = t->keys;
    return s;
}

static const tiling *tiling_of(const plu_tiles *t, int island)
{
    for (int i = 0; i < t->tilings; i++)
        if (t->tiling[i].island == island)
            return &t->tiling[i];
    return NULL;
}

static void find_keys(plu_tiles *t, const plu_graph *graph, int contacts, const plu_ends *ends,
                      const plu_body_cell *cell)
{
#pragma omp parallel for schedule(static)
    for (int c = 0; c < contacts; c++) {
        const int a = ends[c].a, b = ends[c].b, island = graph->island[b];
        const tiling *cuts = tiling_of(t, island);
        t->key[c] =
            t->first_key[island] + (cuts ? tile_of(cuts, &cell[a >= 0 ? a : b], &cell[b]) : 0);
    }
}

static void set_groups(plu_tiles *t)
{
    memset(t->group, 0, (size_t)t->keys);
    for (int i = 0; i < t->tilings; i++) {
        const int tiles = tiles_of_group(&t->tiling[i]);
        unsigned char *group = t->group + t->first_key[t->tiling[i].island];
        for (int k = 0; k < GROUPS - 1; k++)
            memset(group + (size_t)k * (size_t)tiles, k, (size_t)tiles);
        group[(GROUPS - 1) * tiles] = GROUPS - 1;
    }
}

/* Contacts by tile, in `in` and t->start. */
static plu_status sort(plu_tiles *t, const plu_graph *graph, const plu_groups *bodies, int contacts,
                       const plu_ends *ends, const plu_body_cell *cell, const int **in,
                       plu_error *err)
{
    plu_status s = plu_reserve(&t->key, &t->key_capacity, (size_t)contacts, sizeof *t->key, 0, err);
    if (s != PLU_OK)
        return s;
#pragma omp parallel for schedule(static) if (contacts > FEW)
    for (int c = 0; c < contacts; c++)
        t->key[c] = graph->island[ends[c].b];
    s = plu_groups_make(&t->by_island, contacts, t->key, graph->islands, err);
    if (s == PLU_OK)
        s = cut(t, graph->islands, bodies, cell, err);
    if (s == PLU_OK)
        s = plu_reserve(&t->group, &t->group_capacity, (size_t)t->keys, 1, 0, err);
    if (s != PLU_OK)
        return s;
    t->cut = t->tilings > 0;
    if (t->cut) {
        find_keys(t, graph, contacts, ends, cell);
        s = plu_groups_make(&t->by_key, contacts, t->key, t->keys, err);
    }
    const plu_groups *sorted = t->cut ? &t->by_key : &t->by_island;
    set_groups(t);
    t->start = sorted->start;
    *in = sorted->order;
    return s;
}

/* First fit in the order of the contacts. `apart`: contacts with fixed bodies, which come last, get
 * colours of their own, so that few blocks hold both kinds. */
static void choose_colors(plu_tiles *t, const int *in, const plu_ends *ends, int begin, int end,
                          bool apart, int count[PLU_COLORS])
{
    uint64_t *taken = t->taken, pairs = 0;
    for (int i = begin; i < end; i++) {
        const plu_ends e = ends[in[i]];
        taken[e.b] = 0;
        if (e.a >= 0)
            taken[e.a] = 0;
    }
    for (int i = begin; i < end; i++) {
        const plu_ends e = ends[in[i]];
        const uint64_t used = (e.a >= 0 ? taken[e.a] : apart ? pairs : 0) | taken[e.b];
        const uint64_t bit = ~used & (used + 1) & ~OVERFLOW;
        const int color = bit ? __builtin_ctzll(bit) : PLU_COLORS - 1;
        t->color[i] = (unsigned char)color;
        count[color]++;
        taken[e.b] |= bit;
        if (e.a < 0)
            continue;
        taken[e.a] |= bit;
        pairs |= bit;
    }
}

static void color_tile(plu_tiles *t, const int *in, const plu_ends *ends, int begin, int end,
                       bool apart)
{
    if (end - begin == 1) {
        t->order[begin] = in[begin];
        t->color[begin] = 0;
        return;
    }
    int count[PLU_COLORS] = {0}, place[PLU_COLORS], next = begin;
    choose_colors(t, in, ends, begin, end, apart, count);
    for (int k = 0; k < PLU_COLORS; k++) {
        place[k] = next;
        next += count[k];
    }
    for (int i = begin; i < end; i++)
        t->order[place[t->color[i]]++] = in[i];
    for (int k = 0; k < PLU_COLORS; k++)
        memset(t->color + place[k] - count[k], k, (size_t)count[k]);
}

/* Tiles of a group side by side, for they share no body. */
static void color_tiles(plu_tiles *t, const int *in, const plu_ends *ends)
{
    for (int group = 0; group < (t->cut ? GROUPS : 1); group++) {
#pragma omp for schedule(dynamic, RUN)
        for (int key = 0; key < t->keys; key++)
            if (t->group[key] == group && t->start[key] < t->start[key + 1])
                color_tile(t, in, ends, t->start[key], t->start[key + 1], t->cut);
    }
}

plu_status plu_tiles_make(plu_tiles *t, const plu_graph *graph, const plu_groups *bodies,
                          int contacts, int rows, const plu_ends *ends, const plu_body_cell *cell,
                          plu_error *err)
{
    const int *in;
    plu_status s = sort(t, graph, bodies, contacts, ends, cell, &in, err);
    if (s == PLU_OK)
        s = plu_reserve(&t->order, &t->order_capacity, (size_t)contacts, sizeof *t->order, 0, err);
    if (s == PLU_OK)
        s = plu_reserve(&t->color, &t->color_capacity, (size_t)contacts, 1, 0, err);
    if (s == PLU_OK)
        s = plu_reserve(&t->taken, &t->taken_capacity, (size_t)rows, sizeof *t->taken, 0, err);
    if (s != PLU_OK)
        return s;
    PLU_TEAM(contacts > FEW, color_tiles(t, in, ends));
    return PLU_OK;
}

void plu_tiles_free(plu_tiles *t)
{
    plu_groups_free(&t->by_island);
    plu_groups_free(&t->by_key);
    free(t->order);
    free(t->color);
    free(t->first_key);
    free(t->key);
    free(t->tiling);
    free(t->group);
    free(t->taken);
}
