/* exact.h: exact sums of doubles, which do not depend on the order of their terms.
 *
 * A plu_exact is a fixed-point number that holds every double: 68 limbs of 32 bits, from the
 * smallest subnormal number to beyond 2^1024 (Kulisch's accumulator). Adding a term rounds nothing,
 * so the sum is the same to the last bit for any order of the terms and any number of threads.
 * plu_exact_value rounds it once, to the nearest double. Adding a term takes about 2 ns; long sums
 * are therefore made in two steps: in doubles over pieces whose order is fixed (the contacts of a
 * tile, the bodies of a cell), then exactly over the sums of the pieces.
 *
 * Infinities and NaN are counted and give what adding the terms one by one would give. An empty
 * sum and one that cancels are +0. Intermediate sums may exceed the largest double; a final sum
 * that does is infinite. */
#ifndef BASE_EXACT_H
#define BASE_EXACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    PLU_EXACT_LIMBS = 68,
    PLU_EXACT_PENDING = 1024 /* terms between two carries: a limb takes less than 2^53 of each */
};

/* All zero at first. */
typedef struct plu_exact {
    int64_t limb[PLU_EXACT_LIMBS]; /* limb i counts 2^(32 i - 1074) */
    uint64_t used;                /* bit i: limb i may not be zero; the last stands for all above */
    int pending;                  /* terms since the last carry */
    int infinite[2], not_numbers; /* terms that are +inf, -inf; NaN */
} plu_exact;

/* Brings all limbs below the highest that is needed to 0 .. 2^32 - 1, and that one, which has the
 * sign, to -2^32 .. 2^32 - 1; the number stays what it is. */
void plu_exact_carry(plu_exact *sum);

/* Counts a term that is infinite or NaN. */
void plu_exact_special(plu_exact *sum, double x);

static inline void plu_exact_add(plu_exact *sum, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    const unsigned exponent = (unsigned)(bits >> 52) & 0x7ff;
    if (exponent == 0x7ff) {
        plu_exact_special(sum, x);
        return;
    }
    if (x == 0.0)
        return;
    if (sum->pending >= PLU_EXACT_PENDING)
        plu_exact_carry(sum);
    const uint64_t normal = exponent != 0; /* else subnormal: no leading one */
    const uint64_t digits = (bits & ((UINT64_C(1) << 52) - 1)) | normal << 52;
    const unsigned at = exponent - (unsigned)normal, shift = at % 32;
    const int64_t low = (int64_t)((digits << shift) & UINT32_MAX);
    const int64_t high = (int64_t)(digits >> (32 - shift));
    const int64_t sign = -(int64_t)(bits >> 63); /* -1: negative */
    int64_t *limb = sum->limb + at / 32;
    limb[0] += (low ^ sign) - sign;
    limb[1] += (high ^ sign) - sign;
    sum->used |= UINT64_C(3) << at / 32;
    sum->pending++;
}

/* Adds another sum. */
void plu_exact_join(plu_exact *sum, const plu_exact *other);

/* The sum rounded to the nearest double; ties go to the even one. */
double plu_exact_value(const plu_exact *sum);

/* Exact sums of the columns of a table of `count` rows: each row takes `size` bytes and begins with
 * `columns` doubles; total[k] is the rounded sum of column k. */
void plu_exact_columns(const void *rows, int count, size_t size, int columns, double *total);

/* The largest of numbers >= 0, as their bits, which are in the same order; it is the same
 * in any order of the numbers. */

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

/* As plu_raise, where other threads raise the same number. */
static inline void plu_raise_shared(uint64_t *most, uint64_t bits)
{
    uint64_t now = __atomic_load_n(most, __ATOMIC_RELAXED);
    while (now < bits && !__atomic_compare_exchange_n(most, &now, bits, true, __ATOMIC_RELAXED,
                                                      __ATOMIC_RELAXED)) {
    }
}

#endif
