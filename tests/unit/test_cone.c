/* The projection on K_r by its definition (AB21 Prop. 5.1): p in K_r, p - x in K_r*, p . (p - x) =
 * 0. */
#include "cone/friction_cone.h"
#include "draw.h"
#include "near.h"

static double outside_cone(const double p[5], double mu, double mu_r)
{
    const double t = hypot(p[1], p[2]) - mu * p[0], s = hypot(p[3], p[4]) - mu_r * p[0];
    return fmax(-p[0], fmax(t, s));
}

static double outside_dual(const double y[5], double mu, double mu_r)
{
    return mu * hypot(y[1], y[2]) + mu_r * hypot(y[3], y[4]) - y[0];
}

static void check(const double x[5], double mu, double mu_r)
{
    double p[5], d[5], dot = 0.0, size = 1e-300;
    for (int i = 0; i < 5; i++) {
        p[i] = x[i];
        size = fmax(size, fabs(x[i]));
    }
    plu_rolling_cone_project(p, mu, mu_r);
    for (int i = 0; i < 5; i++) {
        d[i] = p[i] - x[i];
        dot += p[i] * d[i];
    }
    const double scale = size * (1.0 + mu + mu_r);
    assert_near(fmax(0.0, outside_cone(p, mu, mu_r)), 0.0, 1e-14 * scale);
    assert_near(fmax(0.0, outside_dual(d, mu, mu_r)), 0.0, 1e-14 * scale);
    assert_near(dot, 0.0, 1e-14 * scale * scale);
}

static void projection_of_random_points(void **state)
{
    (void)state;
    draw d = {0};
    for (int k = 0; k < 200000; k++) {
        double x[5];
        for (int i = 0; i < 5; i++)
            x[i] = draw_uniform(&d, -1.0, 1.0) * draw_log(&d, 1e-3, 1e3);
        check(x, draw_log(&d, 1e-3, 1e2), draw_log(&d, 1e-3, 1e2));
    }
}

/* Ties between the faces, corners, zero blocks: where the published list of cases has holes. */
static void projection_of_points_on_the_borders(void **state)
{
    (void)state;
    static const double value[] = {-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0};
    static const double friction[] = {0.0, 0.5, 1.0, 2.0};
    for (int i = 0; i < 7 * 7 * 7 * 16; i++) {
        const double x[5] = {value[i % 7], value[i / 7 % 7], 0.0, value[i / 49 % 7], 0.0};
        check(x, friction[i / 343 % 4], friction[i / 1372 % 4]);
    }
    double p[5] = {0.0, 1.0, 0.0, 0.5, 0.0}; /* on no printed case; answer by hand */
    plu_rolling_cone_project(p, 1.0, 1.0);
    const double want[5] = {0.5, 0.5, 0.0, 0.5, 0.0};
    for (int i = 0; i < 5; i++)
        assert_near(p[i], want[i], 1e-15);
}

/* For an impulse and a velocity that satisfy the law, the map is zero; else it is not. */
static void natural_map_vanishes_at_solutions(void **state)
{
    (void)state;
    const double mu = 0.3, mu_r = 0.05;
    const double slip_roll[2][5] = {{2.0, -0.6, 0.0, 0.0, 0.1}, {0.0, 3.0, 0.0, 0.0, -7.0}};
    const double stick[2][5] = {{2.0, 0.1, 0.2, 0.01, 0.0}, {0.0, 0.0, 0.0, 0.0, 0.0}};
    const double open[2][5] = {{0.0, 0.0, 0.0, 0.0, 0.0}, {0.5, 1.0, 2.0, 3.0, 4.0}};
    const double wrong[2][5] = {{2.0, 0.6, 0.0, 0.0, 0.1}, {0.0, 3.0, 0.0, 0.0, -7.0}};
    double f[5];
    const double(*good[3])[5] = {slip_roll, stick, open};
    for (int k = 0; k < 3; k++) {
        plu_natural_map(good[k][0], good[k][1], mu, mu_r, 1.0, f);
        for (int i = 0; i < 5; i++)
            assert_near(f[i], 0.0, 1e-14);
    }
    plu_natural_map(wrong[0], wrong[1], mu, mu_r, 1.0, f);
    assert_true(fabs(f[PLU_T1]) > 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(projection_of_random_points),
        cmocka_unit_test(projection_of_points_on_the_borders),
        cmocka_unit_test(natural_map_vanishes_at_solutions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
