/* Columns of the elimination tree merged into nodes (block_lu_tree.h has the fronts). A node with
 * few pivots costs much for little: its front is taken from memory and given to its parent whatever
 * its size. Two are merged where one front costs less than two,
 *
 *     child  (p1 pivots, r1 rest)      parent (p2, r2)          merged (p1 + p2, r2)
 *                                      r1 <= p2 + r2            zeros stand where patterns differ
 *
 * by the cost of a front in products of blocks, p (r^2 + p r + p^2 / 3) and terms for its handling,
 * which were measured. Counts decide, not times: the same tree on every machine. */
#include "sparse/block_lu_tree.h"
#include "base/memory.h"
#include <stdlib.h>
#include <string.h>

/* Work on one tree; all arrays [n]. Columns are those of the factor in the order of elimination. */
typedef struct columns {
    int *parent; /* of a column, later of a merged one; -1: none */
    int *pivots, *rest;
    int *owner;        /* the column that this one is merged with; itself: none */
    int *child, *next; /* lists of the children of columns that are not merged with later ones */
    int *number;       /* of a node, by the column that owns it */
    int *mark, *memory;
} columns;

static int eights(int x)
{
    return (x + 7) / 8 * 8;
}

static int by_value(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* The symmetrized pattern with its diagonal, permuted: rows of rising columns in `tree`. */
static void arrange(plu_block_lu_tree *tree, const int *start, const int *column, const int *rank,
                    int *count)
{
    const int n = tree->n;
    for (int i = 0; i < n; i++)
        count[i] = 1;
    for (int i = 0; i < n; i++)
        for (int b = start[i]; b < start[i + 1]; b++) {
            count[rank[i]]++;
            count[rank[column[b]]]++;
        }
    tree->start[0] = 0;
    for (int i = 0; i < n; i++) {
        tree->start[i + 1] = tree->start[i] + count[i];
        tree->column[tree->start[i]] = i;
        count[i] = tree->start[i] + 1;
    }
    for (int i = 0; i < n; i++)
        for (int b = start[i]; b < start[i + 1]; b++) {
            tree->column[count[rank[i]]++] = rank[column[b]];
            tree->column[count[rank[column[b]]]++] = rank[i];
        }
    int end = 0;
    for (int i = 0; i < n; i++) {
        const int begin = tree->start[i];
        qsort(tree->column + begin, (size_t)(tree->start[i + 1] - begin), sizeof *tree->column,
              by_value);
        tree->start[i] = end;
        for (int b = begin; b < tree->start[i + 1]; b++)
            if (b == begin || tree->column[b] != tree->column[b - 1])
                tree->column[end++] = tree->column[b];
    }
    tree->start[n] = end;
}

static void take_order(columns *c, const plu_block_order *order)
{
    for (int i = 0; i < order->n; i++) {
        c->parent[i] = order->parent[i];
        c->pivots[i] = 1;
        c->rest[i] = order->right[i];
    }
}

/* --- merging --- */

/* What a front takes, in products of a block with a block: measured for blocks of six rows. */
static double cost(double pivots, double rest)
{
    static const double front = 40.0, pivot = 2.0, remainder = 3.0;
    const double both = pivots + rest;
    return front + pivots * (rest * rest + pivots * rest + pivots * pivots / 3.0) +
           pivot * pivots * (both + rest) + remainder * rest * rest;
}

/* Merges children with column k while that makes the fronts cheaper than they are alone: those with
 * the pattern of k always, others in spite of the zeros that they are filled up with. The children
 * of what is merged come last. */
static void merge_children(columns *c, int k)
{
    int *link = &c->child[k], last = -1;
    for (int i = c->child[k]; i >= 0; i = c->next[i])
        last = i;
    while (*link >= 0) {
        const int i = *link, pivots = c->pivots[k] + c->pivots[i];
        if (!(cost(pivots, c->rest[k]) <=
              cost(c->pivots[k], c->rest[k]) + cost(c->pivots[i], c->rest[i]))) {
            link = &c->next[i];
            continue;
        }
        c->owner[i] = k;
        c->pivots[k] = pivots;
        c->next[last] = c->child[i];
        if (last == i)
            last = -1; /* found anew below */
        *link = c->next[i];
        for (int j = last >= 0 ? last : c->child[k]; j >= 0; j = c->next[j])
            last = j;
    }
}

static void merge_columns(columns *c, int n)
{
    for (int k = 0; k < n; k++) {
        c->owner[k] = k;
        c->child[k] = c->next[k] = -1;
    }
    for (int k = 0; k < n; k++) {
        merge_children(c, k);
        if (c->parent[k] >= 0) {
            c->next[k] = c->child[c->parent[k]];
            c->child[c->parent[k]] = k;
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        c->owner[k] = c->owner[c->owner[k]];
        c->parent[k] = c->parent[k] < 0 ? -1 : c->owner[c->parent[k]];
    }
}

/* --- nodes --- */

/* Numbers the nodes from the leaves on, a subtree after the other. */
static void number_nodes(columns *c, plu_block_lu_tree *tree)
{
    for (int root = 0; root < tree->n; root++) {
        if (c->parent[root] >= 0 || c->owner[root] != root)
            continue;
        for (int k = root; k >= 0;) {
            while (c->child[k] >= 0) { /* down, taking each child off its list */
                const int child = c->child[k];
                c->child[k] = c->next[child];
                k = child;
            }
            c->number[k] = tree->nodes++;
            k = k == root ? -1 : c->parent[k];
        }
    }
}

/* Pivots of all nodes, and from them the final order of the matrix. */
static void place_pivots(columns *c, plu_block_lu_tree *tree, const int *rank)
{
    for (int k = 0; k < tree->n; k++)
        if (c->owner[k] == k)
            tree->node[c->number[k]] = (plu_block_lu_node){
                .pivots = c->pivots[k], .rest = c->rest[k], .child = -1, .next = -1};
    int first = 0;
    for (int k = 0; k < tree->nodes; k++) {
        tree->node[k].first = first;
        c->mark[k] = first;
        first += tree->node[k].pivots;
    }
    int *const final = c->pivots; /* no longer needed */
    for (int k = 0; k < tree->n; k++)
        final[k] = c->mark[c->number[c->owner[k]]]++;
    for (int i = 0; i < tree->n; i++)
        tree->rank[i] = final[rank[i]];
}

static void link_nodes(const columns *c, plu_block_lu_tree *tree)
{
    for (int k = tree->n - 1; k >= 0; k--)
        if (c->owner[k] == k && c->parent[k] >= 0) {
            plu_block_lu_node *const node = &tree->node[c->number[k]];
            node->next = tree->node[c->number[c->parent[k]]].child;
            tree->node[c->number[c->parent[k]]].child = c->number[k];
        }
}

/* Where the numbers of the nodes stand. The remainders of a node's children are needed until its
 * own stands: those of even and of odd generations are two stacks. */
static void place_numbers(plu_block_lu_tree *tree, int *generation)
{
    size_t top[2] = {0, 0}, most[2] = {0, 0}, row = 0;
    memset(generation, 0, (size_t)tree->nodes * sizeof *generation);
    for (int k = tree->nodes - 1; k >= 0; k--)
        for (int c = tree->node[k].child; c >= 0; c = tree->node[c].next)
            generation[c] = !generation[k];
    for (int k = 0; k < tree->nodes; k++) {
        plu_block_lu_node *const node = &tree->node[k];
        const int mine = generation[k];
        node->begin_rest = eights(node->pivots * tree->size);
        node->rest_stride = eights(node->rest * tree->size);
        node->stride = node->begin_rest + node->rest_stride;
        node->factor = tree->factors;
        node->update = top[mine];
        node->row = row;
        row += (size_t)node->rest;
        tree->factors += 2 * (size_t)(node->pivots * tree->size) * (size_t)node->stride;
        top[mine] += (size_t)(node->rest * tree->size) * (size_t)node->rest_stride;
        most[mine] = top[mine] > most[mine] ? top[mine] : most[mine];
        for (int c = node->child; c >= 0; c = tree->node[c].next)
            top[!mine] -=
                (size_t)(tree->node[c].rest * tree->size) * (size_t)tree->node[c].rest_stride;
        if (node->stride > tree->most_columns)
            tree->most_columns = node->stride;
    }
    for (int k = 0; k < tree->nodes; k++)
        if (generation[k])
            tree->node[k].update += most[0];
    tree->updates = most[0] + most[1];
}

/* --- patterns of the fronts --- */

int plu_block_lu_tree_find(const plu_block_lu_tree *tree, int row, int column)
{
    int low = tree->start[row], high = tree->start[row + 1];
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (tree->column[middle] < column)
            low = middle + 1;
        else
            high = middle;
    }
    return low < tree->start[row + 1] && tree->column[low] == column ? low : -1;
}

/* The rest of a front: what its matrix blocks and the rests of its children reach beyond it. */
static void find_rest(plu_block_lu_tree *tree, const plu_block_lu_node *node, int number, int *mark)
{
    int *const row = tree->row + node->row, end = node->first + node->pivots, count = 0;
    for (int r = node->first; r < end; r++)
        for (int b = tree->start[r]; b < tree->start[r + 1]; b++)
            if (tree->column[b] >= end && mark[tree->column[b]] != number) {
                mark[tree->column[b]] = number;
                row[count++] = tree->column[b];
            }
    for (int c = node->child; c >= 0; c = tree->node[c].next) {
        const int *other = tree->row + tree->node[c].row;
        for (int k = 0; k < tree->node[c].rest; k++)
            if (other[k] >= end && mark[other[k]] != number) {
                mark[other[k]] = number;
                row[count++] = other[k];
            }
    }
    qsort(row, (size_t)count, sizeof *row, by_value);
}

/* Where in the front the rests of its children and the blocks of the matrix belong; `at`: the block
 * of the front of a row. */
static void place_in_front(plu_block_lu_tree *tree, plu_block_lu_node *node, int *at, int *entries)
{
    const int end = node->first + node->pivots;
    for (int r = node->first; r < end; r++)
        at[r] = r - node->first;
    for (int k = 0; k < node->rest; k++)
        at[tree->row[node->row + (size_t)k]] = node->pivots + k;
    for (int c = node->child; c >= 0; c = tree->node[c].next) {
        const size_t begin = tree->node[c].row;
        for (size_t k = begin; k < begin + (size_t)tree->node[c].rest; k++)
            tree->place[k] = at[tree->row[k]];
    }
    node->entries = *entries;
    for (int r = node->first; r < end; r++)
        for (int b = tree->start[r]; b < tree->start[r + 1]; b++) {
            const int s = tree->column[b];
            if (s >= node->first)
                tree->entry[(*entries)++] = (plu_block_lu_entry){b, at[r], at[s]};
            if (s >= end)
                tree->entry[(*entries)++] =
                    (plu_block_lu_entry){plu_block_lu_tree_find(tree, s, r), at[s], at[r]};
        }
    node->entries_end = *entries;
}

static plu_status find_fronts(plu_block_lu_tree *tree, int *mark, int *at, plu_error *err)
{
    size_t rests = 0;
    int entries = 0;
    for (int k = 0; k < tree->nodes; k++)
        rests += (size_t)tree->node[k].rest;
    tree->row = plu_alloc(rests, sizeof *tree->row, err);
    tree->place = plu_alloc(rests, sizeof *tree->place, err);
    tree->entry = plu_alloc((size_t)tree->start[tree->n], sizeof *tree->entry, err);
    if (!tree->row || !tree->place || !tree->entry)
        return PLU_IO;
    for (int i = 0; i < tree->n; i++)
        mark[i] = -1;
    for (int k = 0; k < tree->nodes; k++) {
        find_rest(tree, &tree->node[k], k, mark);
        place_in_front(tree, &tree->node[k], at, &entries);
    }
    return PLU_OK;
}

/* --- all of it --- */

static plu_status take_columns(columns *c, int n, plu_error *err)
{
    int **array[] = {&c->parent, &c->pivots, &c->rest,   &c->owner,
                     &c->child,  &c->next,   &c->number, &c->mark};
    const size_t count = sizeof array / sizeof *array;
    c->memory = plu_alloc(count * (size_t)n, sizeof *c->memory, err);
    for (size_t i = 0; c->memory && i < count; i++)
        *array[i] = c->memory + i * (size_t)n;
    return c->memory ? PLU_OK : PLU_IO;
}

plu_status plu_block_lu_tree_create(plu_block_lu_tree *tree, int size, int n, const int *start,
                                    const int *column, const plu_block_order *order, plu_error *err)
{
    *tree = (plu_block_lu_tree){.size = size, .n = n};
    columns c = {0};
    const size_t rows = (size_t)n;
    tree->rank = plu_alloc(rows, sizeof *tree->rank, err);
    tree->start = plu_alloc(rows + 1, sizeof *tree->start, err);
    tree->column = plu_alloc(rows + 2 * (size_t)start[n], sizeof *tree->column, err);
    tree->node = plu_alloc(rows, sizeof *tree->node, err);
    plu_status status =
        tree->rank && tree->start && tree->column && tree->node ? take_columns(&c, n, err) : PLU_IO;
    if (status == PLU_OK) {
        take_order(&c, order);
        merge_columns(&c, n);
        number_nodes(&c, tree);
        place_pivots(&c, tree, order->rank);
        link_nodes(&c, tree);
        place_numbers(tree, c.mark);
        arrange(tree, start, column, tree->rank, c.mark);
        status = find_fronts(tree, c.mark, c.child, err);
    }
    free(c.memory);
    return status;
}

void plu_block_lu_tree_free(plu_block_lu_tree *tree)
{
    void *arrays[] = {tree->rank, tree->start, tree->column, tree->node,
                      tree->row,  tree->place, tree->entry};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
}
