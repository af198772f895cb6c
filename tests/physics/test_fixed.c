/* Fixed bodies: impacts on them are those on spheres of a boundary, and what comes through them is
 * told in the step in which it does. */
#include "base/vec3.h"
#include "heard.h"
#include "pluvia/control.h"
#include "run.h"
#include "step/stepper.h"
#include "world/motion.h"
#include <math.h>

/* --- impacts --- */

enum { FLOOR = 5, FALLING = 18, BOUNDARY, BEFORE, BEHIND, KINDS };

/* Two layers, somewhat out of order. */
static const char *falling(void)
{
    static char text[FALLING * 200];
    size_t used = 0;
    for (int k = 0; k < FALLING; k++)
        used += (size_t)snprintf(
            text + used, sizeof text - used,
            "%s{ position = [%.17g, %.17g, %.17g]; radius = 0.008; material = \"g\"; velocity = "
            "[0.2, 0.1, -0.8]; }",
            k ? ", " : "", 0.011 + 0.0213 * (k % 3) + 1e-3 * sin(5.0 * k),
            0.012 + 0.0213 * (k / 3 % 3) + 1e-3 * sin(7.0 * k),
            0.0184 + 0.0213 * (k / 9) + 1e-3 * sin(9.0 * k));
    return text;
}

#define FIXED_BODIES                                                                               \
    "{ lattice: { counts = [5, 5, 1]; spacing = 0.0175; origin = [0, 0, 0]; }; radius = 0.01; "    \
    "material = \"g\"; fixed = true; }"

/* On a floor of a boundary, or of fixed spheres that stand before or behind those that fall. */
static run *on_floor(int kind, double step, const char *law)
{
    static char spheres[FLOOR * FLOOR * 120];
    size_t used = 0;
    for (int k = 0; k < FLOOR * FLOOR && kind == BOUNDARY; k++)
        used += (size_t)snprintf(spheres + used, sizeof spheres - used,
                                 "%s{ sphere: { center = [%.17g, %.17g, 0]; radius = 0.01; }; "
                                 "material = \"g\"; }",
                                 k ? ", " : "boundaries = ( ", 0.0175 * (k % FLOOR),
                                 0.0175 * (k / FLOOR));
    return run_open("time: { step = %g; end = 1; };\nseed = 4;\nallow_overlap = true;\nsolver: { "
                    "criterion = \"weight\"; tolerance = 1e-12; max_iterations = 100000; };\n"
                    "materials = ( { name = \"g\"; density = 2500; } );\ncontacts = ( { between = "
                    "[\"g\", \"g\"]; friction = 0.3; %s } );\n%s\nbodies = ( %s%s%s );\n",
                    step, law, kind == BOUNDARY ? strcat(spheres, " );") : "",
                    kind == BEFORE ? FIXED_BODIES ", " : "", falling(),
                    kind == BEHIND ? ", " FIXED_BODIES : "");
}

/* By Newton's law; by that of the energy, and of what lands, walls have rules of their own. */
static void impacts_are_those_on_a_boundary(void **state)
{
    (void)state;
    static const struct {
        double step;
        const char *law;
    } cases[] = {{1e-4, "restitution = 0.8;"},
                 {1e-3, "restitution = 0.8;"},
                 {4e-3, "restitution = 0.8;"},
                 {1e-4, "restitution = 0.5; rolling_friction = 1e-3;"},
                 {1e-3, "restitution = 0.5; rolling_friction = 1e-3;"}};
    for (int k = 0; k < 5; k++) {
        double at[FALLING][4], v[FALLING][8];
        for (int kind = BOUNDARY; kind < KINDS; kind++) {
            run *r = on_floor(kind, cases[k].step, cases[k].law);
            run_to(r, 0.03);
            const int first = kind == BEFORE ? FLOOR * FLOOR : 0;
            for (int i = 0; i < FALLING; i++) {
                if (kind == BOUNDARY) {
                    memcpy(at[i], run_position(r, i), sizeof at[i]);
                    memcpy(v[i], run_velocity(r, i), sizeof v[i]);
                }
                for (int j = 0; j < 3; j++) {
                    assert_near(run_position(r, first + i)[j], at[i][j], 1e-8);
                    assert_near(run_velocity(r, first + i)[j], v[i][j], 1e-6);
                }
            }
            run_close(r);
        }
    }
}

/* --- what comes through them --- */

enum { THROUGH = 2 }; /* bit of plu_motion.warned (step/held.c) */

