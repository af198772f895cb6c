/* Mixing and segregation of grains on lattices, and where a bed is: closed forms. */
#include "draw.h"
#include "near.h"
#include "pluvia/tool/bed.h"
#include <string.h>

enum { SIDE = 12, GRAINS = SIDE * SIDE * SIDE };

/* A cube of grains one diameter, 1 m, apart. */
typedef struct lattice {
    double position[GRAINS][3], radius[GRAINS], mass[GRAINS];
    unsigned char state[GRAINS];
    int species[GRAINS];
    plu_view view;
} lattice;

static lattice cube;

static void make(void)
{
    memset(&cube, 0, sizeof cube);
    for (int k = 0; k < GRAINS; k++) {
        const int at[3] = {k % SIDE, k / SIDE % SIDE, k / SIDE / SIDE};
        for (int i = 0; i < 3; i++)
            cube.position[k][i] = at[i] + 0.5;
        cube.radius[k] = 0.5;
        cube.mass[k] = 2.0;
        cube.state[k] = PLU_ACTIVE;
    }
    cube.view = (plu_view){.bodies = GRAINS,
                           .state = cube.state,
                           .position = {cube.position[0], 3},
                           .radius = {cube.radius, 1},
                           .mass = {cube.mass, 1},
                           .contacts = -1};
}

static const double turning[3] = {0.0, 1.0, 0.0}; /* the axis */

static plu_mixing mixing_of(int species)
{
    plu_mixing m;
    assert_int_equal(
        plu_measure_mixing(&m, &cube.view, NULL, cube.species, species, 2.95, turning, NULL),
        PLU_OK);
    return m;
}

static void test_layers(void **state)
{
    (void)state;
    make();
    for (int k = 0; k < GRAINS; k++)
        cube.species[k] = cube.position[k][2] > SIDE / 2.0;
    plu_mixing m = mixing_of(2);
    assert_int_equal(m.cells, 64);
    assert_near(m.lacey, 0.0, 1e-12);
    assert_near(m.of[1].segregation[2], 1.0, 1e-12);
    assert_near(m.of[0].segregation[2], -1.0, 1e-12);
    assert_near(m.of[0].segregation[0], 0.0, 1e-12);
    assert_near(m.of[1].center[2], 9.0, 1e-12);
    assert_near(m.of[1].center[0], 6.0, 1e-12);
    assert_near(m.of[0].mass, GRAINS, 1e-9);
    /* the same of three species: layers of four */
    for (int k = 0; k < GRAINS; k++)
        cube.species[k] = (int)(cube.position[k][2] / 4.0);
    m = mixing_of(3);
    assert_true(m.lacey < 0.5 && m.lacey >= 0.0);
    assert_near(m.of[2].segregation[2], 1.0, 1e-12);
    assert_near(m.of[1].segregation[2], 0.0, 1e-12);
}

/* By chance the index is 1 on average, whatever the shares: that is what Sr is for. */
static void test_chance(void **state)
{
    (void)state;
    make();
    draw seed = {0};
    for (int share = 2; share <= 10; share += 4) {
        double sum = 0.0;
        enum { TIMES = 60 };
        for (int t = 0; t < TIMES; t++) {
            for (int k = 0; k < GRAINS; k++)
                cube.species[k] = k * share < GRAINS;
            for (int k = GRAINS - 1; k > 0; k--) { /* deal out */
                const int j = (int)draw_uniform(&seed, 0, k + 1);
                const int other = cube.species[j];
                cube.species[j] = cube.species[k];
                cube.species[k] = other;
            }
            sum += mixing_of(2).lacey / TIMES;
        }
        assert_near(sum, 1.0, 2e-3);
    }
}

/* Every second grain: better than by chance. Grains of unlike sizes that fill layers: 1 as well. */
static void test_order_and_sizes(void **state)
{
    (void)state;
    make();
    for (int k = 0; k < GRAINS; k++)
        cube.species[k] =
            ((int)cube.position[k][0] + (int)cube.position[k][1] + (int)cube.position[k][2]) % 2;
    const plu_mixing m = mixing_of(2);
    assert_true(m.lacey > 1.0 && m.lacey < 1.1);
    assert_near(m.of[0].segregation[0], 0.0, 0.01);
    for (int k = 0; k < GRAINS; k++) {
        cube.species[k] = cube.position[k][2] < 3.0;
        cube.radius[k] = cube.species[k] ? 0.2 : 0.5;
    }
    assert_near(mixing_of(2).of[1].segregation[2], -1.0, 1e-12);
    assert_true(isnan(mixing_of(1).lacey));
    cube.view.bodies = 0;
    assert_true(isnan(mixing_of(2).lacey));
}

/* A core about the axis y is inside, -1, and the rest outside, 1; layers along the axis are
 * neither. Of a cell that is periodic along the axis alone the same; across it nothing is known. */
