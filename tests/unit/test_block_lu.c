/* Sparse LU by blocks: solutions of random systems put into the equations; patterns that are not
 * symmetric; singular matrices; row by row and front by front. */
#include "draw.h"
#include "near.h"
#include "sparse/block_lu.h"
#include "sparse/block_lu_fronts.h"
#include "sparse/block_lu_rows.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { N = 40, ROW = PLU_BLOCK_STRIDE };

/* Rows with a few columns each, drawn at random, the diagonal not always among them. */
typedef struct matrix {
    int size, start[N + 1], column[4 * N];
    double block[4 * N][49];
} matrix;

static void draw_matrix(matrix *m, int size, uint64_t seed)
{
    draw d = {seed * 100000};
    *m = (matrix){.size = size};
    for (int i = 0; i < N; i++) {
        int b = m->start[i];
        for (int j = 0; j < N; j++)
            if (b - m->start[i] < 4 && (j == i || draw_uniform(&d, 0.0, 1.0) < 0.05))
                m->column[b++] = j;
        m->start[i + 1] = b;
    }
    for (int b = 0; b < m->start[N]; b++)
        for (int k = 0; k < size * size; k++)
            m->block[b][k] = draw_uniform(&d, -1.0, 1.0);
}

static void write_matrix(plu_block_lu *lu, const matrix *m, double diagonal)
{
    plu_block_lu_clear(lu);
    for (int i = 0; i < N; i++) {
        double *own = plu_block_lu_at(lu, i, i);
        assert_non_null(own);
        for (int k = 0; k < m->size; k++)
            own[k * (ROW + 1)] = diagonal;
        for (int b = m->start[i]; b < m->start[i + 1]; b++) {
            double *to = plu_block_lu_at(lu, i, m->column[b]);
            assert_non_null(to);
            assert_non_null(plu_block_lu_at(lu, m->column[b], i));
            for (int k = 0; k < m->size * m->size; k++)
                to[k / m->size * ROW + k % m->size] += m->block[b][k];
        }
    }
}

static void multiply(const matrix *m, double diagonal, const double *x, double *y)
{
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < m->size; k++)
            y[i * ROW + k] = diagonal * x[i * ROW + k];
        for (int b = m->start[i]; b < m->start[i + 1]; b++)
            for (int k = 0; k < m->size; k++)
                for (int l = 0; l < m->size; l++)
                    y[i * ROW + k] += m->block[b][k * m->size + l] * x[m->column[b] * ROW + l];
    }
}

static void test_solves(void **state)
{
    (void)state;
    static const int sizes[] = {3, 5, 6, 7};
    static matrix m;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        plu_block_lu *lu;
        plu_error err;
        const int size = sizes[seed % 4];
        double x[N * ROW] = {0}, b[N * ROW] = {0}, back[N * ROW] = {0};
        draw d = {seed * 100000 + 50000};
        draw_matrix(&m, size, seed);
        assert_int_equal(plu_block_lu_create(&lu, size, N, m.start, m.column, NULL, &err), PLU_OK);
        for (int i = 0; i < N * ROW; i++)
            b[i] = i % ROW < size ? draw_uniform(&d, -1.0, 1.0) : 0.0;
        for (int pass = 0; pass < 2; pass++) { /* the structure serves more than one matrix */
            const double diagonal = 6.0 + 3.0 * pass;
            write_matrix(lu, &m, diagonal);
            assert_true(plu_block_lu_factorize(lu));
            plu_block_lu_solve(lu, b, x);
            multiply(&m, diagonal, x, back);
            for (int i = 0; i < N * ROW; i++)
                assert_near(back[i], b[i], 1e-11);
        }
        plu_block_lu_destroy(lu);
    }
}

/* --- fronts --- */

static void fill(double *rows, double *fronts, const double *from, int size, double diagonal)
{
    assert_non_null(rows);
    assert_non_null(fronts);
    for (int k = 0; k < size * size; k++) {
        const double x = (from ? from[k] : 0.0) + (k % (size + 1) == 0 ? diagonal : 0.0);
        rows[k / size * ROW + k % size] += x;
        fronts[k / size * ROW + k % size] += x;
    }
}

/* Both factorizations give the same, of any size of blocks. */
static void test_fronts(void **state)
{
    (void)state;
    static const int sizes[] = {3, 5, 6, 7};
    static matrix m;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        plu_block_order order;
        plu_block_rows_lu rows;
        plu_block_fronts fronts;
        plu_error err;
        const int size = sizes[seed % 4];
        double x[N * ROW] = {0}, z[N * ROW] = {0}, b[N * ROW] = {0};
        draw d = {seed * 100000 + 50000};
        draw_matrix(&m, size, seed);
        assert_int_equal(plu_block_order_find(&order, N, m.start, m.column, &err), PLU_OK);
        assert_int_equal(plu_block_rows_lu_create(&rows, size, &order, &err), PLU_OK);
        assert_int_equal(plu_block_fronts_create(&fronts, size, N, m.start, m.column, &order, &err),
                         PLU_OK);
        assert_true(fronts.tree.nodes < N); /* some rows are eliminated together */
        for (int i = 0; i < N * ROW; i++)
            b[i] = i % ROW < size ? draw_uniform(&d, -1.0, 1.0) : 0.0;
        for (int pass = 0; pass < 2; pass++) {
            plu_block_rows_lu_clear(&rows);
            plu_block_fronts_clear(&fronts);
            for (int i = 0; i < N; i++) {
                fill(plu_block_rows_lu_at(&rows, i, i), plu_block_fronts_at(&fronts, i, i), NULL,
                     size, 6.0 + 3.0 * pass);
                for (int k = m.start[i]; k < m.start[i + 1]; k++)
                    fill(plu_block_rows_lu_at(&rows, i, m.column[k]),
                         plu_block_fronts_at(&fronts, i, m.column[k]), m.block[k], size, 0.0);
            }
            assert_true(PLU_ISA_BEST(plu_block_rows_lu_factorize)(&rows));
            assert_true(PLU_ISA_BEST(plu_block_fronts_factorize)(&fronts));
            plu_block_rows_lu_solve(&rows, b, x);
            plu_block_fronts_solve(&fronts, b, z);
            for (int i = 0; i < N * ROW; i++)
                assert_near(z[i], x[i], 1e-12);
        }
        plu_block_fronts_clear(&fronts);
        assert_false(PLU_ISA_BEST(plu_block_fronts_factorize)(&fronts));
        plu_block_rows_lu_free(&rows);
        plu_block_fronts_free(&fronts);
        plu_block_order_free(&order);
    }
}

