/* omp.h: the functions of OpenMP where there is none: one thread (option `openmp` of meson). */
#ifndef BASE_SERIAL_OMP_H
#define BASE_SERIAL_OMP_H

#include <time.h>

static inline int omp_get_level(void)
{
    return 0;
}

static inline int omp_get_max_threads(void)
{
    return 1;
}

static inline int omp_get_num_procs(void)
{
    return 1;
}

static inline int omp_get_num_threads(void)
{
    return 1;
}

static inline int omp_get_thread_num(void)
{
    return 0;
}

static inline void omp_set_num_threads(int threads)
{
    (void)threads;
}

/* s, from an arbitrary moment */
static inline double omp_get_wtime(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
