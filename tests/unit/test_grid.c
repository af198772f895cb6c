/* The broad phase against brute force: random clouds of one size, 1:3 and 1:50, dense and loose. */
#include "base/cpu.h"
#include "detect/buckets.h"
#include "detect/grid.h"
#include "draw.h"
#include "near.h"
#include <stdlib.h>

static size_t brute_force(int count, double (*s)[4], plu_pair *pairs)
{
    size_t found = 0;
    for (int i = 0; i < count; i++)
        for (int j = i + 1; j < count; j++) {
            const double x = s[j][0] - s[i][0], y = s[j][1] - s[i][1], z = s[j][2] - s[i][2];
            const double reach = s[i][3] + s[j][3];
            if (x * x + y * y + z * z <= reach * reach)
                pairs[found++] = (plu_pair){i, j};
        }
    return found;
}

static plu_pairs meet(plu_meet_function *by, const plu_buckets *cells, int count)
{
    plu_pairs pairs = {0};
    assert_int_equal(by(cells, 0, count, &pairs), PLU_OK);
    return pairs;
}

/* Also in their order. */
static void same_by_all_sets(int count, const int *member, double (*sphere)[4])
{
    plu_buckets cells = {0};
    assert_int_equal(
        plu_buckets_fill(&cells, count, member, (const double(*)[4])sphere, &(plu_error){0}),
        PLU_OK);
    const plu_pairs plain = meet(plu_meet_plain, &cells, count);
    plu_meet_function *others[2] = {0};
#if defined(PLU_X86_64)
    others[0] = plu_cpu_has_avx2() ? plu_meet_avx2 : NULL;
    others[1] = plu_cpu_has_avx512() ? plu_meet_avx512 : NULL;
#endif
    for (int i = 0; i < 2; i++) {
        if (!others[i])
            continue;
        const plu_pairs pairs = meet(others[i], &cells, count);
        assert_int_equal(pairs.count, plain.count);
        assert_memory_equal(pairs.pair, plain.pair, pairs.count * sizeof *pairs.pair);
        free(pairs.pair);
    }
    free(plain.pair);
    plu_buckets_free(&cells);
}

static void cloud(int count, double ratio, double size, double offset)
{
    draw d = {(uint64_t)count * 1000};
    double(*sphere)[4] = malloc((size_t)count * sizeof *sphere);
    int *member = malloc((size_t)count * sizeof *member);
    plu_pair *want = malloc((size_t)count * (size_t)count * sizeof *want);
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++)
            sphere[i][k] = offset + draw_uniform(&d, 0.0, size);
        sphere[i][3] = draw_log(&d, 1.0 / ratio, 1.0);
        member[i] = i;
    }
    plu_error err = {0};
    plu_pairs pairs = {0};
    plu_grid *grid = plu_grid_create(&err);
    const size_t wanted = brute_force(count, sphere, want);
    for (int again = 0; again < 2; again++) { /* the grid is used many times in a run */
        assert_int_equal(
            plu_grid_pairs(grid, count, member, (const double(*)[4])sphere, count, &pairs, &err),
            PLU_OK);
        assert_int_equal(pairs.count, wanted);
        for (size_t k = 0; k < wanted; k++) {
            assert_int_equal(pairs.pair[k].a, want[k].a);
            assert_int_equal(pairs.pair[k].b, want[k].b);
        }
    }
    assert_true(wanted > 0);
    same_by_all_sets(count, member, sphere);
    plu_grid_destroy(grid);
    free(pairs.pair);
    free(sphere);
    free(member);
    free(want);
}

static void equals_brute_force(void **state)
{
    (void)state;
    cloud(2, 1.0, 0.5, 0.0);
    cloud(700, 1.0, 16.0, -8.0);
    cloud(700, 3.0, 10.0, 1e4);
    cloud(2500, 50.0, 10.0, -5.0); /* also the parallel search */
    cloud(300, 50.0, 1.0, 0.0);    /* nearly all overlap */
    cloud(3000, 1000.0, 12.0, -3e3);
}

/* So few that a row of cells meets the end of the table and goes on at its beginning. */
static void a_few_spheres(void **state)
{
    (void)state;
    for (int k = 0; k < 300; k++)
        cloud(3 + k % 9, 1.0 + 0.2 * (k % 5), 1.2, 1.7 * k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(equals_brute_force),
                                       cmocka_unit_test(a_few_spheres)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
