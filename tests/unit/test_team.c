/* PLU_TEAM: every turn of a loop is made once, whoever calls it. */
#include "base/team.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { COUNT = 1000, CALLERS = 3 };

static void visit(int turns[COUNT], int *largest)
{
#pragma omp for schedule(static) nowait reduction(max : largest[:1])
    for (int i = 0; i < COUNT; i++) {
        turns[i]++;
        *largest = i > *largest ? i : *largest;
    }
}

static int wrong(const int turns[COUNT], int largest)
{
    int bad = largest != COUNT - 1;
    for (int i = 0; i < COUNT; i++)
        bad += turns[i] != 1;
    return bad;
}

static void test_by_team_and_alone(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 4; threads++)
        for (int many = 0; many < 2; many++) {
            int turns[COUNT] = {0}, largest = -1;
            omp_set_num_threads(threads);
            PLU_TEAM(many, visit(turns, &largest));
            assert_int_equal(wrong(turns, largest), 0);
        }
}

/* As a program does that runs several simulations at a time. */
static void test_within_a_region(void **state)
{
    (void)state;
    for (int many = 0; many < 2; many++) {
        int bad = 0;
#pragma omp parallel for num_threads(CALLERS) reduction(+ : bad)
        for (int caller = 0; caller < CALLERS; caller++) {
            int turns[COUNT] = {0}, largest = -1;
            PLU_TEAM(many, visit(turns, &largest));
            bad += wrong(turns, largest);
        }
        assert_int_equal(bad, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_team_and_alone),
        cmocka_unit_test(test_within_a_region),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
