/* Bodies between a boundary that moves and something that does not give way: contacts bear their
 * strength at most, and yield (src/theory.md, "Jams"). */
#include "draws.h"
#include "memory.h"
#include "step/stepper.h"
#include <math.h>
#include <omp.h>

static const double pi = 3.14159265358979323846, g = 9.81, h = 1e-3;

#define WEIGHTLESS "gravity = [0, 0, 0];\n"
#define SCENE "time: { step = 1e-3; end = 9; };\n" RUN_LAWS
#define RUN_LAWS                                                                                   \
    "materials = ( { name = \"grain\"; density = 2500.0; }, { name = \"steel\"; } );\n"            \
    "contacts = ( { between = [\"grain\", \"grain\"]; friction = 0.5; %s },\n"                     \
    "{ between = [\"grain\", \"steel\"]; friction = 0.4; %s } );\n"

static double mass_of(double radius)
{
    return 4.0 / 3.0 * pi * radius * radius * radius * 2500.0;
}

/* The largest normal force of a contact in the last step (N). */
static double largest_force(const run *r)
{
    double most = 0.0;
    for (int i = 0; i < plu_stepper_contacts(r->stepper); i++) {
        plu_contact_row row;
        plu_stepper_contact(r->stepper, i, &row);
        most = fmax(most, row.impulse_normal / h);
    }
    return most;
}

/* All overlaps of the last list (m). */
static double overlaps(const run *r)
{
    double sum = 0.0;
    for (int i = 0; i < plu_stepper_contacts(r->stepper); i++) {
        plu_contact_row row;
        plu_stepper_contact(r->stepper, i, &row);
        sum += fmax(0.0, -row.gap);
    }
    return sum;
}

/* --- a column under a plate --- */

/* n spheres of 1 cm on a floor, and a plate half a millimeter above them that comes down. */
static run *press(int n, double speed, const char *first, const char *law)
{
    return run_open("%s" SCENE
                    "boundaries = ( { plane: { center = [0, 0, 0]; }; material = \"steel\"; },\n"
                    "{ plane: { center = [0, 0, %g]; normal = [0, 0, -1]; }; material = \"steel\"; "
                    "motion: { velocity = [0, 0, %g]; }; } );\n"
                    "bodies = ( { lattice: { counts = [1, 1, %d]; spacing = 0.01; origin = [0, 0, "
                    "0.005]; }; radius = 0.005; material = \"grain\"; } );\n",
                    first, law, law, 0.01 * n + 0.0005, -speed, n);
}

/* Forces grow for some steps, are never beyond the strength, and are the strength then: the lowest
 * contact, which bears most, yields. The rest of the way of the plate are overlaps. */
static void a_plate_presses(int n, double speed, const char *first, const char *law,
                            double strength)
{
    enum { STEPS = 300, BEFORE = 2 };
    run *r = press(n, speed, first, law);
    const double weight = *first ? 0.0 : n * mass_of(0.005) * g;
    double force[3], moment[3];
    run_to(r, 0.5e-3 / speed - 2.0 * h);
    assert_int_equal(plu_stepper_totals(r->stepper)->yields, 0);
    for (int k = 0; k < STEPS + BEFORE; k++) {
        run_step(r);
        assert_true(r->info.converged);
        assert_true(r->info.iterations <= 1000);
        assert_true(largest_force(r) <= strength * (1.0 + 1e-12));
    }
    plu_stepper_boundary_force(r->stepper, 0, force, moment);
    assert_near(force[2], -strength, 1e-9 * strength);
    plu_stepper_boundary_force(r->stepper, 1, force, moment);
    assert_near(force[2], strength - weight, 1e-9 * strength + 0.05 * weight);
    /* the list has the gaps at the start of the last step */
    assert_near(overlaps(r), speed * h * (STEPS - 1), 2.0 * speed * h + n * 1.1e-5);
    const plu_totals *t = plu_stepper_totals(r->stepper);
    assert_int_equal(t->unconverged, 0);
    assert_true(t->yielding_steps >= STEPS - 2);
    assert_true(t->jams >= 1 && t->jams <= n);
    assert_near(t->jam.force, strength, 1e-9 * strength);
    assert_true(t->jam.depth > 0.5 * speed * h * STEPS / n);
    assert_true(t->jam.body >= 0 && t->jam.body < n);
    if (n == 1) {
        assert_int_equal(t->jam.between[0] + t->jam.between[1], -3); /* -1 and -2 */
        assert_near(t->jam.depth, speed * h * STEPS, 2.0 * speed * h + 1.1e-5);
    }
    assert_near(plu_stepper_imbalance(r->stepper), 0.0, 1e-11);
    run_close(r);
}

