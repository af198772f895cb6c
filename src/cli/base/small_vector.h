/* small_vector.h: the little that the command does with vectors itself. */
#ifndef CLI_BASE_SMALL_VECTOR_H
#define CLI_BASE_SMALL_VECTOR_H

static inline double plu_dot3(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

#endif
