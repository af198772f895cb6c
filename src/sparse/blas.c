#include "sparse/blas.h"
#include <dlfcn.h>
#include <math.h>
#include <stddef.h>

/* Compiled for several instruction sets, which give the same bits: no multiply-adds are contracted,
 * and no sum is split. */
#if defined(PLU_X86_64) && defined(__GNUC__) && !defined(__clang__) &&                             \
    !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
#define BEST_OF_PROCESSOR __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define BEST_OF_PROCESSOR
#endif

/* Entry (i, j) is x[i * row + j * column]: a matrix, its transpose, or a vector. */
typedef struct view {
    const double *x;
    ptrdiff_t row, column;
} view;

static view view_of(const double *x, const int *ld, bool transposed)
{
    return transposed ? (view){x, *ld, 1} : (view){x, 1, *ld};
}

static bool is(const char *word, char letter)
{
    return (*word & ~0x20) == letter;
}

static bool transposes(const char *op)
{
    return !is(op, 'N');
}

/* c += a0 s0 + a1 s1 + a2 s2 + a3 s3, term by term. */
BEST_OF_PROCESSOR static void add_four(ptrdiff_t m, const double *a, ptrdiff_t column,
                                       const double s[4], double *restrict c)
{
    const double *a1 = a + column, *a2 = a1 + column, *a3 = a2 + column;
    for (ptrdiff_t i = 0; i < m; i++)
        c[i] = (((c[i] + a[i] * s[0]) + a1[i] * s[1]) + a2[i] * s[2]) + a3[i] * s[3];
}

BEST_OF_PROCESSOR static void add_one(ptrdiff_t m, const double *a, double s, double *restrict c)
{
    for (ptrdiff_t i = 0; i < m; i++)
        c[i] += a[i] * s;
}

/* The same where columns of `a` or `c` are not contiguous. */
static void add_strided(ptrdiff_t m, view a, double s, double *c, ptrdiff_t row)
{
    for (ptrdiff_t i = 0; i < m; i++)
        c[i * row] += a.x[i * a.row] * s;
}

static view from(view a, ptrdiff_t i, ptrdiff_t j)
{
    return (view){a.x + i * a.row + j * a.column, a.row, a.column};
}

/* c += s A b, with A m x k; b and c have the strides of their rows. */
static void add_product(ptrdiff_t m, ptrdiff_t k, double s, view a, const double *b,
                        ptrdiff_t b_row, double *c, ptrdiff_t c_row)
{
    ptrdiff_t l = 0;
    for (; a.row == 1 && c_row == 1 && l + 4 <= k; l += 4) {
        const double *at = b + l * b_row;
        const double four[4] = {s * at[0], s * at[b_row], s * at[2 * b_row], s * at[3 * b_row]};
        add_four(m, a.x + l * a.column, a.column, four, c);
    }
    for (; l < k; l++)
        if (a.row == 1 && c_row == 1)
            add_one(m, a.x + l * a.column, s * b[l * b_row], c);
        else
            add_strided(m, from(a, 0, l), s * b[l * b_row], c, c_row);
}

static void scale(ptrdiff_t m, double s, double *c, ptrdiff_t row)
{
    for (ptrdiff_t i = 0; s != 1.0 && i < m; i++)
        c[i * row] = s == 0.0 ? 0.0 : s * c[i * row];
}

void dgemm_(const char *op_a, const char *op_b, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc)
{
    const view left = view_of(a, lda, transposes(op_a)), right = view_of(b, ldb, transposes(op_b));
    for (ptrdiff_t j = 0; j < *n; j++) {
        double *column = c + j * *ldc;
        scale(*m, *beta, column, 1);
        add_product(*m, *k, *alpha, left, right.x + j * right.column, right.row, column, 1);
    }
}

/* Where a vector of n entries begins: at its end if the stride is negative. */
static ptrdiff_t first(ptrdiff_t n, ptrdiff_t stride)
{
    return stride < 0 ? (1 - n) * stride : 0;
}

void dgemv_(const char *op_a, const int *m, const int *n, const double *alpha, const double *a,
            const int *lda, const double *x, const int *incx, const double *beta, double *y,
            const int *incy)
{
    const bool t = transposes(op_a);
    const ptrdiff_t rows = t ? *n : *m, columns = t ? *m : *n;
    y += first(rows, *incy);
    scale(rows, *beta, y, *incy);
    add_product(rows, columns, *alpha, view_of(a, lda, t), x + first(columns, *incx), *incx, y,
                *incy);
}

