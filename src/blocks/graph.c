/* Islands by union-find, by all threads at once. Roots are hung below smaller bodies only:
 *
 *     bodies    0  1  2  3  4        contacts 3-1, 4-1     parent  0  1  2  1  1
 *     islands   {1, 3, 4}, root 1; 0 and 2 have none
 *
 * so that in the end a root is the smallest body of its island, whatever thread came first. Then
 * chunks of bodies count their roots, the sums of the counts number the islands in the order of
 * their roots, and each body takes the number of its root. */
#include "base/memory.h"
#include "base/team.h"
#include "blocks/cuts.h"
#include "blocks/pair_share.h"
#include <stdlib.h>
#include <string.h>

enum {
    AHEAD = 24,  /* prefetch distance in contacts */
    FEW = 4000,  /* contacts or bodies up to which more than one thread does not pay */
    CHUNK = 4096 /* bodies that a thread takes at a time */
};

/* Kinds of rows that a body can have a contact with: the second index of plu_graph.meets. */
enum { GIVEN, MOVING };

static int parent_of(const int *parent, int i)
{
    return __atomic_load_n(&parent[i], __ATOMIC_RELAXED);
}

/* The root of body i in the union-find forest. Halves the path on the way up; threads may do so at
 * the same time, because each writes an ancestor. */
static int root_of(int *parent, int i)
{
    for (int p = parent_of(parent, i); p != i; p = parent_of(parent, i)) {
        const int next = parent_of(parent, p);
        if (next != p)
            __atomic_store_n(&parent[i], next, __ATOMIC_RELAXED);
        i = next;
    }
    return i;
}

/* Unites the sets of a and b: the larger root becomes a child of the smaller one. Other threads may
 * unite sets at the same time; the exchange is tried again if the larger root has got a parent
 * meanwhile. In the end each root is the smallest body of its island, in whatever order the threads
 * came. */
