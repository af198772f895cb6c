/* Nested dissection: separators that separate, orders that are permutations, and whether the better
 * of two orders is taken; operations counted by eliminating on a full matrix of flags. */
#include "draw.h"
#include "near.h"
#include "sparse/block_lu_order.h"
#include "sparse/dissection.h"
#include <stdlib.h>
#include <string.h>
#include <suitesparse/amd.h>

enum { MOST = 14 * 14 * 14 };

/* Half of a symmetric pattern. */
typedef struct pattern {
    int n, start[MOST + 1], column[50000];
} pattern;

static pattern it;

static void lattice(int l)
{
    const int step[] = {1, l, l * l};
    it = (pattern){.n = l * l * l};
    for (int i = 0; i < it.n; i++) {
        it.start[i + 1] = it.start[i];
        for (int k = 0; k < 3; k++)
            if (i / step[k] % l < l - 1)
                it.column[it.start[i + 1]++] = i + step[k];
    }
}

/* Node i is joined to i + 1 ... i + reach, and with all if it is the hub. */
static void band(int n, int reach, int hub)
{
    it = (pattern){.n = n};
    for (int i = 0; i < n; i++) {
        it.start[i + 1] = it.start[i];
        for (int j = i + 1; j < n; j++)
            if (j <= i + reach || i == hub)
                it.column[it.start[i + 1]++] = j;
    }
}

/* Points at random in a unit cube, joined up to a distance: so many neighbors each. */
static void scatter(int n, double neighbors)
{
    static double x[MOST][3];
    draw d = {1};
    const double reach = cbrt(neighbors / (n * 4.0 / 3.0 * 3.14159265));
    it = (pattern){.n = n};
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            x[i][k] = draw_uniform(&d, 0.0, 1.0);
    for (int i = 0; i < n; i++) {
        it.start[i + 1] = it.start[i];
        for (int j = i + 1; j < n; j++)
            if (hypot(hypot(x[i][0] - x[j][0], x[i][1] - x[j][1]), x[i][2] - x[j][2]) < reach)
                it.column[it.start[i + 1]++] = j;
    }
}

static void take_order(int *order)
{
    plu_error err;
    assert_int_equal(plu_dissection_order(it.n, it.start, it.column, order, &err), PLU_OK);
}

static void assert_permutation(void)
{
    static int order[MOST], again[MOST];
    static bool met[MOST];
    take_order(order);
    memset(met, 0, sizeof met);
    for (int k = 0; k < it.n; k++) {
        assert_in_range(order[k], 0, it.n - 1);
        assert_false(met[order[k]]);
        met[order[k]] = true;
    }
    take_order(again);
    assert_memory_equal(again, order, (size_t)it.n * sizeof *order);
}

/* As in block_lu_order.h, counted by elimination. */
static double products_of(const int *order)
{
    const size_t n = (size_t)it.n;
    bool *full = calloc(n * n, sizeof *full);
    int *rank = calloc(n, sizeof *rank), *later = calloc(n, sizeof *later);
    double products = 0.0;
    assert_true(full && rank && later);
    for (int k = 0; k < it.n; k++)
        rank[order[k]] = k;
    for (int i = 0; i < it.n; i++)
        for (int b = it.start[i]; b < it.start[i + 1]; b++) {
            const size_t r = (size_t)rank[i], s = (size_t)rank[it.column[b]];
            full[r * n + s] = full[s * n + r] = true;
        }
    for (size_t k = 0; k < n; k++) {
        int count = 0;
        for (size_t j = k + 1; j < n; j++)
            if (full[k * n + j])
                later[count++] = (int)j;
        for (int a = 0; a < count; a++)
            for (int b = 0; b < count; b++)
                full[(size_t)later[a] * n + (size_t)later[b]] = true;
        products += 1.0 + (double)count * (count + 1.0);
    }
    free(full);
    free(rank);
    free(later);
    return products;
}

static void test_permutations(void **state)
{
    (void)state;
    lattice(14);
    assert_permutation();
    scatter(2000, 12.0);
    assert_permutation();
    band(2000, 1, -1); /* a chain */
    assert_permutation();
    band(1500, 0, 700); /* a star, of which half the arms are loose */
    assert_permutation();
    band(300, 300, -1); /* all with all */
    assert_permutation();
    band(1000, 0, -1); /* no edges */
    assert_permutation();
    band(1, 0, -1);
    assert_permutation();
    band(0, 0, -1);
    assert_permutation();
}

