/* Assigns slots to contacts, sorted by island, tile and color: the order of all arrays of a
 * problem.
 *
 *     contacts (list order)  --tiles.c-->  by island and tile, each with a color
 *     slots      | island 0 (tiled)                     | island 1          | small islands ... |
 *                | group 0      | group 1  |  ...       | one tile          |
 *                | tile | tile  | tile ... |            |                   |
 *                |c0 c1 c2|....                          c0    c1    c2      no spare slots
 *                        '-- a color begins a block of 8 (or 16); spare slots behind it are empty
 *
 * The order depends on the contact list alone and, in tiled islands, on the cells of the bodies.
 * Also laid out here: bodies by island and cell, strips for partial sums (parts.h), and for each
 * tile its turn in the cells that it shares with others (turns.h). */
#include "base/memory.h"
#include "base/reorder.h"
#include "base/team.h"
#include "blocks/parts.h"
#include "blocks/tiles.h"
#include <stdlib.h>
#include <string.h>

enum {
    FEW = 4000, /* contacts up to which more than one thread does not pay */
    RUN = 16,   /* tiles that a thread places at a time */
    AHEAD = 24  /* prefetch distance in contacts, for their places */
};

typedef struct array {
    void *data;
    size_t capacity;
} array;

struct plu_layout {
    plu_graph graph;
    plu_groups of_cell; /* bodies by island, of tiled islands by cell too */
    plu_tiles tiles;
    array laid; /* by tile and one more: where it begins */
    array blocks, own_constants, own_shares, before, start; /* parts of the problem */
    array contact_of_slot, slot_of_contact, pair_of_slot;
    array color_start, color_count, tile, group_start, islands, v_before, change, sums, strips;
    array claim, visits, left; /* of plu_problem.turns */
    array tile_of_key;         /* scratch by key: number of its tile in the problem */
    array cell_key;            /* scratch by body */
};

/* Where a tile begins. */
typedef struct laid {
    int contact; /* in the sorted list */
    int slot;
    int whole; /* colors begin at multiples of so many slots; 1: anywhere */
} laid;

plu_layout *plu_layout_create(plu_error *err)
{
    return plu_alloc(1, sizeof(plu_layout), err);
}

void plu_layout_destroy(plu_layout *l)
{
    if (!l)
        return;
    plu_graph_free(&l->graph);
    plu_groups_free(&l->of_cell);
    plu_tiles_free(&l->tiles);
    array *all[] = {&l->laid,         &l->blocks,      &l->own_constants,   &l->own_shares,
                    &l->before,       &l->start,       &l->contact_of_slot, &l->slot_of_contact,
                    &l->pair_of_slot, &l->color_start, &l->claim,           &l->visits,
                    &l->left,         &l->tile_of_key, &l->color_count,     &l->tile,
                    &l->group_start,  &l->islands,     &l->v_before,        &l->change,
                    &l->sums,         &l->strips,      &l->cell_key};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]->data);
    free(l);
}

/* The array with room for `count` elements; NULL when there is no memory. */
static void *room(array *a, size_t count, size_t size, plu_error *err)
{
    return plu_reserve(&a->data, &a->capacity, count, size, 0, err) == PLU_OK ? a->data : NULL;
}

/* Allocates the arrays whose size depends on the number of contacts, bodies and tiles. */
static plu_status reserve(plu_layout *l, plu_problem *p, plu_error *err)
{
    const size_t nc = (size_t)p->contacts, ni = (size_t)l->graph.islands;
    const size_t nr = (size_t)(p->moving + p->given);
    const size_t nt = (size_t)l->tiles.keys;
    p->slot_of_contact = room(&l->slot_of_contact, nc, sizeof(int), err);
    p->color_start = room(&l->color_start, nc, sizeof(int), err);
    p->color_count = room(&l->color_count, nc, sizeof(int), err);
    p->tiles = room(&l->tile, nt, sizeof *p->tiles, err);
    p->group_start = room(&l->group_start, nt + 1, sizeof(int), err);
    p->islands = room(&l->islands, ni, sizeof *p->islands, err);
    p->v_before = room(&l->v_before, nr, sizeof *p->v_before, err);
    p->change = room(&l->change, nr, sizeof *p->change, err);
    return p->slot_of_contact && p->color_start && p->color_count && p->tiles && p->group_start &&
                   p->islands && p->v_before && p->change &&
                   room(&l->laid, nt + 1, sizeof(laid), err) &&
                   room(&l->tile_of_key, nt, sizeof(int), err)
               ? PLU_OK
               : PLU_IO;
}

