/* Cells of bodies and tiles of contacts, numbered so that the numbers are a function of the
 * positions alone (cuts.h has the geometry):
 *
 *  1. hash_cells      each body's cell goes into a hash table, by all threads at once, with
 *                     compare and exchange; runs of bodies in one cell cost one look
 *  2. number_cells    the cells of a table are sorted by their coordinates, x fastest
 *  3. number_tiles    a tile is its lower cell. Cell c belongs to tiles c - k, k in {0, 1}^3. The
 *                     eight lists {c - k} are sorted as the cells are, so merging them passes over
 *                     all tiles in order, and finds which cells of which list each of them has:
 *
 *                        cells c           3  4  7  8
 *                        list k = 0        3  4  7  8        tiles 2 3 4 6 7 8: each is met
 *                        list k = 1        2  3  6  7        once, with the lists that have it
 *
 *     one pass counts the tiles of each parity, the second one numbers them group by group.
 *
 * In a grid that closes on itself the first cell has neighbors across the end; these are lists of
 * their own, raised by the length of the grid (27 lists where it closes along all three axes). */
#include "blocks/cuts.h"
#include "base/memory.h"
#include "base/team.h"
#include <stdlib.h>
#include <string.h>

enum {
    FEW = 4000,         /* bodies up to which more than one thread does not pay */
    FIRST_SLOTS = 1024, /* entries of a new hash table, which doubles when it is half full */
    CORNERS = 8
};

/* The code of the offset that is one along each axis whose bit is set in k. */
static plu_body_cell offset_of(int k)
{
    return (plu_body_cell)(k & 1) | (plu_body_cell)(k >> 1 & 1) << PLU_CELL_BITS |
           (plu_body_cell)(k >> 2 & 1) << (2 * PLU_CELL_BITS);
}

/* The group (parity) of the tile with this raised lower cell. */
static int group_of(plu_body_cell raised)
{
    return (int)(~raised & 1) | (int)(~raised >> PLU_CELL_BITS & 1) << 1 |
           (int)(~raised >> (2 * PLU_CELL_BITS) & 1) << 2;
}

static size_t hash_of(plu_body_cell code, int slots)
{
    const uint64_t mixed = (code ^ code >> 29) * UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(mixed >> 20) & (size_t)(slots - 1);
}

static uint64_t *table_of(const plu_cuts *c, int cut)
{
    return c->table + (size_t)cut * (size_t)c->slots;
}

/* The entry of the table that holds the code, or the empty entry that would take it. Threads may
 * insert at the same time. */
static size_t find(const plu_cuts *c, const uint64_t *table, plu_body_cell code)
{
    size_t at = hash_of(code, c->slots);
    for (;;) {
        const uint64_t there = __atomic_load_n(&table[at], __ATOMIC_RELAXED);
        if (there == 0 || there == code + 1)
            return at;
        at = (at + 1) & (size_t)(c->slots - 1);
    }
}

/* Inserts a code; threads may do so in parallel. False, and nothing is inserted, if the table is
 * half full. */
static bool insert(plu_cuts *c, int cut, plu_body_cell code)
{
    uint64_t *table = table_of(c, cut);
    for (;;) {
        uint64_t nothing = 0;
        const size_t at = find(c, table, code);
        if (__atomic_load_n(&table[at], __ATOMIC_RELAXED) == code + 1)
            return true;
        if (2 * __atomic_load_n(&c->cut[cut].cells, __ATOMIC_RELAXED) >= c->slots - 128)
            return false;
        if (__atomic_compare_exchange_n(&table[at], &nothing, code + 1, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED)) {
            __atomic_fetch_add(&c->cut[cut].cells, 1, __ATOMIC_RELAXED);
            return true;
        }
    }
}

/* A pass over the bodies that remembers the last cell, because consecutive bodies are mostly in the
 * same one. */
typedef struct walker {
    int island, cut; /* of the last body; cut < 0: its island is not tiled */
    plu_body_cell code;
    int number; /* number of its cell, if looked up */
} walker;

static int cut_of(const plu_cuts *c, int island)
{
    int i = c->cuts - 1;
    while (i >= 0 && c->cut[i].island != island)
        i--;
    return i;
}

/* Whether body i is in a tiled island and in another cell than the last body. */
static bool enters(const plu_cuts *c, const plu_graph *graph, const plu_body_cell *cell, int i,
                   walker *w)
{
    const int island = graph->island[i];
    if (island != w->island) {
        w->island = island;
        w->cut = island >= 0 ? cut_of(c, island) : -1;
    } else if (w->cut < 0 || cell[i] == w->code) {
        return false;
    }
    w->code = cell[i];
    return w->cut >= 0;
}

static const walker nowhere = {.island = -1, .cut = -1}; /* as bodies without contact */

