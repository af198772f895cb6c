/* block_lu_inverse.h: the inverse of a diagonal block, for the factorizations by rows and by
 * fronts.
 *
 * A block is S rows of T numbers, of which the first S count. S is a constant of the caller, for
 * which the functions are compiled. */
#ifndef SPARSE_BLOCK_LU_INVERSE_H
#define SPARSE_BLOCK_LU_INVERSE_H

#include "sparse/block_lu.h"
#include <math.h>

#define SPECIALISED static inline __attribute__((always_inline))

enum { T = PLU_BLOCK_STRIDE };

SPECIALISED void exchange(double *a, double *b)
{
    for (int j = 0; j < T; j++) {
        const double x = a[j];
        a[j] = b[j];
        b[j] = x;
    }
}

/* a = a^-1 by Gauss and Jordan with row pivots. */
SPECIALISED bool invert(int S, double *a)
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
            exchange(a + k * T, a + best * T);
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

#endif