static void plates_press(void **state)
{
    (void)state;
    const double one = 1e4 * mass_of(0.005) * g;
    a_plate_presses(1, 0.01, "", "", one);
    a_plate_presses(1, 0.001, "", "", one);
    a_plate_presses(1, 0.003, "", "strength = 5.0;", 5.0);
    a_plate_presses(2, 0.01, "", "", one);
    a_plate_presses(5, 0.01, "", "", one);
    a_plate_presses(5, 0.01, "", "strength = 20.0;", 20.0);
    a_plate_presses(1, 0.011, WEIGHTLESS, "strength = 7.0;", 7.0);
    a_plate_presses(1, 0.011, WEIGHTLESS, "", 1e2 * mass_of(0.005) * 0.011 / h);
}

/* By other solvers, and by sweeps that stop on residuals. */
static void whatever_solves(void **state)
{
    (void)state;
    static const char *const how[] = {
        "solver: { name = \"prox-newton\"; };\n",
        "solver: { name = \"newton\"; criterion = \"natural-map\"; tolerance = 1e-9; };\n",
        "solver: { criterion = \"scaled\"; tolerance = 1e-9; };\n",
        "solver: { criterion = \"natural-map\"; tolerance = 1e-9; fallback = \"none\"; };\n",
        "solver: { local = \"projection\"; };\n",
        "solver: { single = false; momentum = false; };\n",
    };
    for (size_t i = 0; i < sizeof how / sizeof *how; i++) {
        run *r = press(2, 0.02, how[i], "strength = 5.0;");
        for (int k = 0; k < 100; k++) {
            run_step(r);
            assert_true(largest_force(r) <= 5.0 * (1.0 + 1e-9));
        }
        double force[3], moment[3];
        plu_stepper_boundary_force(r->stepper, 0, force, moment);
        assert_near(force[2], -5.0, 1e-6);
        assert_true(plu_stepper_totals(r->stepper)->yielding_steps > 60);
        run_close(r);
    }
}

/* What the plate has pressed together it leaves as it is; the force is the weight then. */
static void a_plate_that_stops(void **state)
{
    (void)state;
    run *r = run_open(
        SCENE "boundaries = ( { plane: { center = [0, 0, 0]; }; material = \"steel\"; },\n"
              "{ plane: { center = [0, 0, 0.0101]; normal = [0, 0, -1]; }; material = \"steel\"; "
              "motion: { vibration: { amplitude = [0, 0, -0.001]; frequency = 5; }; stop = 0.1; }; "
              "} );\n"
              "bodies = ( { position = [0, 0, 0.005]; radius = 0.005; material = \"grain\"; } );\n",
        "", "");
    run_to(r, 0.09); /* down by a millimeter and half up again */
    const plu_totals *t = plu_stepper_totals(r->stepper);
    const long yields = t->yields;
    assert_true(yields > 10);
    assert_near(t->jam.depth, 0.9e-3, 0.05e-3);
    run_to(r, 0.5);
    assert_int_equal(t->yields, yields);
    assert_near(largest_force(r), mass_of(0.005) * g, 1e-9);
    assert_near(run_velocity(r, 0)[2], 0.0, 1e-12);
    assert_int_equal(t->unconverged, 0);
    run_close(r);
}

