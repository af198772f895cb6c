/* Islands, colours and slots. Everything is visited in the order of the contacts, so the layout is
 * a function of the contact list. */
#include "base/memory.h"
#include "problem/problem.h"
#include <stdlib.h>
#include <string.h>

typedef struct array {
    void *data;
    size_t capacity;
} array;

struct plu_layout {
    array parent, taken, island_of, color, order, begin;          /* scratch */
    array blocks, contact_of_slot, slot_of_contact, ends_of_slot; /* parts of the problem */
    array color_start, color_count, islands, island_body, v_before, sums;
};

plu_layout *plu_layout_create(plu_error *err)
{
    return plu_alloc(1, sizeof(plu_layout), err);
}

void plu_layout_destroy(plu_layout *l)
{
    if (!l)
        return;
    array *all[] = {&l->parent,          &l->taken,        &l->island_of,   &l->color,
                    &l->order,           &l->begin,        &l->blocks,      &l->contact_of_slot,
                    &l->slot_of_contact, &l->ends_of_slot, &l->color_start, &l->color_count,
                    &l->islands,         &l->island_body,  &l->v_before,    &l->sums};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]->data);
    free(l);
}

/* The array with room for `count` elements; NULL when there is no memory. */
static void *room(array *a, size_t count, size_t size, plu_error *err)
{
    return plu_reserve(&a->data, &a->capacity, count, size, 0, err) == PLU_OK ? a->data : NULL;
}

