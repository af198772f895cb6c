/* lanes.h: SIMD vectors, in the vector extension that gcc and clang share. The flags with which the
 * including file is compiled make AVX-512, AVX2 or plain SSE2 code of the same source. Vectors are
 * as wide as a register, because gcc splits wider ones into single numbers. The numbers are
 * doubles, or floats where PLU_SINGLE is defined. Where PLU_ONE is defined, the same source is
 * compiled for one double at a time. */
#ifndef BASE_LANES_H
#define BASE_LANES_H

#include "base/fused.h"
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#if defined(__AVX2__) && !defined(PLU_ONE)
#include <immintrin.h>
#elif defined(__SSE2__) && !defined(PLU_ONE)
#include <emmintrin.h> /* all that is needed, in a tenth of the time that the other takes to compile */
#endif

#if defined(PLU_ONE)
#define PLU_REGISTER 8
#elif defined(__AVX512F__)
#define PLU_REGISTER 64
#elif defined(__AVX2__)
#define PLU_REGISTER 32
#else
#define PLU_REGISTER 16
#endif

#if defined(PLU_SINGLE)
typedef float real;
typedef int32_t truth;
#define PLU_REAL 4
#else
typedef double real;
typedef long long truth;
#define PLU_REAL 8
#endif

/* WIDTH: numbers in a register. BLOCK: lanes of a block, 8 doubles or 16 floats; a block takes one
 * register or more. */
#define PLU_WIDTH (PLU_REGISTER / PLU_REAL)
enum { WIDTH = PLU_WIDTH, BLOCK = 64 / PLU_REAL };

/* A loop over slots takes whole blocks, or with PLU_ONE single slots from any slot to any other:
 *     for (int slot = begin; slot < end; slot += STRIDE)
 *         for (int k = FIRST_LANE(slot); k < FIRST_LANE(slot) + STRIDE; k += WIDTH) */
#if defined(PLU_ONE)
enum { STRIDE = 1 };
#define FIRST_LANE(slot) ((slot) % BLOCK)
#else
enum { STRIDE = BLOCK };
#define FIRST_LANE(slot) 0
#endif

/* Functions on vectors are always inlined, so that vectors stay in registers. */
#define LANES_INLINE static inline __attribute__((always_inline))

#if defined(PLU_ONE)
typedef real lanes;
typedef int mask; /* 1: true */
#else
typedef real lanes __attribute__((vector_size(PLU_REGISTER)));
typedef truth mask __attribute__((vector_size(PLU_REGISTER))); /* all ones: true */
#endif

/* A vector of the numbers of a and b at the given places; the places of b follow those of a. gcc
 * has the builtin of clang from version 12 on. */
#if __has_builtin(__builtin_shufflevector)
#define PLU_PICK(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define PLU_PICK(a, b, ...) __builtin_shuffle(a, b, (mask){__VA_ARGS__})
#endif

static inline lanes load(const real *at)
{
    lanes x;
    memcpy(&x, at, sizeof x);
    return x;
}

static inline void store(real *at, lanes x)
{
    memcpy(at, &x, sizeof x);
}

static inline lanes all(double x)
{
    return (real)x - (lanes){0};
}

#if defined(PLU_ONE)
static inline lanes choose(mask m, lanes yes, lanes no)
{
    return m ? yes : no;
}

static inline mask opposite(mask m)
{
    return !m;
}
#else
static inline lanes choose(mask m, lanes yes, lanes no)
{
    return (lanes)(((mask)yes & m) | ((mask)no & ~m));
}

static inline mask opposite(mask m)
{
    return ~m;
}
#endif

static inline lanes larger(lanes a, lanes b)
{
    return choose(a > b, a, b);
}

static inline lanes smaller(lanes a, lanes b)
{
    return choose(a < b, a, b);
}

#if defined(PLU_ONE)
static inline bool any(mask m)
{
    return m != 0;
}

static inline unsigned bits(mask m)
{
    return (unsigned)m;
}

static inline lanes root(lanes x)
{
    return sqrt(x);
}
#elif defined(PLU_SINGLE)
static inline bool any(mask m)
{
#if defined(__AVX512F__)
    return _mm512_test_epi32_mask((__m512i)m, (__m512i)m) != 0;
#elif defined(__AVX2__)
    return !_mm256_testz_si256((__m256i)m, (__m256i)m);
#else
    return (m[0] | m[1] | m[2] | m[3]) != 0;
#endif
}

static inline lanes root(lanes x)
{
#if defined(__AVX512F__)
    return (lanes)_mm512_sqrt_ps((__m512)x);
#elif defined(__AVX2__)
    return (lanes)_mm256_sqrt_ps((__m256)x);
#elif defined(__SSE2__)
    return (lanes)_mm_sqrt_ps((__m128)x);
#else
    return (lanes){sqrtf(x[0]), sqrtf(x[1]), sqrtf(x[2]), sqrtf(x[3])};
#endif
}
#else
static inline bool any(mask m)
{
#if defined(__AVX512F__)
    return _mm512_test_epi64_mask((__m512i)m, (__m512i)m) != 0;
#elif defined(__AVX2__)
    return !_mm256_testz_si256((__m256i)m, (__m256i)m);
#else
    return (m[0] | m[1]) != 0;
#endif
}

/* A bit for each lane that is true. */
static inline unsigned bits(mask m)
{
#if defined(__AVX512F__)
    return _mm512_movepi64_mask((__m512i)m);
#elif defined(__AVX2__)
    return (unsigned)_mm256_movemask_pd((__m256d)m);
#else
    return (unsigned)(-m[0] + -m[1] * 2);
#endif
}

