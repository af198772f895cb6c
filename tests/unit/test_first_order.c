/* apgd and admm: one sphere in each mode, redundant contacts, agreement with the interior point
 * where velocities are unique, and limits that are kept. */
#include "networks.h"
#include "solving.h"

static const char *const methods[] = {"apgd", "admm"};

static void sphere_in_each_mode(void **state)
{
    (void)state;
    for (int m = 0; m < 2; m++)
        sphere_modes(methods[m], 1e-12, 1e-11);
}

/* Impulses of redundant contacts differ between methods; sums that move the bodies do not (small
 * friction: close to a strictly convex problem in velocities). */
static void velocities_agree(void **state)
{
    (void)state;
    plu_contact_problem *problem = network_make(&(network){3, 30, 100, 0.2, 0.0, 6});
    double p[300], want[300], got[300];
    solving s = solve_by("ipm", problem, 1e-10, p);
    assert_true(s.converged);
    free(s.points);
    plu_contact_problem_velocity(problem, p, want);
    for (int m = 0; m < 2; m++) {
        s = solve_by(methods[m], problem, 1e-10, p);
        assert_true(s.converged);
        assert_true(plu_contact_residuals(problem, p, got).scaled <= 1e-10);
        for (int i = 0; i < 300; i++)
            assert_near(got[i], want[i], 1e-7);
        free(s.points);
    }
    plu_contact_problem_destroy(problem);
}

/* The associated law is convex: one cone program of "convex" solves it, and the others agree. Where
 * a contact bears, y lies on the border of K*: it opens by its dilatancy. */
static void associated_law(void **state)
{
    (void)state;
    plu_contact_problem *problem = network_make(&(network){5, 30, 60, 0.5, 0.2, 6});
    double p[300], want[300], got[300], opening = 0.0;
    problem->associated = true;
    solving s = solve_by("convex", problem, 1e-9, p);
    assert_true(s.converged && s.iterations == 1);
    free(s.points);
    plu_contact_problem_velocity(problem, p, want);
    for (int c = 0; c < 60; c++) {
        const double *y = want + 5 * c, dilatancy = plu_dilatancy(problem, c, y);
        assert_true(y[0] - dilatancy > -1e-7);
        if (p[5 * c] > 1e-3)
            assert_near(y[0], dilatancy, 1e-7);
        opening += p[5 * c] > 1e-3 ? y[0] : 0.0;
    }
    assert_true(opening > 0.1);
    for (int m = 0; m < 2; m++) {
        s = solve_by(methods[m], problem, 1e-10, p);
        assert_true(s.converged);
        plu_contact_problem_velocity(problem, p, got);
        for (int i = 0; i < 300; i++)
            assert_near(got[i], want[i], 1e-6);
        free(s.points);
    }
    plu_contact_problem_destroy(problem);
}

static void impulses_stay_in_the_cones(void **state)
{
    (void)state;
    plu_contact_problem *problem = network_make(&(network){5, 20, 80, 0.5, 0.2, 7});
    double p[400];
    for (int m = 0; m < 2; m++) {
        const solving s = solve_by(methods[m], problem, 1e-3, p);
        assert_true(s.converged);
        for (int c = 0; c < 80; c++) {
            const double *r = p + 5 * c;
            assert_true(hypot(r[1], r[2]) <= problem->mu[c] * r[0] * (1.0 + 1e-12));
            assert_true(hypot(r[3], r[4]) <= problem->mu_r[c] * r[0] * (1.0 + 1e-12));
        }
        free(s.points);
    }
    plu_contact_problem_destroy(problem);
}

static void limits_are_kept(void **state)
{
    (void)state;
    plu_contact_problem *problem = network_make(&(network){5, 20, 80, 0.5, 0.2, 7});
    for (int m = 0; m < 2; m++) {
        const plu_portfolio_settings settings = {.tolerance = 1e-15, .max_iterations = 13};
        plu_monitor monitor;
        assert_int_equal(plu_monitor_start(&monitor, problem, &settings, NULL), PLU_OK);
        assert_int_equal(plu_portfolio_find(methods[m])->solve(problem, &settings, &monitor, NULL),
                         PLU_OK);
        assert_int_equal(monitor.iterations, 13);
        assert_true(!monitor.converged && monitor.best.scaled < 1.0);
        plu_monitor_free(&monitor);
    }
    plu_contact_problem_destroy(problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sphere_in_each_mode), cmocka_unit_test(velocities_agree),
        cmocka_unit_test(associated_law),      cmocka_unit_test(impulses_stay_in_the_cones),
        cmocka_unit_test(limits_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