static void test_radial(void **state)
{
    (void)state;
    make();
    for (int k = 0; k < GRAINS; k++)
        cube.species[k] = hypot(cube.position[k][0] - 6.0, cube.position[k][2] - 6.0) > 4.0;
    for (int periodic = 0; periodic < 3; periodic++) {
        cube.view.cell.given = periodic > 0;
        cube.view.cell.periodic[1] = true;
        cube.view.cell.periodic[2] = periodic == 2;
        const plu_mixing m = mixing_of(2);
        if (periodic < 2) {
            assert_near(m.of[0].radial, -1.0, 1e-12);
            assert_near(m.of[1].radial, 1.0, 1e-12);
        } else {
            assert_true(isnan(m.of[0].radial));
        }
        assert_near(m.of[0].segregation[0], 0.0, 1e-12);
        assert_int_equal(isnan(m.of[0].segregation[1]), periodic > 0);
        assert_int_equal(isnan(m.of[0].center[2]), periodic == 2);
    }
    make();
    for (int k = 0; k < GRAINS; k++)
        cube.species[k] = cube.position[k][1] > SIDE / 2.0;
    assert_near(mixing_of(2).of[0].radial, 0.0, 1e-12);
}

static void test_bed(void **state)
{
    (void)state;
    plu_bed bed;
    make();
    assert_int_equal(plu_measure_bed(&bed, &cube.view, NULL, NULL, NULL), PLU_OK);
    assert_near(bed.mass, 2.0 * GRAINS, 1e-9);
    for (int i = 0; i < 3; i++) {
        assert_near(bed.center[i], 6.0, 1e-12);
        assert_near(bed.middle[i], 6.0, 0.51);
        assert_near(bed.high[i] - bed.low[i], 11.0, 1.0);
    }
    assert_near(bed.steepest, 0.0, 1e-12);
    /* sheared to slopes of 0.3 and -0.2 */
    for (int k = 0; k < GRAINS; k++)
        cube.position[k][2] += 0.3 * cube.position[k][0] - 0.2 * cube.position[k][1];
    assert_int_equal(plu_measure_bed(&bed, &cube.view, NULL, NULL, NULL), PLU_OK);
    assert_near(bed.slope[0], atan(0.3), 1e-9);
    assert_near(bed.slope[1], atan(-0.2), 1e-9);
    assert_near(bed.steepest, atan(hypot(0.3, 0.2)), 1e-9);
}

/* The slope of a surface of random heights, over many of them: it scatters as the error says. */
static void test_error_of_the_slope(void **state)
{
    (void)state;
    enum { TIMES = 400 };
    draw seed = {0};
    double error = 0.0, scatter = 0.0;
    for (int t = 0; t < TIMES; t++) {
        plu_bed bed;
        make();
        for (int k = 0; k < GRAINS; k++)
            cube.position[k][2] += 0.4 * cube.position[k][0] + draw_uniform(&seed, -0.2, 0.2);
        assert_int_equal(plu_measure_bed(&bed, &cube.view, NULL, NULL, NULL), PLU_OK);
        error += bed.slope_error * bed.slope_error / TIMES;
        scatter += (bed.slope[0] - atan(0.4)) * (bed.slope[0] - atan(0.4)) / TIMES;
    }
    assert_near(sqrt(error / scatter), 1.0, 0.1);
}

/* Across the axis of a drum it is that of a line, whatever the surface does along the axis. */
static void test_slope_across_an_axis(void **state)
{
    (void)state;
    enum { TIMES = 400 };
    static const double along[3] = {0.0, 1.0, 0.0}, upright[3] = {0.0, 0.0, 1.0};
    draw seed = {0};
    double error = 0.0, scatter = 0.0;
    plu_bed bed;
    for (int t = 0; t < TIMES; t++) {
        make();
        for (int k = 0; k < GRAINS; k++)
            cube.position[k][2] += 0.2 * cube.position[k][0] + draw_uniform(&seed, -0.2, 0.2);
        assert_int_equal(plu_measure_bed(&bed, &cube.view, NULL, along, NULL), PLU_OK);
        error += bed.slope_error * bed.slope_error / TIMES;
        scatter += (bed.steepest - atan(0.2)) * (bed.steepest - atan(0.2)) / TIMES;
    }
    assert_near(sqrt(error / scatter), 1.0, 0.1);
    make();
    for (int k = 0; k < GRAINS; k++)
        cube.position[k][2] += 0.4 * cube.position[k][0] + 0.3 * cube.position[k][1];
    assert_int_equal(plu_measure_bed(&bed, &cube.view, NULL, along, NULL), PLU_OK);
    assert_near(bed.steepest, atan(0.4), 1e-12);
    assert_near(bed.slope[1], atan(0.3), 1e-12);
    assert_int_equal(plu_measure_bed(&bed, &cube.view, NULL, upright, NULL), PLU_OK);
    assert_near(bed.steepest, atan(0.5), 1e-12);
}

