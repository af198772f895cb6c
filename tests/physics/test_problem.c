/* The contact problem of a step as one of its own: it is the problem that the step solved. */
#include "base/vec3.h"
#include "blocks/errors.h"
#include "pluvia/material.h"
#include "problem/contact_problem.h"
#include "problem/spheres.h"
#include "run.h"
#include "step/stepper.h"

/* Spheres of two sizes fall into a box: pairs and walls, c != 0, restitution. */
#define FALLING                                                                                    \
    "seed = 3;\ntime: { step = 1e-3; end = 10; theta = 1; };\n"                                    \
    "boundaries = ( { box: { lower = [-0.05, -0.05, 0]; upper = [0.05, 0.05, 1]; }; material = "   \
    "\"plate\"; } );\n"                                                                            \
    "bodies = ( { packing: { count = %d; box = [[-0.05, -0.05, 0], [0.05, 0.05, 0.2]]; }; "        \
    "material = \"grain\"; radius = [0.006, 0.012]; } );\n"

static run *falling(int spheres, const char *rolling, double tolerance)
{
    return run_open(
        "materials = ( { name = \"grain\"; density = 1300.0; }, { name = \"plate\"; } );\n"
        "contacts = ( { between = [\"grain\", \"grain\"]; friction = 0.4; rolling_friction = %s; "
        "restitution = 0.3; }, { between = [\"grain\", \"plate\"]; friction = 0.3; "
        "rolling_friction = %s; restitution = 0.2; } );\n"
        "solver: { tolerance = %g; max_iterations = 20000; };\n" FALLING,
        rolling, rolling, tolerance, spheres);
}

static plu_contact_problem *problem_of(run *r)
{
    plu_contact_problem *problem;
    run_check(r, plu_stepper_problem(r->stepper, &problem, &r->err));
    return problem;
}

/* Sum of |u_N|, |u_T|, |omega_R| squared over the contacts, from the step and from the problem: y =
 * W p + q holds with the impulses of the step. The bias e u_N,k is part of y only. */
static void velocities_agree(const run *r, plu_contact_problem *problem, double tolerance)
{
    const int n = plu_stepper_contacts(r->stepper), rows = problem->rows;
    double *p = calloc((size_t)(n * rows), sizeof *p), *y = calloc((size_t)(n * rows), sizeof *y);
    run_check((run *)r, plu_contact_problem_solution(problem, p, y, &((run *)r)->err));
    double slip = 0.0, spin = 0.0, normal = 0.0, slip_there = 0.0, spin_there = 0.0,
           normal_there = 0.0;
    for (int i = 0; i < n; i++) {
        plu_contact_row row;
        plu_stepper_contact(r->stepper, i, &row);
        const double un = plu_dot(row.velocity, row.normal);
        slip += plu_dot(row.velocity, row.velocity) - un * un;
        spin += plu_dot(row.spin, row.spin);
        normal += un;
        const double *x = y + rows * i;
        slip_there += x[1] * x[1] + x[2] * x[2];
        spin_there += rows == 5 ? x[3] * x[3] + x[4] * x[4] : 0.0;
        normal_there += x[0] - problem->body.w[rows * i];
    }
    assert_near(slip_there, slip, tolerance * slip);
    assert_near(normal_there, normal, tolerance * (1.0 + fabs(normal)));
    if (rows == 5)
        assert_near(spin_there, spin, tolerance * spin);
    free(p);
    free(y);
}

/* Moments of a pair are measured in its smaller radius, which the mass of a sphere tells. */
static void lengths_are_smaller_radii(const run *r, const plu_contact_problem *problem)
{
    bool unequal = false;
    for (int c = 0; c < problem->contacts; c++) {
        double radius[2] = {INFINITY, INFINITY};
        for (int side = 0; side < 2; side++)
            if (problem->body.pairs[c][side] >= 0)
                radius[side] =
                    cbrt(3.0 / (4.0 * acos(-1.0) * r->scene.materials[0].density *
                                problem->body.inverse_mass[problem->body.pairs[c][side]][0]));
        const double least = fmin(radius[0], radius[1]);
        assert_near(problem->length[c], least, 1e-12 * least);
        unequal |= fmax(radius[0], radius[1]) < 1.0 && fmax(radius[0], radius[1]) > 1.1 * least;
    }
    assert_true(unequal);
}

