/* Contacts sorted by tile, and colored within their tile.
 *
 * Sort: a counting sort by the key of the tile, in parts of the list, one a thread: each part
 * counts its keys, sums over (key, part) give each part its places, and each part moves its
 * contacts there. The order within a tile is that of the list, for any number of threads.
 *
 * Color: first fit, in that order. One 64-bit mask a body has the colors of its contacts so far:
 *
 *     contact (a, b):   used = taken[a] | taken[b]        ...0110 0111
 *                       lowest zero bit                   ...0000 1000   -> color 3
 *                       taken[a] |= bit, taken[b] |= bit
 *
 * which is at most deg(a) + deg(b) - 1 colors. Rows of boundaries are in no conflict and have no
 * mask. A contact that finds the first 63 colors taken, as those of a boulder among sand, gets the
 * last one, which may hold conflicts and is swept one by one. */
#include "blocks/tiles.h"
#include "base/memory.h"
#include "base/reorder.h"
#include "base/team.h"
#include <stdlib.h>
#include <string.h>

enum {
    AHEAD = 24, /* prefetch distance in contacts, for bodies and places */
    FEW = 4000, /* contacts up to which more than one thread does not pay */
    GROUPS = PLU_TILE_GROUPS,
    RUN = 16 /* tiles that a thread colors at a time */
};

/* Bit of the overflow color, which may hold conflicts and is therefore never taken. */
static const uint64_t OVERFLOW = UINT64_C(1) << (PLU_COLORS - 1);

static void add_contacts(plu_tiles *t, int island, int contacts)
{
    if (island < 0)
        return;
#pragma omp atomic
    t->contacts[island] += contacts;
}

/* Counts the contacts of each island, in runs, because consecutive contacts are mostly of the same
 * island. */
static void count_contacts(plu_tiles *t, const plu_graph *graph, int contacts,
                           const plu_contact_pair *pairs)
{
    int island = -1, count = 0;
#pragma omp for schedule(static)
    for (int c = 0; c < contacts; c++) {
        const int here = graph->island[pairs[c].b];
        if (here != island) {
            add_contacts(t, island, count);
            island = here;
            count = 0;
        }
        count++;
    }
    add_contacts(t, island, count);
}

/* The keys of the tiles of each island. */
static plu_status number_keys(plu_tiles *t, int islands, plu_error *err)
{
    const plu_status s = plu_reserve(&t->first_key, &t->first_key_capacity, (size_t)islands + 1,
                                     sizeof *t->first_key, 0, err);
    t->keys = 0;
    for (int k = 0, cut = 0; s == PLU_OK && k < islands; k++) {
        t->first_key[k] = t->keys;
        const bool is_cut = cut < t->cells.cuts && t->cells.cut[cut].island == k;
        t->keys += is_cut ? t->cells.cut[cut++].group_start[GROUPS] : 1;
    }
    if (s == PLU_OK)
        t->first_key[islands] = t->keys;
    return s;
}

static void set_groups(plu_tiles *t)
{
    memset(t->group, 0, (size_t)t->keys);
    for (int i = 0; i < t->cells.cuts; i++) {
        const plu_cut *cut = &t->cells.cut[i];
        const int first = t->first_key[cut->island];
        for (int g = 0; g < GROUPS; g++)
            memset(t->group + first + cut->group_start[g], g,
                   (size_t)(cut->group_start[g + 1] - cut->group_start[g]));
    }
}

/* Colors of wide islands begin blocks of floats. */
static void set_whole(plu_tiles *t, int islands)
{
    for (int k = 0; k < islands; k++) {
        const int first = t->first_key[k], end = t->first_key[k + 1];
        const bool wide = t->start[end] - t->start[first] >= PLU_FLOATS;
        memset(t->whole + first, wide ? PLU_WIDE : PLU_LANES, (size_t)(end - first));
    }
}

/* The contacts to be sorted by tile. */
typedef struct contact_list {
    int count, parts, rows;
    const plu_contact_pair *pairs;
    const plu_graph *graph;
} contact_list;

static int begin_of(const contact_list *all, int part)
{
    return (int)((long)all->count * part / all->parts);
}

static void find_keys(plu_tiles *t, const contact_list *all, int part)
{
    const int end = begin_of(all, part + 1);
    const plu_cut *cut = NULL;
    int *count = t->place + (size_t)part * (size_t)t->keys, island = -1;
    memset(count, 0, (size_t)t->keys * sizeof *count);
    for (int c = begin_of(all, part); c < end; c++) {
        const int next = all->pairs[c + AHEAD < end ? c + AHEAD : c].b;
        plu_fetch(&all->graph->island[next]);
        if (t->cells.cuts > 0)
            plu_fetch(&t->cells.of_body[next]);
        const int b = all->pairs[c].b, a = all->pairs[c].a < all->rows ? all->pairs[c].a : b;
        if (all->graph->island[b] != island) {
            island = all->graph->island[b];
            cut = plu_cuts_of(&t->cells, island);
        }
        t->key[c] = t->first_key[island] + (cut ? plu_cuts_tile(&t->cells, cut, a, b) : 0);
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
        plu_fetch(&t->pairs[next]);
        const int at = place[t->key[c]]++;
        t->order[at] = c;
        t->pairs[at] = all->pairs[c];
    }
}

static void find_all_keys(plu_tiles *t, const contact_list *all)
{
#pragma omp for schedule(static, 1) nowait
    for (int part = 0; part < all->parts; part++)
        find_keys(t, all, part);
}

