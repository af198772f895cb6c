/* lanes.h: several numbers worked on together, in the vector extension that gcc and clang share.
 * The same source becomes AVX-512, AVX2 or plain SSE2 code by the flags of the file that includes
 * it, with vectors as wide as the registers (wider ones are taken apart number by number by gcc).
 * The numbers are doubles, or floats where PLU_SINGLE is defined.
 */
#ifndef BASE_LANES_H
#define BASE_LANES_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

#if defined(__AVX512F__)
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

/* Numbers of a register; lanes of a block, 8 doubles or 16 floats, which takes one or more. */
#define PLU_WIDTH (PLU_REGISTER / PLU_REAL)
enum { WIDTH = PLU_WIDTH, BLOCK = 64 / PLU_REAL };

/* Vectors are to stay in registers: gcc is not to make functions of what it finds long. */
#define LANES_INLINE static inline __attribute__((always_inline))

typedef real lanes __attribute__((vector_size(PLU_REGISTER)));
typedef truth mask __attribute__((vector_size(PLU_REGISTER))); /* all ones: true */

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

#if defined(PLU_SINGLE)
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

/* A sum over the lanes of a block that is the same for every width: a partial sum for each. */
typedef struct parts {
    lanes part[BLOCK / WIDTH];
} parts;

/* Adds what the lanes from k on give. */
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

/* Keeps the largest of what the lanes from k on give. */
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

/* --- rows of eight numbers, one a lane, and their columns: column[i] has number i of every row ---
 */

#if PLU_WIDTH == 16
/* Sixteen rows, two in a register. */
static inline void load_rows(const real *const row[16], lanes column[8])
{
    lanes two[8], s[8], t[8];
    for (int i = 0; i < 8; i++) {
        const int k = i < 4 ? i : i + 4;
        two[i] = (lanes)_mm512_insertf32x8(_mm512_castps256_ps512(_mm256_loadu_ps(row[k])),
                                           _mm256_loadu_ps(row[k + 4]), 1);
    }
    for (int i = 0; i < 4; i++) {
        s[2 * i] = (lanes)_mm512_unpacklo_ps((__m512)two[2 * i], (__m512)two[2 * i + 1]);
        s[2 * i + 1] = (lanes)_mm512_unpackhi_ps((__m512)two[2 * i], (__m512)two[2 * i + 1]);
    }
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            const __m512d a = (__m512d)s[4 * i + j], b = (__m512d)s[4 * i + 2 + j];
            t[4 * i + 2 * j] = (lanes)_mm512_unpacklo_pd(a, b);
            t[4 * i + 2 * j + 1] = (lanes)_mm512_unpackhi_pd(a, b);
        }
    for (int j = 0; j < 4; j++) {
        column[j] = (lanes)_mm512_shuffle_f32x4((__m512)t[j], (__m512)t[4 + j], 0x88);
        column[4 + j] = (lanes)_mm512_shuffle_f32x4((__m512)t[j], (__m512)t[4 + j], 0xdd);
    }
}

/* Four columns at a time: number j of rows j, 4 + j, 8 + j, 12 + j side by side. */
static inline void turn_four(const lanes column[4], __m512d row[4])
{
    const __m512 a = _mm512_unpacklo_ps((__m512)column[0], (__m512)column[1]);
    const __m512 b = _mm512_unpackhi_ps((__m512)column[0], (__m512)column[1]);
    const __m512 c = _mm512_unpacklo_ps((__m512)column[2], (__m512)column[3]);
    const __m512 d = _mm512_unpackhi_ps((__m512)column[2], (__m512)column[3]);
    row[0] = _mm512_unpacklo_pd((__m512d)a, (__m512d)c);
    row[1] = _mm512_unpackhi_pd((__m512d)a, (__m512d)c);
    row[2] = _mm512_unpacklo_pd((__m512d)b, (__m512d)d);
    row[3] = _mm512_unpackhi_pd((__m512d)b, (__m512d)d);
}

