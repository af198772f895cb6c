/* separator.h: few nodes of a graph without which it falls into two parts of about the same size.
 */
#ifndef SPARSE_SEPARATOR_H
#define SPARSE_SEPARATOR_H

#include "pluvia/status.h"
#include <stdbool.h>

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
