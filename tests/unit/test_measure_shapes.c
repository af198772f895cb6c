/* Angle of repose, height maps, profiles and packing of spheres put in place by hand. */
#include "states.h"

#define PI 3.14159265358979323846
#define DEGREE (PI / 180.0)
#define GOLDEN 2.399963229728653 /* angle between neighbors of a sunflower */

/* The surface of a cone of height 1: small spheres like the seeds of a sunflower. The angle is
 * `right` where x > 0 and `left` elsewhere. */
static made_state *cone(double right, double left)
{
    enum { N = 20000 };
    made_state *s = state_open(N, 0);
    for (int k = 0; k < N; k++) {
        const double turn = GOLDEN * k, part = sqrt((k + 0.5) / N);
        const double radius = part / tan(cos(turn) > 0.0 ? right : left);
        state_sphere(s, 3.0 + radius * cos(turn), -2.0 + radius * sin(turn), 5.0 + 1.0 - part,
                     0.02 / tan(fmin(left, right))); /* wide enough to leave no holes */
    }
    return s;
}

static plu_repose repose(const plu_view *view, int sectors)
{
    plu_error err;
    plu_repose r;
    assert_int_equal(plu_measure_repose(&r, view, 5.0, sectors, &err), PLU_OK);
    return r;
}

static void test_cone(void **state)
{
    (void)state;
    for (int degrees = 15; degrees <= 45; degrees += 15) {
        made_state *s = cone(degrees * DEGREE, degrees * DEGREE);
        const plu_repose r = repose(&s->view, 24);
        assert_near(r.axis[0], 3.0, 0.02);
        assert_near(r.axis[1], -2.0, 0.02);
        assert_int_equal(r.used, 24);
        assert_near(r.mean, degrees * DEGREE, 0.5 * DEGREE);
        assert_near(r.profile, degrees * DEGREE, 0.5 * DEGREE);
        assert_near(r.spread, 0.0, 0.5 * DEGREE);
        state_close(s);
    }
}

/* Half 25 and half 35 degrees: mean 30, deviation 5. The axis of such a pile is not its apex, so
 * the number of spheres on both sides is the same but the medians are not exactly there. */
static void test_two_slopes(void **state)
{
    (void)state;
    made_state *s = cone(35 * DEGREE, 25 * DEGREE);
    const plu_repose r = repose(&s->view, 36);
    assert_int_equal(r.used, 36);
    assert_near(r.mean, 30.0 * DEGREE, 1.5 * DEGREE);
    assert_near(r.spread, 5.0 * DEGREE, 1.0 * DEGREE);
    state_close(s);
}

/* Spheres side by side have no slope, though the outermost leave room behind them; a second layer
 * has. */
static void test_layer(void **state)
{
    (void)state;
    for (int above = 0; above <= 1; above++) {
        made_state *s = state_open(25 + 9 * above, 0);
        for (int i = 0; i < 25; i++)
            state_sphere(s, i % 5 - 2.0, i / 5 - 2.0, 5.5, 0.5);
        for (int i = 0; i < 9 * above; i++)
            state_sphere(s, i % 3 - 1.0, i / 3 - 1.0, 6.4, 0.5);
        const plu_repose r = repose(&s->view, 8);
        assert_int_equal(r.used > 0, above);
        assert_int_equal(isfinite(r.profile) != 0, above);
        state_close(s);
    }
}

static void test_no_pile(void **state)
{
    (void)state;
    made_state *s = state_open(1, 0);
    state_sphere(s, 0, 0, 0.5, 0.5);
    plu_repose r = repose(&s->view, 24); /* below the base */
    assert_int_equal(r.used, 0);
    assert_true(isnan(r.mean));
    plu_error err;
    plu_field map;
    assert_int_equal(plu_measure_height(&map, &s->view, 5.0, 0.1, &err), PLU_OK);
    assert_int_equal(map.size[0], 1);
    assert_near(map.value[0], 0.0, 0.0);
    plu_field_free(&map);
    state_close(s);
}

static void test_height_of_a_sphere(void **state)
{
    (void)state;
    made_state *s = state_open(2, 0);
    state_sphere(s, 1, 2, 3, 0.5);
    s->state[state_sphere(s, 1, 2, 9, 0.5)] = PLU_WAITING;
    plu_error err;
    plu_field map;
    assert_int_equal(plu_measure_height(&map, &s->view, 1.0, 0.01, &err), PLU_OK);
    for (int j = 0; j < map.size[1]; j++)
        for (int i = 0; i < map.size[0]; i++) {
            const double x = map.origin[0] + (i + 0.5) * map.cell[0] - 1.0;
            const double y = map.origin[1] + (j + 0.5) * map.cell[1] - 2.0;
            const double square = 0.25 - x * x - y * y;
            if (fabs(square) > 1e-12)
                assert_near(map.value[j * map.size[0] + i], square > 0.0 ? 2.0 + sqrt(square) : 0.0,
                            1e-12);
        }
    assert_true(map.size[0] >= 100 && map.size[0] <= 102);
    plu_field_free(&map);
    state_close(s);
}

