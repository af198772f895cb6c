/* Rolling friction in the plane: rows normal, tangent, moment. A disk on a line in each of its
 * modes, and random problems by all solvers, judged by the law as it stands. And a scene whose
 * spheres begin in a plane: they stay in it, to the bit. */
#include "draw.h"
#include "near.h"
#include "pluvia/problem.h"
#include "pluvia/tool/solver.h"
#include "run.h"
#include <stdlib.h>
#include <string.h>

enum { CONTACTS = 12, ROWS = 3 * CONTACTS, VELOCITIES = 48 };
static plu_error err;

/* m = 2, R = 0.1, I = 0.01: u_N = v_y, u_T = v_x + R omega, omega_R = omega. */
static void disk(const double v[3], double mu, double mu_r, const double expected[3])
{
    const double m = 2.0, radius = 0.1, inertia = 0.01, k = radius / inertia;
    const double block[9] = {1.0 / m, 0, 0, 0, 1.0 / m + radius * k, k, 0, k, 1.0 / inertia};
    const double q[3] = {v[1], v[0] + radius * v[2], v[2]};
    const int start[2] = {0, 1}, column[1] = {0};
    const plu_problem_arrays arrays = {.rows = 3,
                                       .contacts = 1,
                                       .q = q,
                                       .mu = &mu,
                                       .mu_r = &mu_r,
                                       .start = start,
                                       .column = column,
                                       .block = block};
    for (int s = 0; s < plu_solvers_count(); s++) {
        plu_contact_problem *problem;
        plu_solve_report report;
        double r[3], u[3];
        const plu_solve_request request = {
            .solver = plu_solver_name(s), .tolerance = 1e-11, .max_seconds = 10};
        assert_int_equal(plu_contact_problem_of_arrays(&problem, &arrays, &err), PLU_OK);
        assert_int_equal(plu_contact_problem_solve(problem, &request, &report, &err), PLU_OK);
        assert_true(report.converged);
        assert_int_equal(plu_contact_problem_solution(problem, r, u, &err), PLU_OK);
        for (int i = 0; i < 3; i++)
            assert_near(r[i], expected[i], 1e-8);
        plu_solve_report_free(&report);
        plu_contact_problem_destroy(problem);
    }
}

/* It falls with 1 m/s, so that r_N = 2, or rises. */
static void disk_on_a_line(void **state)
{
    (void)state;
    disk((double[3]){0.7, 1.0, -7.0}, 0.5, 0.01, (double[3]){0, 0, 0});
    /* rolls without slip, omega < 0: m_R = +mu_r r_N, and u_T = 0 = 1.5 r_T + 10 m_R */
    disk((double[3]){0.7, -1.0, -7.0}, 0.5, 0.01, (double[3]){2, -10.0 * 0.02 / 1.5, 0.02});
    /* skids and turns: both at their limits */
    disk((double[3]){0.7, -1.0, 30.0}, 0.1, 0.01, (double[3]){2, -0.2, -0.02});
    /* comes to a stop: r_T = -m v, m_R = -(I omega + R r_T) */
    disk((double[3]){0.01, -1.0, -0.1}, 0.5, 0.01, (double[3]){2, -0.02, 0.001 + 0.002});
    /* no rolling friction: u_T = 0 = q_T + 1.5 r_T */
    disk((double[3]){0.3, -1.0, 0.0}, 0.5, 0.0, (double[3]){2, -0.2, 0});
}

/* |x| <= limit, and where u is not zero x = -limit u / |u|: one row of friction. */
static void check_row(double x, double u, double limit, double error, double error_of_u)
{
    assert_true(fabs(x) <= limit + error);
    if (u > error_of_u)
        assert_near(x, -limit, error);
    if (u < -error_of_u)
        assert_near(x, limit, error);
}

/* W = H^T H of full rank and q = H^T v. */
static void random_problem(draw *d, double *w, double *q)
{
    static double h[VELOCITIES][ROWS], v[VELOCITIES];
    for (int k = 0; k < VELOCITIES; k++) {
        v[k] = draw_uniform(d, -1.0, 1.0);
        for (int i = 0; i < ROWS; i++)
            h[k][i] = draw_uniform(d, -1.0, 1.0);
    }
    for (int i = 0; i < ROWS; i++) {
        q[i] = 0.0;
        for (int k = 0; k < VELOCITIES; k++)
            q[i] += h[k][i] * v[k];
        for (int j = 0; j < ROWS; j++) {
            double *entry = w + 9 * (i / 3 * CONTACTS + j / 3) + 3 * (i % 3) + j % 3;
            *entry = 0.0;
            for (int k = 0; k < VELOCITIES; k++)
                *entry += h[k][i] * h[k][j];
        }
    }
}

