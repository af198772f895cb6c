/* dissection.h: an order of elimination by nested dissection (George 1973): first two parts of a
 * graph, each ordered in the same way, then the nodes between them. Parts of few nodes are ordered
 * by AMD. Of packings of many bodies it fills less than AMD.
 *
 *      +---------+S+---------+        the matrix        A     .     *     no fill between A and B,
 *      |  A      |S|      B  |        in this order:    .     B     *     however they are ordered:
 *      | (again) |S| (again) |                          *     *     S     no path joins them but
 *      +---------+S+---------+                                            through S
 *
 * A separator S of n nodes in the plane has about sqrt(n) of them, in space n^(2/3); it is a dense
 * block at the end. Found by dissection.h, by levels of coarser graphs. */
#ifndef SPARSE_DISSECTION_H
#define SPARSE_DISSECTION_H

#include "pluvia/status.h"
#include <stdbool.h>

/* order[k] = row that is eliminated k-th, of a matrix as in block_lu.h. The same on every machine.
 * PLU_OK or PLU_IO. */
plu_status plu_dissection_order(int n, const int *start, const int *column, int *order,
                                plu_error *err);

/* --- few nodes of a graph without which it falls into two parts of about the same size --- */

/* Symmetric, without loops. Nodes and edges have weights: of how many they are merged. */
typedef struct plu_weighted {
    int n, total; /* nodes; weight of all */
    int *start;   /* [n + 1] */
    int *column;  /* [start[n]]: neighbors */
    int *edge;    /* [start[n]]: weights of the edges */
    int *weight;  /* [n] */
} plu_weighted;

/* Room for n nodes and `edges` entries of `column`. PLU_OK or PLU_IO; to be freed in either case.
 */
plu_status plu_weighted_take(plu_weighted *graph, int n, int edges, plu_error *err);
void plu_weighted_free(plu_weighted *graph);

/* Where a node is. */
enum { PLU_FIRST = 0, PLU_SECOND = 1, PLU_BETWEEN = 2 };

/* A choice of `side` [n], and the weights of the three. */
typedef struct plu_separator {
    int *side;
    long weight[3];
} plu_separator;

/* Finds one, the same on every machine. PLU_OK or PLU_IO. */
plu_status plu_separator_find(const plu_weighted *graph, plu_separator *separator, plu_error *err);

/* Makes a separator lighter by moving nodes out of it, one at a time, and their neighbors into it
 * (separator_refine.c). `work` has room for 8 n numbers. */
void plu_separator_refine(const plu_weighted *graph, plu_separator *separator, int *work);

/* Whether a is better than b. */
bool plu_separator_better(const plu_separator *a, const plu_separator *b);

#endif
