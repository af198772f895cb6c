/* Sparse factors against solutions that are known, and what they say of matrices that have none. */
#include "near.h"
#include "solve/blas.h"
#include "solve/sparse.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static plu_error err;

static void ok(plu_status status)
{
    if (status != PLU_OK)
        fail_msg("status %d: %s", status, err.text);
}

/* Convection and diffusion on a k x k grid, five points, or its lower triangle only. */
static void grid_matrix(plu_sparse *a, int k, double diagonal, double wind, bool lower)
{
    const int n = k * k;
    ok(plu_sparse_create(a, n, 5 * n, &err));
    int at = 0;
    for (int j = 0; j < n; j++) {
        const int step[5] = {-k, -1, 0, 1, k};
        for (int s = lower ? 2 : 0; s < 5; s++) {
            const int i = j + step[s];
            const bool edge = (s == 1 && j % k == 0) || (s == 3 && j % k == k - 1);
            if (i < 0 || i >= n || edge)
                continue;
            a->row[at] = i;
            a->x[at++] = s == 2 ? diagonal : s > 2 ? -1.0 + wind : -1.0 - wind;
        }
        a->start[j + 1] = at;
    }
}

/* b = A x, with the triangle above mirrored when only the lower one is stored. */
static void product(const plu_sparse *a, bool lower, const double *x, double *b)
{
    memset(b, 0, (size_t)a->n * sizeof *b);
    for (int j = 0; j < a->n; j++)
        for (int e = a->start[j]; e < a->start[j + 1]; e++) {
            b[a->row[e]] += a->x[e] * x[j];
            if (lower && a->row[e] != j)
                b[j] += a->x[e] * x[a->row[e]];
        }
}

static double known(int i)
{
    return 1.0 + i % 7 - 0.25 * (i % 3);
}

static void lu_of_known_solutions(void **state)
{
    (void)state;
    plu_sparse a;
    grid_matrix(&a, 30, 4.0, 0.3, false);
    plu_lu *lu;
    ok(plu_lu_create(&lu, &a, &err));
    double *x = calloc(900, 8), *b = calloc(900, 8), *got = calloc(900, 8);
    for (int again = 0; again < 3; again++) { /* new numbers, same pattern */
        for (int e = 0; e < a.start[a.n]; e++)
            a.x[e] *= again && e % 11 == 0 ? 1.5 : 1.0;
        for (int i = 0; i < a.n; i++)
            x[i] = known(i + again);
        product(&a, false, x, b);
        ok(plu_lu_factorize(lu, &a, &err));
        ok(plu_lu_solve(lu, &a, b, got, &err));
        for (int i = 0; i < a.n; i++)
            assert_near(got[i], x[i], 1e-11);
    }
    plu_lu_destroy(lu);
    plu_sparse_free(&a);
    free(x);
    free(b);
    free(got);
}

/* The last two rows say the same; and afterwards the same factors serve a regular matrix. */
static void singular_is_reported(void **state)
{
    (void)state;
    plu_sparse a;
    ok(plu_sparse_create(&a, 3, 9, &err));
    const double singular[9] = {0.1, 0.3, 0.9, 0.7, 0.2, 0.6, 0.4, 0.1, 0.3};
    for (int e = 0; e < 9; e++) {
        a.start[e / 3 + 1] = 3 * (e / 3 + 1);
        a.row[e] = e % 3;
        a.x[e] = singular[e];
    }
    plu_lu *lu;
    ok(plu_lu_create(&lu, &a, &err));
    double x[3];
    assert_int_equal(plu_lu_solve(lu, &a, singular, x, &err), PLU_BREAKDOWN);
    assert_int_equal(plu_lu_factorize(lu, &a, &err), PLU_BREAKDOWN);
    assert_non_null(strstr(err.text, "singular"));
    memset(a.x, 0, 9 * sizeof *a.x);
    assert_int_equal(plu_lu_factorize(lu, &a, &err), PLU_BREAKDOWN);
    a.x[0] = 2.0;
    a.x[5] = 4.0;
    a.x[7] = -8.0;
    ok(plu_lu_factorize(lu, &a, &err));
    ok(plu_lu_solve(lu, &a, (double[3]){2.0, 8.0, 12.0}, x, &err));
    assert_near(x[0], 1.0, 1e-15);
    assert_near(x[1], 3.0, 1e-15);
    assert_near(x[2], -1.0, 1e-15);
    plu_lu_destroy(lu);
    plu_sparse_free(&a);
}

/* A grid that CHOLMOD factorizes row by row and one for which it takes supernodes. */
static void cholesky_of_known_solutions(void **state)
{
    (void)state;
    for (int k = 12; k <= 96; k += 84) {
        plu_sparse a;
        grid_matrix(&a, k, 4.5, 0.0, true);
        const size_t n = (size_t)a.n;
        plu_cholesky *c;
        ok(plu_cholesky_create(&c, &a, &err));
        double *x = calloc(n, 8), *b = calloc(n, 8), *got = calloc(n, 8);
        for (int again = 0; again < 2; again++) {
            for (int j = 0; j < a.n; j++)
                a.x[a.start[j]] += again * (j % 5);
            for (int i = 0; i < a.n; i++)
                x[i] = known(i + again);
            product(&a, true, x, b);
            ok(plu_cholesky_factorize(c, &a, &err));
            ok(plu_cholesky_solve(c, b, got, &err));
            for (int i = 0; i < a.n; i++)
                assert_near(got[i], x[i], 1e-11);
        }
        plu_cholesky_destroy(c);
        plu_sparse_free(&a);
        free(x);
        free(b);
        free(got);
    }
}

/* The grid's largest eigenvalue without its diagonal is just below 4. */
static void indefinite_is_reported(void **state)
{
    (void)state;
    for (int k = 12; k <= 96; k += 84) {
        plu_sparse a;
        grid_matrix(&a, k, 3.5, 0.0, true);
        plu_cholesky *c;
        ok(plu_cholesky_create(&c, &a, &err));
        assert_int_equal(plu_cholesky_factorize(c, &a, &err), PLU_BREAKDOWN);
        assert_non_null(strstr(err.text, "not positive definite"));
        double x[1];
        assert_int_equal(plu_cholesky_solve(c, x, x, &err), PLU_BREAKDOWN);
        for (int j = 0; j < a.n; j++)
            a.x[a.start[j]] = 4.5;
        ok(plu_cholesky_factorize(c, &a, &err));
        plu_cholesky_destroy(c);
        plu_sparse_free(&a);
    }
}

/* Were they those of another library, the bits of newton, convex, ipm and admm would be those of
 * the processor. */
static void kernels_are_our_own(void **state)
{
    (void)state;
    assert_true(plu_blas_is_own());
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
        cmocka_unit_test(lu_of_known_solutions),
        cmocka_unit_test(singular_is_reported),
        cmocka_unit_test(cholesky_of_known_solutions),
        cmocka_unit_test(indefinite_is_reported),
        cmocka_unit_test(kernels_are_our_own),
        cmocka_unit_test(kernels_multiply),
        cmocka_unit_test(kernels_solve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
