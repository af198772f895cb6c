/* Orders of elimination, and the elimination tree (J. W. H. Liu, SIAM J. Matrix Anal. Appl. 11,
 * 1990).
 *
 * AMD (minimum degree) first: it is fast. The walk up the tree
 * then gives the pattern of the factors without computing them, and with it the work, products of
 * blocks: where that is much a row, nested
 * dissection is tried as well, and whichever needs less is taken. Work is counted in products, not
 * in seconds, so that the order, and with it every bit, is the same on every machine. */
#include "sparse/block_lu_order.h"
#include "base/memory.h"
#include "sparse/dissection.h"
#include <stdlib.h>
#include <suitesparse/amd.h>

/* Products a row of a factorization in AMD's order from which on nested dissection is tried: below,
 * what it saves is not worth the time that it takes (tried.md). A count, not a time, so that the
 * order is the same on every machine. */
static const double DISSECTION_PAYS = 2000.0;

/* The lower triangle of the permuted, symmetrized pattern. `start` has two numbers more than rows
 * while it is counted. */
static void lower_triangle(plu_block_order *o, const int *start, const int *column)
{
    const int *rank = o->rank;
    for (int i = 0; i < o->n; i++)
        for (int b = start[i]; b < start[i + 1]; b++)
            if (column[b] != i)
                o->start[(rank[i] > rank[column[b]] ? rank[i] : rank[column[b]]) + 2]++;
    for (int i = 0; i < o->n; i++)
        o->start[i + 2] += o->start[i + 1];
    for (int i = 0; i < o->n; i++)
        for (int b = start[i]; b < start[i + 1]; b++) {
            const int r = rank[i], s = rank[column[b]];
            if (r != s)
                o->column[o->start[(r > s ? r : s) + 1]++] = r > s ? s : r;
        }
}

/* The row of L's pattern is what is met on the way from the entries of the row to the root. */
void plu_block_order_walk(plu_block_order *o, plu_block_order_visit *visit, void *context)
{
    for (int i = 0; i < o->n; i++) {
        o->parent[i] = -1;
        o->mark[i] = i;
        for (int b = o->start[i]; b < o->start[i + 1]; b++)
            for (int k = o->column[b]; o->mark[k] != i; k = o->parent[k]) {
                if (o->parent[k] < 0)
                    o->parent[k] = i;
                o->mark[k] = i;
                visit(context, i, k);
            }
    }
}

static void count_block(void *context, int i, int k)
{
    plu_block_order *o = context;
    o->below[i]++;
    o->right[k]++;
}

static plu_status take(plu_block_order *o, int n, int blocks, plu_error *err)
{
    int **array[] = {&o->rank, &o->parent, &o->below, &o->right, &o->mark};
    *o = (plu_block_order){.n = n};
    for (size_t i = 0; i < sizeof array / sizeof *array; i++)
        if (!(*array[i] = plu_alloc((size_t)n, sizeof **array[i], err)))
            return PLU_IO;
    o->start = plu_alloc((size_t)n + 2, sizeof *o->start, err);
    o->column = plu_alloc((size_t)blocks, sizeof *o->column, err);
    return o->start && o->column ? PLU_OK : PLU_IO;
}

/* All of it from the order in `mark`. */
static void fill(plu_block_order *o, const int *start, const int *column)
{
    for (int i = 0; i < o->n; i++)
        o->rank[o->mark[i]] = i;
    lower_triangle(o, start, column);
    plu_block_order_walk(o, count_block, o);
}

/* Takes the order by nested dissection if that has fewer products. */
static plu_status try_dissection(plu_block_order *o, const int *start, const int *column,
                                 plu_error *err)
{
    plu_block_order other;
    plu_status status = take(&other, o->n, start[o->n], err);
    if (status == PLU_OK)
        status = plu_dissection_order(o->n, start, column, other.mark, err);
    if (status == PLU_OK) {
        fill(&other, start, column);
        if (plu_block_order_products(&other) < plu_block_order_products(o)) {
            const plu_block_order old = *o;
            *o = other;
            other = old;
        }
    }
    plu_block_order_free(&other);
    return status;
}

plu_status plu_block_order_find(plu_block_order *o, int n, const int *start, const int *column,
                                plu_error *err)
{
    const plu_status status = take(o, n, start[n], err);
    if (status != PLU_OK)
        return status;
    if (amd_order(n, start, column, o->mark, NULL, NULL) < 0)
        return plu_fail(err, PLU_IO, "no memory to order %d blocks", n);
    fill(o, start, column);
    return plu_block_order_products(o) < DISSECTION_PAYS * n
               ? PLU_OK
               : try_dissection(o, start, column, err);
}

void plu_block_order_free(plu_block_order *o)
{
    void *arrays[] = {o->rank, o->start, o->column, o->parent, o->below, o->right, o->mark};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
}

double plu_block_order_products(const plu_block_order *o)
{
    double products = 0.0;
    for (int k = 0; k < o->n; k++)
        products += 1.0 + (double)o->right[k] * (o->right[k] + 1.0);
    return products;
}
