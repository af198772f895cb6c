/* Boundaries that move, against closed forms (src/theory.md, "Boundaries that move"), on 1 and 2
 * threads, through a restart, by several solvers. */
#include "draws.h"
#include "memory.h"
#include "pluvia/tool/solver.h"
#include "world/world.h"
#include <math.h>
#include <omp.h>

static const double pi = 3.14159265358979323846, g = 9.81, radius = 0.01;

#define SPHERE(place)                                                                              \
    "bodies = ( { position = " place "; radius = 0.01; material = \"grain\"; } );\n"
#define SHARP "solver: { criterion = \"weight\"; tolerance = 1e-12; };\n"

/* --- a belt --- */

static run *belt(const char *more, const char *motion, const char *rolling)
{
    return run_open(
        "%s time: { step = 1e-5; end = 1; };\n"
        "materials = ( { name = \"grain\"; density = 2500; }, { name = \"plate\"; } );\n"
        "contacts = ( { between = [\"grain\", \"grain\"]; friction = 0.3; }, { between = "
        "[\"grain\", \"plate\"]; friction = 0.3; rolling_friction = %s; } );\n"
        "boundaries = ( { plane: {}; material = \"plate\"; motion: { %s }; } );\n" SPHERE(
            "[0, 0, 0.01]"),
        more, rolling, motion);
}

/* Slip ends at t1 = 2 U / (g (7 mu - 5 mu_r / R)) with v = mu g t1, x = mu g t1^2 / 2. */
static void a_belt_takes_a_sphere_along(void **state)
{
    (void)state;
    const char *how[] = {SHARP, SHARP,
                         "solver: { name = \"newton\"; criterion = \"natural-map\"; "
                         "tolerance = 1e-12; };\n",
                         "solver: { name = \"newton-fb\"; criterion = \"natural-map\"; "
                         "tolerance = 1e-12; };\n",
                         "solver: { name = \"gs\"; local = \"projection\"; criterion = "
                         "\"natural-map\"; tolerance = 1e-12; };\n"};
    const char *motion[] = {"velocity = [0.5, 0, 0];", "belt = [0.5, 0, 7];",
                            "velocity = [0.5, 0, 0];", "velocity = [0.5, 0, 0];",
                            "belt = [0.5, 0, 0];"};
    for (size_t k = 0; k < sizeof how / sizeof *how; k++) {
        run *r = belt(how[k], motion[k], "0.0");
        run_to(r, 0.04854);
        assert_near(run_velocity(r, 0)[0], 0.3 * g * 0.04854, 1e-9);
        run_to(r, 0.06);
        assert_near(run_velocity(r, 0)[0], 1.0 / 7.0, 1e-9);
        assert_near(run_velocity(r, 0)[4], (1.0 / 7.0 - 0.5) / radius, 1e-6);
        assert_near(run_position(r, 0)[0], 3.46724e-3 + (0.06 - 0.0485413) / 7.0, 1e-8);
        const plu_totals *t = plu_stepper_totals(r->stepper);
        /* the belt drew with mu m g for as long as there was slip */
        const double mass = 4.0 / 3.0 * pi * 1e-6 * 2500.0;
        assert_near(t->work_boundary, 0.5 * 0.3 * mass * g * 0.0485413, 1e-7 * mass);
        assert_near(plu_stepper_imbalance(r->stepper), 0.0, 1e-13);
        assert_near(t->created, 0.0, 0.0);
        run_close(r);
    }
}

/* With rolling friction it is carried along in the end. */
static void a_belt_takes_a_sphere_along_for_good(void **state)
{
    (void)state;
    run *r = belt(SHARP, "velocity = [0.5, 0, 0];", "1e-3");
    run_to(r, 0.0637105);
    assert_near(run_velocity(r, 0)[0], 0.1875, 1e-4);
    assert_near(run_position(r, 0)[0], 5.97286e-3, 1e-5);
    run_to(r, 0.98 * 0.509684);
    assert_near(run_velocity(r, 0)[0], 0.4925, 5e-4);
    run_to(r, 1.02 * 0.509684);
    assert_near(run_velocity(r, 0)[0], 0.5, 1e-12);
    assert_near(run_velocity(r, 0)[4], 0.0, 1e-10);
    run_close(r);
}

