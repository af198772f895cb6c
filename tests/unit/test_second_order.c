/* The algebra of the second-order cone against its definitions, at random points that range from
 * the middle of the cone to within 1e-10 of its border. */
#include "cone/second_order.h"
#include "draw.h"
#include "near.h"
#include <string.h>

/* x_0 - |x_T|, positive inside; without the cancellation of a difference of squares. */
static double depth(const double x[3])
{
    return x[0] - sqrt(x[1] * x[1] + x[2] * x[2]);
}

enum { SAMPLES = 20000 };

static void inside(draw *d, double x[3])
{
    const double angle = draw_uniform(d, 0.0, 6.283185307179586), size = draw_log(d, 1e-6, 1e6);
    const double open = draw_uniform(d, 0, 1) < 0.5 ? draw_uniform(d, 0, 1) : draw_log(d, 1e-10, 1);
    x[0] = size;
    x[1] = size * (1.0 - open) * cos(angle);
    x[2] = size * (1.0 - open) * sin(angle);
}

static void product_has_its_unit_and_an_inverse(void **state)
{
    (void)state;
    draw d = {0};
    const double unit[3] = {1, 0, 0};
    for (int k = 0; k < SAMPLES; k++) {
        double x[3], y[3] = {0}, z[3], back[3];
        inside(&d, x);
        plu_soc_product(unit, x, back);
        for (int i = 0; i < 3; i++)
            assert_true(back[i] == x[i]);
        for (int i = 0; i < 3; i++)
            y[i] = draw_uniform(&d, -1, 1);
        plu_soc_divide(x, y, z);
        plu_soc_product(x, z, back);
        const double size = x[0] * (fabs(z[0]) + fabs(z[1]) + fabs(z[2]));
        for (int i = 0; i < 3; i++)
            assert_true(fabs(back[i] - y[i]) <= 1e-14 * (1.0 + size));
    }
}

/* x o x has the eigenvalues of x squared: its depth is the square of the smaller one. */
static void depth_is_the_smaller_eigenvalue(void **state)
{
    (void)state;
    draw d = {0};
    for (int k = 0; k < SAMPLES; k++) {
        double x[3], square[3];
        inside(&d, x);
        plu_soc_product(x, x, square);
        const double low = depth(x);
        assert_true(low > 0.0);
        assert_true(fabs(depth(square) - low * low) <= 1e-14 * square[0]);
        assert_true(fabs(plu_soc_determinant(x) - low * (x[0] + x[0] - low)) <=
                    1e-14 * x[0] * x[0]);
    }
}

static void scaling_maps_both_points_to_one(void **state)
{
    (void)state;
    draw d = {0};
    for (int k = 0; k < SAMPLES; k++) {
        double z[3], l[3], a[3], b[3], back[3];
        inside(&d, z);
        inside(&d, l);
        const plu_soc_scaling q = plu_soc_scale(z, l);
        plu_soc_apply(&q, z, a);
        plu_soc_unapply(&q, l, b);
        /* the errors of the determinants, relative to the depths, are those of Q */
        const double worst = 1e-14 * (z[0] / depth(z) + l[0] / depth(l));
        for (int i = 0; i < 3; i++)
            assert_true(fabs(a[i] - b[i]) <= worst * (fabs(a[0]) + fabs(b[0])));
        plu_soc_unapply(&q, a, back);
        for (int i = 0; i < 3; i++)
            assert_true(fabs(back[i] - z[i]) <= 1e-14 * q.v[0] * q.v[0] * q.v[0] * q.v[0] * z[0]);
        plu_soc_apply(&q, b, back); /* Q^2 = eta^2 (2 w w^T - J) takes z to l */
        const double wz = 2.0 * (q.w[0] * z[0] + q.w[1] * z[1] + q.w[2] * z[2]);
        const double l0 = q.eta * q.eta * (wz * q.w[0] - z[0]);
        assert_true(fabs(l0 - l[0]) <= 10.0 * worst * q.w[0] * q.w[0] * q.eta * q.eta * z[0]);
    }
}

static void step_ends_on_the_border(void **state)
{
    (void)state;
    draw d = {0};
    int cut = 0;
    for (int k = 0; k < SAMPLES; k++) {
        double x[3], dx[3], on[3], over[3];
        inside(&d, x);
        for (int i = 0; i < 3; i++)
            dx[i] = x[0] * draw_uniform(&d, -2, 2);
        const double a = plu_soc_step(x, dx);
        assert_true(a > 0.0 && a <= 1.0);
        for (int i = 0; i < 3; i++) {
            on[i] = x[i] + a * dx[i];
            over[i] = x[i] + (a + 1e-6) * dx[i];
        }
        assert_true(depth(on) >= -1e-12 * x[0]);
        cut += a < 1.0;
        if (a < 1.0) {
            assert_true(depth(over) < 0.0);
            assert_true(fabs(depth(on)) <= 1e-9 * x[0]);
        }
    }
    assert_true(cut > SAMPLES / 10 && cut < SAMPLES);
}

/* Straight back through the tip of the cone, where two roots become one. */
static void step_ends_at_the_tip(void **state)
{
    (void)state;
    draw d = {0};
    for (int k = 0; k < SAMPLES; k++) {
        double x[3], dx[3];
        inside(&d, x);
        const double times = draw_uniform(&d, 1.1, 50.0);
        for (int i = 0; i < 3; i++)
            dx[i] = -times * x[i];
        /* errors of a double root: the square root of those of the coefficients */
        assert_near(times * plu_soc_step(x, dx), 1.0, 1e-7 * sqrt(x[0] / depth(x)));
    }
}

static void step_along_the_border_and_outwards(void **state)
{
    (void)state;
    const double x[3] = {1, 0, 0};
    const double border[3] = {3, 3, 0}, back[3] = {-4, 0, 0}, side[3] = {0, 2, 0};
    const double still[3] = {0, 0, 0}, edge[3] = {-2, 2, 0};
    assert_true(plu_soc_step(x, border) == 1.0);
    assert_true(fabs(plu_soc_step(x, back) - 0.25) < 1e-15);
    assert_true(fabs(plu_soc_step(x, side) - 0.5) < 1e-15);
    assert_true(fabs(plu_soc_step(x, edge) - 0.25) < 1e-15);
    assert_true(plu_soc_step(x, still) == 1.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(product_has_its_unit_and_an_inverse),
        cmocka_unit_test(depth_is_the_smaller_eigenvalue),
        cmocka_unit_test(scaling_maps_both_points_to_one),
        cmocka_unit_test(step_ends_on_the_border),
        cmocka_unit_test(step_ends_at_the_tip),
        cmocka_unit_test(step_along_the_border_and_outwards),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
