/* Problems without solution are recognized, and no other. */
#include "cone/quartic.h"
#include "pluvia/problem.h"
#include "pluvia/tool/solver.h"
#include "problem/contact_unsolvable.h"
#include "touching.h"

/* A chain of spheres, radius 1, between two plates that move with `closing` towards each other;
 * the spheres have some speed of their own, or the answer could be read from q. */
static plu_contact_problem *squeezed(int spheres, double closing, int rows)
{
    plu_contact_problem *problem = touching_create(rows, spheres + 1, spheres);
    const double n[3] = {0.6, 0.0, 0.8};
    double up[3], down[3];
    for (int i = 0; i < 3; i++) {
        up[i] = n[i];
        down[i] = -n[i];
    }
    for (int b = 0; b < spheres; b++) {
        const double v[6] = {0.3 * sin(b), 0.2, -0.1 * b, 1.0, 0.0, cos(b)};
        touching_body(problem, b, 1.0 + 0.5 * b, (double[3]){0.4, 0.4, 0.4}, v);
        touching_contact(problem, b, b - 1, b, up, up, down, 0.3, rows == 5 ? 0.01 : 0.0);
    }
    /* The second plate presses from the other side. */
    touching_contact(problem, spheres, FIXED, spheres - 1, down, up, up, 0.3, 0.0);
    problem->body.w[0] = -0.5 * closing;
    problem->body.w[spheres * rows] = -0.5 * closing;
    touching_finish(problem);
    return problem;
}

static void plates(void **state)
{
    (void)state;
    for (int spheres = 1; spheres <= 12; spheres += 11)
        for (int rows = 3; rows <= 5; rows += 2) {
            double r[13];
            plu_contact_problem *closing = squeezed(spheres, 1e-2, rows);
            assert_true(plu_contact_unsolvable(closing, r, NULL));
            assert_true(plu_contact_unsolvable(closing, NULL, NULL));
            for (int c = 0; c <= spheres; c++) /* the same force all along the chain */
                assert_near(r[c], 1.0, 1e-9);
            plu_contact_problem_destroy(closing);
            plu_contact_problem *parting = squeezed(spheres, -1e-2, rows);
            assert_false(plu_contact_unsolvable(parting, r, NULL));
            plu_contact_problem_destroy(parting);
            plu_contact_problem *still = squeezed(spheres, 0.0, rows);
            assert_false(plu_contact_unsolvable(still, r, NULL));
            plu_contact_problem_destroy(still);
        }
}

/* Nearly opposite walls, one radian in a thousand off: a wedge, out of which the sphere is shot. */
static plu_contact_problem *wedge_of(int rows)
{
    plu_contact_problem *problem = touching_create(rows, 2, 1);
    const double n[2][3] = {{1.0, 0.0, 0.0}, {-cos(1e-3), sin(1e-3), 0.0}};
    touching_body(problem, 0, 1.0, (double[3]){0.4, 0.4, 0.4}, (double[6]){0.0});
    for (int c = 0; c < 2; c++) {
        const double arm[3] = {-n[c][0], -n[c][1], 0.0};
        touching_contact(problem, c, FIXED, 0, n[c], arm, arm, 0.5, rows == 5 ? 0.01 : 0.0);
        problem->body.w[rows * c] = -1.0;
    }
    touching_finish(problem);
    return problem;
}

static void wedge(void **state)
{
    (void)state;
    plu_contact_problem *problem = wedge_of(3);
    assert_false(plu_contact_unsolvable(problem, NULL, NULL));
    plu_contact_problem_destroy(problem);
}

static void solvable_problems(void **state)
{
    (void)state;
    const double v[6] = {1.0, 2.0, -3.0, 4.0, 5.0, 6.0};
    plu_contact_problem *block = hyperstatic_block(v, 0.5),
                        *sphere = sphere_on_plane(5, v, 0.3, 0.01);
    assert_false(plu_contact_unsolvable(block, NULL, NULL));
    assert_false(plu_contact_unsolvable(sphere, NULL, NULL));
    plu_contact_problem_destroy(block);
    plu_contact_problem_destroy(sphere);
    /* a stack of 40 spheres that falls on the floor */
    plu_contact_problem *stack = touching_create(3, 40, 40);
    const double up[3] = {0.0, 0.0, 1.0}, down[3] = {0.0, 0.0, -1.0};
    for (int b = 0; b < 40; b++) {
        touching_body(stack, b, 1.0, (double[3]){0.4, 0.4, 0.4}, (double[6]){0.0, 0.0, -1.0});
        touching_contact(stack, b, b - 1, b, up, up, down, 0.5, 0.0);
    }
    touching_finish(stack);
    assert_false(plu_contact_unsolvable(stack, NULL, NULL));
    plu_contact_problem_destroy(stack);
}

/* Whatever the network, with walls at rest everything can stop: v = 0 opens all contacts. */
static void walls_at_rest(void **state)
{
    (void)state;
    draw d = {0};
    for (int k = 0; k < 200; k++) {
        plu_contact_problem *problem = random_network(&d, k % 2 ? 3 : 5, 5 + k, 10);
        assert_false(plu_contact_unsolvable(problem, NULL, NULL));
        plu_contact_problem_destroy(problem);
    }
}

