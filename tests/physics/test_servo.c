/* Boundaries that a force moves, against closed forms (src/theory.md, "Servos"): on 1 and 2
 * threads, by several solvers, through a restart. */
#include "draws.h"
#include "memory.h"
#include "pluvia/motion.h"
#include "pluvia/tool/solver.h"
#include "world/enclosure.h"
#include "world/servo.h"
#include <math.h>
#include <omp.h>

static const double pi = 3.14159265358979323846, g = 9.81;

#define WEIGHTLESS "gravity = [0, 0, 0];\n"
#define SHARP "solver: { criterion = \"weight\"; tolerance = 1e-12; };\n"
#define SLICK RUN_MATERIALS("2500", "0.0", "0", "0")
#define ROUGH RUN_MATERIALS("2500", "0.5", "1e-4", "0")

static double mass_of(double radius)
{
    return 4.0 / 3.0 * pi * radius * radius * radius * 2500.0;
}

/* v_{k+1} of a servo along its axis, and where it has gone from where the scene has it. */
static double speed_of(const run *r, int servo)
{
    const plu_world_servo *s = &r->world->servos[servo];
    double v = 0.0;
    for (int k = 0; k < 3; k++)
        v += s->spec->axis[k] * s->motion->pose.velocity[0][k];
    return v;
}

static const double *shift_of(const run *r, int servo)
{
    return r->world->servos[servo].motion->pose.now.shift;
}

/* --- a piston --- */

/* Without gravity it pushes a sphere: v = k h F / (m_w + m). */
static void a_piston_pushes_a_sphere(void **state)
{
    (void)state;
    const char *how[] = {
        "", SHARP,
        "solver: { name = \"newton\"; criterion = \"natural-map\"; tolerance = "
        "1e-12; };\n",
        "solver: { name = \"prox-newton\"; criterion = \"weight\"; tolerance = 1e-12; };\n",
        "solver: { local = \"projection\"; criterion = \"natural-map\"; tolerance "
        "= 1e-12; };\n"};
    const double masses[] = {1e-4, 0.02, 5.0}, m = mass_of(0.01), force = 0.3, h = 1e-3;
    for (size_t i = 0; i < sizeof how / sizeof *how; i++)
        for (int j = 0; j < 3; j++) {
            run *r = run_open(WEIGHTLESS
                              "time: { step = 1e-3; end = 1; };\n" ROUGH "%s"
                              "boundaries = ( { plane: { center = [0, 0, -0.01]; }; material = "
                              "\"plate\"; servo: { mass = %g; force = %g; speed = 100; }; } );\n"
                              "bodies = ( { position = [0, 0, 0]; radius = 0.01; material = "
                              "\"grain\"; } );\n",
                              how[i], masses[j], force);
            for (int k = 1; k <= 100; k++) {
                run_step(r);
                const double v = k * h * force / (masses[j] + m);
                assert_near(run_velocity(r, 0)[2], v, 1e-12 * v);
                assert_near(speed_of(r, 0), v, 1e-12 * v);
            }
            assert_near(shift_of(r, 0)[2], run_position(r, 0)[2], 1e-12);
            /* the work of the force is the energy of both; that on the sphere is its own */
            const double v = run_velocity(r, 0)[2], all = force * shift_of(r, 0)[2];
            assert_near(all, 0.5 * (m + masses[j]) * v * v, 1e-11 * all);
            assert_near(plu_stepper_totals(r->stepper)->work_boundary, 0.5 * m * v * v,
                        1e-11 * all);
            assert_near(plu_stepper_imbalance(r->stepper), 0.0, 1e-12);
            run_close(r);
        }
}

/* A sphere between two pistons with axes that lean: each is pushed along its own axis alone. */
static void an_axis_that_leans(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        run *r = run_open(
            WEIGHTLESS "time: { step = 1e-3; end = 1; };\n" SLICK "%s"
                       "boundaries = ( { plane: { center = [0, 0, -0.01]; }; material = \"plate\"; "
                       "servo: { mass = 0.02; force = 0.3; axis = [3, 0, 4]; speed = 10; }; } );\n"
                       "bodies = ( { position = [0, 0, 0]; radius = 0.01; material = \"grain\"; } "
                       ");\n",
            k == 0 ? SHARP
                   : "solver: { name = \"newton\"; criterion = \"natural-map\"; "
                     "tolerance = 1e-12; };\n");
        run_to(r, 0.1);
        /* u_N = 0: v_z of the sphere is 0.8 v; m_w dv/dt = F - 0.8 N, m 0.8 dv/dt = N */
        const double v = 0.1 * 0.3 / (0.02 + 0.64 * mass_of(0.01));
        assert_near(speed_of(r, 0), v, 1e-10);
        assert_near(run_velocity(r, 0)[2], 0.8 * v, 1e-10);
        assert_near(shift_of(r, 0)[0], 0.6 / 0.8 * shift_of(r, 0)[2], 1e-15);
        run_close(r);
    }
}

