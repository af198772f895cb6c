/* Contacts that land within a step, and what the default criterion holds up: closed forms at steps
 * of 1 ms and default settings. */
#include "base/vec3.h"
#include "draws.h"
#include "memory.h"
#include <omp.h>

#define STEP "time: { step = 1e-3; end = 10; };\n"
static const double d = 0.02;

/* A sphere falls on a plane, from places that make it land at all moments of a step: it ends
 * exactly on the plane, without overlap on the way. */
static void lands_exactly(void **state)
{
    (void)state;
    for (int k = 0; k < 20; k++) {
        run *r = run_open(STEP RUN_MATERIALS("1300", "0.3", "1e-3", "0.0") RUN_PLANE
                          "bodies = ( { position = [0, 0, %.17g]; radius = 0.01; material = "
                          "\"grain\"; } );\n",
                          0.05 + 0.0001 * k);
        while (plu_world_time(r->world) < 0.15) {
            run_step(r);
            assert_true(run_position(r, 0)[2] >= 0.01 - 9.81e-6);
        }
        assert_near(run_position(r, 0)[2], 0.01, 9.81e-6);
        assert_near(run_velocity(r, 0)[2], 0.0, 1e-16);
        assert_near(plu_stepper_imbalance(r->stepper), 0.0, 1e-13);
        run_close(r);
    }
}

/* Friction of an oblique impact acts for its whole impulse, at whatever moment of the step it
 * comes: a sphere that grips rolls with 5/7 of its speed, one that slips has lost mu times the
 * normal one. */
static void oblique_impacts_keep_their_friction(void **state)
{
    (void)state;
    static const double mu[] = {1.0, 0.1};
    for (int k = 0; k < 24; k++) {
        run *r = run_open(
            STEP "gravity = [0, 0, 0];\nmaterials = ( { name = \"grain\"; density = 1300; }, "
                 "{ name = \"plate\"; } );\ncontacts = ( { between = [\"grain\", "
                 "\"plate\"]; friction = %g; } );\n" RUN_PLANE
                 "bodies = ( { position = [0, 0, %.17g]; velocity = [1, 0, -1]; radius = "
                 "0.01; material = \"grain\"; } );\n",
            mu[k % 2], 0.015 + 1e-4 * k);
        run_to(r, 0.03);
        assert_near(run_velocity(r, 0)[0], k % 2 ? 0.9 : 5.0 / 7.0, 1e-9);
        assert_near(run_velocity(r, 0)[2], 0.0, 1e-12);
        run_close(r);
    }
}

/* Columns that touch, or nearly, stay where they are, at the default tolerance and at a sharper
 * one: support reaches all spheres in the first step. */
static void cold_columns_stay(void **state)
{
    (void)state;
    NUMBERS_ONLY();
    static const double gap[] = {0.0, 1e-8, 1e-6}, tolerance[] = {0.1, 1e-6};
    for (int k = 0; k < 6; k++) {
        run *r = run_open(
            STEP "solver: { tolerance = %g; };\n" RUN_MATERIALS("1300", "0.3", "0", "0.0") RUN_PLANE
            "bodies = ( { lattice: { counts = [1, 1, 100]; spacing = %.17g; origin = "
            "[0, 0, 0.01]; }; radius = 0.01; material = \"grain\"; } );\n",
            tolerance[k % 2], d * (1.0 + gap[k / 2]));
        const double before = run_position(r, 99)[2];
        run_to(r, 0.2);
        assert_near(run_position(r, 99)[2], before - 99.0 * gap[k / 2] * d, 0.01 * d);
        run_close(r);
    }
}

/* A sphere of n small radii rests on three small ones, with friction that holds it by a wide
 * margin; it does not sink, and the floor bears both. */
static void tripods_hold(void **state)
{
    (void)state;
    static const double size[] = {3.0, 10.0, 30.0, 100.0};
    for (int k = 0; k < 4; k++) {
        const double r0 = 0.01, big = size[k] * r0, from_axis = 0.02;
        const double height = r0 + sqrt((big + r0) * (big + r0) - from_axis * from_axis);
        run *r = run_open(
            STEP RUN_MATERIALS("1300", "0.5", "1e-3", "0.0") RUN_PLANE
            "bodies = ( { position = [0.02, 0, 0.01]; radius = 0.01; material = \"grain\"; }, { "
            "position = [-0.01, 0.017320508, 0.01]; radius = 0.01; material = \"grain\"; }, { "
            "position = [-0.01, -0.017320508, 0.01]; radius = 0.01; material = \"grain\"; }, { "
            "position "
            "= [0, 0, %.17g]; radius = %.17g; material = \"grain\"; } );\n",
            height + 1e-9, big);
        run_to(r, 1.0);
        assert_near(run_position(r, 3)[2], height, 0.05 * r0);
        assert_near(plu_stepper_boundary_load(r->stepper), 1.0, 0.02);
        assert_int_equal(plu_stepper_totals(r->stepper)->unconverged, 0);
        run_close(r);
    }
}