static void the_problem_is_that_of_the_step(void **state)
{
    (void)state;
    const char *rolling[] = {"1e-3", "0.0"};
    for (int k = 0; k < 2; k++) {
        run *r = falling(80, rolling[k], 1e-3);
        plu_stepper_keep_start(r->stepper);
        run_to(r, 0.3);
        plu_contact_problem *problem = problem_of(r);
        assert_int_equal(problem->rows, k ? 3 : 5);
        assert_int_equal(problem->contacts, plu_stepper_contacts(r->stepper));
        assert_true(problem->contacts > 100);
        velocities_agree(r, problem, 1e-10);
        assert_true(plu_is_spheres(problem));
        if (k == 0)
            lengths_are_smaller_radii(r, problem);
        double *y = calloc((size_t)(problem->rows * problem->contacts), sizeof *y);
        const plu_residuals e = plu_contact_residuals(problem, problem->solution, y);
        /* that of all contacts is no larger than that of the worst group */
        assert_true(e.scaled > 0.0 && e.scaled <= 1.01 * r->info.residual_scaled);
        free(y);
        plu_contact_problem_destroy(problem);
        run_close(r);
    }
}

/* Solved again from the same start by the same method, the impulses are those of the step. */
static void solved_again_it_gives_the_impulses_of_the_step(void **state)
{
    (void)state;
    run *r = falling(15, "1e-3", 1e-9);
    plu_stepper_keep_start(r->stepper);
    run_to(r, 0.2);
    plu_contact_problem *problem = problem_of(r);
    const int n = problem->contacts * 5;
    double *before = malloc((size_t)n * sizeof *before), largest = 0.0, apart = 0.0;
    memcpy(before, problem->solution, (size_t)n * sizeof *before);
    plu_solve_report report;
    const plu_solve_request request = {.scaled = true, .tolerance = 1e-9, .max_iterations = 20000};
    run_check(r, plu_contact_problem_solve(problem, &request, &report, &r->err));
    assert_true(report.converged);
    for (int i = 0; i < n; i++) {
        largest = fmax(largest, fabs(before[i]));
        apart = fmax(apart, fabs(before[i] - problem->solution[i]));
    }
    assert_true(largest > 0.0);
    assert_near(apart, 0.0, 1e-6 * largest);
    free(before);
    plu_solve_report_free(&report);
    plu_contact_problem_destroy(problem);
    run_close(r);
}

/* The layout keeps its memory: what stood there before must not matter. */
static void all_of_a_block_is_set(void **state)
{
    (void)state;
    run *r = falling(40, "1e-3", 1e-3);
    plu_stepper_keep_start(r->stepper);
    run_to(r, 0.2);
    plu_contact_problem *problem = problem_of(r);
    plu_layout *layout = plu_layout_create(&r->err);
    plu_block *first = NULL;
    for (int k = 0; k < 3; k++) {
        plu_problem step;
        double(*rows)[8];
        run_check(r, plu_spheres_to_step(problem, problem->guess, layout, &step, &rows, &r->err));
        const size_t size = (size_t)step.slots / PLU_LANES * sizeof *first;
        assert_true(size > 0);
        if (k == 1)
            memcpy(first = malloc(size), step.blocks, size);
        if (k == 2)
            assert_memory_equal(step.blocks, first, size);
        memset(step.blocks, k == 0 ? 0 : 0xff, size);
        free(rows);
    }
    free(first);
    plu_layout_destroy(layout);
    plu_contact_problem_destroy(problem);
    run_close(r);
}

