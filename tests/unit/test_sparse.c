/* Sparse factors against solutions that are known, and what they say of matrices that have none. */
#include "near.h"
#include "sparse/sparse.h"
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
    ok(plu_lu_create(&lu, &a, PLU_LU_DIAGONAL, NULL, &err));
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
    ok(plu_lu_create(&lu, &a, PLU_LU_DIAGONAL, NULL, &err));
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

/* A small grid and a large one. */
static void cholesky_of_known_solutions(void **state)
{
    (void)state;
    for (int k = 12; k <= 96; k += 84) {
        plu_sparse a;
        grid_matrix(&a, k, 4.5, 0.0, true);
        const size_t n = (size_t)a.n;
        plu_cholesky *c;
        ok(plu_cholesky_create(&c, &a, NULL, &err));
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
        ok(plu_cholesky_create(&c, &a, NULL, &err));
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

/* --- what is given up --- */

static bool after_questions(void *left)
{
    return (*(int *)left)-- <= 0;
}

/* So many operations that they are done apart. */
static void long_factors_are_given_up(void **state)
{
    (void)state;
    plu_sparse a;
    grid_matrix(&a, 200, 4.0, 0.3, false);
    int left = 1000;
    plu_stop stop = {.call = after_questions, .user = &left};
    plu_lu *lu;
    double *b = calloc((size_t)a.n, 8), *x = calloc((size_t)a.n, 8);
    ok(plu_lu_create(&lu, &a, PLU_LU_DIAGONAL, &stop, &err));
    left = 0;
    assert_int_equal(plu_lu_factorize(lu, &a, &err), PLU_STOPPED);
    assert_int_equal(plu_lu_factorize(lu, &a, &err), PLU_STOPPED);
    assert_int_equal(plu_lu_solve(lu, &a, b, x, &err), PLU_BREAKDOWN);
    plu_lu_destroy(lu);
    plu_sparse_free(&a);
    free(b);
    free(x);
}

static void rows_of_a_triangle_are_given_up(void **state)
{
    (void)state;
    plu_sparse a;
    grid_matrix(&a, 10, 4.0, 0.0, true);
    int left = 50;
    plu_stop stop = {.call = after_questions, .user = &left};
    plu_cholesky *c;
    ok(plu_cholesky_create(&c, &a, &stop, &err));
    assert_int_equal(plu_cholesky_factorize(c, &a, &err), PLU_STOPPED);
    left = 1000;
    stop.given_up = false;
    ok(plu_cholesky_factorize(c, &a, &err));
    plu_cholesky_destroy(c);
    plu_sparse_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lu_of_known_solutions),
        cmocka_unit_test(singular_is_reported),
        cmocka_unit_test(cholesky_of_known_solutions),
        cmocka_unit_test(indefinite_is_reported),
        cmocka_unit_test(long_factors_are_given_up),
        cmocka_unit_test(rows_of_a_triangle_are_given_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