static void networks(void **state)
{
    (void)state;
    static double w[9 * CONTACTS * CONTACTS], q[ROWS];
    int start[CONTACTS + 1], column[CONTACTS * CONTACTS], sliding = 0, turning = 0;
    double mu[CONTACTS], mu_r[CONTACTS];
    draw d = {0};
    for (int b = 0; b < CONTACTS * CONTACTS; b++)
        column[b] = b % CONTACTS;
    for (int c = 0; c <= CONTACTS; c++)
        start[c] = c * CONTACTS;
    for (int k = 0; k < 5; k++) {
        random_problem(&d, w, q);
        for (int c = 0; c < CONTACTS; c++) {
            mu[c] = draw_uniform(&d, 0.05, 0.5);
            mu_r[c] = draw_uniform(&d, 0.05, 0.5);
        }
        const plu_problem_arrays arrays = {.rows = 3,
                                           .contacts = CONTACTS,
                                           .q = q,
                                           .mu = mu,
                                           .mu_r = mu_r,
                                           .start = start,
                                           .column = column,
                                           .block = w};
        for (int s = 0; s < plu_solvers_count(); s++) {
            const char *name = plu_solver_name(s);
            const bool slow = strcmp(name, "newton-glocker") == 0;
            plu_contact_problem *problem;
            plu_solve_report report;
            double r[ROWS], u[ROWS];
            const plu_solve_request request = {
                .solver = name, .fallback = NULL, .tolerance = 1e-9, .max_seconds = 10};
            assert_int_equal(plu_contact_problem_of_arrays(&problem, &arrays, &err), PLU_OK);
            assert_int_equal(plu_contact_problem_solve(problem, &request, &report, &err), PLU_OK);
            if (!report.converged && !slow)
                fail_msg("%s: %g", name, report.natural);
            assert_int_equal(plu_contact_problem_solution(problem, r, u, &err), PLU_OK);
            for (int i = 0; report.converged && i < ROWS; i += 3) {
                const int c = i / 3;
                assert_true(r[i] >= -1e-7 && u[i] >= -1e-7 && r[i] * u[i] <= 1e-6);
                check_row(r[i + 1], u[i + 1], mu[c] * r[i], 1e-6, 1e-5);
                check_row(r[i + 2], u[i + 2], mu_r[c] * r[i], 1e-6, 1e-5);
                sliding += r[i] > 1e-3 && fabs(u[i + 1]) > 1e-3;
                turning += r[i] > 1e-3 && fabs(u[i + 2]) > 1e-3;
            }
            plu_solve_report_free(&report);
            plu_contact_problem_destroy(problem);
        }
    }
    assert_true(sliding > 20 && turning > 20);
}

/* A heap of 60 spheres of two sizes that bounce, slide and roll, with their centers at y = 0.3. */
static void a_section_stays_plane(void **state)
{
    (void)state;
    const double y = 0.3;
    run *r = run_open("seed = 3; time: { step = 1e-3; end = 1; };\n"
                      "materials = ( { name = \"grain\"; density = 2500.0; } );\n"
                      "contacts = ( { between = [\"grain\", \"grain\"]; friction = 0.4; "
                      "rolling_friction = 1e-4; restitution = 0.5; } );\n"
                      "boundaries = ( { box: { lower = [0, 0, 0]; upper = [0.25, 1, 3]; }; "
                      "material = \"grain\"; } );\n"
                      "bodies = ( { lattice: { counts = [10, 1, 6]; spacing = 0.024; origin = "
                      "[0.012, 0.3, 0.1]; }; radius = [0.007, 0.01]; velocity = [0.7, 0, 0]; "
                      "material = \"grain\"; } );\n");
    double turned = 0.0;
    for (int step = 0; step < 300; step++) {
        run_step(r);
        for (int i = 0; i < 60; i++) {
            const double *v = run_velocity(r, i);
            assert_true(run_position(r, i)[1] == y && v[1] == 0.0 && v[3] == 0.0 && v[5] == 0.0);
            turned = fmax(turned, fabs(v[4]));
        }
    }
    assert_true(turned > 50.0 && plu_stepper_contacts(r->stepper) > 40);
    run_close(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(disk_on_a_line), cmocka_unit_test(networks),
                                       cmocka_unit_test(a_section_stays_plane)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
