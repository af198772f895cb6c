/* The estimate of the time that a run has still to take, with a clock of its own. */
#include "cli/run/eta.h"
#include "near.h"
#include <math.h>

static plu_eta eta;
static double wall;

static void step(double each, int active, int waiting)
{
    wall += each;
    plu_eta_step(&eta, wall, active, waiting);
}

static void steps(int count, double each, int active)
{
    for (int k = 0; k < count; k++)
        step(each, active, 0);
}

static void start_run(plu_eta_run run)
{
    wall = 100.0;
    plu_eta_start(&eta, &run, wall);
}

static void start(long made, long all)
{
    start_run((plu_eta_run){.made = made, .all = all, .active = 10});
}

static void equal_steps(void **unused)
{
    (void)unused;
    static const long all[] = {1, 7, 150, 1000, 100000};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        start(0, all[k]);
        assert_true(isinf(plu_eta_left(&eta)));
        for (long made = 1; made <= all[k]; made++) {
            steps(1, 0.5, 10);
            assert_near(plu_eta_left(&eta), 0.5 * (double)(all[k] - made), 1e-6 * wall);
        }
    }
}

/* The first steps, which may take long, are soon forgotten. */
static void a_slow_start(void **unused)
{
    (void)unused;
    start(0, 10000);
    steps(1, 60.0, 10);
    assert_near(plu_eta_left(&eta), 60.0 * 9999.0, 1.0);
    steps(20, 0.01, 10);
    assert_near(plu_eta_left(&eta), 0.01 * 9979.0, 1.0);
}

/* One step that takes a thousand times as long as others (a fallback) is one of many. */
static void a_slow_step(void **unused)
{
    (void)unused;
    start(0, 10000);
    steps(3000, 0.01, 10);
    steps(1, 10.0, 10);
    const double left = plu_eta_left(&eta) / (0.01 * 6999.0);
    assert_true(left > 1.0 && left < 2.1);
    steps(2000, 0.01, 10);
    assert_near(plu_eta_left(&eta), 0.01 * 4999.0, 0.1);
}

/* Half of the steps is fast, the others take twenty times as long (triaxial.cfg). */
static void a_later_stage(void **unused)
{
    (void)unused;
    start(0, 3000);
    steps(1500, 0.001, 700);
    assert_near(plu_eta_left(&eta), 1.5, 0.01);
    steps(315, 0.02, 700);
    assert_near(plu_eta_left(&eta), 0.02 * 1185.0, 0.1);
}

/* What a run has taken up to its end, which is at 100 s before its first step. */
static double cost_of(int step, int active, int fed)
{
    return step < fed ? 1e-3 * active : 1e-3 * active * (step < fed + 100 ? 0.3 : 0.03);
}

/* Bodies that are added in equal steps: the time of a step goes with their number. */
static void bodies_to_come(void **unused)
{
    (void)unused;
    start_run((plu_eta_run){.all = 1000, .waiting = 250});
    double total = 0.0;
    for (int k = 0; k < 1000; k++)
        total += cost_of(k, 1 + k / 4, 1000);
    for (int k = 0; k < 1000; k++) {
        const int active = 1 + k / 4;
        step(cost_of(k, active, 1000), active, 250 - active);
        const double left = total - (wall - 100.0);
        if (k > 30 && k < 950)
            assert_near(plu_eta_left(&eta) / left, 1.0, 0.15);
    }
}

/* The last comes after four fifths of the steps, and then the bed comes to rest (pile.cfg). */
static void a_pile(void **unused)
{
    (void)unused;
    enum { ALL = 10000, FED = 8000, BODIES = 250 };
    start_run((plu_eta_run){.all = ALL, .waiting = BODIES, .rests = true});
    double total = 0.0;
    for (int k = 0; k < ALL; k++)
        total += cost_of(k, 1 + (k < FED ? k : FED - 1) / (FED / BODIES), FED);
    for (int k = 0; k < ALL; k++) {
        const int active = 1 + (k < FED ? k : FED - 1) / (FED / BODIES);
        step(cost_of(k, active, FED), active, BODIES - active);
        const double left = (total - (wall - 100.0)) / plu_eta_left(&eta);
        if ((k > 500 && k < 7700) || (k > 8400 && k < 9900))
            assert_true(left > 0.5 && left < 2.0);
    }
}

/* As many leave as come: time stays as it is (conveyor.cfg). */
static void bodies_that_leave(void **unused)
{
    (void)unused;
    enum { ALL = 8000 };
    start_run((plu_eta_run){.all = ALL, .waiting = ALL / 10});
    for (int k = 0; k < ALL; k++) {
        const int come = k / 10, active = come < 200 ? come : 200;
        step(1e-3 * active, active, ALL / 10 - come);
        if (k > 3000 && k < ALL - 1)
            assert_near(plu_eta_left(&eta), 0.2 * (ALL - 1 - k), 0.02 * 0.2 * ALL);
    }
}

