/* The methods that work on all contacts at once: Newton on three forms of the contact law, fixed
 * point and extragradient. Closed forms of a sphere and a block on a plane, random networks judged
 * by the residual, and the order of convergence. */
#include "general/newton_loop.h"
#include "solve/solve.h"
#include "touching.h"

static const char *const methods[] = {"newton", "newton-fb", "newton-glocker", "fixed-point",
                                      "extragradient"};
enum { METHODS = 5, NEWTON_METHODS = 3 };

/* Not in builds without the solvers for comparison. */
static bool is_here(int method)
{
    return plu_portfolio_find(methods[method]) != NULL;
}

/* Solves; the caller frees the monitor. */
static plu_monitor solve(const char *name, const plu_contact_problem *problem, double tolerance,
                         int most)
{
    static plu_portfolio_settings settings;
    settings =
        (plu_portfolio_settings){.tolerance = tolerance, .max_iterations = most, .history = true};
    const plu_portfolio_solver *solver = plu_portfolio_find(name);
    assert_non_null(solver);
    plu_monitor monitor;
    touching_ok(plu_monitor_start(&monitor, problem, &settings, &touching_error));
    touching_ok(solver->solve(problem, &settings, &monitor, &touching_error));
    if (!monitor.converged)
        fail_msg("%s: residual %g after %d iterations", name, monitor.best.scaled,
                 monitor.iterations);
    return monitor;
}

static double length(const double *x)
{
    return sqrt(x[0] * x[0] + x[1] * x[1]);
}

/* One sphere on a plane: impulses expected in SI units, |r_T| and |m_R|. */
static void check_sphere(int rows, const double v[6], double mu, double mu_r, double r_n,
                         double r_t, double m_r)
{
    plu_contact_problem *problem = sphere_on_plane(rows, v, mu, mu_r);
    for (int k = 0; k < METHODS; k++) {
        if (!is_here(k))
            continue;
        plu_monitor monitor = solve(methods[k], problem, 1e-12, 100000);
        assert_near(monitor.best_p[0], r_n, 1e-10);
        assert_near(length(monitor.best_p + 1), r_t, 1e-10);
        if (rows == 5)
            assert_near(length(monitor.best_p + 3) * problem->length[0], m_r, 1e-10);
        plu_monitor_free(&monitor);
    }
    plu_contact_problem_destroy(problem);
}

/* A solid sphere sticks with 2/7 of the impulse of its slip, whatever it is. */
static void coulomb_sphere(void **state)
{
    (void)state;
    const double fall[6] = {0.3, 0.0, -1.0, 0.0, 0.0, 0.0},
                 rise[6] = {0.3, 0.1, 1.0, 0.2, 0.0, 0.1};
    check_sphere(3, rise, 0.5, 0.0, 0.0, 0.0, 0.0);
    check_sphere(3, fall, 0.5, 0.0, 2.0, 2.0 / 7.0 * 2.0 * 0.3, 0.0);
    check_sphere(3, fall, 0.05, 0.0, 2.0, 0.05 * 2.0, 0.0);
    check_sphere(3, fall, 0.0, 0.0, 2.0, 0.0, 0.0);
}

/* m = 2, R = 0.1, fall at 1 m/s: r_N = 2. Rolling without slip at v = 0.7, omega = 7 (AB21 6.1):
 * |m_R| = mu_r r_N and |r_T| = 5 |m_R| / (7 R). Slow rolling comes to a stop: the contact takes r_T
 * = m v and m_R = R m v + I omega. Slip and rolling: both at their limits. */
static void rolling_sphere(void **state)
{
    (void)state;
    const double rolls[6] = {0.7, 0.0, -1.0, 0.0, 7.0, 0.0};
    const double slow[6] = {0.01, 0.0, -1.0, 0.0, 0.1, 0.0};
    const double skids[6] = {0.7, 0.0, -1.0, 0.0, -30.0, 0.0},
                 rise[6] = {0.1, 0.2, 0.5, 1.0, 2.0, 3.0};
    check_sphere(5, rise, 0.3, 0.01, 0.0, 0.0, 0.0);
    check_sphere(5, rolls, 0.3, 0.01, 2.0, 5.0 / 0.7 * 0.02, 0.02);
    check_sphere(5, slow, 0.3, 0.01, 2.0, 0.02, 0.1 * 0.02 + 0.4 * 0.02 * 0.1);
    check_sphere(5, skids, 0.3, 0.01, 2.0, 0.6, 0.02);
    check_sphere(5, rolls, 0.3, 0.0, 2.0, 0.0, 0.0);
    check_sphere(5, skids, 0.0, 0.01, 2.0, 0.0, 0.02);
    check_sphere(5, skids, 0.0, 0.0, 2.0, 0.0, 0.0);
}