/* A ball hits others that touch each other, e = 1 and no friction: energy stays. */
static void elastic_clusters_keep_their_energy(void **state)
{
    (void)state;
    for (int n = 2; n <= 20; n += 3) {
        run *r = run_open(
            STEP "gravity = [0, 0, 0];\n" RUN_MATERIALS(
                "1300", "0.0", "0",
                "1.0") "allow_overlap = true;\nbodies = ( { position = [-0.03, 0.004, 0]; velocity "
                       "= "
                       "[1, 0, 0]; radius = 0.01; material = \"grain\"; }, { lattice: { counts = "
                       "[%d, "
                       "1, 1]; spacing = 0.02; }; radius = 0.01; material = \"grain\"; } );\n",
            n);
        const double before = run_energy(r);
        run_to(r, 0.1);
        assert_near(run_energy(r) / before, 1.0, 1e-3);
        assert_true(fabs(run_velocity(r, 1)[0]) > 0.01); /* it was hit */
        run_close(r);
    }
}

/* Two spheres that close in with the speed u squeeze a small one out between them: where it touches
 * both at the angle f from the line of their centers, it leaves with u / tan f or, as they lose
 * momentum to it and to what it meets, a little less. It meets another
 * small one, or a plate, that nobody expected it to reach, and is not deeper in it than elsewhere
 * at the end of the step. */
static void squeezed_grains_stop(void **state)
{
    (void)state;
    /* the last ones are farther than all that was listed near them */
    static const double gap[] = {4e-4, 2e-3, 0.01, 4e-4, 2e-3, 0.01},
                        u[] = {0.4, 0.7, 0.9, 0.4, 0.7, 0.9},
                        slope[] = {0.2, 0.2, 0.06, 0.2, 0.2, 0.06};
    const double large = 0.01, small = 1e-3;
    for (int k = 0; k < 6; k++) {
        const double f = atan(slope[k]);
        const double x = (large + small) * cos(f), z = (large + small) * sin(f);
        const double top = z + small + gap[k];
        char stop[192];
        snprintf(stop, sizeof stop,
                 k < 3 ? ", { position = [0, 0, %.17g]; radius = 1e-3; material = \"grain\"; } );"
                       : " );\nboundaries = ( { plate: { center = [0, 0, %.17g]; normal = [0, 0, "
                         "-1]; size = [2e-3, 2e-3]; }; material = \"grain\"; } );",
                 k < 3 ? top + small : top);
        run *r = run_open(
            STEP "gravity = [0, 0, 0];\nallow_overlap = true;\nlimits: { velocity = 1000; };\n"
                 "solver: { tolerance = 1e-6; };\n"
                 "materials = ( { name = \"grain\"; density = 2500; } );\n"
                 "contacts = ( { between = [\"grain\", \"grain\"]; friction = 0; } );\n"
                 "bodies = ( { position = [%.17g, 0, 0]; velocity = [%.17g, 0, 0]; "
                 "radius = 0.01; material = \"grain\"; }, { position = [%.17g, 0, 0]; "
                 "velocity = [%.17g, 0, 0]; radius = 0.01; material = \"grain\"; }, { "
                 "position = [0, 0, %.17g]; radius = 1e-3; material = \"grain\"; }%s\n",
            -x, u[k], x, -u[k], z, stop);
        const int last = plu_world_bodies(r->world).count - 1;
        assert_true(u[k] / tan(f) * 1e-3 > gap[k] + small);
        run_step(r);
        const double end = run_position(r, 2)[2] + small, speed = run_velocity(r, 2)[2];
        assert_near(end, k < 3 ? run_position(r, last)[2] - small : top, 1e-3 * small);
        /* m v + m (v - gap / h) = 2 N sin f, u - v tan f = N cos f / M */
        const double a = pow(small / large, 3) / (2 * tan(f));
        assert_near(speed, k < 3 ? (u[k] + a * gap[k] / 1e-3) / (tan(f) + 2 * a) : gap[k] / 1e-3,
                    2e-3 * speed);
        run_close(r);
    }
}

/* A heavy sphere drives a light one, which nothing moved before, into an inclined plane within the
 * step: that impact has all of its friction. */
