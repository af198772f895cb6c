/* tree.h: finds the parts near a place without looking at each of them.
 *
 * A tree of boxes around parts. It depends on the parts alone and never changes, so that the parts
 * near a place always come in the same order, which is not that of their numbers. */
#ifndef SHAPE_TREE_H
#define SHAPE_TREE_H

#include "shape/shape.h"

/* A box around one part or around all of the nodes that follow, up to `skip`. */
typedef struct plu_part_node {
    double low[3], high[3]; /* m */
    int skip;               /* where to go on when the box is missed */
    int part;               /* -1: nodes follow */
} plu_part_node;

typedef struct plu_part_tree {
    plu_part_node *node; /* owned; parts without an end first, then the tree depth first */
    int count;
} plu_part_tree;

/* PLU_OK or PLU_IO (no memory). plu_part_tree_free in any case. */
plu_status plu_part_tree_make(plu_part_tree *tree, const plu_part *parts, int count,
                              plu_error *err);
void plu_part_tree_free(plu_part_tree *tree); /* accepts a zeroed one */

/* Where the search is; a new one begins with at = 0. */
typedef struct plu_part_search {
    double low[3], high[3];
    int at;
} plu_part_search;

/* A search for parts within `reach` (m) of the center: some that are found may be farther. */
static inline plu_part_search plu_parts_near(const double center[3], double reach)
{
    return (plu_part_search){{center[0] - reach, center[1] - reach, center[2] - reach},
                             {center[0] + reach, center[1] + reach, center[2] + reach},
                             0};
}

/* A search for parts that a straight way from `a` to `b` may pass. */
static inline plu_part_search plu_parts_on_way(const double a[3], const double b[3])
{
    plu_part_search search = {.at = 0};
    for (int k = 0; k < 3; k++) {
        search.low[k] = a[k] < b[k] ? a[k] : b[k];
        search.high[k] = a[k] < b[k] ? b[k] : a[k];
    }
    return search;
}

/* The next part, each once; -1: there are no more. */
static inline int plu_part_next(const plu_part_tree *tree, plu_part_search *s)
{
    while (s->at < tree->count) {
        const plu_part_node *n = &tree->node[s->at];
        const bool met = s->low[0] <= n->high[0] && s->high[0] >= n->low[0] &&
                         s->low[1] <= n->high[1] && s->high[1] >= n->low[1] &&
                         s->low[2] <= n->high[2] && s->high[2] >= n->low[2];
        s->at = met ? s->at + 1 : n->skip;
        if (met && n->part >= 0)
            return n->part;
    }
    return -1;
}

#endif
