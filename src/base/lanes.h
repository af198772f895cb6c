/* lanes.h: eight doubles worked on together, in the vector extension that gcc and clang share. The
 * same source becomes AVX-512, AVX2 or plain SSE2 code by the flags of the file that includes it.
 */
#ifndef BASE_LANES_H
#define BASE_LANES_H

#include <math.h>
#include <stdbool.h>
#include <string.h>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

typedef double lanes __attribute__((vector_size(64)));
typedef long long mask __attribute__((vector_size(64))); /* all ones: true */

static inline lanes load(const double *at)
{
    lanes x;
    memcpy(&x, at, sizeof x);
    return x;
}

static inline void store(double *at, lanes x)
{
    memcpy(at, &x, sizeof x);
}

static inline lanes all(double x)
{
    return (lanes){x, x, x, x, x, x, x, x};
}

static inline lanes choose(mask m, lanes yes, lanes no)
{
    return (lanes)(((mask)yes & m) | ((mask)no & ~m));
}

static inline lanes larger(lanes a, lanes b)
{
    return choose(a > b, a, b);
}

static inline lanes smaller(lanes a, lanes b)
{
    return choose(a < b, a, b);
}

static inline bool any(mask m)
{
#if defined(__AVX512F__)
    return _mm512_test_epi64_mask((__m512i)m, (__m512i)m) != 0;
#else
    return (m[0] | m[1] | m[2] | m[3] | m[4] | m[5] | m[6] | m[7]) != 0;
#endif
}

static inline lanes root(lanes x)
{
#if defined(__AVX512F__)
    return (lanes)_mm512_sqrt_pd((__m512d)x);
#elif defined(__AVX__)
    __m256d half[2];
    memcpy(half, &x, sizeof x);
    half[0] = _mm256_sqrt_pd(half[0]);
    half[1] = _mm256_sqrt_pd(half[1]);
    memcpy(&x, half, sizeof x);
    return x;
#else
    for (int k = 0; k < 8; k++)
        x[k] = sqrt(x[k]);
    return x;
#endif
}

/* Sum of the eight, always in the same order. */
static inline double total(lanes x)
{
    return ((x[0] + x[1]) + (x[2] + x[3])) + ((x[4] + x[5]) + (x[6] + x[7]));
}

/* Rows become columns: column[i][k] = row[k][i]. */
static inline void transpose(const lanes row[8], lanes column[8])
{
    lanes s[8], t[8];
    for (int i = 0; i < 4; i++) {
        s[2 * i] = __builtin_shufflevector(row[2 * i], row[2 * i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
        s[2 * i + 1] =
            __builtin_shufflevector(row[2 * i], row[2 * i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
    }
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            const lanes a = s[4 * i + j], b = s[4 * i + 2 + j];
            t[4 * i + j] = __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13);
            t[4 * i + 2 + j] = __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15);
        }
    for (int j = 0; j < 4; j++) {
        column[j] = __builtin_shufflevector(t[j], t[4 + j], 0, 1, 2, 3, 8, 9, 10, 11);
        column[4 + j] = __builtin_shufflevector(t[j], t[4 + j], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}

/* --- three components each --- */

typedef struct vectors {
    lanes x, y, z;
} vectors;

static inline vectors load3(double (*at)[8])
{
    return (vectors){load(at[0]), load(at[1]), load(at[2])};
}

static inline void store3(double (*at)[8], vectors v)
{
    store(at[0], v.x);
    store(at[1], v.y);
    store(at[2], v.z);
}

static inline lanes dot(vectors a, vectors b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline vectors cross(vectors a, vectors b)
{
    return (vectors){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
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
    return (vectors){s * a.x + t * b.x, s * a.y + t * b.y, s * a.z + t * b.z};
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