/* A hundred columns, some of which a plate hits first: they are one island, and it stays level. At
 * rest the floor bears F + m_w g + sum m g, whatever the mass of the plate. */
static void a_piston_on_a_bed(void **state)
{
    (void)state;
    const double masses[] = {0.1, 1.0, 100.0, 0.1, 1.0, 100.0}; /* over that of a layer */
    for (int j = 0; j < 6; j += SANITIZED ? 2 : 1) {
        const double share = j < 3 ? 3e-4 : 5e-6; /* as the criterion asks for */
        const double layer = 100 * mass_of(0.005);
        run *r =
            run_open("time: { step = 1e-3; end = 5; };\n" ROUGH "%s"
                     "boundaries = ( { plane: {}; material = \"plate\"; }, { plane: { center = "
                     "[0, 0, 0.0501]; normal = [0, 0, -1]; }; material = \"plate\"; servo: { mass "
                     "= %g; force = 20; }; } );\n"
                     "bodies = ( { lattice: { counts = [10, 10, 5]; spacing = 0.01; origin = [0, "
                     "0, 0.005]; }; radius = 0.005; material = \"grain\"; } );\n"
                     "allow_overlap = true;\n",
                     j < 3 ? "" : SHARP, masses[j] * layer);
        run_to(r, j < 3 ? 0.3 : 0.05);
        double floor[3], lid[3], moment[3];
        plu_stepper_boundary_force(r->stepper, 0, floor, moment);
        plu_stepper_boundary_force(r->stepper, 1, lid, moment);
        const double push = 20.0 + masses[j] * layer * g;
        assert_near(-floor[2], push + 5.0 * layer * g, share * push);
        assert_near(lid[2], push, share * push);
        assert_near(speed_of(r, 0), 0.0, j < 3 ? 2e-3 * g * 1e-3 : 1e-9);
        assert_near(shift_of(r, 0)[2], -1e-4, 6e-5); /* overlaps are within the slop */
        assert_int_equal(r->info.islands, 1);
        assert_true(j >= 3 || plu_stepper_totals(r->stepper)->unconverged == 0);
        run_close(r);
    }
}

/* What keeps a plate from sinking is not seen at its contacts alone: without impulses to start
 * from it is borne in the first step, and the criterion says so. */
static void a_cold_start(void **state)
{
    (void)state;
    run *r = run_open(WEIGHTLESS
                      "time: { step = 1e-4; end = 5; };\n" ROUGH
                      "boundaries = ( { plane: {}; material = \"plate\"; }, { plane: { center = "
                      "[0, 0, 0.1]; normal = [0, 0, -1]; }; material = \"plate\"; servo: { mass "
                      "= 0.05; force = 200; }; } );\n"
                      "bodies = ( { lattice: { counts = [6, 6, 10]; spacing = 0.01; origin = [0, "
                      "0, 0.005]; }; radius = 0.005; material = \"grain\"; } );\n"
                      "allow_overlap = true;\n");
    run_step(r);
    assert_true(r->info.converged);
    double floor[3], moment[3];
    plu_stepper_boundary_force(r->stepper, 0, floor, moment);
    assert_near(-floor[2], 200.0, 0.02 * 200.0);
    /* what it would gain if nothing bore it: F h / (m_w + sum m) = 0.036 m/s */
    assert_true(fabs(speed_of(r, 0)) < 0.01 * 200.0 * 1e-4 / (0.05 + 360 * mass_of(0.005)));
    run_close(r);
}

/* --- forces over time, limits --- */

static void a_table(void **state)
{
    (void)state;
    char path[] = "/tmp/pluvia-test-XXXXXX";
    FILE *file = fdopen(mkstemp(path), "w");
    fputs("t, share\n0, 0\n0.1, 1\n0.2, 1\n0.3, -0.5\n", file);
    fclose(file);
    run *r =
        run_open("time: { step = 1e-3; end = 1; };\nsolver: { tolerance = 1e-6; };\n" ROUGH
                 "boundaries = ( { plane: {}; material = \"plate\"; }, { plane: { center = [0, 0, "
                 "0.02]; normal = [0, 0, -1]; }; material = \"plate\"; servo: { mass = 0.02; "
                 "force = 5; start = 0.05; table = \"%s\"; speed = 0.05; }; } );\n"
                 "bodies = ( { position = [0, 0, 0.01]; radius = 0.01; material = \"grain\"; } "
                 ");\n",
                 path);
    const double time[] = {0.1, 0.16, 0.25}, share[] = {0.5, 1.0, 1.0};
    for (int k = 0; k < 3; k++) {
        double force[3], moment[3];
        run_to(r, time[k]);
        plu_stepper_boundary_force(r->stepper, 1, force, moment);
        assert_near(force[2], 5.0 * share[k] + 0.02 * g, 1e-9);
    }
    run_to(r, 0.8); /* drawn up, at its limit */
    assert_near(speed_of(r, 0), -0.05, 0.0);
    assert_true(shift_of(r, 0)[2] > 0.01);
    assert_true(r->world->servos[0].hurries);
    run_close(r);
    unlink(path);
}

