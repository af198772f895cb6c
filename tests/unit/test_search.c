/* When sweeps are checked, and what they lead to, asked of the functions that decide with errors
 * that are made up; and how far momentum and pace look ahead. */
#include "general/pace.h"
#include "stack.h"
#include "sweep/criterion.h"
#include "sweep/nesterov.h"
#include "sweep/search.h"
#include <math.h>

enum { SPHERES = 4 };

static plu_errors shown; /* by the engine */

static plu_errors show(const plu_engine_state *x)
{
    (void)x;
    return shown;
}

static void nothing(const plu_engine_state *x)
{
    (void)x;
}

static const plu_engine last = {.name = "last"};
static const plu_engine first = {
    .name = "first", .finer = &last, .errors = show, .give = nothing, .renew = nothing};

static const plu_portfolio_solver fallback = {.name = "none"};

typedef struct fixture {
    stack *s;
    plu_island_result result;
    plu_search search;
} fixture;

static void open_fixture(fixture *f)
{
    const double mass[SPHERES] = {1.0, 1.0, 1.0, 1.0};
    *f = (fixture){.s = open_stack(SPHERES, mass)};
    plu_solve_settings *s = &f->s->settings;
    s->min_iterations = 5;
    s->max_iterations = 5000;
    s->fallback = &fallback;
    f->search.state = (plu_engine_state){.engine = &first,
                                         .problem = &f->s->problem,
                                         .island = &f->s->problem.islands[0],
                                         .settings = s,
                                         .mass = -1.0};
    f->search.settings = s;
    f->search.result = &f->result;
}

static void close_fixture(fixture *f)
{
    close_stack(f->s);
}

/* After `now` sweeps, where errors have grown since the last check: when is the next one? */
static int next_check(bool driven, int now)
{
    fixture f;
    open_fixture(&f);
    shown = (plu_errors){.fall = fall, .driven = driven};
    shown.velocity = 2.0 * plu_velocity_tau(&shown, &f.s->settings); /* twice what is allowed */
    f.result.iterations = now;
    f.search.checks = (plu_checks){.next = now, .last = now / 2, .missed = 1.5};
    const plu_sweep_sums sums = {.change = 1.0, .size = 1.0};
    assert_false(plu_search_finished(&f.search, &sums));
    assert_near(f.result.missed, 2.0, 1e-12);
    close_fixture(&f);
    return f.search.checks.next;
}

/* Errors that go up and down, of beds that yield under a stress, are checked after an eighth more
 * sweeps, from 150 on; others after twice as many. */
static void restless_beds_are_checked_often(void **state)
{
    (void)state;
    assert_true(next_check(false, 200) > 390);
    assert_true(next_check(true, 140) > 270);
    assert_true(next_check(true, 200) >= 220 && next_check(true, 200) <= 230);
}

/* By residuals: whether a sweep that changes impulses by this share of the tolerance is checked. */
static bool is_checked(bool tiled, double estimate)
{
    fixture f;
    open_fixture(&f);
    plu_solve_settings *s = &f.s->settings;
    s->velocity = false;
    f.search.state.engine = &last;
    f.search.state.island->tiled = tiled;
    f.result.iterations = 10;
    const double change = estimate * s->tolerance;
    const plu_sweep_sums sums = {.change = change * change, .size = 1.0};
    (void)plu_search_finished(&f.search, &sums);
    close_fixture(&f);
    return f.result.checks > 0;
}

/* A tile is swept twice, and the change of the first sweep says that the second one changed less.
 */
static void tiles_are_checked_early(void **state)
{
    (void)state;
    assert_true(is_checked(false, 0.9) && !is_checked(false, 1.1));
    assert_true(is_checked(true, 1.2) && !is_checked(true, 1.5));
}

/* By the criterion "weight" the norm of the impulses may be three times that of weights of single
 * spheres before the tolerance falls, down to a tenth. */
static void the_tolerance_falls_with_depth(void **state)
{
    (void)state;
    fixture f;
    open_fixture(&f);
    plu_solve_settings *s = &f.s->settings;
    s->velocity = false;
    s->deep = true;
    static const double of_weight[] = {2.0, 6.0, 20.0, 40.0, 1e3},
                        share[] = {1.0, 0.5, 0.15, 0.1, 0.1};
    for (size_t i = 0; i < sizeof share / sizeof *share; i++) {
        const double size = of_weight[i] * sqrt(SPHERES) * fall;
        const plu_sweep_sums sums = {.size = size * size};
        assert_near(plu_search_tolerance(&f.search, &sums), share[i] * s->tolerance, 1e-12);
    }
    close_fixture(&f);
}

