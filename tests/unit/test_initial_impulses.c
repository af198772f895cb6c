/* The search for the impulses of a bed that begins at rest: which beds, how many sweeps, and when
 * it has found them. Rows of spheres on a floor are borne by the first sweep, but for those that
 * fall beside the others; a load passes a stack in as many sweeps as it has spheres. */
#define STACK_MOST 1200
#include "general/own_solver.h"
#include "solve/solve.h"
#include "stack.h"
#include "sweep/initial_impulses.h"
#include <math.h>

static plu_status idle(plu_problem *p, const plu_solve_settings *s, plu_workspace *w,
                       plu_error *err)
{
    (void)p, (void)s, (void)w, (void)err;
    return PLU_OK;
}

static const plu_portfolio_solver sweeps = {.name = "sweeps", .step = idle};

static bool count_sweep(void *user)
{
    ++*(long *)user;
    return false;
}

typedef struct search {
    bool found;
    long served, sweeps; /* but for those after which errors were computed */
    double change;       /* that is left, in units of g h */
} search;

static search seek(stack *s, int max_iterations)
{
    search x = {0};
    plu_error err = {0};
    plu_workspace *w = plu_workspace_create(&err);
    plu_problem *p = &s->problem;
    s->settings.solver = &sweeps;
    s->settings.local = plu_local_method_find("exact");
    s->settings.max_iterations = max_iterations;
    s->settings.stop = count_sweep;
    s->settings.stop_user = &x.sweeps;
    assert_int_equal(p->islands_count, 1);
    assert_int_equal(plu_initial_impulses(p, &s->settings, w, &x.served, &x.found, &err), PLU_OK);
    plu_problem_apply(p, &p->islands[0]);
    double squares = 0.0, mass = 0.0;
    for (int i = 0; i < p->moving; i++) {
        squares += s->mass[i] * s->v[i][2] * s->v[i][2];
        mass += s->mass[i];
    }
    x.change = sqrt(squares / mass) / fall;
    plu_workspace_destroy(w);
    return x;
}

/* Sphere i is far from the floor, and nothing beside it holds it by friction. */
static void lift(stack *s, int i)
{
    const int slot = s->problem.slot_of_contact[i];
    plu_block_of(&s->problem, slot)->bias[slot % PLU_LANES] = 1.0;
    for (int c = 0; c < s->problem.contacts; c++)
        plu_block_of(&s->problem, s->problem.slot_of_contact[c])
            ->pair->mu[s->problem.slot_of_contact[c] % PLU_LANES] = 0.0;
}

/* A row in which one sphere falls, so that the step changes velocities by `change` g h. */
static stack *open_falling(int count, double change)
{
    double mass[STACK_MOST] = {0.0};
    for (int i = 0; i < count; i++)
        mass[i] = 1.0;
    mass[count / 2] = (count - 1) * change * change / (1.0 - change * change) + 1e-9;
    stack *s = open_row(count, mass);
    lift(s, count / 2);
    return s;
}

static search seek_falling(int count, double change)
{
    stack *s = open_falling(count, change);
    const search x = seek(s, 1000);
    close_stack(s);
    return x;
}

static stack *open_tower(int count)
{
    double mass[STACK_MOST] = {0.0};
    for (int i = 0; i < count; i++)
        mass[i] = 1.0;
    return open_stack(count, mass);
}

/* Islands of a thousand contacts on. */
static void small_beds_need_no_search(void **state)
{
    (void)state;
    search x = seek_falling(480, 0.0); /* 959 contacts */
    assert_true(!x.found && x.sweeps == 0 && x.served == 0);
    x = seek_falling(520, 0.0);
    assert_true(x.found && x.sweeps > 0 && x.served == 1039);
}

/* A row that glides by half g h begins at rest; by twice as much not, and is served as it is. */
static void beds_in_motion_keep_theirs(void **state)
{
    (void)state;
    for (int moves = 0; moves < 2; moves++) {
        stack *s = open_falling(600, 0.0);
        for (int i = 0; i < 600; i++)
            s->v_free[i][0] = (moves ? 2.0 : 0.5) * fall;
        const search x = seek(s, 1000);
        assert_int_equal(x.found, !moves);
        assert_int_equal(x.served, s->problem.contacts);
        close_stack(s);
    }
}

/* What falls at less than a tenth of g h, as a root mean square, is borne. */
static void a_bed_is_borne_where_little_falls(void **state)
{
    (void)state;
    assert_true(seek_falling(600, 0.08).found);
    assert_false(seek_falling(600, 0.13).found);
}

/* Sweeps are judged after 64, and after twice as many each time: the first time is enough where
 * less than 0.02 g h is left; the second, where that has lowered nothing. */
static void sweeps_end_where_they_gain_nothing(void **state)
{
    (void)state;
    assert_in_range(seek_falling(600, 0.01).sweeps, 62, 64);
    assert_in_range(seek_falling(600, 0.03).sweeps, 125, 128);
    assert_in_range(seek_falling(600, 0.15).sweeps, 125, 128);
}

/* In a row with a light column of 50 spheres, and with one that falls, 64 sweeps leave 0.07 g h,
 * and 128 have borne the column as well and leave 0.03: less than half, so that there are 256. */
static void sweeps_go_on_while_they_gain(void **state)
{
    (void)state;
    enum { COUNT = 650, COLUMN = 50 };
    double mass[STACK_MOST] = {0.0};
    stack *s = calloc(1, sizeof *s);
    for (int i = 0; i < COUNT; i++) {
        const bool stands = i <= COUNT - COLUMN;
        mass[i] = stands ? 1.0 : 0.06 * 0.06 * COUNT / COLUMN;
        s->pairs[i] = (plu_contact_pair){stands ? COUNT : i - 1, i};
        s->pairs[COUNT + i] = (plu_contact_pair){i, i + 1};
    }
    mass[COUNT / 2] = 0.03 * 0.03 * COUNT;
    s = open_pairs(s, COUNT, mass, 2 * COUNT - 1);
    lift(s, COUNT / 2);
    const search x = seek(s, 1000);
    assert_true(x.found);
    assert_near(x.change, 0.03, 0.002);
    assert_in_range(x.sweeps, 252, 256);
    close_stack(s);
}

/* A tower of 1,000 spheres, whose floor 64 sweeps do not reach: 128 lower the change by little, and
 * are not the last. */
static void a_deep_bed_is_waited_for(void **state)
{
    (void)state;
    stack *s = open_tower(1000);
    const search x = seek(s, 1000);
    assert_true(x.found && x.sweeps > 1024);
    assert_true(x.change < 0.02);
    close_stack(s);
}

/* Sixteen times the sweeps of a step are made at most. */
static void a_search_ends(void **state)
{
    (void)state;
    stack *s = open_tower(1000);
    const search x = seek(s, 10);
    assert_false(x.found);
    assert_in_range(x.sweeps, 155, 161);
    close_stack(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_beds_need_no_search),
        cmocka_unit_test(beds_in_motion_keep_theirs),
        cmocka_unit_test(a_bed_is_borne_where_little_falls),
        cmocka_unit_test(sweeps_end_where_they_gain_nothing),
        cmocka_unit_test(sweeps_go_on_while_they_gain),
        cmocka_unit_test(a_deep_bed_is_waited_for),
        cmocka_unit_test(a_search_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
