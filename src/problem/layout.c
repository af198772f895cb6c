/* Slots: the contacts sorted by island and colour. Their order is a function of the contact list.
 */
#include "base/group.h"
#include "base/memory.h"
#include "problem/graph.h"
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 4096 }; /* contacts */

typedef struct array {
    void *data;
    size_t capacity;
} array;

struct plu_layout {
    plu_graph graph;
    plu_groups of_island, sorted; /* bodies by island; contacts by island, then colour */
    array key, key_of_island;     /* of the contacts: island and colour in one number */
    array first;                  /* by colour: its first sorted contact */
    array blocks, contact_of_slot, slot_of_contact, ends_of_slot; /* parts of the problem */
    array color_start, color_count, islands, v_before, sums;
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
    plu_groups_free(&l->sorted);
    array *all[] = {&l->key,          &l->key_of_island,   &l->first,
                    &l->blocks,       &l->contact_of_slot, &l->slot_of_contact,
                    &l->ends_of_slot, &l->color_start,     &l->color_count,
                    &l->islands,      &l->v_before,        &l->sums};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]->data);
    free(l);
}

/* The array with room for `count` elements; NULL when there is no memory. */
static void *room(array *a, size_t count, size_t size, plu_error *err)
{
    return plu_reserve(&a->data, &a->capacity, count, size, 0, err) == PLU_OK ? a->data : NULL;
}

/* Room for all that depends on the number of contacts and bodies. */
static plu_status reserve(plu_layout *l, plu_problem *p, plu_error *err)
{
    const size_t nc = (size_t)p->contacts, nr = (size_t)p->rows, ni = (size_t)l->graph.islands;
    p->slot_of_contact = room(&l->slot_of_contact, nc, sizeof(int), err);
    p->color_start = room(&l->color_start, nc, sizeof(int), err);
    p->color_count = room(&l->color_count, nc, sizeof(int), err);
    p->islands = room(&l->islands, ni, sizeof *p->islands, err);
    p->v_before = room(&l->v_before, nr, sizeof *p->v_before, err);
    return p->slot_of_contact && p->color_start && p->color_count && p->islands && p->v_before &&
                   room(&l->key, nc, sizeof(int), err) && room(&l->first, nc, sizeof(int), err) &&
                   room(&l->key_of_island, ni + 1, sizeof(int), err)
               ? PLU_OK
               : PLU_IO;
}

/* Room for all that depends on the number of slots. */
static plu_status reserve_slots(plu_layout *l, plu_problem *p, int slots, int colors,
                                plu_error *err)
{
    const size_t chunks = (size_t)slots / PLU_SUM_CHUNK + (size_t)colors + 1;
    p->blocks = room(&l->blocks, (size_t)slots / PLU_LANES + 1, sizeof *p->blocks, err);
    p->contact_of_slot = room(&l->contact_of_slot, (size_t)slots, sizeof(int), err);
    p->ends_of_slot = room(&l->ends_of_slot, (size_t)slots, sizeof *p->ends_of_slot, err);
    p->sums = room(&l->sums, chunks * PLU_SUMS, sizeof(double), err);
    return p->blocks && p->contact_of_slot && p->ends_of_slot && p->sums ? PLU_OK : PLU_IO;
}

/* Sorts bodies by island, contacts by island and colour. */
static plu_status sort(plu_layout *l, plu_problem *p, const plu_ends *ends, plu_error *err)
{
    const plu_graph *g = &l->graph;
    int *key = l->key.data, *key_of_island = l->key_of_island.data;
    key_of_island[0] = 0;
    for (int k = 0; k < g->islands; k++)
        key_of_island[k + 1] = key_of_island[k] + g->colors[k];
#pragma omp parallel for schedule(static) if (p->contacts > CHUNK)
    for (int c = 0; c < p->contacts; c++)
        key[c] = key_of_island[g->island[ends[c].b]] + g->color[c];
    const plu_status s =
        plu_groups_make(&l->sorted, p->contacts, key, key_of_island[g->islands], err);
    return s == PLU_OK ? plu_groups_make(&l->of_island, p->rows, g->island, g->islands, err) : s;
}

static int round_up(int slots)
{
    return (slots + PLU_LANES - 1) / PLU_LANES * PLU_LANES;
}

/* Gives the colours of island k their slots. */
static void measure(const plu_layout *l, plu_problem *p, int k, int *slots, int *colors)
{
    const int *key_of_island = l->key_of_island.data, *start = l->sorted.start;
    const int begin = key_of_island[k], end = key_of_island[k + 1];
    const int contacts = start[end] - start[begin];
    plu_island *island = &p->islands[k];
    int *first = l->first.data;
    *island = (plu_island){.color_begin = *colors,
                           .body_begin = l->of_island.start[k],
                           .body_end = l->of_island.start[k + 1],
                           .contacts = contacts,
                           .padded = contacts >= PLU_PADDED,
                           .large = contacts >= PLU_LARGE,
                           .serial_tail = end - begin == PLU_COLORS && start[end - 1] < start[end]};
    for (int key = begin; key < end; key++) {
        if (start[key] == start[key + 1])
            continue;
        if (island->padded)
            *slots = round_up(*slots);
        first[*colors] = start[key];
        p->color_start[*colors] = *slots;
        p->color_count[*colors] = start[key + 1] - start[key];
        *slots += p->color_count[(*colors)++];
    }
    island->color_end = *colors;
    if (island->padded)
        *slots = round_up(*slots);
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
        const int contact = l->sorted.order[i], index = i - first[color];
        const int slot = p->color_start[color] + index;
        p->contact_of_slot[slot] = contact;
        p->ends_of_slot[slot] = ends[contact];
        p->slot_of_contact[contact] = slot;
        if (index + 1 == p->color_count[color])
            clear(p, slot + 1, color + 1 < colors ? p->color_start[color + 1] : p->slots);
    }
}

plu_status plu_layout_make(plu_layout *l, plu_problem *p, int contacts, int rows,
                           const plu_ends *ends, bool islands, plu_error *err)
{
    p->contacts = contacts;
    p->rows = rows;
    plu_status s = plu_graph_make(&l->graph, contacts, rows, ends, islands, err);
    if (s == PLU_OK)
        s = reserve(l, p, err);
    if (s == PLU_OK)
        s = sort(l, p, ends, err);
    if (s != PLU_OK)
        return s;
    p->islands_count = l->graph.islands;
    p->island_body = l->of_island.order;
    int colors = 0;
    p->slots = 0;
    for (int k = 0; k < p->islands_count; k++)
        measure(l, p, k, &p->slots, &colors);
    p->slots = round_up(p->slots);
    s = reserve_slots(l, p, p->slots, colors, err);
    if (s != PLU_OK)
        return s;
#pragma omp parallel for schedule(static) if (contacts > CHUNK)
    for (int begin = 0; begin < contacts; begin += CHUNK)
        place(l, p, ends, begin, contacts - begin < CHUNK ? contacts : begin + CHUNK, colors);
    return PLU_OK;
}