static double packing(const plu_view *view, const plu_region *region)
{
    static const int one[3] = {1, 1, 1};
    plu_error err;
    plu_field f;
    assert_int_equal(plu_measure_packing(&f, view, region, one, &err), PLU_OK);
    const double value = f.value[0];
    plu_field_free(&f);
    return value;
}

static void test_packing_of_lattices(void **state)
{
    (void)state;
    made_state *cubic = state_simple_cubic(3, 1.0), *fcc = state_face_centered(4, 1.0);
    const plu_region box = {{0, 0, 0}, {3, 3, 3}}, cell = {{1, 1, 1}, {2, 2, 2}};
    const plu_region shifted = {{1.3, 1.1, 1.27}, {2.3, 2.1, 2.27}}; /* any cell of the period */
    assert_near(packing(&cubic->view, &box), PI / 6.0, 1e-12);
    assert_near(packing(&cubic->view, &cell), PI / 6.0, 1e-12);
    assert_near(packing(&fcc->view, &cell), PI / sqrt(18.0), 1e-12);
    assert_near(packing(&fcc->view, &shifted), PI / sqrt(18.0), 3e-3);
    state_close(cubic);
    state_close(fcc);
}

/* A cap of height h of a sphere has the volume pi h^2 (3 r - h) / 3. */
static void test_packing_of_a_cut_sphere(void **state)
{
    (void)state;
    made_state *s = state_open(1, 0);
    state_sphere(s, 0, 0, 0, 1.0);
    for (int axis = 0; axis < 3; axis++)
        for (int k = 1; k < 20; k++) {
            const double h = 0.1 * k + 0.013;
            plu_region region = {{-1, -1, -1}, {1, 1, 1}};
            region.upper[axis] = -1.0 + h;
            const double cap = PI * h * h * (3.0 - h) / 3.0;
            /* slices along z are exact but for the columns, across it a column wide */
            assert_near(packing(&s->view, &region) * 4.0 * h, cap, axis == 2 ? 5e-3 : 0.1);
        }
    state_close(s);
}

static void test_profiles_hold_all_solid(void **state)
{
    (void)state;
    enum { ROWS = 9 };
    made_state *s = state_simple_cubic(3, 1.0);
    s->row[0][4] = 6.0; /* one of nine in the lowest layer moves */
    const plu_region box = {{0, 0, 0}, {3, 3, 3}};
    const double axis[2] = {1.5, 1.5};
    plu_profile_row row[ROWS];
    plu_error err;
    assert_int_equal(plu_measure_vertical(row, 3, &s->view, &box, &err), PLU_OK);
    for (int k = 0; k < 3; k++) {
        assert_int_equal(row[k].grains, 9);
        assert_near(row[k].solid, 9.0 * PI / 6.0, 1e-12);
        assert_near(row[k].volume, 9.0, 1e-12);
        assert_near(row[k].speed, k == 0 ? 6.0 / 9.0 : 0.0, 1e-12);
    }
    assert_int_equal(plu_measure_radial(row, ROWS, &s->view, 0.0, axis, 0.25, &err), PLU_OK);
    double solid = 0.0;
    int grains = 0;
    for (int k = 0; k < ROWS; k++) {
        solid += row[k].solid;
        grains += row[k].grains;
    }
    assert_near(solid, 27.0 * PI / 6.0, 1e-12);
    assert_int_equal(grains, 27);
    /* The innermost ring lies within the sphere on the axis: mean of 2.5 + sqrt(1/4 - r^2). */
    assert_near(row[0].height, 2.5 + (2.0 / 3.0) * (0.125 - pow(0.1875, 1.5)) / 0.0625, 0.02);
    state_close(s);
}

static void test_bounds(void **state)
{
    (void)state;
    made_state *s = state_open(2, 0);
    assert_true(isnan(plu_measure_bounds(&s->view, 0.0).lower[0]));
    state_sphere(s, 1, 2, 3, 0.5);
    state_sphere(s, 4, 0, 0.4, 0.5);
    const plu_region box = plu_measure_bounds(&s->view, 0.0);
    const double lower[3] = {0.5, -0.5, 0.0}, upper[3] = {4.5, 2.5, 3.5};
    for (int i = 0; i < 3; i++) {
        assert_near(box.lower[i], lower[i], 1e-15);
        assert_near(box.upper[i], upper[i], 1e-15);
    }
    assert_near(plu_measure_bounds(&s->view, NAN).lower[2], -0.1, 1e-15);
    assert_near(plu_measure_bounds(&s->view, 1.0).lower[1], 1.5, 1e-15); /* only the first */
    state_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cone),
        cmocka_unit_test(test_two_slopes),
        cmocka_unit_test(test_layer),
        cmocka_unit_test(test_no_pile),
        cmocka_unit_test(test_height_of_a_sphere),
        cmocka_unit_test(test_packing_of_lattices),
        cmocka_unit_test(test_packing_of_a_cut_sphere),
        cmocka_unit_test(test_profiles_hold_all_solid),
        cmocka_unit_test(test_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