/* A velocity along the surface that falls off with the depth by a straight line, and back below. */
static void test_depth_of_the_flow(void **state)
{
    (void)state;
    static double velocity[GRAINS][3];
    const double size = sqrt(1.0 + 0.3 * 0.3 + 0.2 * 0.2), steep = hypot(0.3, 0.2);
    const double level[3] = {0.2 / steep, 0.3 / steep, 0.0}, upright[3] = {0.0, 0.0, 1.0};
    for (double depth = 2.7; depth < 8.0; depth += 1.3) {
        plu_bed bed;
        make();
        for (int k = 0; k < GRAINS; k++) {
            double *x = cube.position[k];
            x[2] += 0.3 * x[0] - 0.2 * x[1];
            const double below = (12.0 - x[2] + 0.3 * x[0] - 0.2 * x[1]) / size;
            const double up[3] = {0.3 / steep / size, -0.2 / steep / size, steep / size};
            for (int i = 0; i < 3; i++)
                velocity[k][i] = 2.0 * (below / depth - 1.0) * up[i];
        }
        cube.view.gravity[2] = -9.81;
        cube.view.velocity = (plu_rows){velocity[0], 3};
        assert_int_equal(plu_measure_bed(&bed, &cube.view, NULL, level, NULL), PLU_OK);
        assert_near(bed.flow_depth, depth, 1e-9);
        assert_near(bed.slope_error, 0.0, 1e-9);
        assert_int_equal(plu_measure_bed(&bed, &cube.view, NULL, upright, NULL), PLU_OK);
        assert_true(isnan(bed.flow_depth)); /* a chute or a mixer is no drum */
        for (int k = 0; k < GRAINS; k++)    /* all of it flows down */
            for (int i = 0; i < 3; i++)
                velocity[k][i] = i == 0 ? -1.0 : 0.0;
        assert_int_equal(plu_measure_bed(&bed, &cube.view, NULL, level, NULL), PLU_OK);
        assert_true(isnan(bed.flow_depth));
        memset(velocity, 0, sizeof velocity); /* at rest */
        assert_int_equal(plu_measure_bed(&bed, &cube.view, NULL, level, NULL), PLU_OK);
        assert_true(isnan(bed.flow_depth));
    }
}

/* Along the directions in which a cell closes there is no place and no slope. */
static void test_bed_in_a_cell(void **state)
{
    (void)state;
    static const plu_region all = {{-99.0, -99.0, -99.0}, {99.0, 99.0, 99.0}};
    plu_bed bed;
    make();
    for (int k = 0; k < GRAINS; k++)
        cube.position[k][2] += 0.4 * cube.position[k][0] + 0.3 * cube.position[k][1];
    cube.view.cell.given = cube.view.cell.periodic[0] = true;
    assert_int_equal(plu_measure_bed(&bed, &cube.view, NULL, NULL, NULL), PLU_OK);
    assert_true(isnan(bed.center[0]) && isnan(bed.runout) && isnan(bed.high[0]));
    assert_near(bed.center[1], 6.0, 1e-12);
    assert_true(isnan(bed.slope[0]));
    assert_near(bed.slope[1], atan(0.3), 1e-12);
    assert_near(bed.steepest, atan(0.3), 1e-12);
    cube.view.cell.periodic[1] = true;
    assert_int_equal(plu_measure_bed(&bed, &cube.view, NULL, NULL, NULL), PLU_OK);
    assert_true(isnan(bed.slope[1]) && isnan(bed.steepest) && isnan(bed.slope_error));
    assert_int_equal(plu_measure_bed(&bed, &cube.view, &all, NULL, NULL), PLU_OK);
    assert_near(bed.steepest, atan(0.5), 1e-12);
}

/* A disc of grains: 95 % of the mass are within sqrt(0.95) of its radius. */
static void test_runout(void **state)
{
    (void)state;
    plu_bed bed;
    make();
    for (int k = 0; k < GRAINS; k++) {
        const double r = 10.0 * sqrt((k + 0.5) / GRAINS), angle = 2.399963229728653 * k;
        cube.position[k][0] = 3.0 + r * cos(angle);
        cube.position[k][1] = -2.0 + r * sin(angle);
    }
    assert_int_equal(plu_measure_bed(&bed, &cube.view, NULL, NULL, NULL), PLU_OK);
    assert_near(bed.runout, 10.0 * sqrt(0.95), 0.05);
    assert_near(bed.middle[0], 3.0, 0.05);
    cube.position[0][0] = 1000.0; /* a stray */
    assert_int_equal(plu_measure_bed(&bed, &cube.view, NULL, NULL, NULL), PLU_OK);
    assert_near(bed.runout, 10.0 * sqrt(0.95), 0.05);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_layers),
        cmocka_unit_test(test_chance),
        cmocka_unit_test(test_order_and_sizes),
        cmocka_unit_test(test_bed),
        cmocka_unit_test(test_runout),
        cmocka_unit_test(test_radial),
        cmocka_unit_test(test_error_of_the_slope),
        cmocka_unit_test(test_slope_across_an_axis),
        cmocka_unit_test(test_depth_of_the_flow),
        cmocka_unit_test(test_bed_in_a_cell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
