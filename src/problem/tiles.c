#include "problem/tiles.h"
#include "base/memory.h"
#include "base/team.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum {
    AHEAD = 24, /* contacts whose bodies and places are asked for before their turn */
    FEW = 4000, /* contacts for which threads do not pay */
    GROUPS = PLU_TILE_GROUPS,
    CONTACTS_KEY = 8, /* at least, on average: bounds the number of tiles of a scattered island */
    RUN = 16          /* tiles that a thread colours at a time */
};

/* Bit of the colour that may hold conflicts, which is never taken. */
static const uint64_t OVERFLOW = UINT64_C(1) << (PLU_COLORS - 1);

/* How an island is cut: pairs of cells from `low` on along each axis, counted round where there
 * would be too many of them. */
typedef struct plu_tiling {
    int island, pairs[3];
    plu_body_cell low;
} tiling;

static int tiles_of_group(const tiling *t)
{
    return t->pairs[0] * t->pairs[1] * t->pairs[2];
}

/* A coordinate of a cell, counted from zero. */
static int coordinate(plu_body_cell cell, int k)
{
    return (int)(cell >> (k * PLU_CELL_BITS)) & (2 * PLU_CELLS - 1);
}

/* The tile of a contact within its island. The three coordinates at once and without branches:
 * which cells are the lower ones is a coin's throw to the processor. */
static int tile_of(const tiling *t, plu_body_cell a, plu_body_cell b)
{
    const uint64_t ones =
        UINT64_C(1) | UINT64_C(1) << PLU_CELL_BITS | UINT64_C(1) << (2 * PLU_CELL_BITS);
    const uint64_t carry = ones * 2 * PLU_CELLS;
    const uint64_t not_less = ((a | carry) - b) & carry,
                   take = not_less - not_less / (2 * PLU_CELLS);
    const plu_body_cell low = (b & take) | (a & ~take), high = a ^ b ^ low, at = low - t->low;
    if ((high - low) & ~ones)
        return (GROUPS - 1) * tiles_of_group(t);
    int parity = 0, index = 0;
    for (int k = 2; k >= 0; k--) {
        const int pair = coordinate(at, k) / 2;
        parity |= (coordinate(at, k) & 1) << k;
        index = index * t->pairs[k] + (pair < t->pairs[k] ? pair : pair % t->pairs[k]);
    }
    return parity * tiles_of_group(t) + index;
}

/* The cells that the bodies of an island take. */
static void measure(const plu_groups *bodies, int island, const plu_body_cell *cell, int low[3],
                    int high[3])
{
    const int begin = bodies->start[island], end = bodies->start[island + 1];
    for (int k = 0; k < 3; k++) {
        low[k] = INT_MAX;
        high[k] = 0;
    }
#pragma omp parallel for schedule(static) reduction(min : low[:3]) reduction(max : high[:3])
    for (int i = begin; i < end; i++)
        for (int k = 0; k < 3; k++) {
            const int at = coordinate(cell[bodies->order[i]], k);
            low[k] = at < low[k] ? at : low[k];
            high[k] = at > high[k] ? at : high[k];
        }
}

