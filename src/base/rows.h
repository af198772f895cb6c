/* rows.h: transposes records of numbers, one for each SIMD lane, to vectors and back. Whole rows
 * are loaded and transposed in registers, which is faster than gathering single numbers. */
#ifndef BASE_ROWS_H
#define BASE_ROWS_H

#include "base/lanes.h"

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

/* Transposes four columns of sixteen rows; row[j] has the four numbers of rows j, 4 + j, 8 + j and
 * 12 + j, one row after the other. */
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
#elif PLU_WIDTH == 1
static inline void load_rows(const real *const row[1], lanes column[8])
{
    memcpy(column, row[0], 8 * sizeof *column);
}

/* A row that is NULL is left out. */
static inline void store_rows(real *const row[1], const lanes column[8])
{
    if (row[0])
        memcpy(row[0], column, 8 * sizeof *column);
}
#else
#if PLU_WIDTH == 8
static inline void transpose(const lanes row[8], lanes column[8])
{
    lanes s[8], t[8];
    for (int i = 0; i < 4; i++) {
        s[2 * i] = PLU_PICK(row[2 * i], row[2 * i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
        s[2 * i + 1] = PLU_PICK(row[2 * i], row[2 * i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
    }
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            const lanes a = s[4 * i + j], b = s[4 * i + 2 + j];
            t[4 * i + j] = PLU_PICK(a, b, 0, 1, 8, 9, 4, 5, 12, 13);
            t[4 * i + 2 + j] = PLU_PICK(a, b, 2, 3, 10, 11, 6, 7, 14, 15);
        }
    for (int j = 0; j < 4; j++) {
        column[j] = PLU_PICK(t[j], t[4 + j], 0, 1, 2, 3, 8, 9, 10, 11);
        column[4 + j] = PLU_PICK(t[j], t[4 + j], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}
#elif PLU_WIDTH == 4
static inline void transpose(const lanes row[4], lanes column[4])
{
    const lanes s0 = PLU_PICK(row[0], row[1], 0, 4, 2, 6);
    const lanes s1 = PLU_PICK(row[0], row[1], 1, 5, 3, 7);
    const lanes s2 = PLU_PICK(row[2], row[3], 0, 4, 2, 6);
    const lanes s3 = PLU_PICK(row[2], row[3], 1, 5, 3, 7);
    column[0] = PLU_PICK(s0, s2, 0, 1, 4, 5);
    column[1] = PLU_PICK(s1, s3, 0, 1, 4, 5);
    column[2] = PLU_PICK(s0, s2, 2, 3, 6, 7);
    column[3] = PLU_PICK(s1, s3, 2, 3, 6, 7);
}
#else
static inline void transpose(const lanes row[2], lanes column[2])
{
    column[0] = PLU_PICK(row[0], row[1], 0, 2);
    column[1] = PLU_PICK(row[0], row[1], 1, 3);
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

#if !defined(PLU_SINGLE) && !defined(PLU_ONE)
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
        s[i] = PLU_PICK(a, b, 0, 8, 2, 10, 4, 12, 6, 14);
        s[2 + i] = PLU_PICK(a, b, 1, 9, 3, 11, 5, 13, 7, 15);
    }
    for (int i = 0; i < 2; i++) {
        const lanes a = s[2 * i], b = s[2 * i + 1];
        column[i] = PLU_PICK(a, b, 0, 1, 8, 9, 4, 5, 12, 13);
        column[i + 2] = PLU_PICK(a, b, 2, 3, 10, 11, 6, 7, 14, 15);
    }
}

static inline void store_short_rows(double *const row[WIDTH], const lanes column[4])
{
    lanes s[4];
    for (int i = 0; i < 2; i++) {
        const lanes a = column[2 * i], b = column[2 * i + 1];
        s[i] = PLU_PICK(a, b, 0, 8, 2, 10, 4, 12, 6, 14);
        s[2 + i] = PLU_PICK(a, b, 1, 9, 3, 11, 5, 13, 7, 15);
    }
    for (int i = 0; i < 4; i++) {
        const lanes a = s[2 * (i % 2)], b = s[2 * (i % 2) + 1];
        const lanes two = i < 2 ? PLU_PICK(a, b, 0, 1, 8, 9, 4, 5, 12, 13)
                                : PLU_PICK(a, b, 2, 3, 10, 11, 6, 7, 14, 15);
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

#endif
