#include "problem/graph.h"
#include "base/memory.h"
#include "base/team.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum {
    AHEAD = 24,  /* contacts whose bodies are prefetched ahead of their turn */
    FEW = 4000,  /* contacts or bodies for which threads do not pay */
    CHUNK = 4096 /* bodies */
};

enum { GIVEN, MOVING }; /* what a body meets */

static int parent_of(const int *parent, int i)
{
    return __atomic_load_n(&parent[i], __ATOMIC_RELAXED);
}

/* Halves the path. Threads may do so at once: each writes an ancestor of i. */
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

/* Hangs the larger root below the smaller one, which other threads may have hung meanwhile. In the
 * end each root is the smallest body of its island, whoever came first. */
static void join(int *parent, int a, int b)
{
    for (;;) {
        const int x = root_of(parent, a), y = root_of(parent, b);
        int high = x > y ? x : y;
        if (x == y || __atomic_compare_exchange_n(&parent[high], &high, x > y ? y : x, false,
                                                  __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            return;
    }
}

/* Threads may set the same body at once, to the same. */
static void meet(plu_graph *g, int body, int kind)
{
    __atomic_store_n(&g->meets[body][kind], true, __ATOMIC_RELAXED);
}

/* What a thread begins with: its part of the contacts, and the bodies whose parents it alone writes
 * until all threads have done their part. */
typedef struct share {
    int begin, end;
    int low, high;
} share;

static int part_begin(int contacts, int part, int parts)
{
    return (int)((int64_t)contacts * part / parts);
}

/* Contacts come in the order of a: few of a part are with bodies of the next one. */
static int part_low(int contacts, int rows, const plu_contact_pair *pairs, int part, int parts)
{
    int low = 0;
    for (int k = 1; k <= part && k < parts; k++) {
        const int begin = part_begin(contacts, k, parts);
        const int a = begin < contacts && pairs[begin].a < rows ? pairs[begin].a : low;
        low = a > low ? a : low;
    }
    return part < parts ? low : rows;
}

static share share_of(int contacts, int rows, const plu_contact_pair *pairs)
{
    const int me = omp_get_thread_num(), all = omp_get_num_threads();
    return (share){part_begin(contacts, me, all), part_begin(contacts, me + 1, all),
                   part_low(contacts, rows, pairs, me, all),
                   part_low(contacts, rows, pairs, me + 1, all)};
}

static bool within(const share *s, plu_contact_pair pair)
{
    return pair.a >= s->low && pair.b >= s->low && pair.a < s->high && pair.b < s->high;
}

/* Hangs the larger root below the smaller one; nobody else hangs them. */
static void join_own(int *parent, int a, int b)
{
    const int x = root_of(parent, a), y = root_of(parent, b);
    parent[x > y ? x : y] = x > y ? y : x;
}

/* First what a thread can do alone: exchanges take most of the time where all joins need one. */
static void join_contacts(plu_graph *g, int contacts, int rows, const plu_contact_pair *pairs,
                          bool islands)
{
#pragma omp for schedule(static)
    for (int i = 0; i < rows; i++) {
        g->parent[i] = i;
        g->meets[i][GIVEN] = g->meets[i][MOVING] = false;
    }
    const share own = share_of(contacts, rows, pairs);
    int later = own.end, last = own.begin - 1; /* contacts that are left lie between */
    for (int c = own.begin; c < own.end; c++) {
        const int a = pairs[c].a, b = pairs[c].b,
                  next = c + AHEAD < own.end ? pairs[c + AHEAD].b : b;
        plu_fetch(&g->parent[next]);
        plu_fetch(&g->meets[next]);
        meet(g, b, a < rows ? MOVING : GIVEN);
        if (a >= rows)
            continue;
        meet(g, a, MOVING);
        if (!within(&own, pairs[c])) {
            later = c < later ? c : later;
            last = c;
        } else if (islands && g->parent[a] != g->parent[b]) {
            join_own(g->parent, a, b);
        }
    }
#pragma omp barrier
    for (int c = later; islands && c <= last; c++)
        if (pairs[c].a < rows && !within(&own, pairs[c]))
            join(g->parent, pairs[c].a, pairs[c].b);
}

static bool alone(const plu_graph *g, int i)
{
    return !(g->meets[i][GIVEN] | g->meets[i][MOVING]);
}

/* All with contacts hang on the first of them. */
static void join_all(plu_graph *g, int rows)
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

/* 0: of an island of several bodies, 1: of one body */
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

/* From the number of roots in each chunk to the number of its first one. */
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

/* Hands the island of its root to body i. */
static void place_body(plu_graph *g, int i)
{
    const int up = parent_of(g->parent, i);
    if (up != i)
        g->island[i] = g->island[root_of(g->parent, up)];
}

static void number_islands(plu_graph *g, int rows)
{
    const int chunks = (rows + CHUNK - 1) / CHUNK;
#pragma omp parallel if (rows > FEW)
    {
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
}

plu_status plu_graph_make(plu_graph *g, int contacts, int rows, const plu_contact_pair *pairs,
                          bool islands, plu_error *err)
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
    PLU_TEAM(contacts > FEW, join_contacts(g, contacts, rows, pairs, islands));
    if (!islands)
        join_all(g, rows);
    number_islands(g, rows);
    return PLU_OK;
}

void plu_graph_free(plu_graph *g)
{
    free(g->island);
    free(g->parent);
    free(g->meets);
    free(g->first_root);
}
