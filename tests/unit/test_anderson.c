/* Acceleration of sweeps: how momentum grows; and Anderson's combinations, on sequences of impulses
 * that are made up: when differences are forgotten, and which are too uncertain to be taken. */
#include "stack.h"
#include "sweep/anderson.h"
#include "sweep/nesterov.h"

enum { FIRST = 2, SECOND = 4 }; /* two contacts between equal spheres, of equal weight */

static stack *open_equal(void)
{
    const double mass[MOST] = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0};
    stack *s = open_stack(MOST, mass);
    assert_true(s->problem.islands[0].padded);
    return s;
}

static void set(stack *s, int contact, double before, double after)
{
    const int slot = s->problem.slot_of_contact[contact];
    s->problem.before[slot / PLU_LANES].p[0][slot % PLU_LANES] = before;
    *normal_of(s, contact) = after;
}

/* A sweep changes the impulses of both contacts by f from 10 on. */
static void sweep(stack *s, plu_anderson *a, double f_first, double f_second)
{
    set(s, FIRST, 10.0, 10.0 + f_first);
    set(s, SECOND, 10.0, 10.0 + f_second);
    plu_anderson_next(a, &s->problem, &s->problem.islands[0]);
}

static plu_anderson start(stack *s)
{
    plu_error err = {0};
    plu_anderson a = {0};
    assert_int_equal(plu_anderson_start(&a, &s->problem, &s->problem.islands[0], &err), PLU_OK);
    return a;
}

/* Where a sweep changes more than twice as much as the last one, no difference is of use. */
static void growth_forgets(void **state)
{
    (void)state;
    for (int forgets = 0; forgets < 2; forgets++) {
        stack *s = open_equal();
        plu_anderson a = start(s);
        sweep(s, &a, 1.0, 0.0);
        sweep(s, &a, 0.8, 0.1);
        sweep(s, &a, 0.4, 0.0);
        assert_int_equal(a.depth, 2);
        sweep(s, &a, forgets ? 0.85 : 0.75, 0.0); /* |f|^2: 4.5 or 3.5 times as large */
        assert_int_equal(a.depth, forgets ? 0 : 3);
        if (forgets)
            assert_near(*normal_of(s, FIRST), 10.85, 1e-15);
        plu_anderson_free(&a);
        close_stack(s);
    }
}

/* Two differences that agree but for a share e: what only their own difference, (0, e), can take
 * away is taken by half where e^2 = 4e-12, and wholly where it is much larger. */
static void what_hardly_differs_is_not_trusted(void **state)
{
    (void)state;
    static const double share[] = {2e-7, 2e-6, 2e-4}, left[] = {1.0, 0.5, 0.0};
    for (int i = 0; i < 3; i++) {
        stack *s = open_equal();
        plu_anderson a = start(s);
        sweep(s, &a, 2.0, 0.0);
        sweep(s, &a, 1.0, 0.0);
        sweep(s, &a, 0.0, share[i]);
        assert_near((*normal_of(s, SECOND) - 10.0) / share[i], left[i], 0.1);
        plu_anderson_free(&a);
        close_stack(s);
    }
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiles_begin_with_momentum),
        cmocka_unit_test(growth_forgets),
        cmocka_unit_test(what_hardly_differs_is_not_trusted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
