/* Slots: the contacts sorted by island, tile and colour. Their order is a function of the contact
 * list, and of the cells of the bodies where islands are cut.
 */
#include "base/group.h"
#include "base/memory.h"
#include "problem/tiles.h"
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 4096 }; /* contacts */

typedef struct array {
    void *data;
    size_t capacity;
} array;

struct plu_layout {
    plu_graph graph;
    plu_groups of_island; /* bodies by island */
    plu_tiles tiles;
    array first;                            /* by colour: its first sorted contact */
    array blocks, own_terms, before, start; /* parts of the problem */
    array contact_of_slot, slot_of_contact, ends_of_slot;
    array color_start, color_count, tile, group_start, islands, v_before, sums;
};

plu_layout *plu_layout_create(plu_error *err)
{
    return plu_alloc(1, sizeof(plu_layout), err);
}

void plu_layout_destroy(plu_layout *l)
{
    if (!l)
        return;
    plu_graph_free(&l->graph);
    plu_groups_free(&l->of_island);
    plu_tiles_free(&l->tiles);
    array *all[] = {&l->first,           &l->blocks,       &l->own_terms,
                    &l->before,          &l->start,        &l->contact_of_slot,
                    &l->slot_of_contact, &l->ends_of_slot, &l->color_start,
                    &l->color_count,     &l->tile,         &l->group_start,
                    &l->islands,         &l->v_before,     &l->sums};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]->data);
    free(l);
}

/* The array with room for `count` elements; NULL when there is no memory. */
static void *room(array *a, size_t count, size_t size, plu_error *err)
{
    return plu_reserve(&a->data, &a->capacity, count, size, 0, err) == PLU_OK ? a->data : NULL;
}

/* Room for all that depends on the number of contacts, bodies and tiles. */
static plu_status reserve(plu_layout *l, plu_problem *p, plu_error *err)
{
    const size_t nc = (size_t)p->contacts, nr = (size_t)p->rows, ni = (size_t)l->graph.islands;
    const size_t nt = (size_t)l->tiles.keys;
    p->slot_of_contact = room(&l->slot_of_contact, nc, sizeof(int), err);
    p->color_start = room(&l->color_start, nc, sizeof(int), err);
    p->color_count = room(&l->color_count, nc, sizeof(int), err);
    p->tiles = room(&l->tile, nt, sizeof *p->tiles, err);
    p->group_start = room(&l->group_start, nt + 1, sizeof(int), err);
    p->islands = room(&l->islands, ni, sizeof *p->islands, err);
    p->v_before = room(&l->v_before, nr, sizeof *p->v_before, err);
    return p->slot_of_contact && p->color_start && p->color_count && p->tiles && p->group_start &&
                   p->islands && p->v_before && room(&l->first, nc, sizeof(int), err)
               ? PLU_OK
               : PLU_IO;
}

/* Room for all that depends on the number of slots. */
static plu_status reserve_slots(plu_layout *l, plu_problem *p, int slots, int colors,
                                plu_error *err)
{
    /* as many as colours are as many as tiles */
    const size_t chunks = (size_t)slots / PLU_SUM_CHUNK + (size_t)colors + 1;
    const size_t blocks = (size_t)slots / PLU_LANES + 1;
    p->blocks = room(&l->blocks, blocks, sizeof *p->blocks, err);
    p->own_terms = room(&l->own_terms, blocks, sizeof *p->own_terms, err);
    p->before = room(&l->before, blocks, sizeof *p->before, err);
    p->start = room(&l->start, blocks, sizeof *p->start, err);
    p->contact_of_slot = room(&l->contact_of_slot, (size_t)slots, sizeof(int), err);
    p->ends_of_slot = room(&l->ends_of_slot, (size_t)slots, sizeof *p->ends_of_slot, err);
    p->sums = room(&l->sums, chunks * PLU_SUMS, sizeof(double), err);
    return p->blocks && p->own_terms && p->before && p->start && p->contact_of_slot &&
                   p->ends_of_slot && p->sums
               ? PLU_OK
               : PLU_IO;
}

static int round_up(int slots)
{
    return (slots + PLU_LANES - 1) / PLU_LANES * PLU_LANES;
}

typedef struct counts { /* of what has been laid out */
    int slots, colors, tiles, groups;
} counts;

