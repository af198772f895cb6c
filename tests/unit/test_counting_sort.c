/* The counting sort against its definition, for any number of threads. */
#include "base/reorder.h"
#include "draw.h"
#include "near.h"
#include <omp.h>
#include <stdlib.h>

static int *random_keys(int count, int keys)
{
    draw d = {(uint64_t)(count + keys)};
    int *key = malloc((size_t)count * sizeof *key + 1);
    for (int i = 0; i < count; i++)
        key[i] = (int)draw_uniform(&d, -1.0, keys + 1.0) - 1; /* some -1 */
    return key;
}

/* Each number is in the group of its key, after smaller ones; none is missing. */
static void check(const plu_groups *g, int count, const int *key, int keys)
{
    int left_out = 0;
    assert_int_equal(g->start[0], 0);
    for (int k = 0; k < keys; k++)
        for (int at = g->start[k]; at < g->start[k + 1]; at++) {
            assert_int_equal(key[g->order[at]], k);
            assert_true(at == g->start[k] || g->order[at - 1] < g->order[at]);
        }
    for (int i = 0; i < count; i++)
        left_out += key[i] < 0;
    assert_int_equal(g->start[keys], count - left_out);
}

static void groups(void **state)
{
    (void)state;
    static const int sizes[][2] = {{0, 1},       {1, 1},     {100, 7},      {9000, 64},
                                   {9000, 9000}, {50000, 3}, {30000, 90000}};
    const int before = omp_get_max_threads();
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const int count = sizes[k][0], keys = sizes[k][1];
        int *key = random_keys(count, keys);
        plu_groups g = {0};
        plu_error err;
        for (int threads = 1; threads <= 5; threads += 2) {
            omp_set_num_threads(threads);
            assert_int_equal(plu_counting_sort(&g, count, key, keys, &err), PLU_OK);
            check(&g, count, key, keys);
        }
        plu_groups_free(&g);
        free(key);
    }
    omp_set_num_threads(before);
}

/* Several parts by hand: places go up by key, then by part. */
static void places(void **state)
{
    (void)state;
    int place[] = {2, 0, 1, /* second part */ 1, 3, 0}, start[4];
    static const int expected[] = {0, 3, 6, 2, 3, 7}, begins[] = {0, 3, 6, 7};
    plu_counting_sort_places(2, 3, place, start);
    for (int i = 0; i < 6; i++)
        assert_int_equal(place[i], expected[i]);
    for (int k = 0; k < 4; k++)
        assert_int_equal(start[k], begins[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(groups), cmocka_unit_test(places)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
