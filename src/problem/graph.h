/* graph.h: islands of a contact graph. */
#ifndef PROBLEM_GRAPH_H
#define PROBLEM_GRAPH_H

#include "problem/problem.h"

/* All zero at first; free with plu_graph_free. */
typedef struct plu_graph {
    int islands;
    int *island;          /* by body; -1: without contact */
    int *parent;          /* scratch by body: union-find; the root is the smallest body */
    bool (*meets)[2];     /* scratch by body: whether it touches fixed bodies, moving ones */
    int (*first_root)[2]; /* scratch by chunk of bodies */
    size_t island_capacity, parent_capacity, meets_capacity, first_capacity;
} plu_graph;

/* Islands (if asked for, else one): those of several bodies, then those of one body and a fixed
 * one, each by their smallest body; for contacts in the order of plu_contact_key that is the order
 * of their first contacts. PLU_OK or PLU_IO. */
plu_status plu_graph_make(plu_graph *graph, int contacts, int rows, const plu_contact_pair *pairs,
                          bool islands, plu_error *err);

void plu_graph_free(plu_graph *graph);

#endif
