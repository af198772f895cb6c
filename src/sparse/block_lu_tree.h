/* block_lu_tree.h: which rows of a sparse matrix of blocks are eliminated together, and where what
 * they change belongs.
 *
 * A node is a set of pivots whose rows have the same pattern, or nearly: it is eliminated as a
 * dense matrix, the front, of its pivots and of the rest, the later rows that they change. What the
 * rest changes by is handed on to the front of the parent (the multifrontal method: Duff & Reid
 * 1983, Liu 1992):
 *
 *             pivots  rest                              front of the parent
 *            +-------+------+                          +-------+------+
 *     pivots | L \ U |  U   |   rest -= L U            |  +=   |  +=  |  at the places (`place`)
 *            +-------+------+  ------------>  rest --> +-------+------+  of its rows there
 *       rest |   L   | rest |                          |  +=   |  +=  |
 *            +-------+------+                          +-------+------+
 *
 * Each row of the rest is a pivot of the parent or of a later ancestor, so nodes make a tree, and
 * are eliminated from its leaves on. */
#ifndef SPARSE_BLOCK_LU_TREE_H
#define SPARSE_BLOCK_LU_TREE_H

#include "sparse/block_lu_order.h"
#include <stddef.h>

/* A front keeps its first rows U and its first columns, transposed, L: size * pivots rows of
 * `stride` numbers each, first those of the pivots, then from `begin_rest` on those of the rest;
 * both parts are filled up to multiples of eight. Its remainder is a matrix of size * rest rows of
 * `rest_stride` numbers. */
typedef struct plu_block_lu_node {
    int first, pivots, rest;  /* pivots: first to first + pivots; number of the rest */
    int child, next;          /* first child, and next one of the same parent; -1: none */
    int entries, entries_end; /* of the matrix that belong to the front */
    int begin_rest, stride, rest_stride;
    size_t row;    /* index of the first of the rest in row[] and place[] */
    size_t factor; /* where U stands among the factors; L follows */
    size_t update; /* where the remainder stands until the parent has taken it */
} plu_block_lu_node;

/* A block of the matrix and its row and column in a front. */
typedef struct plu_block_lu_entry {
    int block, row, column;
} plu_block_lu_entry;

typedef struct plu_block_lu_tree {
    int size, n, nodes;
    int *rank;               /* [n]: when row i of the matrix is eliminated */
    int *start, *column;     /* the matrix, in that order: blocks of a row, columns rising */
    plu_block_lu_node *node; /* children before parents */
    int *row, *place; /* of the rest: pivots of later nodes; blocks of the front of the parent */
    plu_block_lu_entry *entry;
    size_t factors, updates; /* numbers of all nodes */
    int most_columns;        /* largest stride */
} plu_block_lu_tree;

/* Matrix of n x n blocks of `size` rows, with blocks at (i, column[start[i] ...]); the transposed
 * and the diagonal places are added where they are missing. Its rows are eliminated in `order`, but
 * those of a node one after the other. PLU_OK or PLU_IO; to be freed in either case. */
plu_status plu_block_lu_tree_create(plu_block_lu_tree *tree, int size, int n, const int *start,
                                    const int *column, const plu_block_order *order,
                                    plu_error *err);
void plu_block_lu_tree_free(plu_block_lu_tree *tree);

/* The block of the matrix at a row and a column in the order of elimination; -1: none. */
int plu_block_lu_tree_find(const plu_block_lu_tree *tree, int row, int column);

#endif
