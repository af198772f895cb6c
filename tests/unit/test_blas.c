/* The dense kernels under UMFPACK and CHOLMOD against sums in a row. */
#include "near.h"
#include "sparse/blas.h"
#include <string.h>

static double known(int i)
{
    return 1.0 + i % 7 - 0.25 * (i % 3);
}

enum { ORDER = 9, LD = 12 };

static double entry(int i, int j)
{
    return known(3 * i + 5 * j) + (i == j ? 20.0 : 0.0) - 0.3 * (i % 4);
}

/* op(A), of which only a triangle may count. */
static double of(const double *a, int i, int j, bool transposed, char part, bool unit)
{
    if (transposed) {
        const int k = i;
        i = j;
        j = k;
    }
    if (unit && i == j)
        return 1.0;
    return (part == 'L' && i < j) || (part == 'U' && i > j) ? 0.0 : a[i + j * LD];
}

static void fill(double *a, double *b)
{
    for (int i = 0; i < LD; i++)
        for (int j = 0; j < ORDER; j++) {
            a[i + j * LD] = entry(i, j);
            b[i + j * LD] = entry(j, i + 1);
        }
}

static void kernels_multiply(void **state)
{
    (void)state;
    const int m = 7, n = 5, k = ORDER - 2, ld = LD, two = 2, one = 1;
    const double alpha = -0.5, beta = 2.0;
    double a[LD * ORDER], b[LD * ORDER], c[LD * ORDER], x[2 * LD], y[2 * LD];
    fill(a, b);
    for (int t = 0; t < 4; t++) {
        for (int i = 0; i < LD * ORDER; i++)
            c[i] = i;
        dgemm_(t & 1 ? "C" : "N", t & 2 ? "T" : "N", &m, &n, &k, &alpha, a, &ld, b, &ld, &beta, c,
               &ld);
        for (int i = 0; i < LD; i++)
            for (int j = 0; j < ORDER; j++) {
                double sum = i < m && j < n ? beta * (i + j * LD) : i + j * LD;
                for (int l = 0; l < k && i < m && j < n; l++)
                    sum += alpha * of(a, i, l, t & 1, 0, false) * of(b, l, j, t & 2, 0, false);
                assert_near(c[i + j * LD], sum, 1e-12 * fabs(sum));
            }
        for (int i = 0; i < 2 * LD; i++)
            x[i] = y[i] = i;
        dgemv_(t & 1 ? "T" : "N", &m, &k, &alpha, a, &ld, x, t & 2 ? &two : &one, &beta, y, &two);
        for (int i = 0; i < (t & 1 ? k : m); i++) {
            double sum = beta * 2.0 * i;
            for (int l = 0; l < (t & 1 ? m : k); l++)
                sum += alpha * of(a, i, l, t & 1, 0, false) * (t & 2 ? 2.0 * l : l);
            assert_near(y[2 * i], sum, 1e-12 * fabs(sum));
            assert_true(y[2 * i + 1] == 2 * i + 1);
        }
        memset(c, 0, sizeof c);
        dsyrk_(t & 2 ? "U" : "L", t & 1 ? "T" : "N", &m, &k, &alpha, a, &ld, &beta, c, &ld);
        for (int i = 0; i < m; i++)
            for (int j = 0; j < m; j++) {
                double sum = 0.0;
                for (int l = 0; l < k && (t & 2 ? i <= j : i >= j); l++)
                    sum += alpha * of(a, i, l, t & 1, 0, false) * of(a, j, l, t & 1, 0, false);
                assert_near(c[i + j * LD], sum, 1e-12 * fabs(sum));
            }
    }
    memset(c, 0, sizeof c);
    dger_(&m, &n, &alpha, x, &two, x, &one, c, &ld);
    for (int i = 0; i < LD; i++)
        for (int j = 0; j < ORDER; j++)
            assert_near(c[i + j * LD], i < m && j < n ? -1.0 * i * j : 0.0, 1e-15);
}

/* Triangular systems of all kinds, and Cholesky. */
static void kernels_solve(void **state)
{
    (void)state;
    const int m = 7, n = 5, ld = LD, one = 1;
    const double alpha = 3.0;
    double a[LD * ORDER], b[LD * ORDER], x[LD * ORDER];
    fill(a, b);
    for (int kind = 0; kind < 16; kind++) {
        const bool right = kind & 1, t = kind & 4, unit = kind & 8;
        const char part = kind & 2 ? 'U' : 'L';
        const int order = right ? n : m;
        memcpy(x, b, sizeof x);
        dtrsm_(right ? "R" : "L", &part, t ? "C" : "N", unit ? "U" : "N", &m, &n, &alpha, a, &ld, x,
               &ld);
        for (int i = 0; i < m; i++)
            for (int j = 0; j < n; j++) {
                double sum = 0.0, size = 0.0;
                for (int l = 0; l < order; l++) {
                    const double term = right ? x[i + l * LD] * of(a, l, j, t, part, unit)
                                              : of(a, i, l, t, part, unit) * x[l + j * LD];
                    sum += term;
                    size += fabs(term);
                }
                assert_near(sum, alpha * b[i + j * LD], 1e-14 * (size + 1.0));
            }
        memcpy(x, b, sizeof x);
        dtrsv_(&part, t ? "T" : "N", unit ? "U" : "N", &m, a, &ld, x, &one);
        for (int i = 0; i < m; i++) {
            double sum = 0.0, size = 0.0;
            for (int l = 0; l < m; l++) {
                sum += of(a, i, l, t, part, unit) * x[l];
                size += fabs(of(a, i, l, t, part, unit) * x[l]);
            }
            assert_near(sum, b[i], 1e-14 * (size + 1.0));
        }
    }
    for (int kind = 0; kind < 2; kind++) {
        const char part = kind ? 'U' : 'L';
        int info = -1;
        memcpy(x, a, sizeof x);
        dpotrf_(&part, &m, x, &ld, &info);
        assert_int_equal(info, 0);
        for (int i = 0; i < m; i++)
            for (int j = 0; j <= i; j++) {
                double sum = 0.0;
                for (int l = 0; l <= j; l++)
                    sum += of(x, i, l, kind, part, false) * of(x, j, l, kind, part, false);
                assert_near(sum, of(a, i, j, kind, part, false), 1e-13 * 20.0);
            }
        memcpy(b, a, sizeof b);
        b[3 + 3 * LD] = -1.0;
        dpotrf_(&part, &m, b, &ld, &info);
        assert_int_equal(info, 4);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_multiply),
        cmocka_unit_test(kernels_solve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
