/* part_tree.h: finds the parts near a place without looking at each of them.
 *
 * A tree of boxes around parts. It depends on the parts alone and never changes, so that the parts
 * near a place always come in the same order, which is not that of their numbers. Parts that move
 * together have a branch of their own, with boxes where the scene has them; a search asks there for
 * where its place is in that frame. */
#ifndef SHAPE_PART_TREE_H
#define SHAPE_PART_TREE_H

#include "pluvia/status.h"
#include "shape/surface.h"

/* A box around one part or around all of the nodes that follow, up to `skip`. */
typedef struct plu_part_node {
    double low[3], high[3]; /* m */
    int skip;               /* the next box if this one is missed */
    int part;               /* -1: nodes follow */
    const plu_pose *pose;   /* of a branch that moves, in its first node; NULL elsewhere */
} plu_part_node;

typedef struct plu_part_tree {
    plu_part_node *node; /* owned; parts without an end first, then those that stand still, then
                            branches that move, each depth first */
    int count;
} plu_part_tree;

/* PLU_OK or PLU_IO (no memory). plu_part_tree_free in any case. */
plu_status plu_part_tree_make(plu_part_tree *tree, const plu_part *parts, int count,
                              plu_error *err);
void plu_part_tree_free(plu_part_tree *tree); /* accepts a zeroed one */

/* A box to search in (m). */
typedef struct plu_part_box {
    double low[3], high[3];
} plu_part_box;

/* Where the search is; a new one begins with at = 0. */
typedef struct plu_part_search {
    plu_part_box box, inside; /* in the world, and in the frame of the branch up to node `turned` */
    int at, turned;
    double from[3], to[3]; /* of the way, or the center twice */
    double reach;          /* around it (m) */
    double more;           /* added for parts that move: how far they may come (m) */
    bool swept;            /* also where parts that move were when the last step began */
} plu_part_search;

/* The box around a sphere of that radius which moves straight from `a` to `b`. */
static inline plu_part_box plu_part_box_of(const double a[3], const double b[3], double reach)
{
    plu_part_box box;
    for (int k = 0; k < 3; k++) {
        box.low[k] = (a[k] < b[k] ? a[k] : b[k]) - reach;
        box.high[k] = (a[k] < b[k] ? b[k] : a[k]) + reach;
    }
    return box;
}

static inline plu_part_search plu_part_search_of(const double a[3], const double b[3], double reach)
{
    plu_part_search search = {.box = plu_part_box_of(a, b, reach), .reach = reach};
    for (int k = 0; k < 3; k++) {
        search.from[k] = a[k];
        search.to[k] = b[k];
    }
    return search;
}

/* A search for parts within `reach` (m) of the center: some that are found may be farther. */
static inline plu_part_search plu_parts_near(const double center[3], double reach)
{
    return plu_part_search_of(center, center, reach);
}

/* A search for parts that a straight way from `a` to `b` may pass, those that move where they are
 * or in the step that ended last. */
static inline plu_part_search plu_parts_on_way(const double a[3], const double b[3])
{
    plu_part_search search = plu_part_search_of(a, b, 0.0);
    search.swept = true; /* also what stands still */
    return search;
}

/* Enters a branch that moves, or goes past one that was taken away. */
void plu_part_search_turn(plu_part_search *search, const plu_part_node *node);

/* The next part, each once; -1: there are no more. */
static inline int plu_part_next(const plu_part_tree *tree, plu_part_search *s)
{
    while (s->at < tree->count) {
        const plu_part_node *n = &tree->node[s->at];
        if (n->pose) {
            plu_part_search_turn(s, n);
            continue;
        }
        const plu_part_box *b = s->at < s->turned ? &s->inside : &s->box;
        const bool met = b->low[0] <= n->high[0] && b->high[0] >= n->low[0] &&
                         b->low[1] <= n->high[1] && b->high[1] >= n->low[1] &&
                         b->low[2] <= n->high[2] && b->high[2] >= n->low[2];
        s->at = met ? s->at + 1 : n->skip;
        if (met && n->part >= 0)
            return n->part;
    }
    return -1;
}

#endif
