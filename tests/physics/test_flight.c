/* Free flight and bounces. */
#include "run.h"

static double fall(double theta, double step)
{
    run *r = run_open(
        "time: { step = %.17g; end = 1; theta = %g; };\n" RUN_MATERIALS(
            "1000.0", "0.3", "0.0",
            "0.0") "bodies = ( { position = [1, 2, 10]; radius = 0.1; material = \"grain\"; "
                   "velocity = [0.5, 0, 3]; angular_velocity = [0, 0, 2]; } );\n",
        step, theta);
    run_to(r, 1.0);
    const double z = run_position(r, 0)[2];
    assert_near(run_position(r, 0)[0], 1.5, 1e-12);
    assert_near(run_velocity(r, 0)[2], 3.0 - 9.81, 1e-12);
    const double *q = plu_world_bodies(r->world).orientation[0]; /* turned by 2 rad about z */
    assert_near(q[0], cos(1.0), 1e-12);
    assert_near(q[3], sin(1.0), 1e-12);
    assert_true(plu_stepper_imbalance(r->stepper) < 1e-14);
    run_close(r);
    return z;
}

/* Exact for theta = 1/2; else off by (theta - 1/2) g h t. */
static void free_fall(void **state)
{
    (void)state;
    const double exact = 10.0 + 3.0 - 0.5 * 9.81;
    assert_near(fall(0.5, 1e-2), exact, 1e-12);
    assert_near(fall(1.0, 1e-2), exact - 0.5 * 9.81 * 1e-2, 1e-12);
    assert_near(fall(1.0, 1e-3), exact - 0.5 * 9.81 * 1e-3, 1e-12);
}

/* Largest height of the sphere above the plane after bounce n = 0, 1, 2, ... */
static void bounce_heights(double restitution, double step, int bounces, double *height)
{
    run *r =
        run_open("time: { step = %.17g; end = 10; theta = 0.5; };\nstabilization = \"none\";\n"
                 "materials = ( { name = \"grain\"; density = 1000; }, { name = \"plate\"; } );\n"
                 "contacts = ( { between = [\"grain\", \"plate\"]; friction = 0.3; "
                 "restitution = %g; } );\n" RUN_PLANE
                 "bodies = ( { position = [0, 0, 1.1]; radius = 0.1; material = \"grain\"; } );\n",
                 step, restitution);
    double last = 0.0;
    for (int n = 0; n <= bounces;) {
        run_step(r);
        const double v = run_velocity(r, 0)[2];
        if (n > 0 && last > 0.0 && v <= 0.0)
            height[n - 1] = run_position(r, 0)[2] - 0.1;
        if (last < 0.0 && v > 0.0)
            n++;
        last = v;
    }
    run_close(r);
}

/* h_n = e^(2n) h_0: the error comes from the moment of impact, found to one step. */
static void bounces(void **state)
{
    (void)state;
    for (double e = 1.0; e > 0.45; e -= 0.25) {
        double coarse[4], fine[4], worst_coarse = 0.0, worst_fine = 0.0;
        bounce_heights(e, 1e-3, 4, coarse);
        bounce_heights(e, 1e-4, 4, fine);
        for (int n = 1; n < 4; n++) {
            const double want = pow(e, 2.0 * n);
            worst_coarse = fmax(worst_coarse, fabs(coarse[n - 1] - want));
            worst_fine = fmax(worst_fine, fabs(fine[n - 1] - want));
        }
        assert_near(worst_coarse, 0.0, 2e-2);
        assert_near(worst_fine, 0.0, 2e-3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(free_fall), cmocka_unit_test(bounces)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