static int root_of(int *parent, int i)
{
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

/* Union-find over the moving bodies; -1 for a body without contact. The root is the smallest body.
 */
static void join(int *parent, int rows, int contacts, const plu_ends *ends, bool islands)
{
    memset(parent, -1, (size_t)rows * sizeof *parent);
    int first = -1; /* with one island for all, everything is joined to the first body */
    for (int c = 0; c < contacts; c++) {
        const int b = ends[c].b, a = ends[c].a >= 0 ? ends[c].a : b;
        if (parent[a] < 0)
            parent[a] = a;
        if (parent[b] < 0)
            parent[b] = b;
        if (!islands && first < 0)
            first = b;
        const int x = root_of(parent, a), y = root_of(parent, b);
        parent[x > y ? x : y] = x > y ? y : x;
        if (!islands) {
            const int u = root_of(parent, first), w = root_of(parent, b);
            parent[u > w ? u : w] = u > w ? w : u;
        }
    }
}

/* First-fit colours; PLU_COLORS - 1 is the overflow, which may hold conflicts. */
static void choose_colors(int contacts, int rows, const plu_ends *ends, uint64_t *taken,
                          unsigned char *color)
{
    memset(taken, 0, (size_t)rows * sizeof *taken);
    const uint64_t overflow = UINT64_C(1) << (PLU_COLORS - 1);
    for (int c = 0; c < contacts; c++) {
        const int a = ends[c].a, b = ends[c].b;
        const uint64_t used = (a >= 0 ? taken[a] : 0) | taken[b];
        const uint64_t bit = ~used & (used + 1) & ~overflow;
        color[c] = (unsigned char)(bit ? __builtin_ctzll(bit) : PLU_COLORS - 1);
        if (a >= 0)
            taken[a] |= bit;
        taken[b] |= bit;
    }
}

/* Numbers the islands in the order of their first contact and counts contacts and bodies. */
static int number_islands(plu_layout *l, plu_problem *p, int contacts, int rows,
                          const plu_ends *ends)
{
    int *parent = l->parent.data, *island_of = l->island_of.data, count = 0;
    memset(island_of, -1, (size_t)rows * sizeof *island_of);
    for (int c = 0; c < contacts; c++) {
        const int root = root_of(parent, ends[c].b);
        if (island_of[root] < 0) {
            island_of[root] = count;
            p->islands[count++] = (plu_island){0};
        }
        p->islands[island_of[root]].contacts++;
    }
    for (int i = 0; i < rows; i++)
        if (parent[i] >= 0) {
            island_of[i] = island_of[root_of(parent, i)];
            p->islands[island_of[i]].body_end++;
        }
    for (int k = 0, body = 0; k < count; k++) {
        const int bodies = p->islands[k].body_end;
        p->islands[k].body_begin = p->islands[k].body_end = body;
        body += bodies;
    }
    for (int i = 0; i < rows; i++)
        if (parent[i] >= 0)
            p->island_body[p->islands[island_of[i]].body_end++] = i;
    return count;
}

/* Contacts of island k in their order: order[begin[k]] to order[begin[k + 1] - 1]. */
static void sort_by_island(const plu_layout *l, const plu_problem *p, int contacts,
                           const plu_ends *ends)
{
    int *order = l->order.data, *begin = l->begin.data;
    const int *island_of = l->island_of.data;
    begin[0] = 0;
    for (int k = 0; k < p->islands_count; k++)
        begin[k + 1] = begin[k] + p->islands[k].contacts;
    for (int c = 0; c < contacts; c++)
        order[begin[island_of[ends[c].b]]++] = c;
    memmove(begin + 1, begin, (size_t)p->islands_count * sizeof *begin);
    begin[0] = 0;
}

static int round_up(int slots)
{
    return (slots + PLU_LANES - 1) / PLU_LANES * PLU_LANES;
}

/* Gives the colours of one island their slots. */
static void measure(const plu_layout *l, plu_problem *p, int k, int *slots, int *colors)
{
    plu_island *island = &p->islands[k];
    const int *begin = l->begin.data, *order = l->order.data;
    const unsigned char *color = l->color.data;
    int count[PLU_COLORS] = {0};
    for (int i = begin[k]; i < begin[k + 1]; i++)
        count[color[order[i]]]++;
    island->padded = island->contacts >= PLU_PADDED;
    island->large = island->contacts >= PLU_LARGE;
    island->serial_tail = count[PLU_COLORS - 1] > 0;
    island->color_begin = *colors;
    for (int c = 0; c < PLU_COLORS; c++) {
        if (!count[c])
            continue;
        if (island->padded)
            *slots = round_up(*slots);
        p->color_start[*colors] = *slots;
        p->color_count[(*colors)++] = count[c];
        *slots += count[c];
    }
    island->color_end = *colors;
    if (island->padded)
        *slots = round_up(*slots);
}

/* Gives the contacts of one island their slots, colour by colour. */
static void place(const plu_layout *l, plu_problem *p, const plu_ends *ends, int k)
{
    const plu_island *island = &p->islands[k];
    const int *begin = l->begin.data, *order = l->order.data;
    const unsigned char *color = l->color.data;
    int count[PLU_COLORS] = {0}, at[PLU_COLORS];
    for (int i = begin[k]; i < begin[k + 1]; i++)
        count[color[order[i]]]++;
    for (int c = 0, next = island->color_begin; c < PLU_COLORS; c++)
        if (count[c])
            at[c] = p->color_start[next++];
    for (int i = begin[k]; i < begin[k + 1]; i++) {
        const int contact = order[i], slot = at[color[contact]]++;
        p->contact_of_slot[slot] = contact;
        p->ends_of_slot[slot] = ends[contact];
        p->slot_of_contact[contact] = slot;
    }
}

/* Room for all that depends on the number of contacts and bodies. */
static plu_status reserve(plu_layout *l, plu_problem *p, int contacts, int rows, plu_error *err)
{
    const size_t nc = (size_t)contacts, nr = (size_t)rows;
    p->slot_of_contact = room(&l->slot_of_contact, nc, sizeof(int), err);
    p->color_start = room(&l->color_start, nc, sizeof(int), err);
    p->color_count = room(&l->color_count, nc, sizeof(int), err);
    p->islands = room(&l->islands, nc, sizeof *p->islands, err);
    p->island_body = room(&l->island_body, nr, sizeof(int), err);
    p->v_before = room(&l->v_before, nr, sizeof *p->v_before, err);
    const void *scratch[] = {
        room(&l->parent, nr, sizeof(int), err),    room(&l->taken, nr, sizeof(uint64_t), err),
        room(&l->island_of, nr, sizeof(int), err), room(&l->color, nc, 1, err),
        room(&l->order, nc, sizeof(int), err),     room(&l->begin, nc + 1, sizeof(int), err)};
    for (size_t i = 0; i < sizeof scratch / sizeof *scratch; i++)
        if (!scratch[i])
            return PLU_IO;
    return p->slot_of_contact && p->color_start && p->color_count && p->islands && p->island_body &&
                   p->v_before
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

plu_status plu_layout_make(plu_layout *l, plu_problem *p, int contacts, int rows,
                           const plu_ends *ends, bool islands, plu_error *err)
{
    plu_status s = reserve(l, p, contacts, rows, err);
    if (s != PLU_OK)
        return s;
    p->contacts = contacts;
    p->rows = rows;
    join(l->parent.data, rows, contacts, ends, islands);
    choose_colors(contacts, rows, ends, l->taken.data, l->color.data);
    p->islands_count = number_islands(l, p, contacts, rows, ends);
    sort_by_island(l, p, contacts, ends);
    int colors = 0;
    p->slots = 0;
    for (int k = 0; k < p->islands_count; k++)
        measure(l, p, k, &p->slots, &colors);
    p->slots = round_up(p->slots);
    s = reserve_slots(l, p, p->slots, colors, err);
    if (s != PLU_OK)
        return s;
    memset(p->contact_of_slot, -1, (size_t)p->slots * sizeof(int));
    memset(p->ends_of_slot, -1, (size_t)p->slots * sizeof *p->ends_of_slot);
    for (int k = 0; k < p->islands_count; k++)
        place(l, p, ends, k);
    return PLU_OK;
}