/* It begins to move, stops and is taken away when it should. */
static void times_are_kept(void **state)
{
    (void)state;
    run *r = run_open(
        "time: { step = 1e-3; end = 1; };\n" RUN_MATERIALS("2500", "0.8", "1e-3", "0") SHARP
        "boundaries = ( { plate: { size = [1, 1]; }; material = \"plate\"; until = 0.5; "
        "motion: { velocity = [0.1, 0, 0]; start = 0.1; stop = 0.3; }; } );\n" SPHERE(
            "[0, 0, 0.01]"));
    run_to(r, 0.099);
    assert_near(run_velocity(r, 0)[0], 0.0, 0.0);
    run_to(r, 0.29);
    assert_near(run_velocity(r, 0)[0], 0.1, 1e-12);
    run_to(r, 0.5);
    assert_near(run_velocity(r, 0)[0], 0.0, 1e-12);
    assert_near(r->world->parts[0].pose->now.shift[0], 0.1 * 0.2, 1e-15);
    assert_near(run_position(r, 0)[2], radius, 1e-15);
    run_to(r, 0.6);
    assert_near(run_velocity(r, 0)[2], -g * 0.1, 1e-12);
    run_close(r);
}

/* --- a turntable --- */

/* Rolling without slip and rolling friction: the center runs a circle with 2/7 of Omega about
 * x0 + (z x v0) / (2 Omega / 7), of radius |v0| / (2 Omega / 7) = 0.0583333 m. The error is of
 * second order. One that drifts as well takes all of this along. */
static void a_turntable(void **state)
{
    (void)state;
    const double rate = 2.0 / 7.0 * 3.0, thetas[] = {0.5, 1.0}, steps[] = {2e-3, 1e-3};
    for (int k = 0; k < 4; k += SANITIZED ? 3 : 1) {
        const double drift = k < 2 ? 0.0 : 0.2;
        double error[2];
        for (int i = 0; i < 2; i++) {
            run *r = run_open(
                "time: { step = %g; end = 5; theta = %g; };\n" RUN_MATERIALS("2500", "5.0", "0.0",
                                                                             "0") SHARP
                "boundaries = ( { plane: {}; material = \"plate\"; motion: { rate = 3; "
                "velocity = [%g, 0, 0]; }; } );\n"
                "bodies = ( { position = [0.1, 0, 0.01]; radius = 0.01; material = \"grain\"; "
                "velocity = [%g, 0.05, 0]; angular_velocity = [25, 0, 0]; } );\n",
                steps[i], thetas[k % 2], drift, drift);
            run_to(r, 3.0);
            const double angle = rate * 3.0, middle = 0.1 - 0.05 / rate;
            const double *x = run_position(r, 0), along = x[0] - 3.0 * drift;
            error[i] =
                hypot(along - middle - 0.05 / rate * cos(angle), x[1] - 0.05 / rate * sin(angle));
            assert_near(plu_stepper_imbalance(r->stepper), 0.0, 1e-12);
            run_close(r);
        }
        assert_true(error[0] < 4e-7);
        assert_true(error[1] < 0.3 * error[0]);
    }
}

/* --- a drum --- */

/* A sphere in a turning drum stays where tan phi = min(mu, mu_r / R): it rolls there, or slides and
 * turns as the drum does. */
