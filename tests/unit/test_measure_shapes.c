/* Angle of repose, height maps, profiles and packing of spheres put in place by hand. */
#include "states.h"

#define PI 3.14159265358979323846
#define DEGREE (PI / 180.0)

/* A cone on z = 5 around (3, -2): a close packing of spheres of diameter 1 whose lowest layer lies
 * on the base, as far as their centers are in it. `place`: where in the packing the axis is,
 * numbers of an evenly spread sequence. The angle is `right` where x > 3 and `left` elsewhere. */
static made_state *cone(double height, double right, double left, int place)
{
    enum { MOST = 60000 };
    const double edge = sqrt(2.0), reach = height / tan(fmin(left, right));
    const int wide = (int)(reach / edge) + 3;
    double(*at)[3] = calloc(MOST, sizeof *at);
    int count = 0;
    for (int k = 0; k < 4 * (2 * wide + 1) * (2 * wide + 1) * (int)(height + 1.0); k++) {
        const int corner = k % 4, i = k / 4 % (2 * wide + 1), j = k / 4 / (2 * wide + 1);
        const double x = edge * (i - wide + 0.5 * (corner == 1 || corner == 2)) +
                         edge * fmod(0.7548776662 * place, 1.0);
        const double y = edge * (j % (2 * wide + 1) - wide + 0.5 * (corner == 1 || corner == 3)) +
                         edge * fmod(0.5698402910 * place, 1.0);
        const double z = 0.5 + edge * ((int)(j / (2 * wide + 1)) + 0.5 * (corner >= 2));
        if (z + tan(x > 0.0 ? right : left) * hypot(x, y) > height)
            continue;
        assert_true(count < MOST);
        memcpy(at[count++], (double[3]){3.0 + x, -2.0 + y, 5.0 + z}, sizeof *at);
    }
    made_state *s = state_open(count, 0);
    for (int k = 0; k < count; k++)
        state_sphere(s, at[k][0], at[k][1], at[k][2], 0.5);
    free(at);
    return s;
}

static plu_repose repose(const plu_view *view, int sectors)
{
    plu_error err;
    plu_repose r;
    assert_int_equal(plu_measure_repose(&r, view, 5.0, sectors, &err), PLU_OK);
    return r;
}

/* The mean over places of the axis is right from a height of four diameters on, and the deviation
 * of single ones is of the size of the error that is said (a lattice is more regular than a heap).
 */
static void test_cone(void **state)
{
    (void)state;
    enum { PLACES = 40 };
    static const double heights[] = {4.0, 5.3, 8.0};
    for (int degrees = 20; degrees <= 40; degrees += 5)
        for (int h = 0; h < 3; h++) {
            double sum = 0.0, squares = 0.0, errors = 0.0;
            for (int k = 0; k < PLACES; k++) {
                made_state *s = cone(heights[h], degrees * DEGREE, degrees * DEGREE, k);
                const plu_repose r = repose(&s->view, 24);
                assert_near(r.axis[0], 3.0, 0.25);
                assert_near(r.axis[1], -2.0, 0.25);
                assert_near(r.radius, heights[h] / tan(degrees * DEGREE), 0.6);
                sum += r.angle - degrees * DEGREE;
                squares += (r.angle - degrees * DEGREE) * (r.angle - degrees * DEGREE);
                errors += r.error;
                state_close(s);
            }
            assert_near(sum / PLACES, 0.0, 0.2 * DEGREE);
            assert_true(sqrt(squares / PLACES) < 2.0 * errors / PLACES);
        }
}

/* Half 25 and half 35 degrees: the angle is between, and its error tells that the heap is crooked.
 */
static void test_two_slopes(void **state)
{
    (void)state;
    made_state *s = cone(8.0, 35 * DEGREE, 25 * DEGREE, 0);
    made_state *even = cone(8.0, 30 * DEGREE, 30 * DEGREE, 0);
    const plu_repose r = repose(&s->view, 36), e = repose(&even->view, 36);
    assert_near(r.angle, 29.0 * DEGREE, 2.0 * DEGREE);
    assert_true(r.error > 3.0 * e.error);
    state_close(s);
    state_close(even);
}

/* A sphere that lies beside the heap does not make it flatter; one that is loose neither. */
static void test_strays(void **state)
{
    (void)state;
    made_state *s = cone(6.0, 30 * DEGREE, 30 * DEGREE, 0);
    const plu_repose r = repose(&s->view, 24);
    const int bodies = s->view.bodies;
    made_state *more = state_open(bodies + 2, 0);
    for (int b = 0; b < bodies; b++) {
        const double *x = s->view.position.at + (size_t)s->view.position.stride * (size_t)b;
        state_sphere(more, x[0], x[1], x[2], 0.5);
    }
    state_sphere(more, 40.0, -2.0, 5.5, 0.5);
    state_sphere(more, 3.0, -2.0, 25.0, 0.5);
    const plu_repose m = repose(&more->view, 24);
    assert_near(m.angle, r.angle, 0.0);
    assert_int_equal(m.spheres, bodies);
    state_close(s);
    state_close(more);
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
        assert_int_equal(isfinite(r.angle) != 0, above);
        assert_int_equal(r.none == NULL, above);
        state_close(s);
    }
}

/* A block with upright sides is flat on top: a slope of 80 degrees and more would say nothing. */
static void test_block(void **state)
{
    (void)state;
    made_state *s = state_open(9 * 9 * 3, 0);
    for (int i = 0; i < 9 * 9 * 3; i++)
        state_sphere(s, (i % 9 - 4.0) * (1.0 - 0.01 * (i / 81)), /* as good as upright */
                     (i / 9 % 9 - 4.0) * (1.0 - 0.01 * (i / 81)), 5.5 + i / 81, 0.5);
    const plu_repose r = repose(&s->view, 24);
    assert_true(isnan(r.angle) && isnan(r.error));
    assert_non_null(strstr(r.none, "flat on top"));
    state_close(s);
}

static void test_no_pile(void **state)
{
    (void)state;
    made_state *s = state_open(1, 0);
    state_sphere(s, 0, 0, 0.5, 0.5);
    plu_repose r = repose(&s->view, 24); /* below the base */
    assert_int_equal(r.spheres, 0);
    assert_true(isnan(r.angle) && isnan(r.error) && isnan(r.axis[0]));
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
        cmocka_unit_test(test_strays),
        cmocka_unit_test(test_layer),
        cmocka_unit_test(test_block),
        cmocka_unit_test(test_no_pile),
        cmocka_unit_test(test_height_of_a_sphere),
        cmocka_unit_test(test_packing_of_lattices),
        cmocka_unit_test(test_packing_of_a_cut_sphere),
        cmocka_unit_test(test_profiles_hold_all_solid),
        cmocka_unit_test(test_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
