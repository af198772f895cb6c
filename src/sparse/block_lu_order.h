/* block_lu_order.h: in which order the rows of a sparse matrix of blocks are eliminated, and which
 * blocks that fills. */
#ifndef SPARSE_BLOCK_LU_ORDER_H
#define SPARSE_BLOCK_LU_ORDER_H

#include "pluvia/status.h"

/* Rows and columns are those in the order of elimination. */
typedef struct plu_block_order {
    int n;
    int *rank;           /* [n]: when row i of the matrix is eliminated */
    int *start, *column; /* of each row, columns before its own; one may be there twice */
    int *parent;         /* [n]: elimination tree; -1: none */
    int *below, *right;  /* [n]: number of blocks of a row of L, and of U, without the diagonal */
    int *mark;           /* [n]: work */
} plu_block_order;

/* Of a matrix with blocks at (i, column[start[i] ...]) and at the transposed places: AMD's, or
 * where that takes many products the one by nested dissection (dissection.h) if it takes fewer.
 * PLU_OK or PLU_IO; to be freed in either case. */
plu_status plu_block_order_find(plu_block_order *order, int n, const int *start, const int *column,
                                plu_error *err);
void plu_block_order_free(plu_block_order *order);

/* Calls visit(context, i, k) for each block (i, k) of L, rows i rising and k in no order. */
typedef void plu_block_order_visit(void *context, int i, int k);
void plu_block_order_walk(plu_block_order *order, plu_block_order_visit *visit, void *context);

/* Products of a block with a block that the factorization takes. */
double plu_block_order_products(const plu_block_order *order);

#endif