static void a_drum(void **state)
{
    (void)state;
    const double mu[] = {0.5, 0.2}, mu_r[] = {1e-3, 3e-3}, tangent[] = {0.1, 0.2};
    for (int k = 0; k < 2; k++) {
        const double phi = atan(tangent[k]), along = 0.1 - radius, rate = 2.0;
        const double x = -along * sin(phi), z = -along * cos(phi);
        run *r = run_open(
            "time: { step = 1e-3; end = 5; };\n" SHARP
            "materials = ( { name = \"grain\"; density = 2500; }, { name = \"plate\"; } );\n"
            "contacts = ( { between = [\"grain\", \"grain\"]; friction = 0.3; }, { between = "
            "[\"grain\", \"plate\"]; friction = %.17g; rolling_friction = %.17g; } );\n"
            "boundaries = ( { cylinder: { center = [0, -0.05, 0]; axis = [0, 1, 0]; radius = 0.1; "
            "height = 0.1; bottom = false; }; material = \"plate\"; motion: { axis = [0, 1, 0]; "
            "rate = %g; }; } );\n"
            "bodies = ( { position = [%.17g, 0, %.17g]; radius = 0.01; material = \"grain\"; "
            "angular_velocity = [0, %g, 0]; } );\n",
            mu[k], mu_r[k], rate, x, z, k == 0 ? rate * 0.1 / radius : rate);
        run_to(r, 2.0);
        assert_near(run_position(r, 0)[0], x, 1e-12 * along);
        assert_near(run_position(r, 0)[2], z, 1e-12 * along);
        assert_near(run_velocity(r, 0)[4], k == 0 ? rate * 0.1 / radius : rate, 1e-9);
        double force[3], moment[3], weight = 4.0 / 3.0 * pi * 1e-6 * 2500.0 * g;
        plu_stepper_boundary_force(r->stepper, 0, force, moment);
        assert_near(force[0], 0.0, 1e-10 * weight);
        assert_near(force[2], -weight, 1e-10 * weight);
        /* the weight has the lever x, and no spin changes */
        assert_near(moment[1], x * weight, 1e-9 * weight * along);
        const plu_totals *t = plu_stepper_totals(r->stepper);
        assert_near(t->work_boundary, -moment[1] * rate * 2.0, 1e-9 * weight);
        assert_near(plu_stepper_imbalance(r->stepper), 0.0, 1e-12);
        run_close(r);
    }
}

/* --- a plate that shakes --- */

static double gap_of(const run *r, int sphere)
{
    double normal[3];
    return plu_part_gap(&r->world->parts[0], r->world->spheres.at[sphere], normal);
}

/* 25 Hz, 0.02 R, half of gravity at most: what rests on the plate keeps its gap to rounding. */
static void what_rests_on_a_shaking_plate_stays_on_it(void **state)
{
    (void)state;
    const double amplitude = 0.02 * radius, beat = 2.0 * pi * 25.0;
    const char *how[] = {"theta = 0.5;", "theta = 1.0;", "theta = 0.5; forecast = 0.5;",
                         "theta = 1.0; forecast = 0.5;"};
    for (size_t k = 0; k < sizeof how / sizeof *how; k++) {
        run *r = run_open(
            "time: { step = 1e-3; end = 5; %s };\n" RUN_MATERIALS("2500", "0.3", "0", "0") SHARP
            "boundaries = ( { plate: { size = [1, 1]; }; material = \"plate\"; motion: { "
            "vibration: { amplitude = [0, 0, %.17g]; frequency = 25; }; }; } );\n"
            "bodies = ( { position = [0, 0, 0.01]; radius = 0.01; material = \"grain\"; velocity "
            "= [0, 0, %.17g]; } );\n",
            how[k], amplitude, amplitude * beat);
        double largest = 0.0, highest = 0.0;
        for (int step = 0; step < 2000; step++) {
            run_step(r);
            assert_int_equal(r->info.contacts, 1);
            largest = fmax(largest, fabs(gap_of(r, 0)));
            highest = fmax(highest, run_position(r, 0)[2] - radius);
        }
        assert_true(largest < 2e-14 * radius);
        assert_near(highest, amplitude, 3e-3 * amplitude);
        assert_near(plu_stepper_imbalance(r->stepper), 0.0, 1e-12);
        run_close(r);
    }
}

static run *bouncer(double strength, double speed, double phase, double step)
{
    const double beat = 2.0 * pi * 50.0;
    return run_open(
        "time: { step = %g; end = 50; forecast = 0.5; };\n" RUN_MATERIALS("2500", "0.0", "0", "0.5")
            SHARP "boundaries = ( { plane: {}; material = \"plate\"; motion: { vibration: { "
                  "amplitude = [0, 0, %.17g]; frequency = 50; phase = %.17g; }; }; } );\n"
                  "bodies = ( { position = [0, 0, 0.01]; radius = 0.01; material = \"grain\"; "
                  "velocity = [0, 0, %.17g]; } );\n",
        step, strength * g / (beat * beat), phase, speed);
}

/* Speeds after `count` impacts, and the time of the last one. */
static double bounces(run *r, int count, double *speed)
{
    double at = 0.0;
    for (int n = 0; n < count;) {
        run_step(r);
        if (r->info.contacts > 0) {
            speed[n++] = run_velocity(r, 0)[2];
            at = plu_world_time(r->world);
        }
        assert_true(plu_world_time(r->world) < 0.03 * (count + 2));
    }
    return at;
}

