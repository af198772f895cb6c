/* When sweeps are checked, and what they lead to, asked of the functions that decide with errors
 * that are made up; and how far momentum and pace look ahead. */
#include "general/pace.h"
#include "stack.h"
#include "sweep/criterion.h"
#include "sweep/search.h"
#include <float.h>
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

/* --- when the next check is due --- */

/* After a check at 100 sweeps; `last` > 0: one at that number of sweeps had the errors `before`. */
static plu_checks planned(bool cheap, double missed, int last_check, double before)
{
    plu_checks c = {.last = last_check, .missed = before};
    plu_checks_plan(&c, 100, missed, cheap);
    return c;
}

/* Errors that fall as a power of the number of sweeps are to be small enough by then; it is at most
 * so much later, and at least. */
static void checks_are_planned_from_errors(void **state)
{
    (void)state;
    assert_in_range(planned(false, 1.5, 0, 0.0).next, 139, 142);  /* 1.5^(1 / 1.2) */
    assert_in_range(planned(false, 1e9, 0, 0.0).next, 200, 202);  /* the first leap */
    assert_in_range(planned(false, 1e9, 50, 1.0).next, 200, 202); /* later ones */
    assert_in_range(planned(false, 1.01, 0, 0.0).next, 112, 114);
    assert_in_range(planned(true, 1.96, 0, 0.0).next, 200, 202); /* as 1 / n, to 0.98 */
    assert_in_range(planned(true, 1e9, 0, 0.0).next, 400, 402);
    assert_in_range(planned(true, 1e9, 50, 1.0).next, 200, 202);
    assert_in_range(planned(true, 0.5, 0, 0.0).next, 100, 102);
}

/* Errors count as falling from the power 0.6 on; more than the power 4 is not believed. */
static void powers_have_bounds(void **state)
{
    (void)state;
    assert_true(planned(false, 1.5, 50, 1.5 * pow(2.0, 0.7)).falls);
    assert_false(planned(false, 1.5, 50, 1.5 * pow(2.0, 0.5)).falls);
    assert_in_range(planned(false, 2.0, 50, 2.0 * pow(2.0, 8.0)).next, 118, 121);
}

/* --- whether an island is solved --- */

/* What comes of a sweep after which the engine shows `missed`: errors over what is allowed. */
typedef struct outcome {
    bool ends, blurred, judged;
} outcome;

/* `sweeps` that have changed impulses by `change`; `rounding`, `hidden`: what floats hide of
 * velocities and impulses, over what is allowed. The impulses in the problem are the answer. */
static outcome outcome_of(double missed, int sweeps, double change, double rounding, double hidden)
{
    fixture f;
    open_fixture(&f);
    plu_search *x = &f.search;
    const plu_solve_settings *s = x->settings;
    (void)errors_at(f.s, 1.0);
    x->state.island->large = true;
    f.result.iterations = sweeps;
    shown = (plu_errors){.fall = fall, .contacts = 1000, .raw = 1.0, .pressed = 1.0};
    shown.velocity = missed * plu_velocity_tau(&shown, s);
    shown.raw = rounding / plu_velocity_rounding(&shown, s);
    shown.pressed = hidden / (FLT_EPSILON * plu_velocity_pressed(&shown, s));
    const plu_sweep_sums sums = {.change = change * change, .size = 1.0};
    const bool ends = plu_search_finished(x, &sums);
    close_fixture(&f);
    return (outcome){ends, x->blurred, f.result.checks > 0};
}

/* After five sweeps estimates of floats have to be smaller by a hundredth than what is allowed. */
static void floats_are_trusted_up_to_their_noise(void **state)
{
    (void)state;
    assert_true(outcome_of(0.985, 10, 0.1, 0.0, 0.0).ends);
    assert_false(outcome_of(0.995, 10, 0.1, 0.0, 0.0).ends);
}

/* Before, where the first sweep changes hardly anything and errors are half of what is allowed. */
static void beds_at_rest_end_early(void **state)
{
    (void)state;
    assert_true(outcome_of(0.4, 1, 2e-4, 0.0, 0.0).ends);
    assert_false(outcome_of(0.4, 1, 6e-4, 0.0, 0.0).ends);
    assert_false(outcome_of(0.7, 1, 2e-4, 0.0, 0.0).ends);
}

/* A sweep that changes nothing ends it in any case. */
static void what_does_not_change_ends(void **state)
{
    (void)state;
    assert_true(outcome_of(0.9, 1, 5e-13, 0.0, 0.0).ends);
    assert_false(outcome_of(0.9, 1, 2e-12, 0.0, 0.0).ends);
}