static inline lanes root(lanes x)
{
#if defined(__AVX512F__)
    return (lanes)_mm512_sqrt_pd((__m512d)x);
#elif defined(__AVX2__)
    return (lanes)_mm256_sqrt_pd((__m256d)x);
#elif defined(__SSE2__)
    return (lanes)_mm_sqrt_pd((__m128d)x);
#else
    return (lanes){sqrt(x[0]), sqrt(x[1])};
#endif
}

#endif

/* a b + c, a b - c and c - a b. In doubles product and sum are rounded, as on processors without
 * fused multiply-add; in floats the result is rounded once, which is faster (base/fused.h gives the
 * same bits on every processor). */
#if defined(PLU_SINGLE) && defined(__FMA__)
#if defined(__AVX512F__)
#define MULTIPLY(how, a, b, c) (lanes) _mm512_##how##_ps((__m512)(a), (__m512)(b), (__m512)(c))
#else
#define MULTIPLY(how, a, b, c) (lanes) _mm256_##how##_ps((__m256)(a), (__m256)(b), (__m256)(c))
#endif

static inline lanes mul_add(lanes a, lanes b, lanes c)
{
    return MULTIPLY(fmadd, a, b, c);
}

static inline lanes mul_sub(lanes a, lanes b, lanes c)
{
    return MULTIPLY(fmsub, a, b, c);
}

static inline lanes sub_mul(lanes c, lanes a, lanes b)
{
    return MULTIPLY(fnmadd, a, b, c);
}
#elif defined(PLU_SINGLE)
/* The same bits without the instruction; a call each, for in place they would be most of the code.
 */
static __attribute__((noinline, unused)) lanes mul_add(lanes a, lanes b, lanes c)
{
    lanes x;
    for (int k = 0; k < WIDTH; k++)
        x[k] = plu_fused(a[k], b[k], c[k]);
    return x;
}

static inline lanes mul_sub(lanes a, lanes b, lanes c)
{
    return mul_add(a, b, -c);
}

static inline lanes sub_mul(lanes c, lanes a, lanes b)
{
    return mul_add(-a, b, c);
}
#else
static inline lanes mul_add(lanes a, lanes b, lanes c)
{
    return a * b + c;
}

static inline lanes mul_sub(lanes a, lanes b, lanes c)
{
    return a * b - c;
}

static inline lanes sub_mul(lanes c, lanes a, lanes b)
{
    return c - a * b;
}
#endif

/* A partial sum for each lane of a block. Their total is the same for every register width. */
typedef struct parts {
    lanes part[BLOCK / WIDTH];
} parts;

/* Adds x, the terms of the lanes k to k + WIDTH - 1 of a block. */
static inline void add(parts *sum, int k, lanes x)
{
    sum->part[k / WIDTH] += x;
}

static inline double total(const parts *sum)
{
    real x[BLOCK];
    double y[8] = {0.0};
    memcpy(x, sum, sizeof x);
    for (int k = 0; k < BLOCK; k++)
        y[k % 8] += (double)x[k];
    return ((y[0] + y[1]) + (y[2] + y[3])) + ((y[4] + y[5]) + (y[6] + y[7]));
}

/* The same for the largest term instead of the sum. */
static inline void raise(parts *most, int k, lanes x)
{
    most->part[k / WIDTH] = larger(most->part[k / WIDTH], x);
}

static inline double largest(const parts *most)
{
    real x[BLOCK];
    double y = 0.0;
    memcpy(x, most, sizeof x);
    for (int k = 0; k < BLOCK; k++)
        y = (double)x[k] > y ? (double)x[k] : y;
    return y;
}

/* --- vectors of three components, one in each lane --- */

typedef struct vectors {
    lanes x, y, z;
} vectors;

/* The lanes k to k + WIDTH - 1 of three fields of a block. */
static inline vectors load3(real (*at)[BLOCK], int k)
{
    return (vectors){load(at[0] + k), load(at[1] + k), load(at[2] + k)};
}

static inline void store3(real (*at)[BLOCK], int k, vectors v)
{
    store(at[0] + k, v.x);
    store(at[1] + k, v.y);
    store(at[2] + k, v.z);
}

static inline lanes dot(vectors a, vectors b)
{
    return mul_add(a.z, b.z, mul_add(a.y, b.y, a.x * b.x));
}

static inline vectors cross(vectors a, vectors b)
{
    return (vectors){mul_sub(a.y, b.z, a.z * b.y), mul_sub(a.z, b.x, a.x * b.z),
                     mul_sub(a.x, b.y, a.y * b.x)};
}

static inline vectors scaled(lanes s, vectors a)
{
    return (vectors){s * a.x, s * a.y, s * a.z};
}

static inline vectors sum(vectors a, vectors b)
{
    return (vectors){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline vectors difference(vectors a, vectors b)
{
    return (vectors){a.x - b.x, a.y - b.y, a.z - b.z};
}

/* s a + t b */
static inline vectors combined(lanes s, vectors a, lanes t, vectors b)
{
    return (vectors){mul_add(s, a.x, t * b.x), mul_add(s, a.y, t * b.y), mul_add(s, a.z, t * b.z)};
}

/* a + s b */
static inline vectors add_times(vectors a, lanes s, vectors b)
{
    return (vectors){mul_add(s, b.x, a.x), mul_add(s, b.y, a.y), mul_add(s, b.z, a.z)};
}

/* a - s b */
static inline vectors take_times(vectors a, lanes s, vectors b)
{
    return (vectors){sub_mul(a.x, s, b.x), sub_mul(a.y, s, b.y), sub_mul(a.z, s, b.z)};
}

static inline vectors choose3(mask m, vectors yes, vectors no)
{
    return (vectors){choose(m, yes.x, no.x), choose(m, yes.y, no.y), choose(m, yes.z, no.z)};
}

static inline lanes norm(vectors a)
{
    return root(dot(a, a));
}

#endif