static run *plate_at(double height, const char *how)
{
    return run_open("time: { step = 1e-3; end = 1; };\ngravity = [0, 0, 0];\n" RUN_MATERIALS(
                        "2500.0", "0.3", "0",
                        "0") "boundaries = ( { plate: { center = [0, 0, %.17g]; size = [1, 1]; }; "
                             "material = \"plate\"; %s } );\nbodies = ( { position = [0, 0, 0]; "
                             "radius = 0.01; material = \"grain\"; fixed = true; } );\n",
                    height - 0.01, how);
}

static void said_at(int step, const char *hint)
{
    char want[512] = "go through";
    if (step > 0)
        snprintf(want, sizeof want,
                 "step %d (t = %g s): plate-1 and body 0 of bodies[0], which is fixed, go through "
                 "each other: %s",
                 step, 1e-3 * step, hint);
    assert_true((strstr(said, want) != NULL) == (step > 0));
}

/* The step, from 1 on, in which it is told that they go through each other; 0: none of 40. */
static int told(double height, const char *how)
{
    run *r = heard(plate_at(height, how));
    int step = 0;
    for (int k = 1; k <= 40 && step == 0; k++) {
        run_step(r);
        step = r->world->motions[0].warned & THROUGH ? k : 0;
    }
    said_at(step,
            "nothing holds what follows a motion; end it before (motion.stop), or let a servo "
            "move the boundary");
    run_close(r);
    return step;
}

/* By a step that ends more than 0.45 mm deep (0.9 of 5 % of the radius), unless it was 0.5 mm deep
 * before. */
static void what_goes_through_is_told(void **state)
{
    (void)state;
    assert_int_equal(told(-0.52e-3, "motion: { velocity = [0, 0, 0.1]; };"), 10);
    assert_int_equal(told(-0.02e-3, "motion: { velocity = [0, 0, 0.1]; };"), 5);
    assert_int_equal(told(-2.3e-3, "motion: { velocity = [0, 0, 1]; };"), 3);
    assert_int_equal(told(0.2e-3, "motion: { velocity = [0, 0, 0.3]; };"), 1);
    assert_int_equal(told(0.51e-3, "motion: { velocity = [0, 0, 0.3]; };"), 0);  /* intended */
    assert_int_equal(told(0.48e-3, "motion: { velocity = [0.3, 0, 0]; };"), 0);  /* slides */
    assert_int_equal(told(0.48e-3, "motion: { velocity = [0, 0, -0.1]; };"), 0); /* goes away */
    assert_int_equal(told(-1.0, "motion: { velocity = [0, 0, 0.1]; };"), 0);
    /* turns about an edge 0.5 m away: 0.2 rad/s */
    assert_int_equal(told(-0.52e-3, "motion: { rate = -0.2; axis = [0, 1, 0]; center = [-0.5, 0, "
                                    "-0.01]; };"),
                     10);
}

/* A plate on a servo that may go at 0.1 m/s at most, and a fixed body that comes up at `speed`, at
 * first `gap` below it: the step in which it is told, as above; *way: of the plate, in 40. */
static int told_of_servo(double gap, double speed, const char *axis, double *way)
{
    run *r = heard(
        run_open("time: { step = 1e-3; end = 1; };\ngravity = [0, 0, 0];\n" RUN_MATERIALS(
                     "2500.0", "0.3", "0", "0") "boundaries = ( { plate: { center = [0, 0, %.17g]; "
                                                "size = [1, 1]; }; material = \"plate\"; "
                                                "servo: { mass = 0.01; force = 0.1; axis = %s; "
                                                "speed = 0.1; }; } );\nbodies = ( { position = "
                                                "[0, 0, 0]; radius = 0.01; material = \"grain\"; "
                                                "fixed = true; motion: { velocity = [0, 0, "
                                                "%.17g]; }; } );\n",
                 0.01 + gap, axis, speed));
    int step = 0;
    for (int k = 1; k <= 40; k++) {
        run_step(r);
        for (int m = 0; m < 2 && step == 0; m++)
            step = r->world->motions[m].warned & THROUGH ? k : 0;
    }
    said_at(step, "the servo gives way too slowly (servo.speed)");
    *way = r->world->parts[0].pose->now.shift[2];
    run_close(r);
    return step;
}

/* In the first step the plate gets away by half of its speed (theta = 1/2), then by all of it; with
 * an axis that leans by 60 degrees by half as much. */
