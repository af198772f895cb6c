/* plu_shares: no number is left out or taken twice, whoever takes it; a thread begins with its own
 * part and then helps from the other end. */
#include "base/team.h"
#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { NUMBERS = 5000, RANGES = 4 };

static const int starts[RANGES + 1] = {0, 7, 7, 1500, NUMBERS};

static void share_all(plu_shares *shares)
{
    plu_shares_begin(shares);
    for (int r = 0; r < RANGES; r++)
        plu_shares_add(shares, starts[r], starts[r + 1]);
}

/* How many numbers were not taken once, or after numbers of a later range by the same thread. */
static int wrong_of_team(int threads)
{
    static int taken[NUMBERS];
    int wrong = 0;
    plu_shares shares;
    omp_set_num_threads(threads);
    share_all(&shares);
    for (int i = 0; i < NUMBERS; i++)
        taken[i] = 0;
#pragma omp parallel reduction(+ : wrong)
    {
        int range = 0, last = 0;
        for (int i; (i = plu_shares_take(&shares, &range)) >= 0;) {
            wrong += range < last || i < starts[range] || i >= starts[range + 1];
            last = range;
#pragma omp atomic
            taken[i]++;
        }
    }
    for (int i = 0; i < NUMBERS; i++)
        wrong += taken[i] != 1;
    return wrong;
}

static void test_each_number_is_taken_once(void **state)
{
    (void)state;
    static const int teams[] = {1, 2, 3, 8, PLU_SHARERS + 3};
    for (size_t k = 0; k < sizeof teams / sizeof *teams; k++)
        for (int times = 0; times < 20; times++)
            assert_int_equal(wrong_of_team(teams[k]), 0);
}

/* A thread alone of a team of two: what it takes of two ranges, in turn. */
static void test_own_part_first(void **state)
{
    (void)state;
    static const int expected[] = {10, 11, 14, 13, 12, 20, 21, 22, 24, 23, -1, -1};
    int range = 0;
    plu_shares shares;
    omp_set_num_threads(2);
    plu_shares_begin(&shares);
    plu_shares_add(&shares, 10, 15);
    plu_shares_add(&shares, 20, 25);
    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++)
        assert_int_equal(plu_shares_take(&shares, &range), expected[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_number_is_taken_once),
        cmocka_unit_test(test_own_part_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