void dger_(const int *m, const int *n, const double *alpha, const double *x, const int *incx,
           const double *y, const int *incy, double *a, const int *lda)
{
    const view left = {x + first(*m, *incx), *incx, 0};
    const double *right = y + first(*n, *incy);
    for (ptrdiff_t j = 0; j < *n; j++)
        add_product(*m, 1, *alpha, left, right + j * *incy, 0, a + j * *lda, 1);
}

void dsyrk_(const char *part, const char *op_a, const int *n, const int *k, const double *alpha,
            const double *a, const int *lda, const double *beta, double *c, const int *ldc)
{
    const view left = view_of(a, lda, transposes(op_a));
    for (ptrdiff_t j = 0; j < *n; j++) {
        const ptrdiff_t low = is(part, 'L') ? j : 0, high = is(part, 'L') ? *n : j + 1;
        double *column = c + j * *ldc + low;
        scale(high - low, *beta, column, 1);
        add_product(high - low, *k, *alpha, from(left, low, 0), left.x + j * left.row, left.column,
                    column, 1);
    }
}

/* T x = b in place, T lower or upper, by columns of T. */
static void solve_left(bool lower, bool unit, ptrdiff_t m, view t, double *x, ptrdiff_t row)
{
    for (ptrdiff_t k = 0; k < m; k++) {
        const ptrdiff_t l = lower ? k : m - 1 - k, begin = lower ? l + 1 : 0;
        if (!unit)
            x[l * row] /= *from(t, l, l).x;
        add_product(lower ? m - 1 - l : l, 1, -1.0, from(t, begin, l), x + l * row, 0,
                    x + begin * row, row);
    }
}

/* X T = B in place, column by column of X. */
static void solve_right(bool lower, bool unit, ptrdiff_t m, ptrdiff_t n, view t, double *x,
                        ptrdiff_t ld)
{
    for (ptrdiff_t k = 0; k < n; k++) {
        const ptrdiff_t j = lower ? n - 1 - k : k, begin = lower ? j + 1 : 0;
        const view known = {x + begin * ld, 1, ld};
        add_product(m, lower ? n - 1 - j : j, -1.0, known, from(t, begin, j).x, t.row, x + j * ld,
                    1);
        for (ptrdiff_t i = 0; !unit && i < m; i++)
            x[i + j * ld] /= *from(t, j, j).x;
    }
}

void dtrsm_(const char *side, const char *part, const char *op_a, const char *diagonal,
            const int *m, const int *n, const double *alpha, const double *a, const int *lda,
            double *b, const int *ldb)
{
    const bool t = transposes(op_a), lower = is(part, 'L') != t, unit = is(diagonal, 'U');
    const view triangle = view_of(a, lda, t);
    for (ptrdiff_t j = 0; j < *n; j++)
        scale(*m, *alpha, b + j * *ldb, 1);
    for (ptrdiff_t j = 0; is(side, 'L') && j < *n; j++)
        solve_left(lower, unit, *m, triangle, b + j * *ldb, 1);
    if (!is(side, 'L'))
        solve_right(lower, unit, *m, *n, triangle, b, *ldb);
}

void dtrsv_(const char *part, const char *op_a, const char *diagonal, const int *n, const double *a,
            const int *lda, double *x, const int *incx)
{
    const bool t = transposes(op_a), lower = is(part, 'L') != t;
    solve_left(lower, is(diagonal, 'U'), *n, view_of(a, lda, t), x + first(*n, *incx), *incx);
}

void dpotrf_(const char *part, const int *n, double *a, const int *lda, int *info)
{
    const view whole = view_of(a, lda, !is(part, 'L')); /* U^T U is the L L^T of the transpose */
    *info = 0;
    for (ptrdiff_t j = 0; j < *n; j++) {
        double *column = a + j * whole.row + j * whole.column;
        add_product(*n - j, j, -1.0, from(whole, j, 0), from(whole, j, 0).x, whole.column, column,
                    whole.row);
        if (!(*column > 0.0)) {
            *info = (int)j + 1;
            return;
        }
        const double root = sqrt(*column);
        for (ptrdiff_t i = 0; i < *n - j; i++)
            column[i * whole.row] /= root;
        *column = root;
    }
}

bool plu_blas_is_own(void)
{
    void *const program = dlopen(NULL, RTLD_LAZY);
    const bool own = program && dlsym(program, "dgemm_") == (void *)(size_t)dgemm_ &&
                     dlsym(program, "dpotrf_") == (void *)(size_t)dpotrf_;
    if (program)
        dlclose(program);
    return own;
}