/* Period one at cos phi = G1 / Gamma, G1 = pi (1 - e) / (1 + e), with v = pi g / omega after each
 * impact, a height of pi^2 g / (2 omega^2); stable up to Gamma^2 = G1^2 + 4 ((1 + e^2) / (1 +
 * e)^2)^2, 1.526824 for e = 0.5 (Holmes 1982, Journal of Sound and Vibration 84, 173-189). */
static void a_bouncing_ball(void **state)
{
    (void)state;
    NUMBERS_ONLY();
    enum { COUNT = 24 };
    const double first = pi * 0.5 / 1.5, beat = 2.0 * pi * 50.0, ideal = pi * g / beat;
    double speed[COUNT];
    run *r = bouncer(1.2 * first, ideal, acos(1.0 / 1.2), 1e-5);
    const double last = bounces(r, COUNT, speed);
    assert_near(last, COUNT / 50.0, 1e-4);
    for (int n = COUNT / 2; n < COUNT; n++)
        assert_near(speed[n], ideal, g * 1e-5); /* the step that holds the impact */
    run_close(r);
    const double strength[] = {1.42, 1.62};
    for (int k = 0; k < 2; k++) {
        r = bouncer(strength[k], 1.02 * ideal, acos(first / strength[k]), 1e-5);
        bounces(r, COUNT, speed);
        const double apart = fabs(speed[COUNT - 1] - speed[COUNT - 2]) / ideal;
        assert_true(k == 0 ? apart < 5e-3 : apart > 0.05);
        run_close(r);
    }
}

/* --- what sleeps --- */

static run *bed(const char *motion)
{
    return run_open(
        "time: { step = 1e-3; end = 5; };\n" RUN_MATERIALS(
            "2500", "0.5", "2e-3",
            "0") "boundaries = ( { plate: { size = [1, 1]; }; material = \"plate\"; %s } );\n"
                 "bodies = ( { lattice: { counts = [4, 4, 2]; spacing = 0.0202; origin = [0, "
                 "0, 0.0101]; jitter = 1e-5; }; radius = 0.01; material = \"grain\"; } );\n",
        motion);
}

static void what_slept_wakes(void **state)
{
    (void)state;
    const char *motion[] = {"until = 1.0;", "motion: { velocity = [0, 0, 0.05]; start = 1.0; };",
                            "motion: { velocity = [0, 0, -0.05]; start = 1.0; };"};
    const double want[] = {-0.1 * 9.81, 0.05, -0.05};
    for (int k = 0; k < 3; k++) {
        run *r = bed(motion[k]);
        run_to(r, 0.99);
        assert_int_equal(r->world->asleep, 32);
        run_to(r, 1.1);
        assert_int_equal(r->world->asleep, 0);
        for (int b = 0; b < 32; b++)
            assert_near(run_velocity(r, b)[2], want[k], 2e-3);
        assert_near(plu_stepper_imbalance(r->stepper), 0.0, 1e-11);
        run_close(r);
    }
    run *r = bed("motion: { velocity = [0, 0, 0.05]; start = 0.2; stop = 0.4; };");
    run_to(r, 1.0);
    assert_int_equal(r->world->asleep, 32);
    run_close(r);
}

/* --- bits --- */

static run *tumbler(void)
{
    return run_open("time: { step = 1e-3; end = 5; };\n" RUN_MATERIALS(
        "2500", "0.4", "1e-4",
        "0.3") "boundaries = ( { cylinder: { center = [0, -0.03, 0]; axis = [0, 1, 0]; radius = "
               "0.06; "
               "height = 0.06; }; material = \"plate\"; motion: { axis = [0, 1, 0]; rate = 4; "
               "vibration: { amplitude = [1e-3, 0, 1e-3]; frequency = 20; }; }; },\n"
               "{ disc: { center = [0, 0.03, 0]; normal = [0, -1, 0]; radius = 0.06; }; material = "
               "\"plate\"; motion: { axis = [0, 1, 0]; center = [0, 0, 0]; rate = 4; vibration: { "
               "amplitude = [1e-3, 0, 1e-3]; frequency = 20; }; }; },\n"
               "{ box: { lower = [-0.3, -0.3, -0.3]; upper = [0.3, 0.3, 0.3]; }; material = "
               "\"plate\"; "
               "until = 0.9; } );\n"
               "bodies = ( { packing: { count = 120; box = [[-0.035, -0.025, -0.035], [0.035, "
               "0.025, "
               "0.035]]; }; radius = [0.003, 0.004]; material = \"grain\"; } );\n");
}

