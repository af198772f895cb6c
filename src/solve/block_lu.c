/* Sparse LU by blocks: the order, the pattern of the factors and the places of the blocks. */
#include "solve/block_lu.h"
#include "base/memory.h"
#include "solve/block_lu_lanes.h"
#include <stdlib.h>
#include <string.h>
#include <suitesparse/amd.h>

struct plu_block_lu {
    plu_block_rows_lu rows;
    int *rank; /* place of row i of the matrix in the order of elimination */
};

/* Rows of column numbers. */
typedef struct pattern {
    int *start, *column;
} pattern;

static bool take_pattern(pattern *p, int n, size_t entries, plu_error *err)
{
    p->start = plu_alloc((size_t)n + 2, sizeof *p->start, err);
    p->column = plu_alloc(entries, sizeof *p->column, err);
    return p->start && p->column;
}

static void free_pattern(pattern *p)
{
    free(p->start);
    free(p->column);
}

/* The lower triangle of the permuted, symmetrized pattern; an entry may be there twice. */
static bool lower_triangle(pattern *low, int n, const int *start, const int *column,
                           const int *rank, plu_error *err)
{
    if (!take_pattern(low, n, (size_t)start[n], err))
        return false;
    for (int i = 0; i < n; i++)
        for (int b = start[i]; b < start[i + 1]; b++)
            if (column[b] != i)
                low->start[(rank[i] > rank[column[b]] ? rank[i] : rank[column[b]]) + 2]++;
    for (int i = 0; i < n; i++)
        low->start[i + 2] += low->start[i + 1];
    for (int i = 0; i < n; i++)
        for (int b = start[i]; b < start[i + 1]; b++) {
            const int r = rank[i], s = rank[column[b]];
            if (r != s)
                low->column[low->start[(r > s ? r : s) + 1]++] = r > s ? s : r;
        }
    return true;
}

/* Elimination tree (Liu 1990): the row of L's pattern is what is met on the way from the entries of
 * the row to the root. `visit` is called for each (i, k) of L, k in no order. */
typedef void visit_function(void *context, int i, int k);

static void walk_factor(const pattern *low, int n, int *parent, int *mark, visit_function *visit,
                        void *context)
{
    for (int i = 0; i < n; i++) {
        parent[i] = -1;
        mark[i] = i;
        for (int b = low->start[i]; b < low->start[i + 1]; b++)
            for (int k = low->column[b]; mark[k] != i; k = parent[k]) {
                if (parent[k] < 0)
                    parent[k] = i;
                mark[k] = i;
                visit(context, i, k);
            }
    }
}

typedef struct layout { /* of walk_factor's two passes */
    plu_block_rows_lu *rows;
    int *below, *right; /* blocks of row i in L; of row k in U */
} layout;

static void count_blocks(void *context, int i, int k)
{
    layout *l = context;
    l->below[i]++;
    l->right[k]++;
}

/* Rows come in rising order, so that the blocks of U stand in theirs. */
static void place_right(void *context, int i, int k)
{
    layout *l = context;
    l->rows->column[l->rows->diagonal[k] + 1 + l->right[k]++] = i;
}

/* L's pattern is U's transposed. */
static void place_below(layout *l, int n)
{
    plu_block_rows_lu *a = l->rows;
    memset(l->below, 0, (size_t)n * sizeof *l->below);
    for (int k = 0; k < n; k++)
        for (int b = a->diagonal[k] + 1; b < a->start[k + 1]; b++) {
            const int i = a->column[b];
            a->column[a->start[i] + l->below[i]++] = k;
        }
}

static plu_status lay_out(plu_block_rows_lu *a, const pattern *low, plu_error *err)
{
    const int n = a->n;
    int *work = plu_alloc(4 * (size_t)n, sizeof *work, err);
    if (!work)
        return PLU_IO;
    int *parent = work, *mark = work + n;
    layout l = {a, work + 2 * (size_t)n, work + 3 * (size_t)n};
    walk_factor(low, n, parent, mark, count_blocks, &l);
    for (int i = 0; i < n; i++) {
        a->diagonal[i] = a->start[i] + l.below[i];
        a->start[i + 1] = a->diagonal[i] + 1 + l.right[i];
    }
    const size_t blocks = (size_t)a->start[n];
    a->column = plu_alloc(blocks, sizeof *a->column, err);
    a->block = plu_alloc(blocks * (size_t)(a->size * PLU_BLOCK_STRIDE), sizeof *a->block, err);
    if (a->column && a->block) {
        for (int i = 0; i < n; i++)
            a->column[a->diagonal[i]] = i;
        memset(l.right, 0, (size_t)n * sizeof *l.right);
        walk_factor(low, n, parent, mark, place_right, &l);
        place_below(&l, n);
    }
    free(work);
    return a->column && a->block ? PLU_OK : PLU_IO;
}

