/* The interior point of the contact problem, its linear systems, and redundant contacts. */
#include "general/reference/ipm_system.h"
#include "networks.h"
#include "solving.h"

static void sphere_in_each_mode(void **state)
{
    (void)state;
    sphere_modes("ipm", 1e-11, 1e-10);
}

/* (T W + B) x = b by both ways, against the product written out. */
static void system_is_solved(void **state)
{
    (void)state;
    draw d = {0};
    for (int sloped = 0; sloped < 2; sloped++)
        for (int form = 0; form < 2; form++) {
            plu_contact_problem *problem = network_make(&(network){5, 10, 30, 0.5, 0.1, 3});
            static double root[30][PLU_BLOCK_MAX], slope[30][PLU_ROWS_MAX], x[150], b[150], wx[150];
            plu_ipm_system *system;
            memset(root, 0, sizeof root);
            memset(slope, 0, sizeof slope);
            for (int c = 0; c < 30; c++)
                for (int i = 0; i < 5; i++) {
                    root[c][6 * i] = draw_log(&d, 0.1, 10.0); /* B = 1 / root^2 */
                    slope[c][i] = i > 0 && sloped ? draw_uniform(&d, -0.5, 0.5) : 0.0;
                    b[5 * c + i] = draw_uniform(&d, -1.0, 1.0);
                }
            if (form == 1)
                problem->body.bodies = 0;
            assert_int_equal(plu_ipm_system_create(&system, problem, sloped, NULL, NULL), PLU_OK);
            assert_int_equal(plu_ipm_system_factorize(system, root, sloped ? slope : NULL, NULL),
                             PLU_OK);
            assert_int_equal(plu_ipm_system_solve(system, b, x, NULL), PLU_OK);
            plu_contact_problem_velocity(problem, x, wx);
            for (int c = 0; c < 30; c++)
                for (int i = 0; i < 5; i++) {
                    const int k = 5 * c + i;
                    double left = wx[k] - problem->q[k] + x[k] / (root[c][6 * i] * root[c][6 * i]);
                    for (int j = 1; i == 0 && j < 5; j++)
                        left += slope[c][j] * (wx[k + j] - problem->q[k + j]);
                    assert_near(left, b[k], 1e-10);
                }
            plu_ipm_system_destroy(system);
            if (form == 1)
                problem->body.bodies = 10;
            plu_contact_problem_destroy(problem);
        }
}

/* 600 or 1000 rows on 180 velocities: impulses are far from unique, their residual is not. */
static void redundant_contacts(void **state)
{
    (void)state;
    for (int rows = 3; rows <= 5; rows += 2) {
        plu_contact_problem *problem = network_make(&(network){rows, 30, 200, 0.3, 0.1, 4});
        double *p = calloc(1000, sizeof *p), *y = calloc(1000, sizeof *y);
        const solving s = solve_by("ipm", problem, 1e-9, p);
        assert_true(s.converged && s.factorizations == s.iterations);
        assert_true(plu_contact_residuals(problem, p, y).scaled <= 1e-9);
        free(p);
        free(y);
        free(s.points);
        plu_contact_problem_destroy(problem);
    }
}

/* 198 velocities, 150 contacts, mu up to 2: steps that are not damped end at the border of the
 * cones in 11 of the first 20 seeds, in five of these six. */
static void much_friction(void **state)
{
    (void)state;
    for (uint64_t seed = 4; seed <= 9; seed++) {
        plu_contact_problem *problem = network_make(&(network){3, 33, 150, 2.0, 0.0, seed});
        const solving s = solve_by("ipm", problem, 1e-9, NULL);
        assert_true(s.converged && s.reached.scaled <= 1e-9);
        free(s.points);
        plu_contact_problem_destroy(problem);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sphere_in_each_mode),
        cmocka_unit_test(system_is_solved),
        cmocka_unit_test(redundant_contacts),
        cmocka_unit_test(much_friction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
