#include "limits.h"
#include <omp.h>
#include <stdlib.h>

typedef double lanes __attribute__((vector_size(64)));

enum { CHAINS = 12 };

static double triad(void)
{
    const long n = 16 << 20;
    double *a = malloc((size_t)n * 8), *b = malloc((size_t)n * 8), *c = malloc((size_t)n * 8);
    double best = 0.0;
    if (a && b && c) {
#pragma omp parallel for schedule(static)
        for (long i = 0; i < n; i++) {
            a[i] = 0.0;
            b[i] = (double)i;
            c[i] = 1.0;
        }
        for (int repeat = 0; repeat < 5; repeat++) {
            const double start = omp_get_wtime();
#pragma omp parallel for schedule(static)
            for (long i = 0; i < n; i++)
                a[i] = b[i] + 1.5 * c[i];
            const double rate = 24.0 * (double)n / (omp_get_wtime() - start);
            best = rate > best ? rate : best;
        }
    }
    free(a);
    free(b);
    free(c);
    return best;
}

/* Flags of the widest instruction set are chosen per function; the loops are the same. */
#define LOOP(TYPE, COUNT)                                                                          \
    TYPE x[CHAINS];                                                                                \
    const double start = omp_get_wtime();                                                          \
    for (int k = 0; k < CHAINS; k++)                                                               \
        x[k] = (TYPE){0} + k;                                                                      \
    for (long i = 0; i < n; i++)                                                                   \
        for (int k = 0; k < CHAINS; k++)                                                           \
            x[k] = x[k] * 0.999999 + 1e-6;                                                         \
    const double seconds = omp_get_wtime() - start;                                                \
    for (int k = 1; k < CHAINS; k++)                                                               \
        x[0] += x[k];                                                                              \
    volatile double sink = ((double *)x)[0];                                                       \
    (void)sink;                                                                                    \
    return 2.0 * (COUNT)*CHAINS * (double)n / seconds

#if defined(__x86_64__)
__attribute__((target("avx512f,fma"))) static double wide(long n)
{
    LOOP(lanes, 8);
}
__attribute__((target("avx2,fma"))) static double medium(long n)
{
    LOOP(lanes, 8);
}
#endif

static double narrow(long n)
{
    LOOP(double, 1);
}

static double vector_flops(void)
{
    double sum = 0.0;
#pragma omp parallel reduction(+ : sum)
    {
#if defined(__x86_64__)
        if (__builtin_cpu_supports("avx512f"))
            sum += wide(10000000);
        else if (__builtin_cpu_supports("fma"))
            sum += medium(10000000);
        else
#endif
            sum += narrow(10000000);
    }
    return sum;
}

limits measure_limits(void)
{
    double scalar = 0.0;
#pragma omp parallel reduction(+ : scalar)
    scalar += narrow(20000000);
    return (limits){triad(), vector_flops(), scalar};
}
