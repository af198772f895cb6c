/* What tiles and floats are measured with (assemble/assemble.h), from bodies that are written by
 * hand.
 */
#include "assemble/assemble.h"
#include "near.h"
#include "pluvia/scene.h"
#include "pluvia/solving.h"
#include <math.h>

enum { BODIES = 3000 };

static double position[BODIES][4], row[BODIES][8];
static unsigned char rest[BODIES];
static plu_solver_spec solver;
static plu_scene scene = {.solver = &solver};

/* `count` spheres of a radius and a mass of 2^power kg, and `few` of another radius. */
static plu_world world_of(int count, double radius, int power, int few, double other)
{
    for (int i = 0; i < count + few; i++) {
        const double r = i < count ? radius : other, mass = ldexp(1.0, i % 2 ? power : power + 2);
        position[i][3] = r;
        row[i][6] = 1.0 / mass;
        row[i][7] = 1.0 / (0.4 * mass * r * r);
        rest[i] = 0;
    }
    return (plu_world){
        .scene = &scene,
        .bodies = {.count = count + few, .position = position, .row = row, .rest = rest}};
}

/* 4.19 r^3 are the volume of a body, and 1.56 of it that of its place. */
static double edge_for(double bodies, double radius)
{
    return cbrt(bodies * 1.56 * 4.19) * radius;
}

static void edges_hold_so_many_bodies(void **state)
{
    (void)state;
    plu_world w = world_of(100, 0.01, -8, 0, 0.0);
    assert_near(plu_scale_of(&w).edge, edge_for(500.0, 0.01), 1e-12);
    scene.solver->cell_bodies = 700;
    assert_near(plu_scale_of(&w).edge, edge_for(700.0, 0.01), 1e-12);
    scene.solver->cell_bodies = 0;
    w.bodies.count = 0;
    assert_near(plu_scale_of(&w).edge, 1.0, 0.0);
}

/* Few large ones are left out, or cells would be as wide as two of them; of many the mean volume
 * counts. */
static void few_large_bodies_are_left_out(void **state)
{
    (void)state;
    plu_world w = world_of(2999, 0.01, -8, 1, 0.09); /* 0.0081 of 0.31 m^2 */
    assert_near(plu_scale_of(&w).edge, edge_for(500.0, 0.01), 1e-12);
    w = world_of(1000, 0.01, -8, 1000, 0.02);
    assert_near(plu_scale_of(&w).edge, edge_for(500.0, 0.01 * cbrt(4.5)), 1e-12);
    scene.solver->cell_bodies = 50;
    w = world_of(100, 0.001, -8, 1, 0.09); /* nearly all that there is */
    assert_near(plu_scale_of(&w).edge, 2.2 * 0.09, 1e-12);
    scene.solver->cell_bodies = 0;
}

/* Mean exponents of the bodies that are not fixed. */
static void units_are_powers_of_two(void **state)
{
    (void)state;
    plu_world w = world_of(100, 0.01, -8, 0, 0.0);
    plu_scale scale = plu_scale_of(&w);
    assert_near(scale.mass, ldexp(1.0, -7), 0.0);
    assert_near(scale.length, ldexp(1.0, ilogb(0.01 / sqrt(2.5)) + 1), ldexp(1.0, -8));
    for (int i = 0; i < 100; i += 2)
        rest[i] = PLU_FIXED;
    scale = plu_scale_of(&w);
    assert_near(scale.mass, ldexp(1.0, -8), 0.0);
    for (int i = 0; i < 100; i++)
        row[i][6] = row[i][7] = 0.0;
    scale = plu_scale_of(&w);
    assert_near(scale.mass, 1.0, 0.0);
    assert_near(scale.length, 1.0, 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_hold_so_many_bodies),
        cmocka_unit_test(few_large_bodies_are_left_out),
        cmocka_unit_test(units_are_powers_of_two),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