/* Its limit of speed is a brake: it pushes a sphere with its force up to that, and no further. */
static void a_limit_of_speed(void **state)
{
    (void)state;
    run *r = run_open(
        WEIGHTLESS
        "time: { step = 1e-3; end = 1; };\nsolver: { tolerance = 1e-9; };\n" ROUGH
        "boundaries = ( { plane: { center = [0, 0, -0.01]; }; material = \"plate\"; servo: "
        "{ mass = 0.02; force = 1; }; } );\n"
        "bodies = ( { position = [0, 0, 0]; radius = 0.01; material = \"grain\"; } );\n");
    run_to(r, 0.1);
    assert_near(speed_of(r, 0), 0.1 * 0.01 / 1e-3, 0.0); /* a tenth of the radius in a step */
    assert_near(run_velocity(r, 0)[2], 1.0, 1e-12);
    assert_near(plu_stepper_imbalance(r->stepper), 0.0, 1e-12);
    run_close(r);
}

/* --- a box --- */

#define WALL(x, y, z, nx, ny, nz, more)                                                            \
    "{ plane: { center = [" #x ", " #y ", " #z "]; normal = [" #nx ", " #ny ", " #nz               \
    "]; }; material = \"plate\"; " more " }"

/* Area and volume between planes of any directions. */
static void what_walls_enclose(void **state)
{
    (void)state;
    run *r = run_open(
        WEIGHTLESS
        "time: { step = 1e-3; end = 1; };\n" ROUGH
        "boundaries = ( " WALL(5, 5, 0, 0, 0, 1, "") ", " WALL(0, 0, 0, 1, 0, 0, "") ", " WALL(
            0, 0, 0, 0, 1, 0,
            "") ", "
                "{ plane: { center = [6, 0, 0]; normal = [-0.5, -1, -1.5]; }; material = "
                "\"plate\"; motion: { velocity = [1, 0, 0]; }; }, " WALL(
                    0, 0, -7, 0, 0, 1, "") " );\n"
                                           "bodies = ( { position = [1, 0.5, 0.5]; radius = 0.1; "
                                           "material = \"grain\"; } );\n");
    /* a tetrahedron with corners at 6, 3 and 2 on the axes; the last plane is behind the first */
    assert_near(plu_enclosed_volume(r->world), 6.0, 1e-12);
    assert_near(plu_enclosed_area(r->world, 0), 9.0, 1e-12);
    assert_near(plu_enclosed_area(r->world, 1), 3.0, 1e-12);
    assert_near(plu_enclosed_area(r->world, 2), 6.0, 1e-12);
    assert_near(plu_enclosed_area(r->world, 3), 0.5 * sqrt(36. + 144. + 324.), 1e-12);
    assert_near(plu_enclosed_area(r->world, 4), 0.0, 0.0);
    run_step(r);
    const double grown = 6.001 / 6.0;
    assert_near(plu_enclosed_volume(r->world), 6.0 * grown * grown * grown, 1e-12);
    assert_near(plu_enclosed_fraction(r->world),
                4.0 / 3.0 * pi * 1e-3 / plu_enclosed_volume(r->world), 1e-12);
    run_close(r);
}

/* A periodic cell bounds them as walls do. */
static void a_periodic_cell(void **state)
{
    (void)state;
    run *r = run_open(
        WEIGHTLESS
        "time: { step = 1e-3; end = 1; };\n"
        "cell: { size = [0.1, 0.2, 1]; periodic = [\"x\", \"y\"]; };\n" ROUGH
        "boundaries = ( { plane: {}; material = \"plate\"; }, { plane: { center = [0, 0, "
        "0.05]; normal = [0, 0, -1]; }; material = \"plate\"; servo: { mass = 0.1; stress = "
        "50; }; } );\n"
        "bodies = ( { position = [0, 0, 0.025]; radius = 0.02; material = \"grain\"; } );\n");
    run_step(r);
    assert_near(plu_enclosed_area(r->world, 1), 0.02, 1e-15);
    assert_near(r->world->servos[0].force, 1.0, 1e-13);
    assert_near(plu_enclosed_volume(r->world), 0.02 * (0.05 + shift_of(r, 0)[2]), 1e-15);
    run_close(r);
}