typedef struct counts { /* numbers of what has been laid out so far */
    int slots, colors, tiles, groups, cells;
} counts;

/* Allocates the arrays whose size depends on the number of slots. */
static plu_status reserve_slots(plu_layout *l, plu_problem *p, const counts *n, plu_error *err)
{
    /* There are at least as many colors as tiles. Parts of bodies of islands that are not tiled are
     * fewer than chunks of slots. */
    const size_t slots = (size_t)p->slots, chunks = slots / PLU_SUM_CHUNK + (size_t)n->colors + 1;
    const size_t parts = chunks > (size_t)n->cells ? chunks : (size_t)n->cells;
    const size_t blocks = slots / PLU_LANES + 1;
    p->blocks = room(&l->blocks, blocks, sizeof *p->blocks, err);
    p->own_constants = room(&l->own_constants, blocks, sizeof *p->own_constants, err);
    p->own_shares = room(&l->own_shares, blocks, sizeof *p->own_shares, err);
    p->before = room(&l->before, blocks, sizeof *p->before, err);
    p->start = room(&l->start, blocks, sizeof *p->start, err);
    p->contact_of_slot = room(&l->contact_of_slot, slots, sizeof(int), err);
    p->pair_of_slot = room(&l->pair_of_slot, slots, sizeof *p->pair_of_slot, err);
    p->sums = room(&l->sums, parts * PLU_SUMS, sizeof(double), err);
    p->strips = room(&l->strips, chunks + (size_t)n->tiles, sizeof *p->strips, err);
    return p->blocks && p->own_constants && p->own_shares && p->before && p->start &&
                   p->contact_of_slot && p->pair_of_slot && p->sums && p->strips
               ? PLU_OK
               : PLU_IO;
}

static void lay_tile(const plu_layout *l, plu_problem *p, int key, int whole, counts *n)
{
    const plu_tiles *t = &l->tiles;
    const int begin = t->start[key], end = t->start[key + 1];
    const plu_tile_size size = t->size[key];
    laid *at = l->laid.data;
    n->slots = plu_round_up_to(n->slots, whole);
    at[n->tiles] = (laid){begin, n->slots, whole};
    ((int *)l->tile_of_key.data)[key] = n->tiles;
    p->tiles[n->tiles++] =
        (plu_tile){n->colors, n->colors + size.colors, size.colors == PLU_COLORS};
    n->slots += whole > 1 ? size.slots : end - begin;
    n->colors += size.colors;
}

/* Number of cells of an island; 1 for an island that is not tiled. */
static int cells_of(const plu_tiles *t, int island)
{
    const plu_cut *cut = plu_cuts_of(&t->cells, island);
    return cut ? cut->cells : 1;
}

static void lay_island(const plu_layout *l, plu_problem *p, int k, counts *n)
{
    const plu_tiles *t = &l->tiles;
    const int *start = t->start, end = t->first_key[k + 1];
    const int contacts = start[end] - start[t->first_key[k]];
    plu_island *island = &p->islands[k];
    *island = (plu_island){.group_begin = n->groups,
                           .cell_begin = n->cells,
                           .cell_end = n->cells + cells_of(t, k),
                           .contacts = contacts,
                           .padded = contacts >= PLU_PADDED,
                           .wide = contacts >= PLU_FLOATS,
                           .large = contacts >= PLU_LARGE,
                           .tiled = end - t->first_key[k] > 1};
    n->cells = island->cell_end;
    island->body_begin = p->cell_start[island->cell_begin];
    island->body_end = p->cell_start[island->cell_end];
    const int whole = !island->padded ? 1 : island->wide ? PLU_WIDE : PLU_LANES;
    const int unit = island->tiled ? PLU_SUM_CHUNK : whole;
    n->slots = plu_round_up_to(n->slots, unit);
    island->slot_begin = n->slots;
    for (int key = t->first_key[k], group = -1; key < end; key++) {
        if (start[key] == start[key + 1])
            continue;
        if (t->group[key] != group)
            p->group_start[n->groups++] = n->tiles;
        group = t->group[key];
        lay_tile(l, p, key, whole, n);
    }
    island->slot_end = n->slots;
    island->group_end = n->groups;
    n->slots = plu_round_up_to(n->slots, unit);
}

