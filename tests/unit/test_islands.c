/* How a step asks a general solver for the impulses of an island: how sharply, how often, of which
 * islands, and what becomes of impulses that are worse. The solver says what it was asked. */
#define STACK_MOST 1100
#include "general/own_solver.h"
#include "solve/solve.h"
#include "stack.h"
#include "sweep/criterion.h"
#include "sweep/workspace.h"
#include <math.h>
#include <string.h>

static struct {
    int calls;
    double tolerance;         /* of the first call */
    double times;             /* what errors of the normal impulses are multiplied with */
    double floor[2], squeeze; /* instead: two impulses, if `squeeze` > 0 */
} asked;

static plu_status ask(const plu_contact_problem *p, const plu_portfolio_settings *settings,
                      plu_monitor *m, plu_error *err)
{
    (void)err;
    double *new = erring(p, asked.times);
    for (int c = 0; asked.squeeze > 0.0 && c < p->contacts; c++)
        new[c * p->rows] = asked.floor[c];
    if (asked.calls++ == 0)
        asked.tolerance = settings->tolerance;
    (void)plu_monitor_stop(m, new, 1);
    free(new);
    return PLU_OK;
}

/* Sweeps that change nothing. */
static plu_status idle(plu_problem *p, const plu_solve_settings *s, plu_workspace *w,
                       plu_error *err)
{
    assert_int_equal(plu_workspace_reserve(w, p->islands_count, err), PLU_OK);
    w->results[0] = (plu_island_result){0};
    (void)plu_velocity_judge(p, &p->islands[0], s, false, &w->results[0]);
    return PLU_OK;
}

static const plu_portfolio_solver general = {.name = "general", .solve = ask},
                                  sweeps = {.name = "sweeps", .solve = ask, .step = idle};

/* A row of spheres of 1 kg that bear `share` of their weight. */
static stack *open_equal_row(int count, double share)
{
    double one[STACK_MOST] = {0.0};
    for (int i = 0; i < count; i++)
        one[i] = 1.0;
    stack *s = open_row(count, one);
    for (int i = 0; i < count; i++)
        *normal_of(s, i) = share * fall;
    s->settings.step = 1e-3;
    s->settings.local = plu_local_method_find("exact");
    plu_problem_apply(&s->problem, &s->problem.islands[0]);
    memset(&asked, 0, sizeof asked);
    asked.times = 1.0;
    return s;
}

static plu_island_result solve(stack *s)
{
    plu_error err = {0};
    plu_workspace *w = plu_workspace_create(&err);
    assert_non_null(w);
    assert_int_equal(plu_solve_step(&s->problem, &s->settings, w, &err), PLU_OK);
    const plu_island_result result = *plu_workspace_results(w);
    plu_workspace_destroy(w);
    return result;
}

/* A general solver is first asked for a residual of a thousandth, and then for less until the
 * criterion is met: five times at most. */
static void a_general_solver_is_asked_again(void **state)
{
    (void)state;
    stack *s = open_equal_row(20, 0.1);
    s->settings.solver = &general;
    asked.times = 0.5;
    const plu_island_result result = solve(s);
    assert_int_equal(asked.calls, 5);
    assert_true(asked.tolerance > 0.5e-3 && asked.tolerance < 2e-3);
    assert_false(result.converged);
    close_stack(s);
    s = open_equal_row(20, 0.1);
    s->settings.solver = &general;
    asked.times = 0.05;
    assert_true(solve(s).converged);
    assert_in_range(asked.calls, 2, 4);
    close_stack(s);
}

/* The fallback is asked for islands of up to 2,000 contacts. */
static void large_islands_have_no_fallback(void **state)
{
    (void)state;
    for (int large = 0; large < 2; large++) {
        stack *s = open_equal_row(large ? 1050 : 950, 0.5);
        s->settings.solver = &sweeps;
        s->settings.fallback = &general;
        assert_int_equal(s->problem.islands[0].contacts, large ? 2099 : 1899);
        (void)solve(s);
        assert_int_equal(asked.calls > 0, !large);
        close_stack(s);
    }
}

/* A sphere between floor and ceiling, which may press it as much as they like: the residual over
 * the impulses is small then. `off`: what the floor bears too little of the weight. */
static stack *open_squeezed(double off)
{
    const double one[] = {1.0}, squeeze = 100.0 * fall;
    stack *s = calloc(1, sizeof *s);
    for (int c = 0; c < 2; c++)
        s->pairs[c] = (plu_contact_pair){1, 0};
    s = open_pairs(s, 1, one, 2);
    const int slot = s->problem.slot_of_contact[1], k = slot % PLU_LANES;
    plu_block_of(&s->problem, slot)->normal[0][k] = 0.0;
    plu_block_of(&s->problem, slot)->normal[2][k] = -1.0;
    s->settings.solver = &sweeps;
    s->settings.fallback = &general;
    s->settings.local = plu_local_method_find("exact");
    s->settings.step = 1e-3;
    *normal_of(s, 0) = 0.5 * fall;
    plu_problem_apply(&s->problem, &s->problem.islands[0]);
    asked.squeeze = squeeze;
    asked.floor[0] = squeeze + (1.0 - off) * fall;
    asked.floor[1] = squeeze;
    return s;
}

/* Times the error of before that impulses of the fallback with this `off` have. */
static double worse_by(double off)
{
    stack *s = open_squeezed(off);
    plu_problem *p = &s->problem;
    plu_island_result before = {0}, after = {0};
    (void)plu_velocity_judge(p, &p->islands[0], &s->settings, false, &before);
    *normal_of(s, 0) = asked.floor[0];
    *normal_of(s, 1) = asked.floor[1];
    plu_problem_apply(p, &p->islands[0]);
    (void)plu_velocity_judge(p, &p->islands[0], &s->settings, false, &after);
    assert_true(after.residuals.scaled < before.residuals.scaled);
    close_stack(s);
    return after.missed / before.missed;
}

/* Impulses of the fallback with velocities that are six times as wrong are kept, for their residual
 * is less; not those with velocities that are fifteen times as wrong. */
static void impulses_may_be_worse_for_a_better_residual(void **state)
{
    (void)state;
    static const double times[] = {6.0, 15.0};
    const double unit = worse_by(0.01) / 0.01;
    for (int i = 0; i < 2; i++) {
        const double off = times[i] / unit;
        assert_near(worse_by(off), times[i], 0.01 * times[i]);
        stack *s = open_squeezed(off);
        (void)solve(s);
        assert_near(*normal_of(s, 1), i == 0 ? asked.squeeze : 0.0, 1e-12);
        assert_near(*normal_of(s, 0), i == 0 ? asked.floor[0] : 0.5 * fall, 1e-12);
        close_stack(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_general_solver_is_asked_again),
        cmocka_unit_test(large_islands_have_no_fallback),
        cmocka_unit_test(impulses_may_be_worse_for_a_better_residual),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
