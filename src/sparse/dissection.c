/* An order of elimination by nested dissection (A. George, SIAM J. Numer. Anal. 10 (1973) 345;
 * dissection.h has the drawing and the reason). Recursively, from the whole graph on:
 *
 *     order_part(p):   n <= LEAF:  AMD                     fill is small whatever the order
 *                      else divide into A, B and the separator S (separator.c), then
 *
 *     places           | A: order_part | B: order_part | S: AMD |
 *                      first           +|A|            +|B|     in the order of the whole
 *
 * No entry joins A and B, so eliminating A makes no fill in B; only S, which comes last, is filled
 * by both. The graph is that of the matrix without its diagonal, each edge once in the list of both
 * of its nodes (take_lists: blocks of W are there twice, and several contacts may join two bodies).
 */
#include "sparse/dissection.h"
#include "base/memory.h"
#include <stdbool.h>
#include <stdlib.h>
#include <suitesparse/amd.h>

/* Nodes that are not divided further, at most: fewer take more time and give the same fill. */
enum { LEAF = 200 };

/* A part of the matrix: its rows, and the place of the first of them in the order. */
typedef struct part {
    plu_weighted graph;
    int *row;
    int first;
} part;

/* Lists of neighbors, each edge twice as often as the matrix has blocks for it. */
typedef struct lists {
    int *start, *column; /* [n + 1], [2 blocks] */
    int *seen;           /* [n]: zero */
} lists;

static void find_lists(lists *l, int n, const int *start, const int *column)
{
    for (int i = 0; i < n; i++)
        for (int b = start[i]; b < start[i + 1]; b++) {
            l->start[i]++;
            l->start[column[b]]++;
        }
    for (int i = 0; i < n; i++)
        l->start[i + 1] += l->start[i];
    for (int i = n - 1; i >= 0; i--) /* start[i] is the end of list i here, and its begin after */
        for (int b = start[i]; b < start[i + 1]; b++) {
            l->column[--l->start[i]] = column[b];
            l->column[--l->start[column[b]]] = i;
        }
}

/* The graph of the lists, without loops and each edge once. */
static void take_lists(part *p, const lists *l)
{
    plu_weighted *const g = &p->graph;
    int end = 0;
    for (int i = 0; i < g->n; i++) {
        for (int b = l->start[i]; b < l->start[i + 1]; b++) {
            const int j = l->column[b];
            if (j == i || l->seen[j] == i + 1)
                continue;
            l->seen[j] = i + 1;
            g->column[end] = j;
            g->edge[end++] = 1;
        }
        g->start[i + 1] = end;
        g->weight[i] = 1;
        p->row[i] = i;
    }
    g->total = g->n;
}

static plu_status take_all(part *p, int n, const int *start, const int *column, plu_error *err)
{
    lists l = {.start = plu_alloc((size_t)n + 1, sizeof *l.start, err),
               .column = plu_alloc(2 * (size_t)start[n], sizeof *l.column, err),
               .seen = plu_alloc((size_t)n, sizeof *l.seen, err)};
    p->row = plu_alloc((size_t)n, sizeof *p->row, err);
    const bool taken = l.start && l.column && l.seen && p->row &&
                       plu_weighted_take(&p->graph, n, 2 * start[n], err) == PLU_OK;
    if (taken) {
        find_lists(&l, n, start, column);
        take_lists(p, &l);
    }
    free(l.start);
    free(l.column);
    free(l.seen);
    return taken ? PLU_OK : PLU_IO;
}

static plu_status order_leaf(const part *p, int *order, plu_error *err)
{
    const int n = p->graph.n;
    int *const local = plu_alloc((size_t)n, sizeof *local, err);
    if (!local)
        return PLU_IO;
    plu_status status = PLU_OK;
    if (n > 0 && amd_order(n, p->graph.start, p->graph.column, local, NULL, NULL) < 0)
        status = plu_fail(err, PLU_IO, "no memory to order %d blocks", n);
    for (int k = 0; status == PLU_OK && k < n; k++)
        order[p->first + k] = p->row[local[k]];
    free(local);
    return status;
}

/* The nodes of one side. `number`: [n] of p */
static plu_status take_side(const part *p, const plu_separator *s, int side, int first, part *to,
                            int *number, plu_error *err)
{
    const plu_weighted *const g = &p->graph;
    int n = 0, edges = 0;
    *to = (part){.first = first};
    for (int v = 0; v < g->n; v++)
        if (s->side[v] == side) {
            number[v] = n++;
            edges += g->start[v + 1] - g->start[v];
        }
    to->row = plu_alloc((size_t)n, sizeof *to->row, err);
    if (!to->row || plu_weighted_take(&to->graph, n, edges, err) != PLU_OK)
        return PLU_IO;
    n = edges = 0;
    for (int v = 0; v < g->n; v++) {
        if (s->side[v] != side)
            continue;
        to->row[n] = p->row[v];
        to->graph.weight[n] = 1;
        for (int b = g->start[v]; b < g->start[v + 1]; b++)
            if (s->side[g->column[b]] == side) {
                to->graph.edge[edges] = 1;
                to->graph.column[edges++] = number[g->column[b]];
            }
        to->graph.start[++n] = edges;
    }
    to->graph.total = n;
    return PLU_OK;
}

static void free_part(part *p)
{
    plu_weighted_free(&p->graph);
    free(p->row);
    p->row = NULL;
}

/* Divides p into the two parts and what is between them, and frees it. */
static plu_status divide(part *p, part side[3], plu_error *err)
{
    const size_t n = (size_t)p->graph.n;
    plu_separator s = {.side = plu_alloc(n, sizeof *s.side, err)};
    int *const number = plu_alloc(n, sizeof *number, err);
    plu_status status = s.side && number ? plu_separator_find(&p->graph, &s, err) : PLU_IO;
    for (int k = 0, first = p->first; k < 3 && status == PLU_OK; k++) {
        status = take_side(p, &s, k, first, &side[k], number, err);
        first += side[k].graph.n;
    }
    free(s.side);
    free(number);
    free_part(p);
    return status;
}

/* Frees p. No part has much more than 0.6 of the nodes, so this goes a few dozens deep at most. */
static plu_status order_part(part *p, int *order, plu_error *err)
{
    if (p->graph.n <= LEAF) {
        const plu_status status = order_leaf(p, order, err);
        free_part(p);
        return status;
    }
    part side[3] = {{.first = 0}};
    plu_status status = divide(p, side, err);
    if (status == PLU_OK)
        status = order_leaf(&side[PLU_BETWEEN], order, err);
    for (int k = 0; status == PLU_OK && k < 2; k++)
        status = order_part(&side[k], order, err);
    for (int k = 0; k < 3; k++)
        free_part(&side[k]);
    return status;
}

plu_status plu_dissection_order(int n, const int *start, const int *column, int *order,
                                plu_error *err)
{
    part all = {.first = 0};
    plu_status status = take_all(&all, n, start, column, err);
    if (status == PLU_OK)
        status = order_part(&all, order, err);
    free_part(&all);
    return status;
}