/* Contacts are not handed over where errors fall and the next check comes within 16 sweeps. */
static void a_check_that_comes_soon_is_awaited(void **state)
{
    (void)state;
    fixture f;
    open_fixture(&f);
    plu_search *x = &f.search;
    x->state.island->large = true;
    f.result.iterations = x->next_handed = 64;
    x->checks = (plu_checks){.next = 64 + 8, .falls = true};
    assert_false(plu_search_hands_over(x));
    x->checks.next = 64 + 32;
    assert_true(plu_search_hands_over(x));
    x->checks = (plu_checks){.next = 64 + 8};
    assert_true(plu_search_hands_over(x));
    f.result.iterations = 63;
    assert_false(plu_search_hands_over(x));
    close_fixture(&f);
}

/* Before an expensive fallback a jam is looked for, before a cheap one not. */
static void an_expensive_fallback_waits_for_a_jam(void **state)
{
    (void)state;
    fixture f;
    open_fixture(&f);
    f.result.missed = 2.0;
    f.search.state.island->contacts = 1500;
    assert_true(plu_search_may_jam(&f.search, true));
    assert_false(plu_search_may_jam(&f.search, false));
    f.search.state.island->contacts = 700;
    assert_false(plu_search_may_jam(&f.search, true));
    f.s->settings.jammed = true; /* in the step before */
    assert_true(plu_search_may_jam(&f.search, true));
    f.result.missed = 0.9;
    assert_false(plu_search_may_jam(&f.search, true));
    close_fixture(&f);
}

/* Errors that do not fall are those of a jam if they are ten times what is allowed: after 32 sweeps
 * of 4,000 contacts. */
static void errors_of_a_jam_are_large(void **state)
{
    (void)state;
    fixture f;
    open_fixture(&f);
    plu_search *x = &f.search;
    f.result.missed = 20.0;
    f.result.iterations = 40;
    x->state.island->contacts = 4000;
    x->checks = (plu_checks){.last = 40, .missed = 20.0};
    assert_true(plu_search_may_jam(x, false));
    x->checks.falls = true;
    assert_false(plu_search_may_jam(x, false));
    x->checks = (plu_checks){.last = 40, .missed = 5.0};
    assert_false(plu_search_may_jam(x, false));
    x->checks = (plu_checks){.last = 40, .missed = 20.0};
    x->state.island->contacts = 2000;
    assert_false(plu_search_may_jam(x, false));
    x->state.island->contacts = 8000;
    x->checks.last = 24;
    assert_false(plu_search_may_jam(x, false));
    close_fixture(&f);
}

/* Sweeps until the share of the way that the next one goes on with is at least this. */
static int sweeps_until(bool tiled, double beta)
{
    const plu_island island = {.tiled = tiled};
    const plu_sweep_sums sums = {.momentum = 1.0};
    plu_nesterov m = plu_nesterov_start(&island);
    int sweeps = 0;
    for (; sweeps == 0 || m.beta < beta; sweeps++)
        plu_nesterov_next(&m, &sums);
    return sweeps;
}

/* Tiled islands begin with two thirds of the way, after the second sweep, which others take after
 * the seventh; nine tenths come late in both. */
static void tiles_begin_with_momentum(void **state)
{
    (void)state;
    assert_int_equal(sweeps_until(false, 0.65), 7);
    assert_int_equal(sweeps_until(true, 0.65), 2);
    assert_int_equal(sweeps_until(false, 0.9), 27);
    assert_in_range(sweeps_until(true, 0.9), 20, 25);
}

/* A residual that falls by ten in a hundred sweeps, and a hundredth of it that is allowed: from 200
 * sweeps on the rate of the last hundred tells how many are left. */
static void pace_is_that_of_the_last_hundred_sweeps(void **state)
{
    (void)state;
    plu_pace pace = {0};
    int checks = 0;
    for (int sweeps = 1; sweeps <= 300; sweeps++) {
        if (!plu_pace_due(sweeps))
            continue;
        const double left = plu_pace_left(&pace, sweeps, pow(0.1, 0.01 * sweeps), 1e-4);
        assert_near(left, sweeps < 200 ? 0.0 : 400.0 - sweeps, 1e-9 * 400.0);
        checks++;
    }
    assert_int_equal(checks, 5); /* 100, 150, ... */
}

/* The proximal Newton method was measured to cost 90 to 1,100 sweeps of 44 to 1,645 contacts. */
static void newton_costs_as_many_sweeps_as_measured(void **state)
{
    (void)state;
    assert_true(plu_pace_newton(44) > 90.0 && plu_pace_newton(44) < 3.0 * 90.0);
    assert_true(plu_pace_newton(1645) > 1100.0 / 2.0 && plu_pace_newton(1645) < 1100.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(restless_beds_are_checked_often),
        cmocka_unit_test(tiles_are_checked_early),
        cmocka_unit_test(the_tolerance_falls_with_depth),
        cmocka_unit_test(a_check_that_comes_soon_is_awaited),
        cmocka_unit_test(an_expensive_fallback_waits_for_a_jam),
        cmocka_unit_test(errors_of_a_jam_are_large),
        cmocka_unit_test(tiles_begin_with_momentum),
        cmocka_unit_test(pace_is_that_of_the_last_hundred_sweeps),
        cmocka_unit_test(newton_costs_as_many_sweeps_as_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