/* Kinetic energy over the sum of m g d in scenes/fill.cfg, at each twentieth of the 1559 steps up
 * to rest; it may go on for 8000. */
static const double energy[] = {1.5e-4, 0.7,    3.2,    7.5,    12.0,   13.0,   9.6,
                                0.22,   1.5e-2, 3.8e-3, 1.6e-3, 4.8e-4, 2.4e-4, 1.5e-4,
                                8.0e-5, 6.9e-5, 1.2e-5, 2.3e-7, 1.8e-7, 1.4e-7, 8.9e-8};

/* The run ends when the energy has fallen to its limit, which takes far fewer steps than it may. */
static void until_rest(void **unused)
{
    (void)unused;
    enum { ALL = 8000, ENDS = 1559 };
    start_run((plu_eta_run){.all = ALL, .active = 3000, .rests = true, .until_rest = 1e-6});
    for (int k = 0; k < ENDS; k++) {
        const double at = 20.0 * k / ENDS;
        const int i = (int)at;
        wall += 0.01;
        if (plu_eta_step(&eta, wall, 3000, 0))
            plu_eta_kinetic(&eta, energy[i] * pow(energy[i + 1] / energy[i], at - i));
        const double left = plu_eta_left(&eta) / (0.01 * (ENDS - k));
        assert_true(at > 6.0 || !plu_eta_sees_rest(&eta)); /* it still falls */
        assert_true(at < 8.0 || plu_eta_sees_rest(&eta));
        if (at > 8.0 && at < 16.0)
            assert_true(left > 0.3 && left < 2.0);
    }
}

/* Of a run that ends when something happens a part of what it may take is expected at first, and
 * what has passed already is half as long to come. */
static void an_open_end(void **unused)
{
    (void)unused;
    assert_near(plu_eta_open_end(1000.0, 0.0), 250.0, 1e-9);
    assert_near(plu_eta_open_end(1000.0, 100.0), 150.0, 1e-9);
    assert_near(plu_eta_open_end(1000.0, 400.0), 200.0, 1e-9);
    assert_near(plu_eta_open_end(1000.0, 900.0), 100.0, 1e-9);
    assert_near(plu_eta_open_end(1000.0, 1100.0), 0.0, 1e-9);
}

/* What stages let expect counts, not their latest end; and of the time of steps so much of it. */
static void fewer_steps_are_expected(void **unused)
{
    (void)unused;
    start(0, 20000);
    steps(1000, 0.01, 600);
    plu_eta_expect(&eta, 4000.0);
    assert_near(plu_eta_left(&eta), 40.0, 1e-6);
    steps(600, 0.02, 600); /* more than a tenth of 5600 */
    assert_near(plu_eta_left(&eta), 80.0, 1.0);
    plu_eta_expect(&eta, 1e9);
    assert_true(plu_eta_left(&eta) > 80.0 * 3);
}

/* While spheres fall without contacts steps take little; a bed takes more. */
static void a_fall(void **unused)
{
    (void)unused;
    start_run((plu_eta_run){.all = 8000, .active = 100, .rests = true, .until_rest = 1e-6});
    steps(100, 0.01, 100);
    plu_eta_touch(&eta, 0);
    const double falls = plu_eta_left(&eta);
    assert_near(falls, 4.0 * 0.01 * 1900.0, 1e-6);
    plu_eta_touch(&eta, 200);
    assert_near(plu_eta_left(&eta), falls / 4.0, 1e-6);
}

/* A run that goes on from a checkpoint knows nothing of the time before. */
static void a_restart(void **unused)
{
    (void)unused;
    start(90000, 100000);
    steps(100, 0.25, 10);
    assert_near(plu_eta_left(&eta), 0.25 * 9900.0, 1e-6);
}

/* Steps take longer under larger loads, and it is known that they will come (oedometer.cfg). */
static void a_load_that_rises(void **unused)
{
    (void)unused;
    start(0, 1000);
    steps(400, 0.1, 10);
    plu_eta_load(&eta, true);
    assert_near(plu_eta_left(&eta), 1.6 * 60.0, 1e-6);
    plu_eta_load(&eta, false);
    assert_near(plu_eta_left(&eta), 60.0, 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_steps),
        cmocka_unit_test(a_slow_start),
        cmocka_unit_test(a_slow_step),
        cmocka_unit_test(a_later_stage),
        cmocka_unit_test(bodies_to_come),
        cmocka_unit_test(a_pile),
        cmocka_unit_test(bodies_that_leave),
        cmocka_unit_test(until_rest),
        cmocka_unit_test(a_restart),
        cmocka_unit_test(an_open_end),
        cmocka_unit_test(fewer_steps_are_expected),
        cmocka_unit_test(a_fall),
        cmocka_unit_test(a_load_that_rises),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
