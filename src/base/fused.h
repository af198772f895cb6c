/* fused.h: the fused multiply-add a b + c in single precision (rounded once) for processors without
 * an instruction for it, where fmaf takes eleven times as long (21 ns, glibc 2.36). */
#ifndef BASE_FUSED_H
#define BASE_FUSED_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* The product is exact in a double. The sum is rounded to odd (an inexact sum to the neighboring
 * double whose last bit is 1), so that the second rounding, to a float, gives the correctly rounded
 * result (Boldo and Melquiond 2008, theorem 1: 53 >= 24 + 2 digits). */
static inline float plu_fused(float a, float b, float c)
{
    const double product = (double)a * (double)b, sum = product + (double)c;
    const double part = sum - product,
                 missing = (product - (sum - part)) + ((double)c - part); /* exactly: Knuth */
    uint64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    const uint64_t away = (missing > 0.0) == (sum > 0.0) ? 1 : UINT64_MAX;
    const bool inexact = missing > 0.0 || missing < 0.0; /* NAN beside an infinite c */
    bits += inexact && !(bits & 1) ? away : 0;
    double odd;
    memcpy(&odd, &bits, sizeof odd);
    return (float)odd;
}

#endif
