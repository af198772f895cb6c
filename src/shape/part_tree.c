/* The tree as an array, depth first. A search needs no stack: from a box that it meets it goes to
 * the next node, from one that it misses to `skip`, behind all that is in the box:
 *
 *          0             node    0  1  2  3  4  5  6
 *        /   \           skip    7  4  3  4  7  6  7
 *       1     4
 *      / \   / \         leaves, one part each: 2, 3, 5, 6
 *     2   3 5   6
 *
 * Parts are halved along the axis along which the middles of their boxes are farthest apart. */
#include "shape/part_tree.h"
#include "base/memory.h"
#include "base/vec3.h"
#include <stdlib.h>
#include <string.h>

/* Boxes are wider than parts by this share of their coordinates, which is more than rounding. */
static const double wider = 1e-12;

/* A part that waits for its place in the tree. */
typedef struct leaf {
    plu_part_node node;
    double middle; /* of its box, along the axis by which parts are being divided */
} leaf;

static leaf leaf_of(const plu_part *part, int number)
{
    leaf l = {.node = {.part = number}};
    double *low = l.node.low, *high = l.node.high;
    part->surface->bounds(part, low, high);
    for (int k = 0; k < 3; k++) {
        const double more = wider * plu_max(fabs(low[k]), fabs(high[k]));
        low[k] -= isfinite(low[k]) && isfinite(more) ? more : wider * fabs(low[k]);
        high[k] += isfinite(high[k]) && isfinite(more) ? more : wider * fabs(high[k]);
    }
    return l;
}

static bool is_finite(const plu_part_node *node)
{
    bool finite = true;
    for (int k = 0; k < 3; k++)
        finite = finite && isfinite(node->low[k]) && isfinite(node->high[k]);
    return finite;
}

static int by_middle(const void *x, const void *y)
{
    const leaf *a = x, *b = y;
    if (a->middle != b->middle)
        return a->middle < b->middle ? -1 : 1;
    return (a->node.part > b->node.part) - (a->node.part < b->node.part);
}

/* The box around the leaves; returns along which axis their middles are farthest apart. */
static int surround(const leaf *leaves, int count, plu_part_node *node)
{
    double least[3], most[3];
    for (int k = 0; k < 3; k++) {
        node->low[k] = least[k] = HUGE_VAL;
        node->high[k] = most[k] = -HUGE_VAL;
    }
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            const double low = leaves[i].node.low[k], high = leaves[i].node.high[k];
            node->low[k] = plu_min(node->low[k], low);
            node->high[k] = plu_max(node->high[k], high);
            least[k] = plu_min(least[k], 0.5 * (low + high));
            most[k] = plu_max(most[k], 0.5 * (low + high));
        }
    int axis = 0;
    for (int k = 1; k < 3; k++)
        if (most[k] - least[k] > most[axis] - least[axis])
            axis = k;
    return axis;
}

/* Appends the tree of the leaves, halves of them in each branch, so that its depth is the logarithm
 * of their number. */
static void tree_append(plu_part_tree *tree, leaf *leaves, int count)
{
    plu_part_node *node = &tree->node[tree->count++];
    if (count == 1) {
        *node = leaves->node;
    } else {
        const int axis = surround(leaves, count, node), half = count / 2;
        node->part = -1;
        for (int i = 0; i < count; i++)
            leaves[i].middle = 0.5 * (leaves[i].node.low[axis] + leaves[i].node.high[axis]);
        qsort(leaves, (size_t)count, sizeof *leaves, by_middle);
        tree_append(tree, leaves, half);
        tree_append(tree, leaves + half, count - half);
    }
    node->skip = tree->count;
}

/* A branch of those parts from `from` to `count` - 1 that move with part `from`; `taken` marks
 * them. */
static void append_branch(plu_part_tree *tree, const plu_part *parts, int from, int count,
                          leaf *leaves, bool *taken)
{
    plu_part_node *node = &tree->node[tree->count++];
    int moving = 0;
    for (int p = from; p < count; p++)
        if (!taken[p] && parts[p].pose == parts[from].pose) {
            leaves[moving++] = leaf_of(&parts[p], p);
            taken[p] = true;
        }
    *node = (plu_part_node){.part = -1, .pose = parts[from].pose};
    int finite = 0;
    for (int k = 0; k < moving; k++) { /* those without an end first, as in the whole tree */
        const leaf one = leaves[k];
        if (is_finite(&one.node)) {
            leaves[finite++] = one;
        } else {
            leaf other = one;
            tree_append(tree, &other, 1);
        }
    }
    if (finite > 0)
        tree_append(tree, leaves, finite);
    node->skip = tree->count;
}

void plu_part_search_turn(plu_part_search *s, const plu_part_node *node)
{
    const plu_pose *pose = node->pose;
    double from[3], before[3], to[3];
    s->at = pose->gone ? node->skip : s->at + 1;
    s->turned = node->skip;
    plu_pose_inward(pose, &pose->now, s->from, from);
    plu_pose_inward(pose, &pose->now, s->to, to);
    s->inside = plu_part_box_of(from, to, s->reach + s->more);
    if (!s->swept)
        return;
    plu_pose_inward(pose, &pose->before, s->from, before);
    for (int k = 0; k < 3; k++) {
        s->inside.low[k] = plu_min(s->inside.low[k], before[k] - s->reach);
        s->inside.high[k] = plu_max(s->inside.high[k], before[k] + s->reach);
    }
}

plu_status plu_part_tree_make(plu_part_tree *tree, const plu_part *parts, int count, plu_error *err)
{
    /* a node a part, one a fork, and one a branch that moves: at most one of these a part */
    *tree = (plu_part_tree){.node = plu_alloc(3 * (size_t)count, sizeof *tree->node, err)};
    leaf *leaves = plu_alloc((size_t)count, sizeof *leaves, err);
    bool *taken = plu_alloc((size_t)count, sizeof *taken, err);
    if (!tree->node || !leaves || !taken) {
        free(leaves);
        free(taken);
        return PLU_IO;
    }
    int finite = 0;
    for (int p = 0; p < count; p++) {
        taken[p] = !parts[p].pose;
        if (parts[p].pose)
            continue;
        leaf one = leaf_of(&parts[p], p);
        if (is_finite(&one.node))
            leaves[finite++] = one;
        else
            tree_append(tree, &one, 1);
    }
    if (finite > 0)
        tree_append(tree, leaves, finite);
    for (int p = 0; p < count; p++)
        if (!taken[p])
            append_branch(tree, parts, p, count, leaves, taken);
    free(leaves);
    free(taken);
    return PLU_OK;
}

void plu_part_tree_free(plu_part_tree *tree)
{
    free(tree->node);
    *tree = (plu_part_tree){0};
}