static void sort_all(plu_tiles *t, const contact_list *all)
{
#pragma omp for schedule(static, 1) nowait
    for (int part = 0; part < all->parts; part++)
        sort_part(t, all, part);
}

/* A counting sort like plu_counting_sort that also computes the keys while it counts, and moves the
 * contacts. */
static void sort_contacts(plu_tiles *t, const contact_list *all)
{
    PLU_TEAM(all->parts > 1, find_all_keys(t, all));
    plu_counting_sort_places(all->parts, t->keys, t->place, t->start);
    PLU_TEAM(all->parts > 1, sort_all(t, all));
}

/* Room for all that does not depend on the number of tiles. */
static plu_status reserve(plu_tiles *t, int islands, int contacts, int rows, plu_error *err)
{
    const size_t nc = (size_t)contacts, nr = (size_t)rows, ni = (size_t)islands;
    plu_status s = plu_reserve(&t->key, &t->key_capacity, nc, sizeof *t->key, 0, err);
    if (s == PLU_OK)
        s = plu_reserve(&t->order, &t->order_capacity, nc, sizeof *t->order, 0, err);
    if (s == PLU_OK)
        s = plu_reserve(&t->pairs, &t->pairs_capacity, nc, sizeof *t->pairs, 0, err);
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

/* Colors the contacts begin to end - 1, each with the first free color. `apart`: contacts with
 * given rows, which come last, get separate colors, so that few blocks hold both kinds (in islands
 * of 2,048 to 16,384 contacts that is no gain). */
static void choose_colors(plu_tiles *t, int begin, int end, bool apart, int count[PLU_COLORS])
{
    uint64_t *taken = t->taken, by_pairs = 0;
    for (int i = begin; i < end; i++) {
        const plu_contact_pair e = t->pairs[i];
        const uint64_t used = (e.a < t->rows ? taken[e.a] : apart ? by_pairs : 0) | taken[e.b];
        const uint64_t bit = ~used & (used + 1) & ~OVERFLOW;
        const int color = bit ? __builtin_ctzll(bit) : PLU_COLORS - 1;
        t->color[i] = (unsigned char)color;
        count[color]++;
        taken[e.b] |= bit;
        if (e.a >= t->rows)
            continue;
        taken[e.a] |= bit;
        by_pairs |= bit;
    }
}

static void color_tile(plu_tiles *t, int key)
{
    const int begin = t->start[key], end = t->start[key + 1];
    for (int i = begin; i < end; i++) {
        const plu_contact_pair e = t->pairs[i], later = t->pairs[i + AHEAD < end ? i + AHEAD : i];
        plu_fetch_row(t->taken, sizeof *t->taken, later.a);
        plu_fetch_row(t->taken, sizeof *t->taken, later.b);
        t->taken[e.b] = 0;
        if (e.a < t->rows)
            t->taken[e.a] = 0;
    }
    int count[PLU_COLORS] = {0};
    plu_tile_size size = {0};
    const bool floats = end - begin >= PLU_FLOATS && end - begin < PLU_LARGE;
    choose_colors(t, begin, end, t->cells.cuts > 0 || floats, count);
    for (; size.colors < PLU_COLORS && count[size.colors] > 0; size.colors++)
        size.slots = plu_round_up_to(size.slots, t->whole[key]) + count[size.colors];
    t->size[key] = size;
}

/* Threads color tiles of a group in parallel, because these share no body. */
static void color_tiles(plu_tiles *t)
{
    for (int group = 0; group < (t->cells.cuts > 0 ? GROUPS : 1); group++) {
#pragma omp for schedule(dynamic, RUN)
        for (int key = 0; key < t->keys; key++)
            if (t->group[key] == group && t->start[key] < t->start[key + 1])
                color_tile(t, key);
    }
}

plu_status plu_tiles_make(plu_tiles *t, const plu_graph *graph, int contacts, int rows,
                          const plu_contact_pair *pairs, const plu_body_cell *cell, plu_error *err)
{
    plu_status s = reserve(t, graph->islands, contacts, rows, err);
    if (s != PLU_OK)
        return s;
    memset(t->contacts, 0, (size_t)graph->islands * sizeof *t->contacts);
    if (cell)
        PLU_TEAM(plu_many(contacts, FEW), count_contacts(t, graph, contacts, pairs));
    s = plu_cuts_make(&t->cells, graph, t->contacts, rows, cell, err);
    if (s == PLU_OK)
        s = number_keys(t, graph->islands, err);
    const int parts = s == PLU_OK ? plu_counting_sort_parts((size_t)contacts, t->keys) : 0;
    if (s == PLU_OK)
        s = reserve_keys(t, parts, err);
    if (s != PLU_OK)
        return s;
    t->rows = rows;
    set_groups(t);
    sort_contacts(t, &(contact_list){contacts, parts, rows, pairs, graph});
    set_whole(t, graph->islands);
    PLU_TEAM(plu_many(contacts, FEW), color_tiles(t));
    return PLU_OK;
}

void plu_tiles_free(plu_tiles *t)
{
    free(t->order);
    free(t->pairs);
    free(t->color);
    free(t->start);
    free(t->size);
    free(t->group);
    free(t->whole);
    free(t->first_key);
    free(t->key);
    free(t->contacts);
    free(t->place);
    plu_cuts_free(&t->cells);
    free(t->taken);
}
