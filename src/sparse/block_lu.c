/* Sparse LU by blocks: finds the order, and chooses how the factors are made. */
#include "sparse/block_lu.h"
#include "base/memory.h"
#include "sparse/block_lu_fronts.h"
#include "sparse/block_lu_rows.h"
#include <stdlib.h>

struct plu_block_lu {
    bool by_fronts;
    plu_block_rows_lu rows;
    plu_block_fronts fronts;
    long fill;
    double work;
};

/* Products of a block with a block in a factorization from which on fronts are faster: as long as
 * the factors stay in the processor's second cache, rows are (tried.md has the times). */
static const double FRONTS_PAY = 4e5;

plu_status plu_block_lu_create(plu_block_lu **result, int size, int n, const int *start,
                               const int *column, plu_stop *stop, plu_error *err)
{
    *result = NULL;
    plu_block_order order;
    plu_block_lu *lu = plu_alloc(1, sizeof *lu, err);
    if (!lu)
        return PLU_IO;
    plu_status status = plu_block_order_find(&order, n, start, column, err);
    if (status == PLU_OK) {
        const double products = plu_block_order_products(&order);
        for (int i = 0; i < n; i++)
            lu->fill += order.below[i] + order.right[i];
        lu->work = 2.0 * (double)(size * size * size) * products;
        lu->by_fronts = products >= FRONTS_PAY;
        status = lu->by_fronts
                     ? plu_block_fronts_create(&lu->fronts, size, n, start, column, &order, err)
                     : plu_block_rows_lu_create(&lu->rows, size, &order, err);
    }
    plu_block_order_free(&order);
    lu->fronts.stop = lu->rows.stop = stop;
    if (status != PLU_OK)
        plu_block_lu_destroy(lu);
    else
        *result = lu;
    return status;
}

void plu_block_lu_destroy(plu_block_lu *lu)
{
    if (!lu)
        return;
    if (lu->by_fronts)
        plu_block_fronts_free(&lu->fronts);
    else
        plu_block_rows_lu_free(&lu->rows);
    free(lu);
}

double *plu_block_lu_at(plu_block_lu *lu, int i, int j)
{
    return lu->by_fronts ? plu_block_fronts_at(&lu->fronts, i, j)
                         : plu_block_rows_lu_at(&lu->rows, i, j);
}

void plu_block_lu_clear(plu_block_lu *lu)
{
    if (lu->by_fronts)
        plu_block_fronts_clear(&lu->fronts);
    else
        plu_block_rows_lu_clear(&lu->rows);
}

bool plu_block_lu_factorize(plu_block_lu *lu)
{
    return lu->by_fronts ? PLU_ISA_BEST(plu_block_fronts_factorize)(&lu->fronts)
                         : PLU_ISA_BEST(plu_block_rows_lu_factorize)(&lu->rows);
}

void plu_block_lu_solve(plu_block_lu *lu, const double *b, double *x)
{
    if (lu->by_fronts)
        plu_block_fronts_solve(&lu->fronts, b, x);
    else
        plu_block_rows_lu_solve(&lu->rows, b, x);
}

long plu_block_lu_fill(const plu_block_lu *lu)
{
    return lu->fill;
}

double plu_block_lu_work(const plu_block_lu *lu)
{
    return lu->work;
}