static inline void store_rows(real *const row[16], const lanes column[8])
{
    const __m512i near = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11),
                  far = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
    __m512d first[4], second[4];
    turn_four(column, first);
    turn_four(column + 4, second);
    for (int j = 0; j < 4; j++) {
        const __m512 low = (__m512)_mm512_permutex2var_pd(first[j], near, second[j]);
        const __m512 high = (__m512)_mm512_permutex2var_pd(first[j], far, second[j]);
        _mm256_storeu_ps(row[j], _mm512_castps512_ps256(low));
        _mm256_storeu_ps(row[4 + j], _mm512_extractf32x8_ps(low, 1));
        _mm256_storeu_ps(row[8 + j], _mm512_castps512_ps256(high));
        _mm256_storeu_ps(row[12 + j], _mm512_extractf32x8_ps(high, 1));
    }
}
#else
#if PLU_WIDTH == 8
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
#elif PLU_WIDTH == 4
static inline void transpose(const lanes row[4], lanes column[4])
{
    const lanes s0 = __builtin_shufflevector(row[0], row[1], 0, 4, 2, 6);
    const lanes s1 = __builtin_shufflevector(row[0], row[1], 1, 5, 3, 7);
    const lanes s2 = __builtin_shufflevector(row[2], row[3], 0, 4, 2, 6);
    const lanes s3 = __builtin_shufflevector(row[2], row[3], 1, 5, 3, 7);
    column[0] = __builtin_shufflevector(s0, s2, 0, 1, 4, 5);
    column[1] = __builtin_shufflevector(s1, s3, 0, 1, 4, 5);
    column[2] = __builtin_shufflevector(s0, s2, 2, 3, 6, 7);
    column[3] = __builtin_shufflevector(s1, s3, 2, 3, 6, 7);
}
#else
static inline void transpose(const lanes row[2], lanes column[2])
{
    column[0] = __builtin_shufflevector(row[0], row[1], 0, 2);
    column[1] = __builtin_shufflevector(row[0], row[1], 1, 3);
}
#endif

/* The first `columns` numbers (a multiple of WIDTH) of the rows. */
static inline void load_columns(const real *const row[WIDTH], lanes *column, int columns)
{
    for (int quad = 0; quad < columns; quad += WIDTH) {
        lanes part[WIDTH];
        for (int k = 0; k < WIDTH; k++)
            part[k] = load(row[k] + quad);
        transpose(part, column + quad);
    }
}

/* Rows that are NULL are left out. */
static inline void store_columns(real *const row[WIDTH], const lanes *column, int columns)
{
    for (int quad = 0; quad < columns; quad += WIDTH) {
        lanes part[WIDTH];
        transpose(column + quad, part);
        for (int k = 0; k < WIDTH; k++)
            if (row[k])
                store(row[k] + quad, part[k]);
    }
}

static inline void load_rows(const real *const row[WIDTH], lanes column[8])
{
    load_columns(row, column, 8);
}

static inline void store_rows(real *const row[WIDTH], const lanes column[8])
{
    store_columns(row, column, 8);
}

#endif

#if !defined(PLU_SINGLE)
/* --- rows of four numbers --- */

#if defined(__AVX512F__)
static inline void load_short_rows(const double *const row[WIDTH], lanes column[4])
{
    lanes pair[4], s[4];
    for (int k = 0; k < 4; k++)
        pair[k] = (lanes)_mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_loadu_pd(row[k])),
                                            _mm256_loadu_pd(row[k + 4]), 1);
    for (int i = 0; i < 2; i++) {
        const lanes a = pair[2 * i], b = pair[2 * i + 1];
        s[i] = __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14);
        s[2 + i] = __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15);
    }
    for (int i = 0; i < 2; i++) {
        const lanes a = s[2 * i], b = s[2 * i + 1];
        column[i] = __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13);
        column[i + 2] = __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15);
    }
}

static inline void store_short_rows(double *const row[WIDTH], const lanes column[4])
{
    lanes s[4];
    for (int i = 0; i < 2; i++) {
        const lanes a = column[2 * i], b = column[2 * i + 1];
        s[i] = __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14);
        s[2 + i] = __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15);
    }
    for (int i = 0; i < 4; i++) {
        const lanes a = s[2 * (i % 2)], b = s[2 * (i % 2) + 1];
        const lanes two = i < 2 ? __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13)
                                : __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15);
        if (row[i])
            _mm256_storeu_pd(row[i], _mm512_castpd512_pd256((__m512d)two));
        if (row[i + 4])
            _mm256_storeu_pd(row[i + 4], _mm512_extractf64x4_pd((__m512d)two, 1));
    }
}
#else
static inline void load_short_rows(const double *const row[WIDTH], lanes column[4])
{
    load_columns(row, column, 4);
}

static inline void store_short_rows(double *const row[WIDTH], const lanes column[4])
{
    store_columns(row, column, 4);
}
#endif
#endif

/* --- three components each --- */

typedef struct vectors {
    lanes x, y, z;
} vectors;

/* Of three fields of a block, the lanes from k on. */
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
