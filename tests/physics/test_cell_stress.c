/* Periodic cells whose edges follow a stress, against closed forms; large cells that move, in
 * tiles; on 1 and 2 threads, through a restart. */
#include "draws.h"
#include "memory.h"
#include "step/stepper.h"
#include <math.h>
#include <omp.h>

#define GRAINS                                                                                     \
    "gravity = [0, 0, 0];\n"                                                                       \
    "materials = ( { name = \"grain\"; density = 2500; } );\n"                                     \
    "contacts = ( { between = [\"grain\", \"grain\"]; friction = 0.5; } );\n"

static double rate_of(const run *r, int k)
{
    return r->world->space.rate[1][k][k];
}

/* Three spheres in a row, along a cell that is open across: before they touch its edge has
 * V = -k h sigma A / m, then each contact bears sigma A. `place`: of the first sphere. */
static void a_row_bears_the_stress(void **state)
{
    (void)state;
    const double h = 1e-3, stress = 1000.0, area = 0.05 * 0.04, mass = 0.2;
    for (int way = 0; way < 3; way++) {
        const double place = 0.005 + 0.013 * way, gap = 0.0235;
        run *r =
            run_open(GRAINS "time: { step = 1e-3; end = 1; };\n"
                            "cell: { size = [0.0705, 0.05, 0.04]; periodic = [\"x\"]; stress = "
                            "[1000, 0, 0]; mass = %g; };\n"
                            "bodies = ( { lattice: { counts = [3, 1, 1]; spacing = %g; origin = "
                            "[%g, 0.02, 0.02]; }; radius = 0.01; material = \"grain\"; } );\n",
                     mass, gap, place);
        for (int k = 1; k <= 5; k++) {
            run_step(r);
            assert_near(rate_of(r, 0), -k * h * stress * area / mass, 1e-13);
        }
        run_to(r, 0.3);
        const plu_contacts *list = r->stepper->contacts;
        int bearing = 0;
        for (int k = 0; k < list->count; k++) {
            bearing += list->impulse[k].n > 0.0;
            assert_near(list->impulse[k].n / h, stress * area, 1e-6 * stress * area);
        }
        assert_int_equal(bearing, 3);
        assert_near(rate_of(r, 0), 0.0, 1e-9);
        assert_near(r->world->space.edge[0][0], 0.06, 3.0 * 1e-3 * 0.02); /* the slop */
        ;
        assert_near(plu_stepper_imbalance(r->stepper), 0.0, 1e-13);
        run_close(r);
    }
}

/* Attraction pulls the edge as it pulls the spheres: they bear the stress, and nothing of F_c. */
static void a_sticky_row_bears_the_stress(void **state)
{
    (void)state;
    const double h = 1e-3, bears = 1000.0 * 0.05 * 0.04;
    run *r = run_open("gravity = [0, 0, 0];\ntime: { step = 1e-3; end = 1; };\n"
                      "materials = ( { name = \"grain\"; density = 2500; } );\n"
                      "contacts = ( { between = [\"grain\", \"grain\"]; friction = 0.5; cohesion = "
                      "7; } );\n"
                      "cell: { size = [0.0705, 0.05, 0.04]; periodic = [\"x\"]; stress = [1000, 0, "
                      "0]; mass = 0.2; };\n"
                      "bodies = ( { lattice: { counts = [3, 1, 1]; spacing = 0.0235; origin = "
                      "[0.005, 0.02, 0.02]; }; radius = 0.01; material = \"grain\"; } );\n");
    run_to(r, 0.3);
    assert_int_equal(plu_stepper_contacts(r->stepper), 3);
    for (int k = 0; k < 3; k++) {
        plu_contact_row row;
        plu_stepper_contact(r->stepper, k, &row);
        assert_near(row.impulse_normal / h, bears, 1e-6 * bears);
    }
    assert_near(rate_of(r, 0), 0.0, 1e-9);
    assert_near(plu_stepper_imbalance(r->stepper), 0.0, 1e-13);
    run_close(r);
}

/* The rows of a simple cubic lattice share the stress; how, rigid ones do not tell. */
static void bears(const double stress[3], const char *solver)
{
    run *r =
        run_open(GRAINS "time: { step = 1e-3; end = 1; }; %s\n"
                        "cell: { size = [0.066, 0.066, 0.066]; stress = [%g, %g, %g]; };\n"
                        "bodies = ( { lattice: { counts = [3, 3, 3]; spacing = 0.022; origin = "
                        "[0.011, 0.011, 0.011]; }; radius = 0.01; material = \"grain\"; } );\n",
                 solver, stress[0], stress[1], stress[2]);
    run_to(r, 0.3);
    double now[3][3];
    plu_stepper_cell_stress(r->stepper, now);
    for (int k = 0; k < 3; k++)
        assert_near(now[k][k], stress[k], 1e-3 * stress[k]);
    run_close(r);
}

