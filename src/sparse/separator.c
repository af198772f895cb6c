/* A separator of a graph by levels (Hendrickson & Leland, Supercomputing 1995; Karypis & Kumar,
 * SIAM J. Sci. Comput. 20 (1998) 359): neighbors are merged until few are left, a separator of
 * those is found, and improved on the way back.
 *
 *     graph of n nodes  --merge pairs-->  n/2  --> ... -->  <= FEW nodes
 *          ^                                                     |  grow a part from a node until
 *          |                                                     |  it has half of the weight: the
 *       refine  <--  ...  <--  refine  <--  refine  <------------'  nodes next to it separate it
 *
 * A coarse node weighs what it was merged from, a coarse edge as many edges as it stands for, and
 * the heaviest edge is merged first: what hangs together closely stays together, so that few edges
 * are left to be cut. Local improvement (separator_refine.c) only moves single nodes; on a coarse
 * graph these are whole regions, which is why levels find what no search on the fine graph would.
 * All of it is done TRIALS times, each with another order of merging, from a fixed sequence: the
 * same on every machine. */
#include "base/memory.h"
#include "sparse/dissection.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Nodes of the coarsest graph, about; graphs; first separators of the coarsest graph; and how often
 * all of it is done, each time with other neighbors merged: the best separator is taken. */
enum { FEW = 100, LEVELS = 40, STARTS = 4, TRIALS = 5 };

/* Merged nodes are kept lighter than this share of all, so that halves can be found. */
enum { HEAVY = 30 };

static void copy(plu_separator *to, const plu_separator *from, int n)
{
    memcpy(to->side, from->side, (size_t)n * sizeof *to->side);
    memcpy(to->weight, from->weight, sizeof to->weight);
}

plu_status plu_weighted_take(plu_weighted *g, int n, int edges, plu_error *err)
{
    *g = (plu_weighted){.n = n};
    int *all = plu_alloc(2 * (size_t)n + 1 + 2 * (size_t)edges, sizeof *all, err);
    if (!all)
        return PLU_IO;
    g->start = all;
    g->weight = g->start + n + 1;
    g->column = g->weight + n;
    g->edge = g->column + edges;
    return PLU_OK;
}

void plu_weighted_free(plu_weighted *g)
{
    free(g->start);
    g->start = NULL;
}

/* --- merging --- */

/* All nodes in a mixed order, another one for each trial. */
static void mix(int n, int trial, int *order)
{
    uint32_t state = 2463534242u + 7919u * (uint32_t)trial; /* xorshift (Marsaglia 2003) */
    for (int i = 0; i < n; i++)
        order[i] = i;
    for (int i = n - 1; i > 0; i--) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        const int j = (int)(state % (uint32_t)(i + 1)), other = order[j];
        order[j] = order[i];
        order[i] = other;
    }
}

/* The neighbor with the heaviest edge that is not merged yet, the lightest of these; itself: none.
 */
static int find_mate(const plu_weighted *g, const int *merged, int v, int most)
{
    int mate = v, edge = 0;
    for (int b = g->start[v]; b < g->start[v + 1]; b++) {
        const int u = g->column[b];
        if (merged[u] >= 0 || g->weight[u] + g->weight[v] > most)
            continue;
        if (g->edge[b] > edge || (g->edge[b] == edge && g->weight[u] < g->weight[mate])) {
            mate = u;
            edge = g->edge[b];
        }
    }
    return mate;
}

/* merged: number of the merged node of each node. Returns how many there are. `order`: [n]. */
static int merge(const plu_weighted *g, int trial, int *merged, int *order)
{
    int count = 0;
    const int most = g->total / HEAVY + 1;
    mix(g->n, trial, order);
    for (int v = 0; v < g->n; v++)
        merged[v] = -1;
    for (int k = 0; k < g->n; k++) {
        const int v = order[k];
        if (merged[v] >= 0)
            continue;
        merged[v] = merged[find_mate(g, merged, v, most)] = count++;
    }
    return count;
}

/* Adds the edges of node v to the merged node c. `at`: where the last edge to a node stands. */
static void add_edges(const plu_weighted *g, const int *merged, int v, plu_weighted *to, int c,
                      int *at)
{
    for (int b = g->start[v]; b < g->start[v + 1]; b++) {
        const int d = merged[g->column[b]];
        if (d == c)
            continue;
        if (at[d] < to->start[c]) {
            at[d] = to->start[c + 1]++;
            to->column[at[d]] = d;
            to->edge[at[d]] = 0;
        }
        to->edge[at[d]] += g->edge[b];
    }
}

/* `work`: [3 n]. */
static plu_status coarsen(const plu_weighted *g, int trial, plu_weighted *to, int *merged,
                          int *work, plu_error *err)
{
    const int count = merge(g, trial, merged, work);
    if (plu_weighted_take(to, count, g->start[g->n], err) != PLU_OK)
        return PLU_IO;
    int *const first = work, *const at = work + g->n, *const next = work + 2 * g->n;
    for (int c = 0; c < count; c++)
        first[c] = at[c] = -1;
    for (int v = g->n - 1; v >= 0; v--) {
        next[v] = first[merged[v]];
        first[merged[v]] = v;
    }
    to->total = g->total;
    for (int c = 0; c < count; c++) {
        to->start[c + 1] = to->start[c];
        for (int v = first[c]; v >= 0; v = next[v]) {
            to->weight[c] += g->weight[v];
            add_edges(g, merged, v, to, c, at);
        }
    }
    return PLU_OK;
}

