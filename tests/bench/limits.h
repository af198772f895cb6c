/* limits.h: what the machine can do at best, measured beside the cases. */
#ifndef BENCH_LIMITS_H
#define BENCH_LIMITS_H

typedef struct limits {
    double triad;  /* bytes/s of a[i] = b[i] + s c[i], arrays far larger than the caches */
    double flops;  /* multiply-adds/s x 2 on independent vectors of eight doubles */
    double scalar; /* the same for scalars */
} limits;

/* With as many threads as OpenMP would use. Takes about a second. */
limits measure_limits(void);

#endif
