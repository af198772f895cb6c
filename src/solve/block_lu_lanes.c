/* The arithmetic of block_lu.c by lanes (compiled for each instruction set, base/cpu.h).
 *
 * Blocks are S rows of T numbers, T = 4 or 8; a row is kept in T / lanes registers. The functions
 * are written once for any S and T and specialised by their callers' constants. */
#include "solve/block_lu_lanes.h"
#include "base/lanes.h"
#include <math.h>

#define SPECIALISED static inline __attribute__((always_inline))

#if defined(__AVX512F__) || defined(__AVX2__)
typedef double half __attribute__((vector_size(32))); /* fits rows of four, too */
enum { HALF = 4 };
#else
typedef lanes half;
enum { HALF = WIDTH };
#endif

SPECIALISED half take(const double *at)
{
    half x;
    memcpy(&x, at, sizeof x);
    return x;
}

SPECIALISED void put(double *at, half x)
{
    memcpy(at, &x, sizeof x);
}

enum { MOST = 8 / HALF };

/* c = sign * (c + ...): c -= a b */
SPECIALISED void subtract_product(int S, int T, double *restrict c, const double *restrict a,
                                  const double *restrict b)
{
    for (int i = 0; i < S; i++) {
        half sum[MOST];
        for (int v = 0; v < T / HALF; v++)
            sum[v] = take(c + i * T + v * HALF);
        for (int k = 0; k < S; k++)
            for (int v = 0; v < T / HALF; v++)
                sum[v] -= a[i * T + k] * take(b + k * T + v * HALF);
        for (int v = 0; v < T / HALF; v++)
            put(c + i * T + v * HALF, sum[v]);
    }
}

/* a = a b */
SPECIALISED void multiply_from_right(int S, int T, double *restrict a, const double *restrict b)
{
    for (int i = 0; i < S; i++) {
        half sum[MOST] = {0};
        for (int k = 0; k < S; k++)
            for (int v = 0; v < T / HALF; v++)
                sum[v] += a[i * T + k] * take(b + k * T + v * HALF);
        for (int v = 0; v < T / HALF; v++)
            put(a + i * T + v * HALF, sum[v]);
    }
}

SPECIALISED void exchange(int T, double *a, double *b)
{
    for (int j = 0; j < T; j++) {
        const double x = a[j];
        a[j] = b[j];
        b[j] = x;
    }
}

/* a = a^-1 by Gauss and Jordan with row pivots. */
SPECIALISED bool invert(int S, int T, double *a)
{
    int from[8];
    for (int k = 0; k < S; k++) {
        int best = k;
        for (int i = k + 1; i < S; i++)
            if (fabs(a[i * T + k]) > fabs(a[best * T + k]))
                best = i;
        from[k] = best;
        if (!(fabs(a[best * T + k]) > 0.0) || !isfinite(a[best * T + k]))
            return false;
        if (best != k)
            exchange(T, a + k * T, a + best * T);
        const double inverse = 1.0 / a[k * T + k];
        a[k * T + k] = 1.0;
        for (int j = 0; j < T; j++)
            a[k * T + j] *= inverse;
        for (int i = 0; i < S; i++) {
            if (i == k)
                continue;
            const double factor = a[i * T + k];
            a[i * T + k] = 0.0;
            for (int j = 0; j < T; j++)
                a[i * T + j] -= factor * a[k * T + j];
        }
    }
    for (int k = S - 1; k >= 0; k--)
        for (int i = 0; from[k] != k && i < S; i++) {
            const double x = a[i * T + k];
            a[i * T + k] = a[i * T + from[k]];
            a[i * T + from[k]] = x;
        }
    return true;
}

SPECIALISED bool eliminate_row(int S, int T, const plu_block_rows_lu *lu, int i)
{
    const size_t area = (size_t)(S * T);
    for (int b = lu->start[i]; b < lu->start[i + 1]; b++)
        lu->place[lu->column[b]] = b;
    for (int b = lu->start[i]; b < lu->diagonal[i]; b++) {
        const int k = lu->column[b];
        double *factor = lu->block + (size_t)b * area;
        multiply_from_right(S, T, factor, lu->block + (size_t)lu->diagonal[k] * area);
        for (int u = lu->diagonal[k] + 1; u < lu->start[k + 1]; u++)
            subtract_product(S, T, lu->block + (size_t)lu->place[lu->column[u]] * area, factor,
                             lu->block + (size_t)u * area);
    }
    return invert(S, T, lu->block + (size_t)lu->diagonal[i] * area);
}

SPECIALISED bool factorise(int S, int T, const plu_block_rows_lu *lu)
{
    for (int i = 0; i < lu->n; i++)
        if (!eliminate_row(S, T, lu, i))
            return false;
    return true;
}

bool PLU_ISA(plu_block_lu_factorise_rows)(const plu_block_rows_lu *a)
{
    return a->size == 6   ? factorise(6, 8, a)
           : a->size == 5 ? factorise(5, 8, a)
                          : factorise(3, 4, a);
}

/* The same partial sums whatever the width. */
SPECIALISED double total_of(int T, const half *part)
{
    double x[8];
    for (int v = 0; v < T / HALF; v++)
        put(x + v * HALF, part[v]);
    const double low = (x[0] + x[1]) + (x[2] + x[3]);
    return T == 4 ? low : low + ((x[4] + x[5]) + (x[6] + x[7]));
}

/* sum = product of the blocks begin to end with the vector. */
SPECIALISED void row_product(int S, int T, const plu_block_rows_lu *lu, int begin, int end,
                             double *sum)
{
    half part[6][MOST] = {{{0}}};
    for (int b = begin; b < end; b++) {
        const double *block = lu->block + (size_t)b * (size_t)(S * T);
        const double *x = lu->right + (size_t)lu->column[b] * (size_t)T;
        for (int v = 0; v < T / HALF; v++) {
            const half xv = take(x + v * HALF);
            for (int i = 0; i < S; i++)
                part[i][v] += take(block + i * T + v * HALF) * xv;
        }
    }
    for (int i = 0; i < S; i++)
        sum[i] = total_of(T, part[i]);
}

SPECIALISED void solve(int S, int T, const plu_block_rows_lu *lu)
{
    double sum[6];
    for (int i = 0; i < lu->n; i++) {
        double *x = lu->right + (size_t)i * (size_t)T;
        row_product(S, T, lu, lu->start[i], lu->diagonal[i], sum);
        for (int j = 0; j < S; j++)
            x[j] -= sum[j];
    }
    for (int i = lu->n - 1; i >= 0; i--) {
        double *x = lu->right + (size_t)i * (size_t)T;
        row_product(S, T, lu, lu->diagonal[i] + 1, lu->start[i + 1], sum);
        for (int j = 0; j < S; j++)
            x[j] -= sum[j];
        row_product(S, T, lu, lu->diagonal[i], lu->diagonal[i] + 1, sum);
        memcpy(x, sum, (size_t)S * sizeof *x);
    }
}

void PLU_ISA(plu_block_lu_solve_rows)(const plu_block_rows_lu *a)
{
    if (a->size == 6)
        solve(6, 8, a);
    else if (a->size == 5)
        solve(5, 8, a);
    else
        solve(3, 4, a);
}
