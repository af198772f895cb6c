/* The estimate of the time that a run has still to take, with a clock of its own. */
#include "cli/run/eta.h"
#include "near.h"
#include <math.h>

static plu_eta eta;
static double wall;

static void steps(int count, double each, int active)
{
    for (int k = 0; k < count; k++) {
        wall += each;
        plu_eta_step(&eta, wall, active);
    }
}

static void start(long made, long all)
{
    wall = 100.0;
    plu_eta_start(&eta, made, all, wall);
}

static void equal_steps(void **unused)
{
    (void)unused;
    static const long all[] = {1, 7, 150, 1000, 100000};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        start(0, all[k]);
        assert_true(isinf(plu_eta_left(&eta, 10, 0)));
        for (long made = 1; made <= all[k]; made++) {
            steps(1, 0.5, 10);
            assert_near(plu_eta_left(&eta, 10, 0), 0.5 * (double)(all[k] - made), 1e-6 * wall);
        }
    }
}

/* The first steps, which may take long, are soon forgotten. */
static void a_slow_start(void **unused)
{
    (void)unused;
    start(0, 10000);
    steps(1, 60.0, 10);
    assert_near(plu_eta_left(&eta, 10, 0), 60.0 * 9999.0, 1.0);
    steps(20, 0.01, 10);
    assert_near(plu_eta_left(&eta, 10, 0), 0.01 * 9979.0, 1.0);
}

/* One step that takes a thousand times as long as others (a fallback) is one of many. */
static void a_slow_step(void **unused)
{
    (void)unused;
    start(0, 10000);
    steps(3000, 0.01, 10);
    steps(1, 10.0, 10);
    const double left = plu_eta_left(&eta, 10, 0) / (0.01 * 6999.0);
    assert_true(left > 1.0 && left < 2.1);
    steps(2000, 0.01, 10);
    assert_near(plu_eta_left(&eta, 10, 0), 0.01 * 4999.0, 0.1);
}

/* Half of the steps is fast, the others take twenty times as long (triaxial.cfg). */
static void a_later_stage(void **unused)
{
    (void)unused;
    start(0, 3000);
    steps(1500, 0.001, 700);
    assert_near(plu_eta_left(&eta, 700, 0), 1.5, 0.01);
    steps(315, 0.02, 700);
    assert_near(plu_eta_left(&eta, 700, 0), 0.02 * 1185.0, 0.1);
}

/* Bodies that are added in equal steps: the time of a step goes with their number. */
static void bodies_to_come(void **unused)
{
    (void)unused;
    start(0, 1000);
    double total = 0.0;
    for (int k = 0; k < 1000; k++)
        total += 1e-3 * (1 + k / 4);
    for (int k = 0; k < 1000; k++) {
        const int active = 1 + k / 4;
        steps(1, 1e-3 * active, active);
        const double left = total - (wall - 100.0);
        if (k > 30 && k < 950)
            assert_near(plu_eta_left(&eta, active, 250 - active) / left, 1.0, 0.15);
    }
}

/* A run that goes on from a checkpoint knows nothing of the time before. */
static void a_restart(void **unused)
{
    (void)unused;
    start(90000, 100000);
    steps(100, 0.25, 10);
    assert_near(plu_eta_left(&eta, 10, 0), 0.25 * 9900.0, 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_steps),    cmocka_unit_test(a_slow_start),
        cmocka_unit_test(a_slow_step),    cmocka_unit_test(a_later_stage),
        cmocka_unit_test(bodies_to_come), cmocka_unit_test(a_restart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
