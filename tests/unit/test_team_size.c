/* plu_team_size: a run ends up with the number of threads that makes its steps fastest, comes back
 * to it when that changes, and spends little on trials. Times of steps are made up. */
#include "cli/run/team_size.h"
#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* Seconds of a step with so many threads: work that they share, and what each costs. */
typedef struct machine {
    double shared, each;
} machine;

static double step_of(const machine *m, int threads)
{
    return m->shared / threads + m->each * threads;
}

/* Makes steps; returns their seconds. */
static double run(plu_team_size *t, const machine *m, int steps)
{
    double sum = 0.0;
    for (int k = 0; k < steps; k++) {
        const double seconds = step_of(m, omp_get_max_threads());
        sum += seconds;
        plu_team_size_step(t, seconds);
    }
    return sum;
}

static const machine alone = {1e-3, 1e-3}, /* fastest with one thread */
    some = {1e-3, 1e-3 / 60.0},            /* with eight, or nearly so with four */
    all = {1.0, 1e-4};                     /* with as many as there are */

static void test_one_thread_where_that_is_fastest(void **state)
{
    (void)state;
    plu_team_size t;
    plu_team_size_begin(&t, 16, 100);
    const double seconds = run(&t, &alone, 20000);
    assert_int_equal(t.now, 1);
    assert_true(seconds < 1.01 * 20000 * step_of(&alone, 1));
    assert_int_equal(plu_team_size_end(&t), 1);
    assert_int_equal(omp_get_max_threads(), 16);
}

static void test_climbs_to_the_fastest(void **state)
{
    (void)state;
    plu_team_size t;
    plu_team_size_begin(&t, 12, 100);
    run(&t, &all, 1000);
    assert_int_equal(t.now, 12); /* not a power of two */
    plu_team_size_begin(&t, 64, 100);
    run(&t, &some, 1000);
    assert_true(t.now == 4 || t.now == 8);
}

static void test_many_bodies_begin_with_all(void **state)
{
    (void)state;
    plu_team_size t;
    plu_team_size_begin(&t, 16, 1000000);
    assert_int_equal(omp_get_max_threads(), 16);
    const double seconds = run(&t, &all, 5000);
    assert_int_equal(t.now, 16);
    assert_true(seconds < 1.02 * 5000 * step_of(&all, 16));
}

/* Another program takes the cores for a while. */
static void test_follows_what_changes(void **state)
{
    (void)state;
    plu_team_size t;
    plu_team_size_begin(&t, 4, 100);
    run(&t, &all, 2000);
    assert_int_equal(t.now, 4);
    run(&t, &alone, 40000);
    assert_int_equal(t.now, 1);
    run(&t, &all, 40000);
    assert_int_equal(t.now, 4);
}

/* Differences that are noise change nothing. */
static void test_equal_numbers_stay(void **state)
{
    (void)state;
    plu_team_size t;
    plu_team_size_begin(&t, 2, 100);
    for (int k = 0; k < 50000; k++) {
        plu_team_size_step(&t, omp_get_max_threads() == 1 ? 1.0e-3 : 0.95e-3);
        assert_int_equal(t.now, 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_thread_where_that_is_fastest),
        cmocka_unit_test(test_climbs_to_the_fastest),
        cmocka_unit_test(test_many_bodies_begin_with_all),
        cmocka_unit_test(test_follows_what_changes),
        cmocka_unit_test(test_equal_numbers_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