/* 27 rows for six velocities: impulses are not unique, their sum is. */
static void hyperstatic(void **state)
{
    (void)state;
    const double slides[6] = {2.0, 0.0, -1.0, 0.0, 0.0, 0.0},
                 rests[6] = {0.1, 0.2, -1.0, 0.0, 0.0, 0.0};
    for (int k = 0; k < METHODS; k++)
        for (int mode = 0; mode < 2 && is_here(k); mode++) {
            plu_contact_problem *problem = hyperstatic_block(mode ? rests : slides, 0.4);
            plu_monitor monitor = solve(methods[k], problem, 1e-10, 20000);
            double sum[3] = {0.0};
            for (int i = 0; i < 27; i++)
                sum[i % 3] += monitor.best_p[i];
            assert_near(sum[0], 3.0, 1e-8);
            assert_near(length(sum + 1), mode ? 3.0 * length(rests) : 1.2, 1e-8);
            plu_monitor_free(&monitor);
            plu_contact_problem_destroy(problem);
        }
}

/* Networks of 60 contacts of 30 spheres, some of them redundant; the judge looks at p alone.
 * Glocker's form, whose steps are often cut short, gets half as many. */
static void networks(void **state)
{
    (void)state;
    static const double tolerance[METHODS] = {1e-11, 1e-11, 1e-6, 1e-4, 1e-4};
    draw d = {0};
    for (int k = 0; k < 20; k++) {
        plu_contact_problem *large = random_network(&d, k % 2 ? 5 : 3, 60, 30);
        plu_contact_problem *small = random_network(&d, k % 2 ? 5 : 3, 12, 20);
        for (int m = 0; m < METHODS; m++) {
            if (!is_here(m))
                continue;
            plu_monitor monitor = solve(methods[m], m == 2 ? small : large, tolerance[m],
                                        m < NEWTON_METHODS ? 500 : 20000);
            assert_true(m < NEWTON_METHODS || monitor.factorizations == 0);
            plu_monitor_free(&monitor);
        }
        plu_contact_problem_destroy(large);
        plu_contact_problem_destroy(small);
    }
}

/* With fewer rows than the bodies have velocities and no degenerate contact the end is
 * superlinear: of order 1.15 at least from step to step (2 without the shift, which shrinks as it
 * goes). */
static void superlinear_end(void **state)
{
    (void)state;
    draw d = {1000};
    int looked = 0;
    for (int k = 0; k < 10; k++) {
        plu_contact_problem *problem = random_network(&d, k % 2 ? 5 : 3, 12, 20);
        plu_monitor monitor = solve("newton", problem, 1e-13, 100);
        for (int i = 21; i < monitor.points_count; i++) { /* after the sweeps */
            const double before = monitor.points[i - 1].residuals.scaled;
            const double after = monitor.points[i].residuals.scaled;
            if (before > 1e-4 || before < 1e-10)
                continue;
            looked++;
            assert_true(after <= pow(before, 1.15) || after <= 1e-13);
        }
        plu_monitor_free(&monitor);
        plu_contact_problem_destroy(problem);
    }
    assert_true(looked >= 10);
}

/* As published, without sweeps and shift: of second order at the end on the same problems, and with
 * redundant contacts a singular matrix in the first step, which the note says. */
static void plain_newton(void **state)
{
    (void)state;
    draw d = {1000};
    int looked = 0;
    for (int k = 0; k < 40; k++) {
        const plu_portfolio_settings settings = {.tolerance = 1e-13,
                                                 .max_iterations = 60,
                                                 .plain = true,
                                                 .full_steps = k % 4 > 1,
                                                 .newton_map = PLU_NEWTON_ALART_CURNIER,
                                                 .history = true};
        plu_contact_problem *problem = random_network(&d, k % 2 ? 5 : 3, 12, 20);
        plu_monitor monitor;
        touching_ok(plu_monitor_start(&monitor, problem, &settings, &touching_error));
        touching_ok(
            plu_portfolio_find("newton")->solve(problem, &settings, &monitor, &touching_error));
        for (int i = 1; monitor.converged && i < monitor.points_count; i++) {
            const double before = monitor.points[i - 1].residuals.scaled;
            if (before > 1e-4 || before < 1e-8)
                continue;
            looked++;
            assert_true(monitor.points[i].residuals.scaled <= pow(before, 1.6));
        }
        assert_true(!monitor.converged || monitor.iterations == monitor.factorizations);
        plu_monitor_free(&monitor);
        plu_contact_problem_destroy(problem);
    }
    assert_true(looked >= 30);
    const plu_portfolio_settings settings = {.tolerance = 1e-8, .plain = true};
    plu_contact_problem *problem = hyperstatic_block((double[6]){0.1, 0.2, -1.0}, 0.4);
    plu_monitor monitor;
    touching_ok(plu_monitor_start(&monitor, problem, &settings, &touching_error));
    touching_ok(plu_portfolio_find("newton")->solve(problem, &settings, &monitor, &touching_error));
    assert_false(monitor.converged);
    assert_non_null(strstr(monitor.note, "the matrix is singular at iteration 1"));
    plu_monitor_free(&monitor);
    plu_contact_problem_destroy(problem);
}