static const char box[] = WEIGHTLESS
    "time: { step = 2e-4; end = 1; };\n" ROUGH
    "boundaries = ( " WALL(0, 0, 0, 0, 0, 1, "") ", " WALL(0, 0, 0.046, 0, 0, -1, "servo: { mass = 0.005; stress = 1e3; };") ", " WALL(
        0, 0, 0, 1, 0, 0,
        "") ", " WALL(0.04, 0, 0, -1, 0, 0,
                      "servo: { mass = 0.005; stress = 500; "
                      "};") ", " WALL(0, 0, 0, 0, 1, 0,
                                      "servo: { mass = "
                                      "0.005; stress = 800; "
                                      "};") ", " WALL(0, 0.04, 0, 0, -1, 0,
                                                      "servo:"
                                                      " { "
                                                      "mass "
                                                      "= "
                                                      "0.005;"
                                                      " stres"
                                                      "s = "
                                                      "800; "
                                                      "};") " );\n"
                                                            "bodies = ( { packing: { box = "
                                                            "[[0.003, 0.003, 0.003], [0.037, "
                                                            "0.037, 0.043]]; count = 150; }; "
                                                            "radius = [0.0025, 0.0029]; material = "
                                                            "\"grain\"; } );\n";

static uint64_t squeeze(int threads, double until, run **open)
{
    const int before = omp_get_max_threads();
    omp_set_num_threads(threads);
    run *r = *open ? *open : run_open("%s", box);
    run_to(r, until);
    *open = r;
    omp_set_num_threads(before);
    return plu_world_hash(r->world);
}

/* Walls that a stress each pushes together press with it, by their areas as they are; with the
 * same bits for any threads, and through a restart. */
static void a_box_of_servos(void **state)
{
    (void)state;
    run *one = NULL, *two = NULL;
    const uint64_t hash = squeeze(1, 0.35, &one);
    assert_true(squeeze(2, 0.35, &two) == hash);
    const double stress[] = {NAN, 1e3, NAN, 500.0, 800.0, 800.0};
    for (int b = 0; b < 6; b++) {
        double force[3], moment[3];
        plu_stepper_boundary_force(one->stepper, b, force, moment);
        const double found = plu_boundary_stress(one->world, b, force);
        if (!isnan(stress[b]))
            assert_near(found, stress[b], 2e-3 * stress[b]);
    }
    const double solid = plu_enclosed_fraction(one->world);
    assert_true(solid > 0.42 && solid < 0.6);
    run_close(two);

    run *first = NULL, *then = run_open("%s", box);
    (void)squeeze(1, 0.1, &first);
    memory *m = memory_save(first);
    assert_int_equal(memory_set(then, m), PLU_OK);
    memory_free(m);
    assert_true(squeeze(2, 0.35, &then) == hash);
    run_close(first);
    run_close(then);
    run_close(one);
}

/* --- large beds: tiles, in floats and in doubles --- */

static void beds_of_tiles(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        run *r = run_open(
            "time: { step = 1e-3; end = 5; };\n" ROUGH
            "solver: { single = %s; };\nallow_overlap = true;\n"
            "boundaries = ( { plane: {}; material = \"plate\"; }, { plane: { center = [0, 0, "
            "0.32]; "
            "normal = [0, 0, -1]; }; material = \"plate\"; servo: { mass = 2; force = 100; }; } "
            ");\n"
            "bodies = ( { lattice: { counts = [20, 20, 16]; spacing = 0.02; origin = [-0.2, -0.2, "
            "0.01]; }; radius = 0.01; material = \"grain\"; } );\n",
            k ? "true" : "false");
        for (int step = 0; step < 6; step++)
            run_step(r);
        assert_true(r->info.pairs >= 16384);
        assert_true(r->info.converged);
        double lid[3], moment[3];
        plu_stepper_boundary_force(r->stepper, 1, lid, moment);
        assert_near(lid[2], 100.0 + 2.0 * g, 0.01 * 100.0);
        assert_near(speed_of(r, 0), 0.0, 0.02 * g * 1e-3);
        run_close(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_piston_pushes_a_sphere),
        cmocka_unit_test(an_axis_that_leans),
        cmocka_unit_test(a_piston_on_a_bed),
        cmocka_unit_test(a_cold_start),
        cmocka_unit_test(a_table),
        cmocka_unit_test(a_limit_of_speed),
        cmocka_unit_test(what_walls_enclose),
        cmocka_unit_test(a_periodic_cell),
        cmocka_unit_test(a_box_of_servos),
        cmocka_unit_test(beds_of_tiles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