static void insert_all(plu_cuts *c, const plu_graph *graph, int rows, const plu_body_cell *cell,
                       bool *full)
{
    walker w = nowhere;
    bool any = false;
#pragma omp for schedule(static) nowait
    for (int i = 0; i < rows; i++)
        if (!any && enters(c, graph, cell, i, &w))
            any = !insert(c, w.cut, w.code);
    if (any) {
#pragma omp atomic write
        *full = true;
    }
}

static void number_bodies(plu_cuts *c, const plu_graph *graph, int rows, const plu_body_cell *cell)
{
    walker w = nowhere;
#pragma omp for schedule(static) nowait
    for (int i = 0; i < rows; i++) {
        if (enters(c, graph, cell, i, &w))
            w.number =
                c->number[(size_t)w.cut * (size_t)c->slots + find(c, table_of(c, w.cut), w.code)];
        if (w.cut >= 0)
            c->of_body[i] = w.number;
    }
}

/* Inserts the cells of all bodies of tiled islands, enlarging the tables as needed. */
static plu_status hash_cells(plu_cuts *c, const plu_graph *graph, int rows,
                             const plu_body_cell *cell, plu_error *err)
{
    c->slots = c->slots > 0 ? c->slots : FIRST_SLOTS;
    for (;;) {
        const size_t entries = (size_t)c->cuts * (size_t)c->slots;
        plu_status s =
            plu_reserve(&c->table, &c->table_capacity, entries, sizeof *c->table, 0, err);
        if (s == PLU_OK)
            s = plu_reserve(&c->number, &c->number_capacity, entries, sizeof *c->number, 0, err);
        if (s != PLU_OK)
            return s;
        memset(c->table, 0, entries * sizeof *c->table);
        for (int i = 0; i < c->cuts; i++)
            c->cut[i].cells = 0;
        bool full = false;
        PLU_TEAM(plu_many(rows, FEW), insert_all(c, graph, rows, cell, &full));
        if (!full)
            return PLU_OK;
        c->slots *= 2;
    }
}

static int by_code(const void *a, const void *b)
{
    const plu_body_cell x = *(const plu_body_cell *)a, y = *(const plu_body_cell *)b;
    return (x > y) - (x < y);
}

/* Numbers the cells of a cut in increasing order of their codes, so that the numbers do not depend
 * on the order of insertion. */
static void number_cells(plu_cuts *c, int cut)
{
    const uint64_t *table = table_of(c, cut);
    plu_body_cell *code = c->code + c->cut[cut].first;
    int count = 0;
    for (int i = 0; i < c->slots; i++)
        if (table[i] != 0)
            code[count++] = table[i] - 1;
    qsort(code, (size_t)count, sizeof *code, by_code);
    for (int i = 0; i < count; i++)
        c->number[(size_t)cut * (size_t)c->slots + find(c, table, code[i])] = c->cut[cut].first + i;
}

/* Cells in increasing order, and which corner of each is meant. What they have in common: along
 * which axes the corner lies across the end of a grid that closes. So the lower cells of their
 * corners increase, too: those are the cells and `raise`, where each coordinate is raised by one so
 * that none is negative. */
typedef struct list {
    int corner;
    int axes,
        across; /* bits of axes: those to look at, and along which of them a cell is the first */
    plu_body_cell raise;
    int next; /* the first cell that the merge has not taken; `cells`: none */
} list;

enum { LISTS = 27 };

/* A pass over the corners of all cells of a cut in the order of their lower cells: lists are
 * merged, eight, or 27 of a grid that closes along all axes. */
typedef struct merge {
    const plu_body_cell *code;
    int cells, lists;
    list list[LISTS];
} merge;

/* Bits of axes along which the cell is the first of a grid that closes. */
static int first_along(const plu_cuts *c, plu_body_cell code)
{
    int axes = 0;
    for (int k = 0; k < 3; k++)
        if (c->closes >> (k * PLU_CELL_BITS) & 2 * PLU_CELLS)
            axes |= (code >> (k * PLU_CELL_BITS) & (PLU_CELLS - 1)) == 0 ? 1 << k : 0;
    return axes;
}

static void list_on(const plu_cuts *c, const merge *m, list *l)
{
    while (l->axes && l->next < m->cells &&
           (first_along(c, m->code[l->next]) & l->axes) != l->across)
        l->next++;
}

/* By how much cells of the list are higher than the first ones: their neighbors across the end lie
 * as much higher as the last cell. */
static plu_body_cell once_around(const plu_cuts *c, int across)
{
    plu_body_cell cells = 0;
    for (int k = 0; k < 3; k++) {
        const plu_body_cell all = (plu_body_cell)(2 * PLU_CELLS - 1) << (k * PLU_CELL_BITS);
        if (across >> k & 1)
            cells += (c->last & all) + offset_of(1 << k);
    }
    return cells;
}