/* The same bits in a second run. */
static void same_again(void **state)
{
    (void)state;
    draw d = {500};
    plu_contact_problem *problem = random_network(&d, 5, 60, 30);
    for (int m = 0; m < 2; m++) {
        plu_monitor once = solve(methods[m], problem, 1e-10, 500);
        plu_monitor again = solve(methods[m], problem, 1e-10, 500);
        assert_memory_equal(once.best_p, again.best_p, 300 * sizeof(double));
        plu_monitor_free(&once);
        plu_monitor_free(&again);
    }
    plu_contact_problem_destroy(problem);
}

/* df = a dy + b dp of the natural map by differences, in all of its pieces. */
static void natural_map_derivative(void **state)
{
    (void)state;
    draw d = {31};
    int pieces[4] = {0};
    for (int k = 0; k < 400; k++) {
        const plu_newton_contact c = {
            .rows = k % 2 ? 5 : 3,
            .mu = {draw_uniform(&d, 0.1, 1.5), draw_uniform(&d, 0.1, 1.5)},
            .rho = {draw_uniform(&d, 0.3, 2.0)},
            .gain = 1.5};
        double p[5], y[5], f[5], a[25], b[25];
        for (int i = 0; i < c.rows; i++) {
            p[i] = draw_uniform(&d, -1.0, 1.0);
            y[i] = draw_uniform(&d, -1.0, 1.0);
        }
        plu_newton_natural_equations(&c, p, p, y, f, a, b);
        pieces[(f[0] == p[0]) + 2 * (fabs(a[0]) > 1e-12 && fabs(b[0]) > 1e-12)]++;
        for (int j = 0; j < 2 * c.rows; j++) {
            double *x = j < c.rows ? &p[j] : &y[j - c.rows], *column = j < c.rows ? b : a;
            const double at = *x, h = 1e-7;
            double up[5], down[5];
            *x = at + h;
            plu_newton_natural_equations(&c, p, p, y, up, NULL, NULL);
            *x = at - h;
            plu_newton_natural_equations(&c, p, p, y, down, NULL, NULL);
            *x = at;
            for (int i = 0; i < c.rows; i++)
                assert_near(column[i * c.rows + j % c.rows], (up[i] - down[i]) / (2.0 * h), 1e-6);
        }
    }
    assert_true(pieces[0] + pieces[1] > 10 && pieces[2] > 100);
}

/* Each way to write the law, with and without line search, gets to the solution of a network. */
static void newton_options(void **state)
{
    (void)state;
    draw d = {5};
    plu_contact_problem *problem = random_network(&d, 5, 60, 30);
    for (int k = 0; k < 6; k++) {
        const plu_portfolio_settings settings = {.tolerance = 1e-9,
                                                 .max_iterations = 300,
                                                 .newton_map = (plu_newton_map)(k / 2),
                                                 .full_steps = k % 2 == 1};
        plu_monitor monitor;
        touching_ok(plu_monitor_start(&monitor, problem, &settings, &touching_error));
        touching_ok(
            plu_portfolio_find("newton")->solve(problem, &settings, &monitor, &touching_error));
        assert_true(monitor.converged);
        plu_monitor_free(&monitor);
    }
    plu_contact_problem_destroy(problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coulomb_sphere),  cmocka_unit_test(rolling_sphere),
        cmocka_unit_test(hyperstatic),     cmocka_unit_test(networks),
        cmocka_unit_test(superlinear_end), cmocka_unit_test(plain_newton),
        cmocka_unit_test(same_again),      cmocka_unit_test(natural_map_derivative),
        cmocka_unit_test(newton_options),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