static void late_impacts_rub(void **state)
{
    (void)state;
    const double mu = 0.2, root = sqrt(0.5), radius = 0.002, inertia = 0.4 * radius * radius;
    run *r = run_open(
        STEP
        "gravity = [0, 0, 0];\nsolver: { tolerance = 1e-6; };\nmaterials = ( { name = \"light\"; "
        "density = 2500; }, { name = \"heavy\"; density = 2.5e6; }, { name = \"plate\"; } );\n"
        "contacts = ( { between = [\"light\", \"heavy\"]; friction = 0; }, { between = [\"light\", "
        "\"plate\"]; friction = %g; }, { between = [\"heavy\", \"plate\"]; friction = 0; } );\n"
        "boundaries = ( { plane: { center = [0.00266421356, 0, -0.00266421356]; normal = [-1, 0, "
        "1]; "
        "}; material = \"plate\"; } );\n"
        "bodies = ( { position = [-0.0041, 0, 0]; velocity = [5, 0, 0]; radius = 0.002; material = "
        "\"heavy\"; }, { position = [0, 0, 0]; radius = 0.002; material = \"light\"; } );\n",
        mu);
    run_step(r);
    /* impulses over the mass of the light one; the heavy one pushes along x */
    const double t = fabs(run_velocity(r, 1)[4]) * inertia / radius;
    const double n = run_velocity(r, 1)[2] / root + t;
    assert_true(n > 1.0);
    assert_near(t, mu * n, 1e-3 * n);
    run_close(r);
}

/* In a cell that is sheared, images come nearer while spheres do: what is found after the solve
 * does not depend on how old the list of candidates is. */
static void unexpected_velocities_are_found_in_cells(void **state)
{
    (void)state;
    static const char *const scene = STEP
        "gravity = [0, 0, 0];\ncell: { size = [0.2, 0.2, 0.2]; shear_rate = 20; };\n"
        "materials = ( { name = \"light\"; density = 2500; }, { name = \"heavy\"; density = 2.5e7; "
        "} "
        ");\ncontacts = ( { between = [\"light\", \"light\"]; friction = 0; }, { between = "
        "[\"light\", \"heavy\"]; friction = 0; }, { between = [\"heavy\", \"heavy\"]; friction = "
        "0; "
        "} );\n"
        "bodies = ( { position = [0.1, 0.1, 0.1998]; velocity = [-3.996, 0, 0]; radius = 0.001; "
        "material = \"light\"; }, { position = [0.0878065591403, 0.1, 0.0002]; radius = 0.001; "
        "material = \"light\"; }, { position = [0.1064, 0.1, 0.1998]; velocity = [-7.496, 0, 0]; "
        "radius "
        "= 0.001; material = \"heavy\"; } );\n";
    run *one = run_open("%s", scene), *two = run_open("%s", scene);
    for (int step = 0; step < 3; step++) {
        run_step(one);
        run_step(two);
        assert_int_equal(plu_world_hash(one->world), plu_world_hash(two->world));
        memory *m = memory_save(two);
        run_close(two);
        two = run_open("%s", scene);
        assert_int_equal(memory_set(two, m), PLU_OK);
        memory_free(m);
    }
    assert_true(plu_stepper_totals(one->stepper)->worst_penetration_ratio < 0.02);
    run_close(one);
    run_close(two);
}

static run *uneven(int seed)
{
    return run_open(
        "seed = %d;\nallow_overlap = true;\n" STEP
        "materials = ( { name = \"grain\"; density = 2500; } );\n"
        "contacts = ( { between = [\"grain\", \"grain\"]; friction = 0.3; rolling_friction = "
        "1e-4; } );\n"
        "boundaries = ( { box: { lower = [0, 0, 0]; upper = [0.176, 0.176, 2]; }; material = "
        "\"grain\"; } );\n"
        "bodies = ( { lattice: { counts = [8, 8, 16]; spacing = 0.022; origin = [0.011, 0.011, "
        "0.011]; jitter = 8e-4; }; radius = [0.0005, 0.01]; material = \"grain\"; } );\n",
        seed);
}

/* Grains of all sizes from 1 to 20 fall together. Small ones that large ones squeeze out are much
 * faster than all that hits them, and meet others within the same step; others are pressed into
 * large ones for many steps. */
static void small_grains_are_squeezed_out(void **state)
{
    (void)state;
    NUMBERS_ONLY();
    static const int seeds[] = {1, 16, 17, 19};
    for (int k = 0; k < 4; k++) {
        run *r = uneven(seeds[k]);
        run_to(r, 0.5);
        assert_true(plu_stepper_totals(r->stepper)->worst_penetration_ratio < 0.025);
        run_close(r);
    }
}