static void choose_tiling(tiling *t, const plu_groups *bodies, const plu_body_cell *cell,
                          int contacts)
{
    int low[3], high[3];
    measure(bodies, t->island, cell, low, high);
    t->low = 0;
    for (int k = 0; k < 3; k++) {
        t->low |= (plu_body_cell)low[k] << (k * PLU_CELL_BITS);
        t->pairs[k] = (high[k] - low[k]) / 2 + 1;
    }
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

static void add_contacts(plu_tiles *t, int island, int contacts)
{
    if (island < 0)
        return;
#pragma omp atomic
    t->contacts[island] += contacts;
}

/* One after the other they are mostly of the same island. */
static void count_contacts(plu_tiles *t, const plu_graph *graph, int contacts, const plu_ends *ends)
{
    int island = -1, count = 0;
#pragma omp for schedule(static)
    for (int c = 0; c < contacts; c++) {
        const int here = graph->island[ends[c].b];
        if (here != island) {
            add_contacts(t, island, count);
            island = here;
            count = 0;
        }
        count++;
    }
    add_contacts(t, island, count);
}

/* How the islands are cut, and the keys of their tiles. */
static plu_status cut(plu_tiles *t, int islands, const plu_groups *bodies,
                      const plu_body_cell *cell, plu_error *err)
{
    plu_status s = plu_reserve(&t->first_key, &t->first_key_capacity, (size_t)islands + 1,
                               sizeof *t->first_key, 0, err);
    t->keys = t->tilings = 0;
    for (int k = 0; s == PLU_OK && k < islands; k++) {
        t->first_key[k] = t->keys;
        if (!cell || t->contacts[k] < PLU_TILED) {
            t->keys++;
            continue;
        }
        s = plu_reserve(&t->tiling, &t->tiling_capacity, (size_t)t->tilings + 1, sizeof *t->tiling,
                        1, err);
        if (s != PLU_OK)
            return s;
        tiling *here = &t->tiling[t->tilings++];
        here->island = k;
        choose_tiling(here, bodies, cell, t->contacts[k]);
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

static void set_groups(plu_tiles *t)
{
    memset(t->group, 0, (size_t)t->keys);
    memset(t->whole, PLU_LANES, (size_t)t->keys);
    for (int i = 0; i < t->tilings; i++) {
        const int tiles = tiles_of_group(&t->tiling[i]);
        const int first = t->first_key[t->tiling[i].island];
        unsigned char *group = t->group + first;
        memset(t->whole + first, PLU_WIDE, (size_t)((GROUPS - 1) * tiles + 1));
        for (int k = 0; k < GROUPS - 1; k++)
            memset(group + (size_t)k * (size_t)tiles, k, (size_t)tiles);
        group[(GROUPS - 1) * tiles] = GROUPS - 1;
    }
}

/* What is sorted by tiles. */
typedef struct contact_list {
    int count, parts, rows;
    const plu_ends *ends;
    const plu_graph *graph;
    const plu_body_cell *cell;
} contact_list;

static int begin_of(const contact_list *all, int part)
{
    return (int)((long)all->count * part / all->parts);
}

static void find_keys(plu_tiles *t, const contact_list *all, int part)
{
    const int end = begin_of(all, part + 1);
    const tiling *cuts = NULL;
    int *count = t->place + (size_t)part * (size_t)t->keys, island = -1;
    memset(count, 0, (size_t)t->keys * sizeof *count);
    for (int c = begin_of(all, part); c < end; c++) {
        const int next = all->ends[c + AHEAD < end ? c + AHEAD : c].b;
        plu_fetch(&all->graph->island[next]);
        if (all->cell)
            plu_fetch(&all->cell[next]);
        const int b = all->ends[c].b, a = all->ends[c].a < all->rows ? all->ends[c].a : b;
        if (all->graph->island[b] != island) {
            island = all->graph->island[b];
            cuts = tiling_of(t, island);
        }
        t->key[c] = t->first_key[island] + (cuts ? tile_of(cuts, all->cell[a], all->cell[b]) : 0);
        count[t->key[c]]++;
    }
}

static void sort_part(plu_tiles *t, const contact_list *all, int part)
{
    const int end = begin_of(all, part + 1);
    int *place = t->place + (size_t)part * (size_t)t->keys;
    for (int c = begin_of(all, part); c < end; c++) {
        const int next = place[t->key[c + AHEAD < end ? c + AHEAD : c]];
        plu_fetch(&t->order[next]);
        plu_fetch(&t->ends[next]);
        const int at = place[t->key[c]]++;
        t->order[at] = c;
        t->ends[at] = all->ends[c];
    }
}

/* A counting sort like that of plu_groups_make, which finds the keys as it counts, and moves the
 * ends too. */
static void sort(plu_tiles *t, const contact_list *all)
{
#pragma omp parallel for schedule(static, 1) if (all->parts > 1)
    for (int part = 0; part < all->parts; part++)
        find_keys(t, all, part);
    plu_group_places(all->parts, t->keys, t->place, t->start);
#pragma omp parallel for schedule(static, 1) if (all->parts > 1)
    for (int part = 0; part < all->parts; part++)
        sort_part(t, all, part);
}

/* Room for all that does not depend on the number of tiles. */
static plu_status reserve(plu_tiles *t, int islands, int contacts, int rows, plu_error *err)
{
    const size_t nc = (size_t)contacts, nr = (size_t)rows, ni = (size_t)islands;
    plu_status s = plu_reserve(&t->key, &t->key_capacity, nc, sizeof *t->key, 0, err);
    if (s == PLU_OK)
        s = plu_reserve(&t->order, &t->order_capacity, nc, sizeof *t->order, 0, err);
    if (s == PLU_OK)
        s = plu_reserve(&t->ends, &t->ends_capacity, nc, sizeof *t->ends, 0, err);
    if (s == PLU_OK)
        s = plu_reserve(&t->color, &t->color_capacity, nc, 1, 0, err);
    if (s == PLU_OK)
        s = plu_reserve(&t->contacts, &t->contacts_capacity, ni, sizeof *t->contacts, 0, err);
    return s == PLU_OK ? plu_reserve(&t->taken, &t->taken_capacity, nr, sizeof *t->taken, 0, err)
                       : s;
}

static plu_status reserve_keys(plu_tiles *t, int parts, plu_error *err)
{
    const size_t keys = (size_t)t->keys, counters = (size_t)parts * keys;
    plu_status s = plu_reserve(&t->group, &t->group_capacity, keys, 1, 0, err);
    if (s == PLU_OK)
        s = plu_reserve(&t->whole, &t->whole_capacity, keys, 1, 0, err);
    if (s == PLU_OK)
        s = plu_reserve(&t->size, &t->size_capacity, keys, sizeof *t->size, 0, err);
    if (s == PLU_OK)
        s = plu_reserve(&t->start, &t->start_capacity, keys + 1, sizeof *t->start, 0, err);
    return s == PLU_OK
               ? plu_reserve(&t->place, &t->place_capacity, counters, sizeof *t->place, 0, err)
               : s;
}

/* First fit in the order of the contacts. `apart`: contacts with given rows, which come last, get
 * colours of their own, so that few blocks hold both kinds. */
static void choose_colors(plu_tiles *t, int begin, int end, bool apart, int count[PLU_COLORS])
{
    uint64_t *taken = t->taken, pairs = 0;
    for (int i = begin; i < end; i++) {
        const plu_ends e = t->ends[i];
        const uint64_t used = (e.a < t->rows ? taken[e.a] : apart ? pairs : 0) | taken[e.b];
        const uint64_t bit = ~used & (used + 1) & ~OVERFLOW;
        const int color = bit ? __builtin_ctzll(bit) : PLU_COLORS - 1;
        t->color[i] = (unsigned char)color;
        count[color]++;
        taken[e.b] |= bit;
        if (e.a >= t->rows)
            continue;
        taken[e.a] |= bit;
        pairs |= bit;
    }
}

static void color_tile(plu_tiles *t, int key)
{
    const int begin = t->start[key], end = t->start[key + 1];
    for (int i = begin; i < end; i++) {
        const plu_ends e = t->ends[i], later = t->ends[i + AHEAD < end ? i + AHEAD : i];
        plu_fetch_row(t->taken, sizeof *t->taken, later.a);
        plu_fetch_row(t->taken, sizeof *t->taken, later.b);
        t->taken[e.b] = 0;
        if (e.a < t->rows)
            t->taken[e.a] = 0;
    }
    int count[PLU_COLORS] = {0};
    plu_tile_size size = {0};
    choose_colors(t, begin, end, t->cut, count);
    for (; size.colors < PLU_COLORS && count[size.colors] > 0; size.colors++)
        size.slots = plu_round_up_to(size.slots, t->whole[key]) + count[size.colors];
    t->size[key] = size;
}

/* Tiles of a group side by side, for they share no body. */
static void color_tiles(plu_tiles *t)
{
    for (int group = 0; group < (t->cut ? GROUPS : 1); group++) {
#pragma omp for schedule(dynamic, RUN)
        for (int key = 0; key < t->keys; key++)
            if (t->group[key] == group && t->start[key] < t->start[key + 1])
                color_tile(t, key);
    }
}

plu_status plu_tiles_make(plu_tiles *t, const plu_graph *graph, const plu_groups *bodies,
                          int contacts, int rows, const plu_ends *ends, const plu_body_cell *cell,
                          plu_error *err)
{
    plu_status s = reserve(t, graph->islands, contacts, rows, err);
    if (s != PLU_OK)
        return s;
    memset(t->contacts, 0, (size_t)graph->islands * sizeof *t->contacts);
    if (cell)
        PLU_TEAM(contacts > FEW, count_contacts(t, graph, contacts, ends));
    s = cut(t, graph->islands, bodies, cell, err);
    const int parts = plu_group_parts((size_t)contacts, t->keys);
    if (s == PLU_OK)
        s = reserve_keys(t, parts, err);
    if (s != PLU_OK)
        return s;
    t->cut = t->tilings > 0;
    t->rows = rows;
    set_groups(t);
    sort(t, &(contact_list){contacts, parts, rows, ends, graph, cell});
    PLU_TEAM(contacts > FEW, color_tiles(t));
    return PLU_OK;
}

void plu_tiles_free(plu_tiles *t)
{
    free(t->order);
    free(t->ends);
    free(t->color);
    free(t->start);
    free(t->size);
    free(t->group);
    free(t->whole);
    free(t->first_key);
    free(t->key);
    free(t->contacts);
    free(t->place);
    free(t->tiling);
    free(t->taken);
}
