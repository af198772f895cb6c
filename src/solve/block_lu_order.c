/* SuiteSparse's AMD and the elimination tree (Liu 1990). */
#include "solve/block_lu_order.h"
#include "base/memory.h"
#include <stdlib.h>
#include <suitesparse/amd.h>

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

plu_status plu_block_order_find(plu_block_order *o, int n, const int *start, const int *column,
                                plu_error *err)
{
    int **array[] = {&o->rank, &o->parent, &o->below, &o->right, &o->mark};
    *o = (plu_block_order){.n = n};
    for (size_t i = 0; i < sizeof array / sizeof *array; i++)
        if (!(*array[i] = plu_alloc((size_t)n, sizeof **array[i], err)))
            return PLU_IO;
    o->start = plu_alloc((size_t)n + 2, sizeof *o->start, err);
    o->column = plu_alloc((size_t)start[n], sizeof *o->column, err);
    if (!o->start || !o->column)
        return PLU_IO;
    if (amd_order(n, start, column, o->mark, NULL, NULL) < 0)
        return plu_fail(err, PLU_IO, "no memory to order %d blocks", n);
    for (int i = 0; i < n; i++)
        o->rank[o->mark[i]] = i;
    lower_triangle(o, start, column);
    plu_block_order_walk(o, count_block, o);
    return PLU_OK;
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
