/* Problems without solution are recognised, and no other. */
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
            assert_true(plu_contact_unsolvable(closing, r));
            assert_true(plu_contact_unsolvable(closing, NULL));
            for (int c = 0; c <= spheres; c++) /* the same force all along the chain */
                assert_near(r[c], 1.0, 1e-9);
            plu_contact_problem_destroy(closing);
            plu_contact_problem *parting = squeezed(spheres, -1e-2, rows);
            assert_false(plu_contact_unsolvable(parting, r));
            plu_contact_problem_destroy(parting);
            plu_contact_problem *still = squeezed(spheres, 0.0, rows);
            assert_false(plu_contact_unsolvable(still, r));
            plu_contact_problem_destroy(still);
        }
}

/* Nearly opposite walls, one radian in a thousand off: a wedge, out of which the sphere is shot. */
static void wedge(void **state)
{
    (void)state;
    plu_contact_problem *problem = touching_create(3, 2, 1);
    const double n[2][3] = {{1.0, 0.0, 0.0}, {-cos(1e-3), sin(1e-3), 0.0}};
    touching_body(problem, 0, 1.0, (double[3]){0.4, 0.4, 0.4}, (double[6]){0.0});
    for (int c = 0; c < 2; c++) {
        const double arm[3] = {-n[c][0], -n[c][1], 0.0};
        touching_contact(problem, c, FIXED, 0, n[c], arm, arm, 0.5, 0.0);
        problem->body.w[3 * c] = -1.0;
    }
    touching_finish(problem);
    assert_false(plu_contact_unsolvable(problem, NULL));
    plu_contact_problem_destroy(problem);
}

static void solvable_problems(void **state)
{
    (void)state;
    const double v[6] = {1.0, 2.0, -3.0, 4.0, 5.0, 6.0};
    plu_contact_problem *block = hyperstatic_block(v, 0.5),
                        *sphere = sphere_on_plane(5, v, 0.3, 0.01);
    assert_false(plu_contact_unsolvable(block, NULL));
    assert_false(plu_contact_unsolvable(sphere, NULL));
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
    assert_false(plu_contact_unsolvable(stack, NULL));
    plu_contact_problem_destroy(stack);
}

/* Whatever the network, with walls at rest everything can stop: v = 0 opens all contacts. */
static void walls_at_rest(void **state)
{
    (void)state;
    draw d = {0};
    for (int k = 0; k < 200; k++) {
        plu_contact_problem *problem = random_network(&d, k % 2 ? 3 : 5, 5 + k, 10);
        assert_false(plu_contact_unsolvable(problem, NULL));
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