/* One contact with the block w and q. */
static plu_contact_problem *single(const double w[9], const double q[3], double mu)
{
    plu_contact_problem *problem;
    touching_ok(plu_contact_problem_create(&problem, 3, 1, 1, 0, &touching_error));
    problem->w.start[1] = 1;
    memcpy(problem->w.block, w, 9 * sizeof *w);
    memcpy(problem->q, q, 3 * sizeof *q);
    problem->mu[0] = mu;
    problem->length[0] = 1.0;
    touching_ok(plu_contact_problem_check(problem, "made by hand", &touching_error));
    return problem;
}

/* w = diag(1, a, b), b = 0: r = (0, 0, 1) moves nothing. Turned by `tilt` in the plane of the
 * normal and the last tangent r comes into the cone, and the free motion feeds it. */
static plu_contact_problem *tilted(double a, double tilt, double slip, double feed, double mu)
{
    const double c = cos(tilt), s = sin(tilt), q[3] = {-feed * s, slip, -feed * c};
    const double w[9] = {c * c, 0.0, -c * s, 0.0, a, 0.0, -c * s, 0.0, s * s};
    return single(w, q, mu);
}

/* r = (sin, 0, cos) of the tilt is in the cone for tan(tilt) > 1 / mu, and q . r = -feed < 0. Where
 * nothing else happens there is no solution; if the contact slides fast across there are two. */
static void alone_with_friction(void **state)
{
    (void)state;
    const double steep = atan(1.0 / 0.5) + 0.1, flat = atan(1.0 / 0.5) - 0.1;
    int contact = 7;
    plu_contact_problem *jammed = tilted(1.0, steep, 0.1, 1.0, 0.5),
                        *slides = tilted(1.0, flat, 0.1, 1.0, 0.5),
                        *across = tilted(1.0, steep, 100.0, 1.0, 0.5);
    assert_int_equal(plu_contact_unsolvable(jammed, NULL, &contact), PLU_NEITHER_STICKS_NOR_SLIDES);
    assert_int_equal(contact, 0);
    assert_int_equal(plu_contact_unsolvable(slides, NULL, &contact), PLU_PERHAPS_SOLVABLE);
    assert_int_equal(contact, -1);
    assert_int_equal(plu_contact_unsolvable(across, NULL, NULL), PLU_PERHAPS_SOLVABLE);
    double found[PLU_SLIDING_CANDIDATES][3];
    assert_int_equal(plu_sliding_by_angle(slides->w.block, slides->q, 0.5, found), 1);
    assert_int_equal(plu_sliding_by_angle(across->w.block, across->q, 0.5, found), 2);
    assert_int_equal(plu_sliding_by_angle(jammed->w.block, jammed->q, 0.5, found), 0);
    plu_contact_problem_destroy(jammed);
    plu_contact_problem_destroy(slides);
    plu_contact_problem_destroy(across);
}

/* BD11, section 4, m_00 = 0: a solution where q_N is not below zero, else none. */
static void no_normal_block(void **state)
{
    (void)state;
    const double w[9] = {0.0, 0.0, 0.0, 0.0, 2.0, 0.5, 0.0, 0.5, 1.0};
    for (int k = -1; k <= 1; k++) {
        plu_contact_problem *problem = single(w, (double[3]){k, 0.3, -0.2}, 0.5);
        int contact;
        assert_int_equal(plu_contact_unsolvable(problem, NULL, &contact),
                         k < 0 ? PLU_CLOSES_UNMOVED : PLU_PERHAPS_SOLVABLE);
        assert_int_equal(contact, k < 0 ? 0 : -1);
        for (int i = 0; i < plu_solvers_count(); i++) {
            plu_solve_report report;
            const plu_solve_request request = {.solver = plu_solver_name(i), .tolerance = 1e-8};
            double r[3], u[3];
            touching_ok(plu_contact_problem_solve(problem, &request, &report, &touching_error));
            assert_int_equal(report.unsolvable, k < 0);
            assert_int_equal(report.converged, k >= 0);
            touching_ok(plu_contact_problem_solution(problem, r, u, &touching_error));
            assert_true(r[0] == 0.0 && r[1] == 0.0 && r[2] == 0.0 && u[0] == k && u[1] == 0.3);
            plu_solve_report_free(&report);
        }
        assert_true(problem->w.block[0] == 0.0);
        plu_contact_problem_destroy(problem);
    }
}

/* A sphere pushed into a wedge that friction does not let it leave: no proof is known, and no
 * solver may take its growing impulses for a solution. */
static void nothing_solves_the_wedge(void **state)
{
    (void)state;
    for (int rows = 3; rows <= 5; rows += 2)
        for (int i = 0; i < plu_solvers_count(); i++) {
            plu_contact_problem *problem = wedge_of(rows);
            plu_solve_report report;
            const plu_solve_request request = {.solver = plu_solver_name(i),
                                               .fallback = i ? NULL : "prox-newton",
                                               .tolerance = 1e-4,
                                               .max_iterations = 3000};
            touching_ok(plu_contact_problem_solve(problem, &request, &report, &touching_error));
            assert_false(report.converged || report.unsolvable);
            assert_null(strstr(report.note, "nan"));
            assert_int_equal(touching_error.count, 0);
            plu_solve_report_free(&report);
            plu_contact_problem_destroy(problem);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plates),
        cmocka_unit_test(wedge),
        cmocka_unit_test(solvable_problems),
        cmocka_unit_test(walls_at_rest),
        cmocka_unit_test(alone_with_friction),
        cmocka_unit_test(no_normal_block),
        cmocka_unit_test(nothing_solves_the_wedge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
