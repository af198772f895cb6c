/* vector.h: vectors of n doubles. Every sum runs from the first component to the last. */
#ifndef BASE_VECTOR_H
#define BASE_VECTOR_H

#include <math.h>

static inline double plu_dot_n(int n, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static inline double plu_norm_n(int n, const double *a)
{
    return sqrt(plu_dot_n(n, a, a));
}

/* |a - b| */
static inline double plu_distance_n(int n, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum);
}

#endif