/* Gives the colours of the contacts begin to end of the sorted ones, a tile, their slots. */
static void lay_tile(const plu_layout *l, plu_problem *p, int begin, int end, bool padded,
                     counts *n)
{
    const unsigned char *color = l->tiles.color;
    plu_tile *tile = &p->tiles[n->tiles++];
    int *first = l->first.data;
    tile->color_begin = n->colors;
    tile->serial_tail = color[end - 1] == PLU_COLORS - 1;
    for (int i = begin, next; i < end; i = next) {
        for (next = i + 1; next < end && color[next] == color[i];)
            next++;
        if (padded)
            n->slots = round_up(n->slots);
        first[n->colors] = i;
        p->color_start[n->colors] = n->slots;
        p->color_count[n->colors++] = next - i;
        n->slots += next - i;
    }
    tile->color_end = n->colors;
}

static void lay_island(const plu_layout *l, plu_problem *p, int k, counts *n)
{
    const plu_tiles *t = &l->tiles;
    const int contacts = t->by_island.start[k + 1] - t->by_island.start[k];
    plu_island *island = &p->islands[k];
    *island = (plu_island){.group_begin = n->groups,
                           .body_begin = l->of_island.start[k],
                           .body_end = l->of_island.start[k + 1],
                           .contacts = contacts,
                           .padded = contacts >= PLU_PADDED,
                           .large = contacts >= PLU_LARGE,
                           .tiled = t->first_key[k + 1] - t->first_key[k] > 1};
    if (island->padded)
        n->slots = round_up(n->slots);
    island->slot_begin = n->slots;
    for (int key = t->first_key[k], group = -1; key < t->first_key[k + 1]; key++) {
        if (t->start[key] == t->start[key + 1])
            continue;
        if (t->group[key] != group)
            p->group_start[n->groups++] = n->tiles;
        group = t->group[key];
        lay_tile(l, p, t->start[key], t->start[key + 1], island->padded, n);
    }
    island->slot_end = n->slots;
    island->group_end = n->groups;
    if (island->padded)
        n->slots = round_up(n->slots);
}

static void clear(plu_problem *p, int begin, int end)
{
    for (int slot = begin; slot < end; slot++) {
        p->contact_of_slot[slot] = -1;
        p->ends_of_slot[slot] = (plu_ends){-1, -1};
    }
}

/* Gives the sorted contacts of a chunk their slots; the spare ones behind a colour are empty. */
static void place(const plu_layout *l, plu_problem *p, const plu_ends *ends, int begin, int end,
                  int colors)
{
    const int *first = l->first.data;
    int color = 0;
    for (int high = colors; high - color > 1;) { /* the colour of the first contact */
        const int middle = color + (high - color) / 2;
        if (first[middle] <= begin)
            color = middle;
        else
            high = middle;
    }
    for (int i = begin; i < end; i++) {
        color += color + 1 < colors && first[color + 1] == i;
        const int contact = l->tiles.order[i], index = i - first[color];
        const int slot = p->color_start[color] + index;
        p->contact_of_slot[slot] = contact;
        p->ends_of_slot[slot] = ends[contact];
        p->slot_of_contact[contact] = slot;
        if (index + 1 == p->color_count[color])
            clear(p, slot + 1, color + 1 < colors ? p->color_start[color + 1] : p->slots);
    }
}

plu_status plu_layout_make(plu_layout *l, plu_problem *p, int contacts, int rows,
                           const plu_ends *ends, const plu_body_cell *cell, bool islands,
                           plu_error *err)
{
    p->contacts = contacts;
    p->rows = rows;
    const plu_graph *g = &l->graph;
    plu_status s = plu_graph_make(&l->graph, contacts, rows, ends, islands, err);
    if (s == PLU_OK)
        s = plu_groups_make(&l->of_island, rows, g->island, g->islands, err);
    if (s == PLU_OK)
        s = plu_tiles_make(&l->tiles, g, &l->of_island, contacts, rows, ends, cell, err);
    if (s == PLU_OK)
        s = reserve(l, p, err);
    if (s != PLU_OK)
        return s;
    p->islands_count = g->islands;
    p->island_body = l->of_island.order;
    counts n = {0};
    for (int k = 0; k < p->islands_count; k++)
        lay_island(l, p, k, &n);
    p->group_start[n.groups] = n.tiles;
    p->slots = round_up(n.slots);
    s = reserve_slots(l, p, p->slots, n.colors, err);
    if (s != PLU_OK)
        return s;
#pragma omp parallel for schedule(static) if (contacts > CHUNK)
    for (int begin = 0; begin < contacts; begin += CHUNK)
        place(l, p, ends, begin, contacts - begin < CHUNK ? contacts : begin + CHUNK, n.colors);
    return PLU_OK;
}
