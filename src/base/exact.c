/* Exact sums (exact.h: a fixed-point number of 68 limbs of 32 bits). What a limb holds, and when it
 * is carried:
 *
 *     double x = +-m 2^e          two limbs, i = (e + 1074) / 32 and the next: the low 32 bits of
 *                                 the shifted m to the first, the rest to the second
 *     limb i (64 bits, signed)    below 2^32 after a carry; a term adds less than 2^53 to it, so
 *                                 that 1024 terms fit before the next carry
 *     carry                       limb[i + 1] += floor(limb[i] / 2^32), limb[i] mod 2^32: from the
 *                                 lowest limb on; the sign stays in the highest one
 *     value                       of |sum| the highest 53 bits, rounded by the rest: to nearest,
 *                                 halves to even
 *
 * Adding and joining are additions of integers: associative, so that threads may come in any order.
 */
#include "base/exact.h"
#include <math.h>
#include <stdbool.h>

enum { LAST = PLU_EXACT_LIMBS - 1 };
static const int64_t mask = UINT32_MAX;

/* limb / 2^32 rounded toward minus infinity. That is an arithmetic shift, which C leaves to the
 * compiler for negative numbers. */
static int64_t carry_of(int64_t limb)
{
    return (limb - (limb & mask)) / (mask + 1);
}

enum { ABOVE = 63 }; /* the last bit of `used` */

/* The first and the last limb that may not be zero; none: 1 and 0. */
static int first_used(const plu_exact *sum)
{
    return sum->used ? __builtin_ctzll(sum->used) : 1;
}

static int last_used(const plu_exact *sum)
{
    const int last = sum->used ? ABOVE - __builtin_clzll(sum->used) : 0;
    return last == ABOVE ? LAST : last;
}

/* The lowest limb that is not zero, at most `high`. */
static int lowest_limb(const plu_exact *sum, int high)
{
    int low = first_used(sum);
    while (low < high && sum->limb[low] == 0)
        low++;
    return low;
}

/* The highest limb that is not zero; -1: all are. */
static int highest_limb(const plu_exact *sum)
{
    int high = last_used(sum);
    while (high >= 0 && sum->limb[high] == 0)
        high--;
    return high;
}

void plu_exact_carry(plu_exact *sum)
{
    const int high = highest_limb(sum);
    for (int i = lowest_limb(sum, high); i < LAST; i++) {
        const int64_t carry = carry_of(sum->limb[i]);
        if (i >= high && (carry == 0 || carry == -1))
            break; /* the sign stays in the highest limb that is needed */
        sum->limb[i + 1] += carry;
        sum->limb[i] &= mask;
        sum->used |= UINT64_C(1) << (i + 1 < ABOVE ? i + 1 : ABOVE);
    }
    sum->pending = 1; /* the carried limbs are at most as large as those of one term */
}

void plu_exact_special(plu_exact *sum, double x)
{
    if (isnan(x))
        sum->not_numbers++;
    else
        sum->infinite[x < 0.0]++;
}

void plu_exact_join(plu_exact *sum, const plu_exact *other)
{
    if (sum->pending + other->pending > PLU_EXACT_PENDING)
        plu_exact_carry(sum);
    const int last = last_used(other);
    for (int i = first_used(other); i <= last; i++)
        sum->limb[i] += other->limb[i];
    sum->used |= other->used;
    sum->pending += other->pending;
    for (int k = 0; k < 2; k++)
        sum->infinite[k] += other->infinite[k];
    sum->not_numbers += other->not_numbers;
}

/* Replaces x, whose limbs are carried, by |x|; returns whether x was negative. */
static bool make_positive(plu_exact *x)
{
    const int high = highest_limb(x);
    if (high < 0 || x->limb[high] >= 0)
        return false;
    for (int i = lowest_limb(x, high); i <= high; i++)
        x->limb[i] = -x->limb[i];
    plu_exact_carry(x);
    return true;
}

static int64_t limb_at(const plu_exact *x, int i)
{
    return i >= 0 ? x->limb[i] : 0;
}

/* The 64 leading bits of x >= 0, whose highest nonzero limb is `high`. The last bit is sticky: it
 * is also set if any lower bit of x is. *exponent: that of the last bit. */
static uint64_t leading_bits(const plu_exact *x, int high, int *exponent)
{
    const uint64_t two = (uint64_t)limb_at(x, high) << 32 | (uint64_t)limb_at(x, high - 1);
    const uint64_t next = (uint64_t)limb_at(x, high - 2);
    const int shift = __builtin_clzll(two);
    const uint64_t bits = shift > 0 ? two << shift | next >> (32 - shift) : two;
    uint64_t rest = next << shift & (uint64_t)mask;
    for (int i = first_used(x); i <= high - 3; i++)
        rest |= (uint64_t)x->limb[i];
    *exponent = 32 * (high - 1) - shift - 1074;
    return bits | (rest != 0);
}

/* Rounds the last eleven bits away, to even. This is right for subnormal numbers too: their last
 * eleven bits are zero, because limb 0 begins with the smallest subnormal number. */
static double rounded(uint64_t bits, int exponent)
{
    const uint64_t tail = bits & 0x7ff, half = 0x400, kept = bits >> 11;
    const bool up = tail > half || (tail == half && kept & 1);
    return ldexp((double)(kept + up), exponent + 11);
}

double plu_exact_value(const plu_exact *sum)
{
    if (sum->not_numbers > 0 || (sum->infinite[0] > 0 && sum->infinite[1] > 0))
        return NAN;
    if (sum->infinite[0] > 0 || sum->infinite[1] > 0)
        return sum->infinite[0] > 0 ? HUGE_VAL : -HUGE_VAL;
    if (sum->pending == 0)
        return 0.0;
    plu_exact x = *sum;
    plu_exact_carry(&x);
    const bool negative = make_positive(&x);
    const int high = highest_limb(&x);
    if (high < 0)
        return 0.0;
    int exponent;
    const uint64_t bits = leading_bits(&x, high, &exponent);
    const double size = rounded(bits, exponent);
    return negative ? -size : size;
}

void plu_exact_columns(const void *rows, int count, size_t size, int columns, double *total)
{
    for (int k = 0; k < columns; k++) {
        plu_exact sum = {0};
        for (int i = 0; i < count; i++) {
            double x;
            memcpy(&x, (const char *)rows + size * (size_t)i + sizeof x * (size_t)k, sizeof x);
            plu_exact_add(&sum, x);
        }
        total[k] = plu_exact_value(&sum);
    }
}