/* Where floats hide more than a quarter of what is allowed: of velocities, doubles go on; of
 * impulses, doubles check, and go on beyond four times. */
static void floats_that_hide_errors_are_left(void **state)
{
    (void)state;
    assert_false(outcome_of(2.0, 10, 0.1, 0.2, 0.0).blurred);
    assert_true(outcome_of(2.0, 10, 0.1, 0.3, 0.0).blurred);
    assert_false(outcome_of(0.4, 10, 0.1, 0.0, 0.2).judged);
    assert_true(outcome_of(0.4, 10, 0.1, 0.0, 0.3).judged);
    assert_false(outcome_of(2.0, 10, 0.1, 0.0, 3.0).blurred);
    assert_true(outcome_of(2.0, 10, 0.1, 0.0, 5.0).blurred);
}

/* Whether sweeps end for their number. */
static bool gives_up(int most, int sweeps)
{
    fixture f;
    open_fixture(&f);
    f.s->settings.max_iterations = most;
    f.result.iterations = sweeps;
    f.result.driven = true;
    shown = (plu_errors){.fall = fall, .driven = true};
    shown.velocity = 2.0 * plu_velocity_tau(&shown, &f.s->settings);
    const plu_sweep_sums sums = {.change = 1.0, .size = 1.0};
    const bool ends = plu_search_finished(&f.search, &sums);
    close_fixture(&f);
    return ends;
}

/* Driven islands, which have no fallback, may take eight times as many sweeps if a scene allows a
 * thousand. */
static void driven_islands_have_patience(void **state)
{
    (void)state;
    assert_false(gives_up(2000, 12000));
    assert_true(gives_up(2000, 16001));
    assert_true(gives_up(500, 600));
}

/* --- what follows --- */

/* After `now` sweeps, where the last check missed by `before`, this one by 2: when is the next one?
 */
static int next_check(bool driven, int now, double before)
{
    fixture f;
    open_fixture(&f);
    shown = (plu_errors){.fall = fall, .driven = driven};
    shown.velocity = 2.0 * plu_velocity_tau(&shown, &f.s->settings); /* twice what is allowed */
    f.result.iterations = now;
    f.search.checks = (plu_checks){.next = now, .last = now / 2, .missed = before};
    const plu_sweep_sums sums = {.change = 1.0, .size = 1.0};
    assert_false(plu_search_finished(&f.search, &sums));
    assert_near(f.result.missed, 2.0, 1e-12);
    close_fixture(&f);
    return f.search.checks.next;
}

/* Errors that go up and down, of beds that yield under a stress, are checked after an eighth more
 * sweeps, from 150 on, even if they have just fallen; others after twice as many. */
static void restless_beds_are_checked_often(void **state)
{
    (void)state;
    assert_true(next_check(false, 200, 1.5) > 390);
    assert_true(next_check(true, 140, 1.5) > 270);
    for (int falls = 0; falls < 2; falls++) {
        const int next = next_check(true, 200, falls ? 3.2 : 1.5);
        assert_true(next >= 220 && next <= 230);
    }
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
    f.s->settings.jammed = true; /* in the step before: sooner, and from 64 sweeps on all */
    x->checks.last = 8;
    assert_false(plu_search_may_jam(x, false));
    x->checks.last = 20;
    x->state.island->contacts = 500;
    assert_false(plu_search_may_jam(x, false));
    x->state.island->contacts = 1500;
    assert_true(plu_search_may_jam(x, false));
    x->checks = (plu_checks){.last = 40, .missed = 2.0};
    assert_false(plu_search_may_jam(x, false));
    x->checks.last = 80;
    f.result.iterations = 80;
    assert_true(plu_search_may_jam(x, false));
    close_fixture(&f);
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
        cmocka_unit_test(checks_are_planned_from_errors),
        cmocka_unit_test(powers_have_bounds),
        cmocka_unit_test(floats_are_trusted_up_to_their_noise),
        cmocka_unit_test(beds_at_rest_end_early),
        cmocka_unit_test(what_does_not_change_ends),
        cmocka_unit_test(floats_that_hide_errors_are_left),
        cmocka_unit_test(driven_islands_have_patience),
        cmocka_unit_test(restless_beds_are_checked_often),
        cmocka_unit_test(tiles_are_checked_early),
        cmocka_unit_test(the_tolerance_falls_with_depth),
        cmocka_unit_test(a_check_that_comes_soon_is_awaited),
        cmocka_unit_test(an_expensive_fallback_waits_for_a_jam),
        cmocka_unit_test(errors_of_a_jam_are_large),
        cmocka_unit_test(pace_is_that_of_the_last_hundred_sweeps),
        cmocka_unit_test(newton_costs_as_many_sweeps_as_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