static merge merge_begin(const plu_cuts *c, const plu_cut *cut)
{
    merge m = {.code = c->code + cut->first, .cells = cut->cells};
    const int closes =
        first_along(c, offset_of(7) * PLU_CELLS); /* of the cell 0 0 0: all of them */
    for (int k = 0; k < CORNERS; k++)
        for (int across = 0; across < CORNERS; across++) {
            if (across & ~(k & closes))
                continue;
            list *l = &m.list[m.lists++];
            *l = (list){.corner = k,
                        .axes = k & closes,
                        .across = across,
                        .raise = offset_of(~k) + once_around(c, across)};
            list_on(c, &m, l);
        }
    return m;
}

/* *low: the next raised lower cell. Returns a bit for each list that has it; 0 at the end. */
static unsigned merge_next(const merge *m, plu_body_cell *low)
{
    unsigned which = 0;
    for (int i = 0; i < m->lists; i++) {
        const list *l = &m->list[i];
        if (l->next == m->cells)
            continue;
        const plu_body_cell here = m->code[l->next] + l->raise;
        if (which && here > *low)
            continue;
        which = (which && here == *low ? which : 0) | 1u << i;
        *low = here;
    }
    return which;
}

/* Counts the tiles of a cut by group; if `place` is not NULL, also numbers them, place[g] being the
 * next number of group g. */
static void pass_tiles(plu_cuts *c, const plu_cut *cut, int *place, int count[PLU_TILE_GROUPS])
{
    merge m = merge_begin(c, cut);
    plu_body_cell low = 0;
    for (unsigned which = merge_next(&m, &low); which; which = merge_next(&m, &low)) {
        const int group = group_of(low);
        count[group]++;
        for (int i = 0; i < m.lists; i++) {
            if (!(which >> i & 1))
                continue;
            list *l = &m.list[i];
            if (place)
                c->corner[cut->first + l->next][l->corner] = place[group];
            l->next++;
            list_on(c, &m, l);
        }
        if (place)
            place[group]++;
    }
}

static void number_tiles(plu_cuts *c, plu_cut *cut)
{
    int count[PLU_TILE_GROUPS] = {0}, place[PLU_TILE_GROUPS];
    pass_tiles(c, cut, NULL, count);
    count[PLU_TILE_GROUPS - 1] = 1;
    cut->group_start[0] = 0;
    for (int g = 0; g < PLU_TILE_GROUPS; g++) {
        place[g] = cut->group_start[g];
        cut->group_start[g + 1] = cut->group_start[g] + count[g];
    }
    pass_tiles(c, cut, place, count);
}

static plu_status find_cuts(plu_cuts *c, int islands, const int *contacts, plu_error *err)
{
    c->cuts = 0;
    for (int k = 0; k < islands; k++) {
        if (contacts[k] < PLU_TILED)
            continue;
        const plu_status s =
            plu_reserve(&c->cut, &c->cut_capacity, (size_t)c->cuts + 1, sizeof *c->cut, 1, err);
        if (s != PLU_OK)
            return s;
        c->cut[c->cuts++] = (plu_cut){.island = k};
    }
    return PLU_OK;
}

void plu_cuts_close(plu_cuts *c, const int around[3])
{
    c->closes = c->last = 0;
    for (int k = 0; k < 3; k++) {
        if (around[k] < 4)
            continue;
        c->closes |= offset_of(1 << k) * 2 * PLU_CELLS;
        c->last |= offset_of(1 << k) * (plu_body_cell)(around[k] - 1);
    }
}

plu_status plu_cuts_make(plu_cuts *c, const plu_graph *graph, const int *contacts, int rows,
                         const plu_body_cell *cell, plu_error *err)
{
    plu_status s = find_cuts(c, graph->islands, contacts, err);
    if (s != PLU_OK || c->cuts == 0)
        return s;
    s = plu_reserve(&c->of_body, &c->of_body_capacity, (size_t)rows, sizeof *c->of_body, 0, err);
    if (s == PLU_OK)
        s = hash_cells(c, graph, rows, cell, err);
    if (s != PLU_OK)
        return s;
    int all = 0;
    for (int i = 0; i < c->cuts; i++) {
        c->cut[i].first = all;
        all += c->cut[i].cells;
    }
    s = plu_reserve(&c->code, &c->code_capacity, (size_t)all, sizeof *c->code, 0, err);
    if (s == PLU_OK)
        s = plu_reserve(&c->corner, &c->corner_capacity, (size_t)all, sizeof *c->corner, 0, err);
    for (int i = 0; s == PLU_OK && i < c->cuts; i++) {
        number_cells(c, i);
        number_tiles(c, &c->cut[i]);
    }
    if (s == PLU_OK)
        PLU_TEAM(plu_many(rows, FEW), number_bodies(c, graph, rows, cell));
    return s;
}

const plu_cut *plu_cuts_of(const plu_cuts *c, int island)
{
    const int i = cut_of(c, island);
    return i >= 0 ? &c->cut[i] : NULL;
}

void plu_cuts_free(plu_cuts *c)
{
    free(c->cut);
    free(c->code);
    free(c->corner);
    free(c->of_body);
    free(c->table);
    free(c->number);
}