/* --- wedges --- */

/* Two planes that lean to each other by the angle, and a plate that presses a sphere into the
 * groove; with little friction it would be pushed out upwards, with much it is held. */
static void a_groove(double angle, double friction)
{
    const double s = sin(angle), c = cos(angle), strength = 1e4 * mass_of(0.005) * g;
    run *r = run_open(
        "time: { step = 1e-3; end = 9; };\n"
        "materials = ( { name = \"grain\"; density = 2500.0; }, { name = \"steel\"; } );\n"
        "contacts = ( { between = [\"grain\", \"steel\"]; friction = %g; } );\n"
        "boundaries = ( { plane: { normal = [%.17g, 0, %.17g]; }; material = \"steel\"; },\n"
        "{ plane: { normal = [%.17g, 0, %.17g]; }; material = \"steel\"; motion: { "
        "velocity = [%.17g, 0, 0]; }; },\n"
        "{ plane: { center = [0, 0, %.17g]; normal = [0, 0, -1]; }; material = "
        "\"steel\"; motion: { velocity = [0, 0, -0.01]; }; } );\n"
        "bodies = ( { position = [0, 0, %.17g]; radius = 0.005; material = "
        "\"grain\"; } );\n",
        friction, c, s, -c, s, -0.004, 0.005 / s + 0.0052, 0.005 / s);
    for (int k = 0; k < 200; k++) {
        run_step(r);
        assert_true(largest_force(r) <= strength * (1.0 + 1e-12));
        assert_true(fabs(run_velocity(r, 0)[2]) < 1.0);
    }
    const plu_totals *t = plu_stepper_totals(r->stepper);
    assert_true(t->yielding_steps > 100);
    assert_true(t->unconverged <= 2);
    assert_true(isfinite(run_position(r, 0)[2]) && fabs(run_position(r, 0)[2]) < 0.1);
    run_close(r);
}

static void grooves(void **state)
{
    (void)state;
    for (int i = 1; i < 6; i++)
        for (int k = 0; k < 3; k++)
            a_groove(i * pi / 12.0, 0.5 * k);
}

/* --- what is no jam --- */

/* Impacts, heavy loads and pressed beds bear far more than in most scenes, and none yields. */
static void loads_do_not_yield(void **state)
{
    (void)state;
    run *r[] = {
        run_open(SCENE /* a fast one hits a row */
                 "boundaries = ( { plane: {}; material = \"steel\"; } );\n"
                 "bodies = ( { position = [0, 0, 0.3]; radius = 0.005; material = \"grain\"; "
                 "velocity = [0, 0, -300]; },\n"
                 "{ lattice: { counts = [1, 1, 20]; spacing = 0.01; origin = [0, 0, 0.005]; }; "
                 "radius = 0.005; material = \"grain\"; } );\nlimits: { velocity = 1e3; };\n",
                 "", ""),
        run_open(SCENE /* a large one on small ones */
                 "boundaries = ( { plane: {}; material = \"steel\"; } );\n"
                 "bodies = ( { position = [0, 0, 0.32]; radius = 0.3; material = \"grain\"; },\n"
                 "{ lattice: { counts = [3, 3, 1]; spacing = 0.02; origin = [-0.02, -0.02, 0.005]; "
                 "}; radius = 0.005; material = \"grain\"; } );\n",
                 "", ""),
        run_open(SCENE /* a lid */
                 "boundaries = ( { plane: {}; material = \"steel\"; }, { plane: { center = [0, 0, "
                 "0.021]; normal = [0, 0, -1]; }; material = \"steel\"; servo: { mass = 1; force = "
                 "3000; speed = 0.05; }; } );\n"
                 "bodies = ( { lattice: { counts = [1, 1, 2]; spacing = 0.01; origin = [0, 0, "
                 "0.005]; }; radius = 0.005; material = \"grain\"; } );\n",
                 "", ""),
        run_open(SCENE /* with a strength beyond the default */
                 "boundaries = ( { plane: {}; material = \"steel\"; }, { plane: { center = [0, 0, "
                 "0.021]; normal = [0, 0, -1]; }; material = \"steel\"; servo: { mass = 1; force = "
                 "3000; speed = 0.05; }; } );\n"
                 "bodies = ( { lattice: { counts = [1, 1, 2]; spacing = 0.01; origin = [0, 0, "
                 "0.005]; }; radius = 0.005; material = \"grain\"; } );\n",
                 "strength = 3100;", "strength = 3100;"),
    };
    for (size_t i = 0; i < sizeof r / sizeof *r; i++) {
        double most = 0.0;
        for (int k = 0; k < 200; k++) {
            run_step(r[i]);
            most = fmax(most, largest_force(r[i]));
        }
        assert_int_equal(plu_stepper_totals(r[i]->stepper)->yielding_steps, 0);
        assert_true(most > (i == 0 ? 200.0 * mass_of(0.005) / h : i == 1 ? 300.0 : 2900.0));
        run_close(r[i]);
    }
}

