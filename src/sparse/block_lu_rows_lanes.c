/* The arithmetic of block_lu_rows.c by lanes (compiled for each instruction set, base/cpu.h). Row i
 * is taken off the rows k < i of its pattern, in their order:
 *
 *     L_ik <- A_ik U_kk^-1 ,   row i -= L_ik (row k of U, right of its diagonal)       k rising
 *
 * so that row k is read once for each i below it, and only row i is written. Blocks are S rows of
 * eight numbers, of which the first S count and the others are zero. The functions are written once
 * for any S and specialized by their callers' constants. */
#include "base/lanes.h"
#include "sparse/block_lu_inverse.h"
#include "sparse/block_lu_rows.h"

enum { MOST = T / WIDTH, MOST_ROWS = 7 };

/* Registers that hold a row. */
SPECIALISED int width_of(int S)
{
    return (S + WIDTH - 1) / WIDTH;
}

/* a = a b */
SPECIALISED void multiply_from_right(int S, double *restrict a, const double *restrict b)
{
    for (int i = 0; i < S; i++) {
        lanes sum[MOST] = {0};
        for (int k = 0; k < S; k++)
            for (int v = 0; v < width_of(S); v++)
                sum[v] += a[i * T + k] * load(b + k * T + v * WIDTH);
        for (int v = 0; v < width_of(S); v++)
            store(a + i * T + v * WIDTH, sum[v]);
    }
}

#define SPLIT(S) ((S) == 6 ? 3 : (S))

/* Takes the U part of row k off the row at hand, of which only block rows `first` to `end`: their
 * factors stay in registers. */
SPECIALISED void subtract_row(int S, const plu_block_rows_lu *lu, int k, const double *factor,
                              int first, int end)
{
    const size_t area = (size_t)(S * T);
    lanes a[MOST_ROWS][MOST_ROWS];
    for (int i = first; i < end; i++)
        for (int j = 0; j < S; j++)
            a[i][j] = all(factor[i * T + j]);
    for (int u = lu->diagonal[k] + 1; u < lu->start[k + 1]; u++) {
        double *const c = lu->block + (size_t)lu->place[lu->column[u]] * area;
        const double *const b = lu->block + (size_t)u * area;
        for (int v = 0; v < width_of(S); v++) {
            lanes row[MOST_ROWS];
            for (int j = 0; j < S; j++)
                row[j] = load(b + j * T + v * WIDTH);
            for (int i = first; i < end; i++) {
                lanes sum = load(c + i * T + v * WIDTH);
                for (int j = 0; j < S; j++)
                    sum -= a[i][j] * row[j];
                store(c + i * T + v * WIDTH, sum);
            }
        }
    }
}

SPECIALISED bool eliminate_row(int S, const plu_block_rows_lu *lu, int i)
{
    const size_t area = (size_t)(S * T);
    for (int b = lu->start[i]; b < lu->start[i + 1]; b++)
        lu->place[lu->column[b]] = b;
    for (int b = lu->start[i]; b < lu->diagonal[i]; b++) {
        const int k = lu->column[b];
        double *const factor = lu->block + (size_t)b * area;
        multiply_from_right(S, factor, lu->block + (size_t)lu->diagonal[k] * area);
        subtract_row(S, lu, k, factor, 0, SPLIT(S));
        if (SPLIT(S) < S)
            subtract_row(S, lu, k, factor, SPLIT(S), S);
    }
    return invert(S, lu->block + (size_t)lu->diagonal[i] * area);
}

SPECIALISED bool factorize(int S, const plu_block_rows_lu *lu)
{
    for (int i = 0; i < lu->n; i++)
        if (plu_stops(lu->stop) || !eliminate_row(S, lu, i))
            return false;
    return true;
}

bool PLU_ISA(plu_block_rows_lu_factorize)(const plu_block_rows_lu *a)
{
    return a->size == 7   ? factorize(7, a)
           : a->size == 6 ? factorize(6, a)
           : a->size == 5 ? factorize(5, a)
                          : factorize(3, a);
}

SPECIALISED double total_of(int S, const lanes *part)
{
    parts sum = {{{0.0}}};
    for (int v = 0; v < width_of(S); v++)
        sum.part[v] = part[v];
    return total(&sum);
}

/* sum = product of the blocks begin to end with the vector. */
SPECIALISED void row_product(int S, const plu_block_rows_lu *lu, int begin, int end, double *sum)
{
    lanes part[MOST_ROWS][MOST] = {{{0}}};
    for (int b = begin; b < end; b++) {
        const double *block = lu->block + (size_t)b * (size_t)(S * T);
        const double *x = lu->right + (size_t)lu->column[b] * (size_t)T;
        for (int v = 0; v < width_of(S); v++) {
            const lanes xv = load(x + v * WIDTH);
            for (int i = 0; i < S; i++)
                part[i][v] += load(block + i * T + v * WIDTH) * xv;
        }
    }
    for (int i = 0; i < S; i++)
        sum[i] = total_of(S, part[i]);
}

SPECIALISED void solve(int S, const plu_block_rows_lu *lu)
{
    double sum[MOST_ROWS];
    for (int i = 0; i < lu->n; i++) {
        double *x = lu->right + (size_t)i * (size_t)T;
        row_product(S, lu, lu->start[i], lu->diagonal[i], sum);
        for (int j = 0; j < S; j++)
            x[j] -= sum[j];
    }
    for (int i = lu->n - 1; i >= 0; i--) {
        double *x = lu->right + (size_t)i * (size_t)T;
        row_product(S, lu, lu->diagonal[i] + 1, lu->start[i + 1], sum);
        for (int j = 0; j < S; j++)
            x[j] -= sum[j];
        row_product(S, lu, lu->diagonal[i], lu->diagonal[i] + 1, sum);
        memcpy(x, sum, (size_t)S * sizeof *x);
    }
}

void PLU_ISA(plu_block_rows_lu_substitute)(const plu_block_rows_lu *a)
{
    if (a->size == 7)
        solve(7, a);
    else if (a->size == 6)
        solve(6, a);
    else if (a->size == 5)
        solve(5, a);
    else
        solve(3, a);
}
