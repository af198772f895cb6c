/* raise.h: the largest of numbers >= 0, as their bits, which are in the same order; it is the same
 * in any order of the numbers. */
#ifndef BASE_RAISE_H
#define BASE_RAISE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t plu_bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double plu_of_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline void plu_raise(uint64_t *most, uint64_t bits)
{
    *most = *most > bits ? *most : bits;
}

/* The same where other threads do so too. */
static inline void plu_raise_shared(uint64_t *most, uint64_t bits)
{
    uint64_t now = __atomic_load_n(most, __ATOMIC_RELAXED);
    while (now < bits && !__atomic_compare_exchange_n(most, &now, bits, true, __ATOMIC_RELAXED,
                                                      __ATOMIC_RELAXED)) {
    }
}

#endif