/* In a long step spheres move by a diameter and more, and what they do after an impact is not known
 * before the solve: without contacts that are found after it these overlap by 0.03 to 0.3 of d. */
static void long_steps_leave_no_deep_overlaps(void **state)
{
    (void)state;
    NUMBERS_ONLY();
    for (int seed = 1; seed <= 8; seed++) {
        run *r = run_open(
            "seed = %d;\ntime: { step = 4e-3; end = 10; };\n"
            "materials = ( { name = \"g\"; density = 2500.0; } );\n"
            "contacts = ( { between = [\"g\", \"g\"]; friction = 0.4; rolling_friction = 1e-4; } "
            ");\n"
            "boundaries = ( { box: { lower = [-0.02, -0.02, 0]; upper = [0.02, 0.02, 0.5]; }; "
            "material "
            "= \"g\"; } );\n"
            "bodies = ( { packing: { count = 150; box = [[-0.02, -0.02, 0], [0.02, 0.02, 0.4]]; }; "
            "material = \"g\"; radius = 0.005; } );\n",
            seed);
        run_to(r, 0.3);
        assert_true(plu_stepper_totals(r->stepper)->worst_penetration_ratio < 0.03);
        run_close(r);
    }
}

/* Contacts that are added within a step do not depend on the candidates that happen to be listed,
 * nor on the number of threads: a run that is taken up anew in every tenth step goes on alike. */
static void squeezed_alike_after_restarts(void **state)
{
    (void)state;
    const int threads = omp_get_max_threads();
    run *one = uneven(16), *two = uneven(16);
    for (int step = 0; step < 140; step++) {
        omp_set_num_threads(1);
        if (step >= 100 && step % 10 == 7) {
            memory *m = memory_save(two);
            run_close(two);
            two = uneven(16);
            assert_int_equal(memory_set(two, m), PLU_OK);
            memory_free(m);
        }
        run_step(one);
        omp_set_num_threads(2);
        run_step(two);
        assert_int_equal(plu_world_hash(one->world), plu_world_hash(two->world));
    }
    omp_set_num_threads(threads);
    run_close(one);
    run_close(two);
}

/* A narrow bed of thirty layers between smooth walls comes to rest: it stays where it is, and the
 * floor bears its weight. */
static void deep_beds_rest(void **state)
{
    (void)state;
    NUMBERS_ONLY();
    run *r = run_open(
        STEP
        "materials = ( { name = \"grain\"; density = 1300; }, { name = \"plate\"; } );\n"
        "contacts = ( { between = [\"grain\", \"grain\"]; friction = 0.3; rolling_friction = 1e-4; "
        "}, { between = [\"grain\", \"plate\"]; friction = 0.0; } );\n"
        "boundaries = ( { box: { lower = [0, 0, 0]; upper = [0.123, 0.123, 1]; }; material = "
        "\"plate\"; } );\n"
        "bodies = ( { lattice: { counts = [6, 6, 30]; spacing = 0.0205; origin = [0.01025, "
        "0.01025, "
        "0.0105]; jitter = 2.4e-4; }; radius = 0.01; material = \"grain\"; } );\n");
    run_to(r, 1.5);
    double before = 0.0, after = 0.0;
    const int count = plu_world_bodies(r->world).count;
    for (int i = 0; i < count; i++)
        before += run_position(r, i)[2];
    run_to(r, 2.0);
    for (int i = 0; i < count; i++)
        after += run_position(r, i)[2];
    assert_near((before - after) / count / d / 0.5, 0.0, 1e-3); /* d/s */
    assert_near(plu_stepper_boundary_load(r->stepper), 1.0, 1e-3);
    assert_true(r->info.penetration_ratio < 2e-3);
    run_close(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lands_exactly),
        cmocka_unit_test(oblique_impacts_keep_their_friction),
        cmocka_unit_test(cold_columns_stay),
        cmocka_unit_test(tripods_hold),
        cmocka_unit_test(elastic_clusters_keep_their_energy),
        cmocka_unit_test(squeezed_grains_stop),
        cmocka_unit_test(late_impacts_rub),
        cmocka_unit_test(unexpected_velocities_are_found_in_cells),
        cmocka_unit_test(small_grains_are_squeezed_out),
        cmocka_unit_test(long_steps_leave_no_deep_overlaps),
        cmocka_unit_test(squeezed_alike_after_restarts),
        cmocka_unit_test(deep_beds_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
