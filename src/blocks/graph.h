/* graph.h: the islands of a problem, that is the connected components of its contact graph. Given
 * rows (bodies that are not solved for) connect nothing. */
#ifndef BLOCKS_GRAPH_H
#define BLOCKS_GRAPH_H

#include "blocks/blocks.h"

/* All zero at first; free with plu_graph_free. */
typedef struct plu_graph {
    int islands;          /* number of islands */
    int *island;          /* by body: its island; -1: no contact */
    int *parent;          /* scratch by body: union-find; the root is the smallest body */
    bool (*meets)[2];     /* scratch by body: whether it touches given rows, moving bodies */
    int (*first_root)[2]; /* scratch by chunk of bodies: number of roots, then of islands before */
    size_t island_capacity, parent_capacity, meets_capacity, first_capacity;
} plu_graph;

/* Finds the islands of `rows` bodies joined by `contacts` contacts, and by `links` pairs of bodies
 * whose contacts share something that moves (servos.h); without `islands` all bodies
 * with contacts make one. Islands of several bodies are numbered first, then islands of a single
 * body that touches given rows only; each kind is in the order of the smallest body. For contacts
 * in the order of plu_contact_key that is the order of their first contacts. PLU_OK or PLU_IO (no
 * memory). */
plu_status plu_graph_make(plu_graph *graph, int contacts, int rows, const plu_contact_pair *pairs,
                          int links, const plu_contact_pair *link, bool islands, plu_error *err);

void plu_graph_free(plu_graph *graph);

#endif