/* The tiles that visit a cell, in their order; returns how many these are. */
static int tiles_of_cell(const plu_layout *l, int island, int cell, int tile[PLU_CLAIMS])
{
    const plu_tiles *t = &l->tiles;
    const int *tile_of_key = l->tile_of_key.data;
    int count = 0;
    for (int k = 0; k < PLU_CLAIMS; k++) {
        const int key = t->first_key[island] + t->cells.corner[cell][k];
        if (t->start[key] == t->start[key + 1])
            continue;
        int at = count++;
        for (; at > 0 && tile[at - 1] > tile_of_key[key]; at--)
            tile[at] = tile[at - 1];
        tile[at] = tile_of_key[key];
    }
    return count;
}

static void claim_cell(plu_problem *p, int cell, int count, const int tile[PLU_CLAIMS])
{
    p->turns.visits[cell] = count;
    for (int i = 0; i < count; i++) {
        plu_claim *claim = p->turns.claim[tile[i]];
        while (claim->cell >= 0)
            claim++;
        *claim = (plu_claim){cell, count - i};
    }
}

/* Finds which tiles visit which cells. */
static plu_status lay_turns(plu_layout *l, plu_problem *p, const counts *n, plu_error *err)
{
    const plu_cuts *c = &l->tiles.cells;
    if (c->cuts == 0)
        return PLU_OK;
    p->turns.claim = room(&l->claim, (size_t)n->tiles, sizeof *p->turns.claim, err);
    p->turns.visits = room(&l->visits, (size_t)n->cells, sizeof(int), err);
    p->turns.left = room(&l->left, (size_t)n->cells, sizeof(int), err);
    if (!p->turns.claim || !p->turns.visits || !p->turns.left)
        return PLU_IO;
    for (int i = 0; i < c->cuts; i++) {
        const plu_cut *cut = &c->cut[i];
        const plu_island *island = &p->islands[cut->island];
        for (int t = p->group_start[island->group_begin]; t < p->group_start[island->group_end];
             t++)
            for (int k = 0; k < PLU_CLAIMS; k++)
                p->turns.claim[t][k].cell = -1;
        for (int cell = 0; cell < cut->cells; cell++) {
            int tile[PLU_CLAIMS];
            const int count = tiles_of_cell(l, cut->island, cut->first + cell, tile);
            claim_cell(p, island->cell_begin + cell, count, tile);
        }
    }
    return PLU_OK;
}

static void clear(plu_problem *p, int begin, int end)
{
    for (int slot = begin; slot < end; slot++) {
        p->contact_of_slot[slot] = -1;
        p->pair_of_slot[slot] = (plu_contact_pair){plu_still_row(p), plu_still_row(p)};
    }
}

/* Assigns slots to the colors of a tile: next[k] is the first slot of color k. */
static void place_colors(plu_problem *p, const plu_tile *tile, const laid *at, const int *count,
                         int *next)
{
    int slot = at->slot;
    for (int k = 0; k < tile->color_end - tile->color_begin; k++) {
        next[k] = plu_round_up_to(slot, at->whole);
        p->color_start[tile->color_begin + k] = next[k];
        p->color_count[tile->color_begin + k] = count[k];
        slot = next[k] + count[k];
    }
}

static void place_tile(const plu_layout *l, plu_problem *p, const plu_tile *tile, const laid *at)
{
    const plu_tiles *t = &l->tiles;
    int count[PLU_COLORS] = {0}, next[PLU_COLORS];
    for (int i = at->contact; i < at[1].contact; i++)
        count[t->color[i]]++;
    place_colors(p, tile, at, count, next);
    clear(p, at->slot, at[1].slot);
    for (int i = at->contact; i < at[1].contact; i++) {
        const int contact = t->order[i], slot = next[t->color[i]]++;
        plu_fetch(&p->slot_of_contact[t->order[i + AHEAD < at[1].contact ? i + AHEAD : i]]);
        p->contact_of_slot[slot] = contact;
        p->pair_of_slot[slot] = t->pairs[i];
        p->slot_of_contact[contact] = slot;
    }
}

static void place(const plu_layout *l, plu_problem *p, int tiles)
{
    const laid *at = l->laid.data;
#pragma omp for schedule(dynamic, RUN) nowait
    for (int t = 0; t < tiles; t++)
        place_tile(l, p, &p->tiles[t], &at[t]);
}

/* Adds strips of at most `most` slots each from begin to end. */
static void add_strips(plu_problem *p, int begin, int end, int most, bool mixed)
{
    for (int slot = begin; slot < end; slot += most)
        p->strips[p->strips_count++] =
            (plu_strip){slot, end - slot < most ? end : slot + most, mixed};
}