static bool after_questions(void *left)
{
    return --*(int *)left < 0;
}

/* A lattice that is so large that fronts are taken: the solution put into the equations. */
static void test_large(void **state)
{
    (void)state;
    enum { L = 12, COUNT = L * L * L };
    static const int step[] = {1, L, L * L};
    static int start[COUNT + 1], column[3 * COUNT];
    static double x[COUNT * ROW], b[COUNT * ROW], back[COUNT * ROW];
    int left = INT_MAX;
    plu_stop stop = {.call = after_questions, .user = &left};
    plu_block_lu *lu;
    plu_error err;
    for (int i = 0; i < COUNT; i++) {
        start[i + 1] = start[i];
        for (int k = 0; k < 3; k++)
            if (i / step[k] % L < L - 1)
                column[start[i + 1]++] = i + step[k];
    }
    assert_int_equal(plu_block_lu_create(&lu, 6, COUNT, start, column, &stop, &err), PLU_OK);
    assert_true(plu_block_lu_work(lu) > 2.0 * 216.0 * 4e5);
    plu_block_lu_clear(lu);
    for (int i = 0; i < COUNT; i++) {
        for (int k = 0; k < 6; k++) {
            plu_block_lu_at(lu, i, i)[k * (ROW + 1)] = 7.0;
            b[i * ROW + k] = back[i * ROW + k] = (i * 7 + k * 5) % 11 - 5.0;
        }
        for (int e = start[i]; e < start[i + 1]; e++)
            for (int k = 0; k < 6; k++) { /* to the next row of the one, and to the same */
                plu_block_lu_at(lu, i, column[e])[k * ROW + (k + 1) % 6] = 1.0;
                plu_block_lu_at(lu, column[e], i)[k * ROW + k] = -1.0;
            }
    }
    assert_true(plu_block_lu_factorize(lu));
    plu_block_lu_solve(lu, b, x);
    for (int i = 0; i < COUNT; i++) {
        for (int k = 0; k < 6; k++)
            back[i * ROW + k] -= 7.0 * x[i * ROW + k];
        for (int e = start[i]; e < start[i + 1]; e++)
            for (int k = 0; k < 6; k++) {
                back[i * ROW + k] -= x[column[e] * ROW + (k + 1) % 6];
                back[column[e] * ROW + k] += x[i * ROW + k];
            }
    }
    for (int i = 0; i < COUNT * ROW; i++)
        assert_near(back[i], 0.0, 1e-11);
    left = 20;
    assert_false(plu_block_lu_factorize(lu));
    assert_true(stop.given_up);
    plu_block_lu_destroy(lu);
}

/* A dense row and column do not fill what is ordered before them. */
static void test_order(void **state)
{
    (void)state;
    plu_block_lu *lu;
    plu_error err;
    int start[N + 1] = {0}, column[N];
    for (int j = 0; j < N; j++)
        column[j] = j;
    for (int i = 0; i < N; i++)
        start[i + 1] = N;
    assert_int_equal(plu_block_lu_create(&lu, 6, N, start, column, NULL, &err), PLU_OK);
    assert_int_equal(plu_block_lu_fill(lu), 2 * (N - 1));
    assert_null(plu_block_lu_at(lu, 1, 2));
    plu_block_lu_destroy(lu);
}

static void test_singular(void **state)
{
    (void)state;
    plu_block_lu *lu;
    plu_error err;
    int left = 3;
    plu_stop stop = {.call = after_questions, .user = &left};
    const int start[2] = {0, 1}, column[1] = {0};
    assert_int_equal(plu_block_lu_create(&lu, 3, 1, start, column, &stop, &err), PLU_OK);
    double *block = plu_block_lu_at(lu, 0, 0);
    plu_block_lu_clear(lu);
    block[0] = block[1] = block[ROW] = block[ROW + 1] = block[2 * ROW + 2] = 1.0;
    assert_false(plu_block_lu_factorize(lu));
    plu_block_lu_clear(lu);
    block[1] = block[ROW + 2] = block[2 * ROW] = 2.0; /* needs row exchanges */
    assert_true(plu_block_lu_factorize(lu));
    double x[ROW] = {2.0, 4.0, 6.0};
    plu_block_lu_solve(lu, x, x);
    assert_near(x[1], 1.0, 1e-15);
    assert_near(x[2], 2.0, 1e-15);
    assert_near(x[0], 3.0, 1e-15);
    assert_true(plu_block_lu_factorize(lu)); /* the third */
    assert_false(plu_block_lu_factorize(lu));
    plu_block_lu_destroy(lu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_solves),   cmocka_unit_test(test_fronts),
        cmocka_unit_test(test_large),    cmocka_unit_test(test_order),
        cmocka_unit_test(test_singular),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