/* rank from AMD's order of A + A^T. */
static plu_status find_order(int *rank, int n, const int *start, const int *column, plu_error *err)
{
    int *order = plu_alloc((size_t)n, sizeof *order, err);
    if (!order)
        return PLU_IO;
    const int result = amd_order(n, start, column, order, NULL, NULL);
    for (int i = 0; result >= 0 && i < n; i++)
        rank[order[i]] = i;
    free(order);
    return result >= 0 ? PLU_OK : plu_fail(err, PLU_IO, "no memory to order %d blocks", n);
}

plu_status plu_block_lu_create(plu_block_lu **result, int size, int n, const int *start,
                               const int *column, plu_error *err)
{
    *result = NULL;
    plu_block_lu *lu = plu_alloc(1, sizeof *lu, err);
    if (!lu)
        return PLU_IO;
    plu_block_rows_lu *a = &lu->rows;
    *a = (plu_block_rows_lu){.size = size, .n = n};
    const size_t count = (size_t)n;
    a->start = plu_alloc(count + 1, sizeof *a->start, err);
    a->diagonal = plu_alloc(count, sizeof *a->diagonal, err);
    a->place = plu_alloc(count, sizeof *a->place, err);
    a->right = plu_alloc(count * PLU_BLOCK_STRIDE, sizeof *a->right, err);
    lu->rank = plu_alloc(count, sizeof *lu->rank, err);
    plu_status status =
        a->start && a->diagonal && a->place && a->right && lu->rank ? PLU_OK : PLU_IO;
    if (status == PLU_OK)
        status = find_order(lu->rank, n, start, column, err);
    pattern low = {0};
    if (status == PLU_OK)
        status = lower_triangle(&low, n, start, column, lu->rank, err) ? PLU_OK : PLU_IO;
    if (status == PLU_OK)
        status = lay_out(a, &low, err);
    free_pattern(&low);
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
    void *arrays[] = {lu->rows.start, lu->rows.diagonal, lu->rows.column, lu->rows.block,
                      lu->rows.place, lu->rows.right,    lu->rank};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
    free(lu);
}

double *plu_block_lu_at(plu_block_lu *lu, int i, int j)
{
    const plu_block_rows_lu *a = &lu->rows;
    const int r = lu->rank[i], s = lu->rank[j];
    int low = a->start[r], high = a->start[r + 1];
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (a->column[middle] < s)
            low = middle + 1;
        else
            high = middle;
    }
    const bool found = low < a->start[r + 1] && a->column[low] == s;
    return found ? a->block + (size_t)low * (size_t)(a->size * PLU_BLOCK_STRIDE) : NULL;
}

void plu_block_lu_clear(plu_block_lu *lu)
{
    const plu_block_rows_lu *a = &lu->rows;
    memset(a->block, 0,
           (size_t)a->start[a->n] * (size_t)(a->size * PLU_BLOCK_STRIDE) * sizeof *a->block);
}

bool plu_block_lu_factorize(plu_block_lu *lu)
{
    return PLU_ISA_BEST(plu_block_lu_factorize_rows)(&lu->rows);
}

void plu_block_lu_solve(plu_block_lu *lu, const double *b, double *x)
{
    const plu_block_rows_lu *a = &lu->rows;
    const size_t stride = PLU_BLOCK_STRIDE;
    for (int i = 0; i < a->n; i++)
        memcpy(a->right + (size_t)lu->rank[i] * stride, b + (size_t)i * stride, stride * sizeof *b);
    PLU_ISA_BEST(plu_block_lu_solve_rows)(a);
    for (int i = 0; i < a->n; i++)
        memcpy(x + (size_t)i * stride, a->right + (size_t)lu->rank[i] * stride, stride * sizeof *x);
}

long plu_block_lu_fill(const plu_block_lu *lu)
{
    return (long)lu->rows.start[lu->rows.n] - lu->rows.n;
}

double plu_block_lu_work(const plu_block_lu *lu)
{
    const plu_block_rows_lu *a = &lu->rows;
    const double cube = (double)(a->size * a->size * a->size);
    double products = 0.0;
    for (int i = 0; i < a->n; i++)
        products += 1.0 + (double)(a->start[i + 1] - a->diagonal[i] - 1) *
                              (double)(a->start[i + 1] - a->diagonal[i]);
    return 2.0 * cube * products;
}