/* Adds a strip for each tile, with the spare slots up to the next tile. */
static void add_tiles(plu_problem *p, const plu_island *island, const laid *at)
{
    const int end = p->group_start[island->group_end];
    for (int t = p->group_start[island->group_begin]; t < end; t++)
        p->strips[p->strips_count++] = (plu_strip){at[t].slot, at[t + 1].slot, false};
}

/* Cuts all slots into strips. */
static void lay_strips(const plu_layout *l, plu_problem *p)
{
    int begin = 0; /* of a run of islands that are not padded */
    p->strips_count = 0;
    for (int k = 0; k < p->islands_count; k++) {
        plu_island *island = &p->islands[k];
        if (!island->padded)
            continue;
        add_strips(p, begin, island->slot_begin, PLU_SUM_CHUNK, true);
        island->strip_begin = p->strips_count;
        if (island->tiled)
            add_tiles(p, island, l->laid.data);
        else
            add_strips(p, island->slot_begin, plu_padded_end(island), PLU_SUM_CHUNK, false);
        island->strip_end = p->strips_count;
        begin = p->strips[p->strips_count - 1].end;
    }
    add_strips(p, begin, p->slots, PLU_SUM_CHUNK, true);
}

/* By body: the cells of all islands one after the other; -1: without contact. */
static void find_cell_keys(const plu_layout *l, int rows, int *key)
{
    const plu_cuts *c = &l->tiles.cells;
    const plu_cut *cut = NULL;
    int island = -1, first = -1;
#pragma omp for schedule(static) nowait
    for (int i = 0; i < rows; i++) {
        if (l->graph.island[i] != island) {
            first = island = l->graph.island[i];
            cut = plu_cuts_of(c, island);
            for (int k = 0; k < c->cuts; k++)
                first += c->cut[k].island < island ? c->cut[k].cells - 1 : 0;
        }
        key[i] = cut ? first + c->of_body[i] - cut->first : first;
    }
}

static plu_status group_bodies(plu_layout *l, int rows, plu_error *err)
{
    const plu_cuts *c = &l->tiles.cells;
    const plu_graph *g = &l->graph;
    if (c->cuts == 0)
        return plu_counting_sort(&l->of_cell, rows, g->island, g->islands, err);
    int *key = room(&l->cell_key, (size_t)rows, sizeof *key, err);
    if (!key)
        return PLU_IO;
    int cells = g->islands;
    for (int i = 0; i < c->cuts; i++)
        cells += c->cut[i].cells - 1;
    PLU_TEAM(plu_many(rows, FEW), find_cell_keys(l, rows, key));
    return plu_counting_sort(&l->of_cell, rows, key, cells, err);
}

void plu_layout_close(plu_layout *l, const int around[3])
{
    plu_cuts_close(&l->tiles.cells, around);
}

plu_status plu_layout_make(plu_layout *l, plu_problem *p, int contacts,
                           const plu_contact_pair *pairs, const plu_body_cell *cell, bool islands,
                           plu_error *err)
{
    const int rows = p->moving;
    p->contacts = contacts;
    const plu_graph *g = &l->graph;
    plu_status s =
        plu_graph_make(&l->graph, contacts, rows, pairs, p->links_count, p->link, islands, err);
    if (s == PLU_OK)
        s = plu_tiles_make(&l->tiles, g, contacts, rows, pairs, cell, err);
    if (s == PLU_OK)
        s = group_bodies(l, rows, err);
    if (s == PLU_OK)
        s = reserve(l, p, err);
    if (s != PLU_OK)
        return s;
    memset(p->change + rows, 0, (size_t)p->given * sizeof *p->change);
    p->islands_count = g->islands;
    p->island_body = l->of_cell.order;
    p->cell_start = l->of_cell.start;
    counts n = {0};
    for (int k = 0; k < p->islands_count; k++)
        lay_island(l, p, k, &n);
    p->group_start[n.groups] = n.tiles;
    p->slots = plu_round_up(n.slots);
    ((laid *)l->laid.data)[n.tiles] = (laid){contacts, p->slots, 1};
    s = reserve_slots(l, p, &n, err);
    if (s == PLU_OK)
        s = lay_turns(l, p, &n, err);
    if (s != PLU_OK)
        return s;
    lay_strips(l, p);
    PLU_TEAM(plu_many(contacts, FEW), place(l, p, n.tiles));
    return PLU_OK;
}