static void servos_give_way(void **state)
{
    (void)state;
    static const char *const down = "[0, 0, -1]", *const leans = "[0.8660254037844386, 0, -0.5]";
    double way;
    assert_int_equal(told_of_servo(-0.22e-3, 0.3, down, &way), 1);
    assert_int_equal(told_of_servo(-0.02e-3, 0.3, down, &way), 2);
    assert_int_equal(told_of_servo(0.03e-3, 0.3, down, &way), 3);
    assert_int_equal(told_of_servo(0.02e-3, 0.5, down, &way), 2);
    assert_int_equal(told_of_servo(0.06e-3, 0.3, leans, &way), 2);
    assert_int_equal(told_of_servo(0.16e-3, 0.3, leans, &way), 3);
    assert_int_equal(told_of_servo(1e-3, 0.09, down, &way), 0); /* it follows the body, */
    assert_near(way, 40 * 0.09e-3 - 1e-3, 1e-12);
    assert_int_equal(told_of_servo(1e-3, 0.0, down, &way), 0); /* or is held by it */
    assert_near(way, -1e-3, 1e-12);
}

/* --- what holds a servo --- */

/* A plate on a servo comes down, or up, to a fixed body at a distance `gap`, by 10 m/s^2 up to
 * 0.1 m/s; the step in which it is told that the body holds it. */
static int told_that_it_holds(double gap, double theta, bool up)
{
    const double side = up ? -1.0 : 1.0;
    run *r = heard(run_open(
        "time: { step = 1e-3; end = 1; theta = %g; };\ngravity = [0, 0, 0];\n" RUN_MATERIALS(
            "2500.0", "0.3", "0",
            "0") "boundaries = ( { plate: { center = [0, 0, %.17g]; size = [1, "
                 "1]; }; material = \"plate\"; servo: { mass = 0.01; force = "
                 "0.1; axis = [0, 0, %g]; speed = 0.1; }; } );\nbodies = ( { "
                 "position = [0.4, 0, %g]; radius = 0.01; material = "
                 "\"grain\"; }, { position = [0.2, 0, %g]; radius = 0.01; "
                 "material = \"grain\"; fixed = true; }, { position = [0, 0, "
                 "0]; radius = 0.01; material = \"grain\"; fixed = true; } );\n",
        theta, side * (0.01 + gap), -side, -side * 0.5, -side * 0.1));
    int step = 0;
    for (int k = 1; k <= 40; k++) {
        said[0] = '\0';
        run_step(r);
        if (!*said)
            continue;
        char want[256];
        assert_int_equal(step, 0); /* once */
        snprintf(
            want, sizeof want,
            "step %d (t = %g s): the servo of plate-1 is held by body 2 of bodies[2], which is "
            "fixed: ",
            k, 1e-3 * k);
        assert_memory_equal(said, want, strlen(want));
        step = k;
    }
    assert_near(side * r->world->parts[0].pose->now.shift[2], -gap, 1e-12);
    run_close(r);
    return step;
}

/* It has gone 0.5 mm in 10 steps (0.55 mm with theta = 1) and goes on by 0.1 mm; it is held where
 * it could not stop in the step after the coming one, half of its speed before (theta = 1/2). */
static void servos_are_held(void **state)
{
    (void)state;
    for (int up = 0; up < 2; up++) {
        assert_int_equal(told_that_it_holds(0.93e-3, 0.5, up), 14);
        assert_int_equal(told_that_it_holds(0.98e-3, 0.5, up), 15);
        assert_int_equal(told_that_it_holds(0.88e-3, 1.0, up), 14);
        assert_int_equal(told_that_it_holds(0.98e-3, 1.0, up), 15);
    }
}

/* --- a boundary that stops in the step of an impact --- */

/* By Newton's law the old velocity counts, of which with theta = 1 nothing else is left. */
static void a_plate_stops(void **state)
{
    (void)state;
    static const plu_drive up = {.velocity = {0.0, 0.0, 0.5}}, stop = {.rate = 0.0};
    run *r = run_open("time: { step = 1e-3; end = 1; theta = 1; };\ngravity = [0, 0, 0];\n"
                      "materials = ( { name = \"g\"; density = 2500; } );\ncontacts = ( { between "
                      "= [\"g\", \"g\"]; friction = 0; restitution = 0.5; } );\nboundaries = ( { "
                      "plane: {}; material = \"g\"; motion: {}; } );\nbodies = ( { position = "
                      "[0, 0, 0.0135]; radius = 0.01; material = \"g\"; velocity = [0, 0, -1]; } "
                      ");\n");
    run_check(r, plu_stepper_drive_boundary(r->stepper, 0, &up, &r->err));
    for (int k = 0; k < 2; k++)
        run_step(r);
    assert_near(run_velocity(r, 0)[2], -1.0, 0.0);
    run_check(r, plu_stepper_drive_boundary(r->stepper, 0, &stop, &r->err));
    run_step(r);
    assert_near(run_velocity(r, 0)[2], 0.75, 1e-12);
    run_close(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impacts_are_those_on_a_boundary),
        cmocka_unit_test(what_goes_through_is_told), cmocka_unit_test(servos_give_way),
        cmocka_unit_test(servos_are_held), cmocka_unit_test(a_plate_stops)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