/* Blocks on the diagonal, twice the same one, and both halves change nothing. */
static void test_pattern(void **state)
{
    (void)state;
    static int order[MOST], other[MOST];
    band(400, 2, -1);
    take_order(order);
    static pattern once;
    once = it;
    it = (pattern){.n = once.n};
    for (int i = 0; i < it.n; i++) {
        it.start[i + 1] = it.start[i];
        it.column[it.start[i + 1]++] = i;
        for (int k = 0; k < 2; k++)
            for (int b = once.start[i]; b < once.start[i + 1]; b++)
                it.column[it.start[i + 1]++] = once.column[b];
        for (int j = i - 2; j < i; j++)
            if (j >= 0)
                it.column[it.start[i + 1]++] = j;
    }
    take_order(other);
    assert_near(products_of(other), products_of(order), 0.2 * products_of(order));
    assert_permutation();
}

/* A cube of l^3 nodes: no edge from part to part, weights that are true, and hardly more nodes than
 * in a plane through it. */
static void test_separator(void **state)
{
    (void)state;
    enum { L = 14 };
    static int side[MOST];
    plu_weighted g;
    plu_error err;
    plu_separator s = {.side = side};
    const int step[] = {1, L, L * L};
    int end = 0;
    long weight[3] = {0, 0, 0};
    assert_int_equal(plu_weighted_take(&g, MOST, 6 * MOST, &err), PLU_OK);
    g.total = g.n;
    for (int i = 0; i < g.n; i++) {
        for (int k = 0; k < 3; k++) {
            if (i / step[k] % L < L - 1)
                g.column[end++] = i + step[k];
            if (i / step[k] % L > 0)
                g.column[end++] = i - step[k];
        }
        g.start[i + 1] = end;
        g.weight[i] = 1;
    }
    for (int b = 0; b < end; b++)
        g.edge[b] = 1;
    assert_int_equal(plu_separator_find(&g, &s, &err), PLU_OK);
    for (int i = 0; i < g.n; i++) {
        weight[side[i]]++;
        for (int b = g.start[i]; b < g.start[i + 1]; b++)
            assert_true(side[i] == PLU_BETWEEN || side[g.column[b]] != !side[i]);
    }
    for (int k = 0; k < 3; k++)
        assert_int_equal(weight[k], s.weight[k]);
    assert_true(weight[PLU_BETWEEN] <= 1.1 * L * L);
    assert_true(weight[0] <= 0.6 * g.n + 1 && weight[1] <= 0.6 * g.n + 1);
    plu_weighted_free(&g);
}

static double taken_products(void)
{
    static int taken[MOST];
    plu_block_order order;
    plu_error err;
    assert_int_equal(plu_block_order_find(&order, it.n, it.start, it.column, &err), PLU_OK);
    for (int i = 0; i < it.n; i++)
        taken[order.rank[i]] = i;
    const double products = plu_block_order_products(&order);
    assert_true(products == products_of(taken));
    plu_block_order_free(&order);
    return products;
}

/* The better one of AMD's order and of nested dissection's: of a lattice the first, of points with
 * many neighbors the second. With few neighbors it is AMD's, although the other one is better: it
 * takes so little that the time for the other one would not pay. */
static void test_choice(void **state)
{
    (void)state;
    static int own[MOST], amd[MOST];
    for (int k = 0; k < 3; k++) {
        if (k == 0)
            lattice(14);
        else
            scatter(MOST, k == 1 ? 12.0 : 6.0);
        take_order(own);
        assert_true(amd_order(it.n, it.start, it.column, amd, NULL, NULL) >= 0);
        const double by_own = products_of(own), by_amd = products_of(amd);
        assert_true(k == 0 ? by_amd < by_own : by_own < (k == 1 ? 0.8 : 1.0) * by_amd);
        assert_true(taken_products() == (k == 2 ? by_amd : fmin(by_own, by_amd)));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_permutations),
        cmocka_unit_test(test_pattern),
        cmocka_unit_test(test_separator),
        cmocka_unit_test(test_choice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