static void a_lattice_bears_the_stress(void **state)
{
    (void)state;
    const double all[3] = {1000.0, 1000.0, 1000.0}, own[3] = {1000.0, 700.0, 1500.0};
    bears(all, "");
    bears(own, "solver: { tolerance = 1e-3; };");
}

static run *packing(int count, double edge, const char *cell)
{
    return run_open("seed = 3;\n" GRAINS "time: { step = 5e-4; end = 1; };\n"
                    "cell: { size = [%g, %g, %g]; %s };\n"
                    "bodies = ( { packing: { box = [[0, 0, 0], [%g, %g, %g]]; count = %d; }; "
                    "material = \"grain\"; radius = [0.004, 0.006]; } );\n",
                    edge, edge, edge, cell, edge, edge, edge, count);
}

static void a_packing_comes_to_its_stress(void **state)
{
    (void)state;
    NUMBERS_ONLY();
    run *r = packing(500, 0.09, "stress = [1000, 1000, 1000];");
    run_to(r, 0.3);
    double stress[3][3], drift[3] = {0.0, 0.0, 0.0};
    plu_stepper_cell_stress(r->stepper, stress);
    for (int k = 0; k < 3; k++)
        assert_near(stress[k][k], 1000.0, 10.0);
    assert_true(plu_cell_fraction(r->world) > 0.57 && plu_cell_fraction(r->world) < 0.6);
    const plu_totals *t = plu_stepper_totals(r->stepper);
    assert_true(100 * t->unconverged <= t->steps);
    assert_near(plu_stepper_imbalance(r->stepper), 0.0, 1e-13);
    assert_true(t->work_cell > 0.0);
    for (int i = 0; i < 500; i++)
        for (int k = 0; k < 3; k++)
            drift[k] += run_velocity(r, i)[k] / r->world->bodies.row[i][6];
    for (int k = 0; k < 3; k++) /* what came back by other sides has not set all adrift */
        assert_near(drift[k], 0.0, 1e-13);
    run_close(r);
}

/* The same bits on 1 and 2 threads, and from a saved state on. */
static void same_bits(run *(*open)(void), double half, double end)
{
    const int threads = omp_get_max_threads();
    uint64_t hash[3];
    memory *m = NULL;
    for (int way = 0; way < 3; way++) {
        run *r = open();
        omp_set_num_threads(way == 0 ? 1 : 2);
        if (way == 2)
            assert_int_equal(memory_set(r, m), PLU_OK);
        else
            run_to(r, half);
        if (way == 1)
            m = memory_save(r);
        run_to(r, end);
        hash[way] = plu_world_hash(r->world);
        assert_near(plu_stepper_imbalance(r->stepper), 0.0, 1e-10); /* sweeps in floats */
        run_close(r);
    }
    memory_free(m);
    omp_set_num_threads(threads);
    assert_true(hash[0] == hash[1]);
    assert_true(hash[0] == hash[2]);
}

static run *sheared(void)
{
    return packing(100, 0.0535, "stress = [0, 800, 1000]; shear_rate = 4;");
}

static void sheared_under_stress(void **state)
{
    (void)state;
    same_bits(sheared, 0.05, 0.08);
    run *r = sheared();
    double mean = 0.0;
    run_to(r, 0.1);
    for (int k = 0; k < 200; k++) {
        double stress[3][3];
        run_step(r);
        plu_stepper_cell_stress(r->stepper, stress);
        mean += stress[2][2] / 200.0;
        assert_near(r->world->space.rate[1][2][0], 4.0 * r->world->space.edge[2][2], 1e-2);
    }
    assert_near(r->world->space.edge[0][0], 0.0535, 1e-15); /* no stress along x */
    assert_near(mean, 1000.0, 100.0);
    run_close(r);
}

/* 17,496 contacts: islands of tiles. */
static run *tiled(void)
{
    run *r = run_open(GRAINS "time: { step = 1e-3; end = 1; };\n"
                             "cell: { size = [0.36, 0.36, 0.36]; shear_rate = 0.5; stress = "
                             "[500, 0, 0]; };\n"
                             "bodies = ( { lattice: { counts = [18, 18, 18]; spacing = 0.02; "
                             "origin = [0.013, 0.013, 0.013]; }; radius = 0.01; material = "
                             "\"grain\"; } );\n");
    return r;
}

static void large_cells(void **state)
{
    (void)state;
    same_bits(tiled, 1e-3, 2e-3);
    run *r = tiled();
    run_step(r);
    assert_true(r->info.pairs >= 16384);
    bool any = false;
    for (int k = 0; k < r->stepper->problem.islands_count; k++)
        any |= r->stepper->problem.islands[k].tiled;
    assert_true(any);
    run_close(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_bears_the_stress),
        cmocka_unit_test(a_sticky_row_bears_the_stress),
        cmocka_unit_test(a_lattice_bears_the_stress),
        cmocka_unit_test(a_packing_comes_to_its_stress),
        cmocka_unit_test(sheared_under_stress),
        cmocka_unit_test(large_cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
