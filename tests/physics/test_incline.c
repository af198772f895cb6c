/* A sphere on a slope, on both sides of each border between rest, rolling and sliding:
 *   rest                    tan a <= mu and tan a <= mu_r / R
 *   rolling without slip    2/7 tan a + 5/7 mu_r/R <= mu :  dU/dt = 5/7 g (sin a - mu_r/R cos a)
 *   slip and rolling        dU/dt = g (sin a - mu cos a), dOmega/dt = 5 g cos a (mu R - mu_r)/(2
 * R^2) slip without rotation   mu R <= mu_r: dU/dt = g (sin a - mu cos a), Omega = 0 */
#include "run.h"

static const double R = 0.05, g = 9.81, T = 0.5;

static void slope(double angle, double mu, double rolling, double want_u, double want_w)
{
    const double s = sin(angle), c = cos(angle);
    run *r = run_open(
        "time: { step = 1e-3; end = 10; theta = 0.5; };\nstabilization = \"none\";\n"
        "solver: { tolerance = 1e-12; };\ngravity = [%.17g, 0, %.17g];\n"
        "materials = ( { name = \"grain\"; density = 2500; }, { name = \"plate\"; } );\n"
        "contacts = ( { between = [\"grain\", \"plate\"]; friction = %.17g; "
        "rolling_friction = %.17g; } );\n" RUN_PLANE
        "bodies = ( { position = [0, 0, 0.05]; radius = 0.05; material = \"grain\"; } );\n",
        g * s, -g * c, mu, rolling * R);
    run_to(r, T);
    assert_near(run_velocity(r, 0)[0], want_u, 1e-10);
    assert_near(run_velocity(r, 0)[4], want_w, 1e-8);
    run_close(r);
}

static double rolls(double angle, double rolling)
{
    return 5.0 / 7.0 * g * (sin(angle) - rolling * cos(angle)) * T;
}

static double slips(double angle, double mu)
{
    return g * (sin(angle) - mu * cos(angle)) * T;
}

static double spins(double angle, double mu, double rolling)
{
    return fmax(0.0, 2.5 * g * cos(angle) * (mu - rolling) / R * T);
}

static void rest_and_rolling(void **state)
{
    (void)state;
    const double a = 0.35, tan_a = tan(a);
    slope(a, 2.0 * tan_a, 1.001 * tan_a, 0.0, 0.0);
    const double under = 0.999 * tan_a;
    slope(a, 2.0 * tan_a, under, rolls(a, under), rolls(a, under) / R);
    slope(a, 0.2, 0.01, rolls(a, 0.01), rolls(a, 0.01) / R);
}

static void rest_and_sliding(void **state)
{
    (void)state;
    const double a = 0.35, tan_a = tan(a);
    slope(a, 1.001 * tan_a, 2.0 * tan_a, 0.0, 0.0);
    slope(a, 0.999 * tan_a, 2.0 * tan_a, slips(a, 0.999 * tan_a), 0.0); /* without rotation */
}

static void rolling_and_sliding(void **state)
{
    (void)state;
    const double a = 0.35, rolling = 0.05, border = 2.0 / 7.0 * tan(a) + 5.0 / 7.0 * rolling;
    slope(a, 1.001 * border, rolling, rolls(a, rolling), rolls(a, rolling) / R);
    const double mu = 0.999 * border;
    slope(a, mu, rolling, slips(a, mu), spins(a, mu, rolling));
}

static void sliding_with_and_without_rotation(void **state)
{
    (void)state;
    const double a = 0.6, mu = 0.1;
    slope(a, mu, 0.999 * mu, slips(a, mu), spins(a, mu, 0.999 * mu));
    slope(a, mu, 1.001 * mu, slips(a, mu), 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rest_and_rolling),
        cmocka_unit_test(rest_and_sliding),
        cmocka_unit_test(rolling_and_sliding),
        cmocka_unit_test(sliding_with_and_without_rotation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