/* The tolerance is that of the problem, also where its islands, which know how bodies spin, divide
 * by more than its data do: without rolling friction, where that is no part of the problem. */
static void the_tolerance_is_that_of_the_problem(void **state)
{
    (void)state;
    run *r = run_open(
        "time: { step = 1e-3; end = 1; }; materials = ( { name = \"g\"; density = 2500.0; } );\n"
        "contacts = ( { between = [\"g\", \"g\"]; friction = 0.3; } );\n"
        "boundaries = ( { plane: {}; material = \"g\"; } );\n"
        "bodies = ( { lattice: { counts = [2, 2, 2]; spacing = 0.0205; origin = [0, 0, 0.0106]; "
        "jitter = 2e-4; }; radius = 0.01; material = \"g\"; } );\n");
    plu_stepper_keep_start(r->stepper);
    run_to(r, 0.251);
    plu_contact_problem *problem = problem_of(r);
    assert_int_equal(problem->rows, 3);
    assert_true(plu_is_spheres(problem));
    for (double tolerance = 1e-3; tolerance > 1e-12; tolerance *= 1e-2) {
        plu_solve_request request = {.tolerance = tolerance, .from_zero = true};
        plu_solve_report report;
        run_check(r, plu_contact_problem_solve(problem, &request, &report, &r->err));
        assert_true(report.converged && report.natural <= tolerance);
    }
    plu_contact_problem_destroy(problem);
    run_close(r);
}

static void nothing_was_kept(void **state)
{
    (void)state;
    run *r = falling(15, "1e-3", 1e-3);
    run_step(r);
    plu_contact_problem *problem;
    assert_int_equal(plu_stepper_problem(r->stepper, &problem, &r->err), PLU_USAGE);
    assert_null(problem);
    run_close(r);
}

/* sum W_N p_N^2 over g h sum m: in a column of four at rest contacts bear 1, 2, 3 and 4 bodies, W_N
 * is 1 / m at the floor and 2 / m elsewhere: (2 (1 + 4 + 9) + 16) / 4 times g h. The bodies keep
 * their velocities against gravity, so without it what is turned is as much. */
static void pressed_counts_squares_of_loads(void **state)
{
    (void)state;
    run *r = run_open("time: { step = 1e-3; end = 10; };\nsolver: { tolerance = 1e-6; };\n"
                      "materials = ( { name = \"grain\"; density = 1300.0; } );\ncontacts = ( { "
                      "between = [\"grain\", \"grain\"]; friction = 0.3; } );\nboundaries = ( { "
                      "plane: { center = [0, 0, 0]; normal = [0, 0, 1]; }; material = \"grain\"; } "
                      ");\nbodies = ( { lattice: { counts = [1, 1, 4]; spacing = 0.02; origin = "
                      "[0, 0, 0.01]; }; radius = 0.01; material = \"grain\"; } );\n");
    for (int step = 0; step < 20; step++)
        run_step(r);
    plu_problem *problem = &r->stepper->problem;
    const double g = 9.81, pull[3] = {0.0, 0.0, -1e-3 * g}, nothing[3] = {0.0, 0.0, 0.0};
    const double expected = 11.0 * 1e-3 * g;
    assert_near(plu_problem_errors(problem, &problem->islands[0], pull, false).pressed, expected,
                1e-4 * expected);
    assert_near(plu_problem_errors(problem, &problem->islands[0], nothing, false).pressed, expected,
                1e-4 * expected);
    run_close(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_problem_is_that_of_the_step),
        cmocka_unit_test(solved_again_it_gives_the_impulses_of_the_step),
        cmocka_unit_test(all_of_a_block_is_set),
        cmocka_unit_test(the_tolerance_is_that_of_the_problem),
        cmocka_unit_test(nothing_was_kept),
        cmocka_unit_test(pressed_counts_squares_of_loads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