/* A lid that presses more than contacts are to bear sinks; it is the force that they bear. */
static void a_lid_that_is_too_heavy(void **state)
{
    (void)state;
    run *r = run_open(
        SCENE "boundaries = ( { plane: {}; material = \"steel\"; }, { plane: { center = [0, 0, "
              "0.0101]; normal = [0, 0, -1]; }; material = \"steel\"; servo: { mass = 1; force = "
              "100; speed = 0.05; }; } );\n"
              "bodies = ( { position = [0, 0, 0.005]; radius = 0.005; material = \"grain\"; } );\n",
        "", "strength = 60;");
    for (int k = 0; k < 60; k++) {
        run_step(r);
        assert_true(largest_force(r) <= 60.0 * (1.0 + 1e-12));
    }
    assert_near(largest_force(r), 60.0, 1e-9);
    assert_true(plu_stepper_totals(r->stepper)->yielding_steps > 40);
    assert_int_equal(plu_stepper_totals(r->stepper)->unconverged, 0);
    run_close(r);
}

/* A strength holds in floats as well, whatever bodies weigh: a heavy sphere on a bed of grains that
 * are swept in floats. It sinks in, and no contact bears more. */
static void a_bed_that_yields(void **state)
{
    (void)state;
    const char *solver[] = {"", "solver: { single = false; };\n"};
    for (size_t i = 0; i < sizeof solver / sizeof *solver; i++) {
        run *r = run_open(
            "%s" SCENE "boundaries = ( { plane: {}; material = \"steel\"; } );\n"
            "bodies = ( { position = [0.05, 0.05, 0.0605]; radius = 0.04; material = \"grain\"; "
            "},\n"
            "{ lattice: { counts = [10, 10, 2]; spacing = 0.01; origin = [0.005, 0.005, 0.005]; }; "
            "radius = 0.005; material = \"grain\"; } );\n",
            solver[i], "strength = 0.5;", "strength = 0.5;");
        for (int k = 0; k < 40; k++) {
            run_step(r);
            assert_true(plu_stepper_contacts(r->stepper) >= 128);
            assert_true(largest_force(r) <= 0.5 * (1.0 + 1e-9));
        }
        assert_true(plu_stepper_totals(r->stepper)->yielding_steps > 20);
        run_close(r);
    }
}

/* A strength holds for impacts as well: it takes m v / strength to stop. */
static void an_impact_that_yields(void **state)
{
    (void)state;
    run *r = run_open(WEIGHTLESS SCENE
                      "boundaries = ( { plane: {}; material = \"steel\"; } );\n"
                      "bodies = ( { position = [0, 0, 0.0055]; radius = 0.005; material = "
                      "\"grain\"; velocity = [0, 0, -0.5]; } );\n",
                      "", "strength = 100;");
    const double steps = mass_of(0.005) * 0.5 / (100.0 * h);
    run_to(r, 0.05);
    const plu_totals *t = plu_stepper_totals(r->stepper);
    assert_near((double)t->yielding_steps, steps, 1.0);
    assert_near(run_velocity(r, 0)[2], 0.0, 1e-12);
    assert_near(0.005 - run_position(r, 0)[2], 0.5 * 0.5 * steps * h, 0.5 * h);
    run_close(r);
}