static void same_bits(void **state)
{
    (void)state;
    run *one = tumbler(), *two = tumbler(), *late = tumbler();
    memory *m = NULL;
    for (int step = 0; step < 600; step++) {
        omp_set_num_threads(1);
        run_step(one);
        omp_set_num_threads(2);
        run_step(two);
        if (step == 299) {
            m = memory_save(one);
            assert_int_equal(memory_set(late, m), PLU_OK);
        } else if (step >= 300) {
            run_step(late);
            assert_int_equal(plu_world_hash(one->world), plu_world_hash(late->world));
        }
        assert_int_equal(plu_world_hash(one->world), plu_world_hash(two->world));
    }
    assert_true(plu_stepper_totals(one->stepper)->work_boundary > 0.0);
    assert_near(plu_stepper_imbalance(one->stepper), 0.0, 1e-12);
    assert_memory_equal(one->world->parts[0].pose, late->world->parts[0].pose, sizeof(plu_pose));
    memory_free(m);
    run_close(one);
    run_close(two);
    run_close(late);
}

/* A bed that is swept by tiles, in floats and in doubles, on a belt: the same motion. */
static void beds_of_tiles(void **state)
{
    (void)state;
    double moved[2];
    for (int k = 0; k < 2; k++) {
        run *r = run_open(
            "time: { step = 1e-3; end = 5; };\n" RUN_MATERIALS(
                "2500", "0.5", "0", "0") "solver: { single = %s; tolerance = 1e-3; };\n"
                                         "boundaries = ( { plate: { size = [1, 1]; }; material = "
                                         "\"plate\"; motion: { belt = "
                                         "[0.2, 0, 0]; }; } );\n"
                                         "bodies = ( { lattice: { counts = [20, 20, 16]; spacing = "
                                         "0.02; origin = [-0.2, -0.2, "
                                         "0.01]; }; radius = 0.01; material = \"grain\"; } );\n"
                                         "allow_overlap = true;\n",
            k ? "true" : "false");
        for (int step = 0; step < 10; step++)
            run_step(r);
        assert_true(r->info.pairs >= 16384);
        moved[k] = 0.0;
        for (int b = 0; b < 6400; b++)
            moved[k] += run_velocity(r, b)[0];
        assert_near(plu_stepper_imbalance(r->stepper), 0.0, 1e-12);
        run_close(r);
    }
    assert_true(moved[0] > 6400 * 0.001);
    assert_near(moved[1], moved[0], 3e-3 * moved[0]); /* what the tolerance allows */
}

/* --- springs --- */

static void springs_are_taken_along(void **state)
{
    (void)state;
    run *r = run_open("method = \"penalty\";\ntime: { step = 1e-5; end = 1; };\n" RUN_MATERIALS(
        "2500", "0.3", "0.0",
        "0; normal_stiffness = 1e4") "boundaries = ( { plane: {}; material = \"plate\"; motion: { "
                                     "velocity = [0.5, 0, 0]; }; } "
                                     ");\n" SPHERE("[0, 0, 0.01]"));
    run_to(r, 0.1);
    assert_near(run_velocity(r, 0)[0], 1.0 / 7.0, 1e-3);
    assert_near(plu_stepper_imbalance(r->stepper), 0.0, 1e-12);
    run_close(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_belt_takes_a_sphere_along),
        cmocka_unit_test(a_belt_takes_a_sphere_along_for_good),
        cmocka_unit_test(times_are_kept),
        cmocka_unit_test(a_turntable),
        cmocka_unit_test(a_drum),
        cmocka_unit_test(what_rests_on_a_shaking_plate_stays_on_it),
        cmocka_unit_test(a_bouncing_ball),
        cmocka_unit_test(what_slept_wakes),
        cmocka_unit_test(same_bits),
        cmocka_unit_test(beds_of_tiles),
        cmocka_unit_test(springs_are_taken_along),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