static void unite(int *parent, int a, int b)
{
    for (;;) {
        const int x = root_of(parent, a), y = root_of(parent, b);
        int high = x > y ? x : y;
        if (x == y || __atomic_compare_exchange_n(&parent[high], &high, x > y ? y : x, false,
                                                  __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            return;
    }
}

/* Notes that `body` has a contact with a row of this kind. The store is atomic because threads may
 * write the same flag at the same time (always true). */
static void note_contact(plu_graph *g, int body, int kind)
{
    __atomic_store_n(&g->meets[body][kind], true, __ATOMIC_RELAXED);
}

/* unite() for bodies of the thread's own share, without an exchange. */
static void unite_own(int *parent, int a, int b)
{
    const int x = root_of(parent, a), y = root_of(parent, b);
    parent[x > y ? x : y] = x > y ? y : x;
}

/* Unites the bodies of all contacts, in two passes: first the contacts within the share of a
 * thread, with plain stores, then the others with atomic exchanges, which are much slower. */
static void unite_contacts(plu_graph *g, int contacts, int rows, const plu_contact_pair *pairs,
                           bool islands)
{
#pragma omp for schedule(static)
    for (int i = 0; i < rows; i++) {
        g->parent[i] = i;
        g->meets[i][GIVEN] = g->meets[i][MOVING] = false;
    }
    const plu_pair_share own = plu_pair_share_of(contacts, rows, pairs);
    int later = own.end, last = own.begin - 1; /* the second pass: contacts later to last */
    for (int c = own.begin; c < own.end; c++) {
        const int a = pairs[c].a, b = pairs[c].b,
                  next = c + AHEAD < own.end ? pairs[c + AHEAD].b : b;
        plu_fetch(&g->parent[next]);
        plu_fetch(&g->meets[next]);
        note_contact(g, b, a < rows ? MOVING : GIVEN);
        if (a >= rows)
            continue;
        note_contact(g, a, MOVING);
        if (!plu_pair_within(&own, pairs[c])) {
            later = c < later ? c : later;
            last = c;
        } else if (islands && g->parent[a] != g->parent[b]) {
            unite_own(g->parent, a, b);
        }
    }
#pragma omp barrier
    for (int c = later; islands && c <= last; c++)
        if (pairs[c].a < rows && !plu_pair_within(&own, pairs[c]))
            unite(g->parent, pairs[c].a, pairs[c].b);
}

/* Whether body i has no contact. */
static bool alone(const plu_graph *g, int i)
{
    return !(g->meets[i][GIVEN] | g->meets[i][MOVING]);
}

/* Makes one island of all bodies that have contacts. */
static void unite_all(plu_graph *g, int rows)
{
    int first = 0;
    while (first < rows && alone(g, first))
        first++;
    for (int i = 0; i < rows; i++)
        g->parent[i] = alone(g, i) ? i : first;
}

static int end_of(int chunk, int rows)
{
    return rows - chunk * CHUNK < CHUNK ? rows : (chunk + 1) * CHUNK;
}

static bool is_root(const plu_graph *g, int i)
{
    return !alone(g, i) && g->parent[i] == i;
}

/* 0: the root of an island of several bodies; 1: a body that touches given rows only. Islands of
 * the first kind are numbered first. */
static int kind_of(const plu_graph *g, int root)
{
    return !g->meets[root][MOVING];
}

static void count_roots(plu_graph *g, int chunk, int rows)
{
    int count[2] = {0, 0};
    for (int i = chunk * CHUNK; i < end_of(chunk, rows); i++)
        if (is_root(g, i))
            count[kind_of(g, i)]++;
    memcpy(g->first_root[chunk], count, sizeof count);
}

/* Exclusive prefix sum: turns the count of roots in each chunk into the island of its first root.
 */
static void number_roots(plu_graph *g, int chunks)
{
    g->islands = 0;
    for (int kind = 0; kind < 2; kind++)
        for (int chunk = 0; chunk < chunks; chunk++) {
            const int count = g->first_root[chunk][kind];
            g->first_root[chunk][kind] = g->islands;
            g->islands += count;
        }
}

/* Gives body i the island of its root. */
static void place_body(plu_graph *g, int i)
{
    const int up = parent_of(g->parent, i);
    if (up != i)
        g->island[i] = g->island[root_of(g->parent, up)];
}

static void number_islands(plu_graph *g, int rows)
{
    const int chunks = (rows + CHUNK - 1) / CHUNK;
#pragma omp for schedule(static)
    for (int chunk = 0; chunk < chunks; chunk++)
        count_roots(g, chunk, rows);
#pragma omp single
    number_roots(g, chunks);
#pragma omp for schedule(static)
    for (int chunk = 0; chunk < chunks; chunk++)
        for (int i = chunk * CHUNK; i < end_of(chunk, rows); i++)
            g->island[i] = is_root(g, i) ? g->first_root[chunk][kind_of(g, i)]++ : -1;
#pragma omp for schedule(static)
    for (int i = 0; i < rows; i++)
        place_body(g, i);
}

/* Unites bodies that no contact joins, but what their contacts have in common. */
static void unite_linked(plu_graph *g, int links, const plu_contact_pair *link)
{
    for (int k = 0; k < links; k++) {
        if (link[k].a == link[k].b)
            continue;
        unite_own(g->parent, link[k].a, link[k].b);
        note_contact(g, link[k].a, MOVING);
        note_contact(g, link[k].b, MOVING);
    }
}

plu_status plu_graph_make(plu_graph *g, int contacts, int rows, const plu_contact_pair *pairs,
                          int links, const plu_contact_pair *link, bool islands, plu_error *err)
{
    const size_t nr = (size_t)rows;
    plu_status s = plu_reserve(&g->island, &g->island_capacity, nr, sizeof *g->island, 0, err);
    if (s == PLU_OK)
        s = plu_reserve(&g->parent, &g->parent_capacity, nr, sizeof *g->parent, 0, err);
    if (s == PLU_OK)
        s = plu_reserve(&g->meets, &g->meets_capacity, nr, sizeof *g->meets, 0, err);
    if (s == PLU_OK)
        s = plu_reserve(&g->first_root, &g->first_capacity, nr / CHUNK + 1, sizeof *g->first_root,
                        0, err);
    if (s != PLU_OK)
        return s;
    PLU_TEAM(plu_many(contacts, FEW), unite_contacts(g, contacts, rows, pairs, islands));
    if (!islands)
        unite_all(g, rows);
    else
        unite_linked(g, links, link);
    PLU_TEAM(plu_many(rows, FEW), number_islands(g, rows));
    return PLU_OK;
}

void plu_graph_free(plu_graph *g)
{
    free(g->island);
    free(g->parent);
    free(g->meets);
    free(g->first_root);
}