/* --- many --- */

/* A vessel in which a plate turns, 0.8 d above the floor and off the wall. */
static run *mixer(void)
{
    return run_open(
        SCENE
        "boundaries = ( { cylinder: { radius = 0.03; height = 0.2; }; material = \"steel\"; },\n"
        "{ plate: { center = [0, 0, 0.018]; normal = [0, 1, 0]; size = [0.044, 0.02]; }; material "
        "= \"steel\"; motion: { axis = [0, 0, 1]; rate = 8; }; } );\n"
        "bodies = ( { packing: { count = 100; cylinder: { center = [0, 0, 0.05]; radius = 0.024; "
        "height = 0.1; }; }; material = \"grain\"; radius = 0.005; } );\n",
        "", "");
}

static void a_mixer_goes_on(void **state)
{
    (void)state;
    uint64_t hash[4] = {0};
    memory *m = NULL;
    const int threads = omp_get_max_threads();
    for (int way = 0; way < 4; way += SANITIZED ? 3 : 1) { /* 1, 2, 3 threads; from the middle on */
        run *r = mixer();
        omp_set_num_threads(way < 3 ? way + 1 : 2);
        if (way == 3)
            assert_int_equal(memory_set(r, m), PLU_OK);
        while (r->world->steps < 1000) {
            run_step(r);
            assert_true(largest_force(r) <= 1.001 * plu_stepper_strength(r->stepper));
            if (r->world->steps == 500 && way == 0)
                m = memory_save(r);
        }
        const plu_totals *t = plu_stepper_totals(r->stepper);
        hash[way] = plu_world_hash(r->world);
        assert_true(t->yielding_steps > 20);
        assert_true(t->unconverged <= 10);
        assert_near(plu_stepper_imbalance(r->stepper), 0.0, 1e-10);
        for (int i = 0; i < 100; i++)
            assert_true(run_position(r, i)[2] > 0.0);
        run_close(r);
    }
    omp_set_num_threads(threads);
    memory_free(m);
    for (int way = SANITIZED ? 3 : 1; way < 4; way++)
        assert_true(hash[way] == hash[0]);
}

/* A cell that is compressed beyond where its spheres are jammed. */
static void a_cell_that_is_compressed(void **state)
{
    (void)state;
    run *r = run_open(WEIGHTLESS SCENE
                      "cell: { size = [0.05, 0.05, 0.05]; strain_rate = [-1, -1, -1]; };\n"
                      "bodies = ( { lattice: { counts = [4, 4, 4]; spacing = 0.0125; origin = "
                      "[0.005, 0.005, 0.005]; jitter = 1e-3; }; radius = 0.005; material = "
                      "\"grain\"; } );\n",
                      "strength = 1;", "");
    double most = 0.0;
    for (int k = 0; k < 300; k++) {
        run_step(r);
        most = fmax(most, largest_force(r));
    }
    const plu_totals *t = plu_stepper_totals(r->stepper);
    assert_true(most <= 1.0 + 1e-12);
    assert_true(t->yielding_steps > 20);
    assert_true(t->unconverged <= 6);
    assert_near(plu_stepper_imbalance(r->stepper), 0.0, 1e-10);
    run_close(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plates_press),       cmocka_unit_test(whatever_solves),
        cmocka_unit_test(a_plate_that_stops), cmocka_unit_test(grooves),
        cmocka_unit_test(loads_do_not_yield), cmocka_unit_test(a_lid_that_is_too_heavy),
        cmocka_unit_test(a_bed_that_yields),  cmocka_unit_test(an_impact_that_yields),
        cmocka_unit_test(a_mixer_goes_on),    cmocka_unit_test(a_cell_that_is_compressed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