/* --- the first separator --- */

/* Grows the first part from a node on, up to half of the weight: the separator is what would be
 * next. Returns the node that was reached last. `queue`: [n]. */
static int grow(const plu_weighted *g, plu_separator *s, int seed, int *queue)
{
    int end = 0, rest = 0, last = seed;
    for (int v = 0; v < g->n; v++)
        s->side[v] = PLU_SECOND;
    s->weight[0] = s->weight[2] = 0;
    s->weight[1] = g->total;
    for (int k = 0; 2 * s->weight[0] + s->weight[2] < g->total; k++) {
        if (k == end) { /* a component is exhausted */
            int v = seed;
            for (; s->side[v] != PLU_SECOND; v = rest++)
                ;
            queue[end++] = v;
            s->side[v] = PLU_BETWEEN;
            s->weight[1] -= g->weight[v];
            s->weight[2] += g->weight[v];
        }
        last = queue[k];
        s->side[last] = PLU_FIRST;
        s->weight[2] -= g->weight[last];
        s->weight[0] += g->weight[last];
        for (int b = g->start[last]; b < g->start[last + 1]; b++) {
            const int u = g->column[b];
            if (s->side[u] != PLU_SECOND)
                continue;
            s->side[u] = PLU_BETWEEN;
            s->weight[1] -= g->weight[u];
            s->weight[2] += g->weight[u];
            queue[end++] = u;
        }
    }
    return last;
}

/* The best of several starts: from what lies far from the last start, and from anywhere. `work`:
 * [8 n]. */
static void find_first(const plu_weighted *g, plu_separator *best, plu_separator *now, int *work)
{
    int seed = 0;
    for (int k = 0; k < STARTS; k++) {
        const int last = grow(g, now, seed, work);
        plu_separator_refine(g, now, work);
        if (k == 0 || plu_separator_better(now, best))
            copy(best, now, g->n);
        seed = k % 2 == 0 ? last : (int)((long)g->n * (k + 1) / (STARTS + 1));
    }
}

/* --- all levels --- */

typedef struct levels {
    int count;
    plu_weighted graph[LEVELS]; /* the first is the caller's */
    int *merged[LEVELS];
    int *work; /* [9 n] */
} levels;

static plu_status coarsen_all(levels *l, int trial, plu_error *err)
{
    while (l->count < LEVELS && l->graph[l->count - 1].n > FEW) {
        const int k = l->count, n = l->graph[k - 1].n;
        l->merged[k - 1] = plu_alloc((size_t)n, sizeof *l->merged[k - 1], err);
        if (!l->merged[k - 1] || coarsen(&l->graph[k - 1], trial, &l->graph[k], l->merged[k - 1],
                                         l->work, err) != PLU_OK)
            return PLU_IO;
        l->count++;
        if (l->graph[k].n > n - n / 20) /* little is left to merge */
            break;
    }
    return PLU_OK;
}

/* From the coarsest graph back: each node goes where what it was merged into is. */
static void refine_all(const levels *l, plu_separator *s)
{
    const int n = l->graph[0].n, coarsest = l->count - 1;
    plu_separator now = {.side = l->work};
    find_first(&l->graph[coarsest], s, &now, l->work + n);
    for (int k = coarsest - 1; k >= 0; k--) {
        const plu_weighted *g = &l->graph[k];
        memcpy(l->work, s->side, (size_t)l->graph[k + 1].n * sizeof *s->side);
        for (int v = 0; v < g->n; v++)
            s->side[v] = l->work[l->merged[k][v]];
        plu_separator_refine(g, s, l->work);
    }
}

static void free_coarse(levels *l)
{
    for (int k = 0; k < LEVELS; k++) {
        if (k > 0)
            plu_weighted_free(&l->graph[k]);
        free(l->merged[k]);
        l->merged[k] = NULL;
    }
    l->count = 1;
}

plu_status plu_separator_find(const plu_weighted *graph, plu_separator *s, plu_error *err)
{
    const size_t n = (size_t)graph->n;
    levels l = {.count = 1, .graph = {*graph}, .work = plu_alloc(9 * n, sizeof *l.work, err)};
    plu_separator now = {.side = plu_alloc(n, sizeof *now.side, err)};
    plu_status status = l.work && now.side ? PLU_OK : PLU_IO;
    for (int trial = 0; trial < TRIALS && status == PLU_OK; trial++) {
        status = coarsen_all(&l, trial, err);
        if (status == PLU_OK) {
            refine_all(&l, &now);
            if (trial == 0 || plu_separator_better(&now, s))
                copy(s, &now, graph->n);
        }
        free_coarse(&l);
    }
    free(l.work);
    free(now.side);
    return status;
}
