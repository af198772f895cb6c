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

static plu_mixing mixing_of(int species)
{
    plu_mixing m;
    assert_int_equal(plu_measure_mixing(&m, &cube.view, NULL, cube.species, species, 2.95, NULL),
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

static void test_bed(void **state)
{
    (void)state;
    plu_bed bed;
    make();
    assert_int_equal(plu_measure_bed(&bed, &cube.view, NULL, NULL), PLU_OK);
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
    assert_int_equal(plu_measure_bed(&bed, &cube.view, NULL, NULL), PLU_OK);
    assert_near(bed.slope[0], atan(0.3), 1e-9);
    assert_near(bed.slope[1], atan(-0.2), 1e-9);
    assert_near(bed.steepest, atan(hypot(0.3, 0.2)), 1e-9);
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
    assert_int_equal(plu_measure_bed(&bed, &cube.view, NULL, NULL), PLU_OK);
    assert_near(bed.runout, 10.0 * sqrt(0.95), 0.05);
    assert_near(bed.middle[0], 3.0, 0.05);
    cube.position[0][0] = 1000.0; /* a stray */
    assert_int_equal(plu_measure_bed(&bed, &cube.view, NULL, NULL), PLU_OK);
    assert_near(bed.runout, 10.0 * sqrt(0.95), 0.05);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_layers),          cmocka_unit_test(test_chance),
        cmocka_unit_test(test_order_and_sizes), cmocka_unit_test(test_bed),
        cmocka_unit_test(test_runout),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
