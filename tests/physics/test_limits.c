/* Limits of a run (src/machinery.md): what is beyond one is named, where it is worst, and what is
 * not beyond it goes on. */
#include "heard.h"
#include "pluvia/control.h"
#include "run.h"
#include "step/stepper.h"
#include "world/world.h"

static void has(const char *text)
{
    if (!strstr(said, text))
        fail_msg("\"%s\" lacks \"%s\"", said, text);
}

static long beyond(const run *r, plu_limit limit)
{
    return plu_stepper_totals(r->stepper)->beyond[limit];
}

#define HEAD                                                                                       \
    "time: { step = 1e-3; end = 9.0; };\nallow_overlap = true;\n" RUN_MATERIALS("2500.0", "0.0",   \
                                                                                "0.0", "0.0")

/* A given limit, below and above: the first body beyond it is named, once. */
static void speeds(void **state)
{
    (void)state;
    run *r = heard(run_open(
        "gravity = [0, 0, 0];\nlimits: { on_limit = \"warn\"; velocity = 3.0; };\n" HEAD
        "bodies = ( { position = [0, 0, 0]; radius = 0.01; material = \"grain\"; velocity = [0, 0, "
        "2.999]; },\n{ position = [1, 0, 0]; radius = 0.01; material = \"grain\"; }, { position = "
        "[2, 0, 0]; radius = 0.01; material = \"grain\"; } );\n"));
    const double fast[3] = {0.0, 3.001, 0.0}, faster[3] = {0.0, 4.0, 0.0};
    run_step(r);
    assert_int_equal(beyond(r, PLU_LIMIT_VELOCITY), 0);
    run_check(r, plu_stepper_set_velocity(r->stepper, 1, fast, NULL, &r->err));
    run_check(r, plu_stepper_set_velocity(r->stepper, 2, faster, NULL, &r->err));
    run_to(r, 0.004);
    assert_int_equal(beyond(r, PLU_LIMIT_VELOCITY), 3);
    has("body 1 moves or rotates at 3 m/s at (1, 0.003001, 0) m; the limit is 3 m/s "
        "(limits.velocity)");
    assert_null(strstr(said, "body 2"));
    run_close(r);
}

/* Without a limit that is given it is ten times what energy allows: for a body that spins at
 * omega r in weightlessness, and for one that a load has accelerated. */
static void speeds_that_energy_allows(void **state)
{
    (void)state;
    run *r = heard(
        run_open("gravity = [0, 0, -0.1];\nlimits: { on_limit = \"warn\"; };\n" HEAD
                 "bodies = ( { position = [0, 0, 0]; radius = 0.01; material = \"grain\"; } );\n"));
    const double mass = 4.0 / 3.0 * acos(-1.0) * 1e-6 * 2500.0;
    const double force[3] = {mass * 100.0, 0.0, 0.0}, most = 10.0 * sqrt(4.0 * 0.01 * 0.1);
    double velocity[3] = {0.99 * most, 0.0, 0.0};
    run_check(r, plu_stepper_set_velocity(r->stepper, 0, velocity, NULL, &r->err));
    run_step(r);
    assert_int_equal(beyond(r, PLU_LIMIT_VELOCITY), 0);
    run_check(r, plu_stepper_set_load(r->stepper, 0, force, NULL, &r->err));
    run_to(r, 0.3); /* 30 m/s, by its own load */
    assert_near(run_velocity(r, 0)[0], 0.99 * most + 100.0 * 0.299, 1e-9);
    assert_int_equal(beyond(r, PLU_LIMIT_VELOCITY), 0);
    run_close(r);
}

/* The deepest of several, over the diameter of its smaller sphere. */
static void overlaps(void **state)
{
    (void)state;
    run *r = heard(run_open(
        "gravity = [0, 0, 0];\nlimits: { on_limit = \"warn\"; penetration = 0.2; };\n" HEAD
        "boundaries = ( { plane: { center = [0, 0, -0.006]; }; material = \"plate\"; name = "
        "\"floor\"; } );\n"
        "bodies = ( { position = [0, 0, 0]; radius = 0.01; material = \"grain\"; },\n" /* 0.2: no */
        "{ position = [1, 0, 0.1]; radius = 0.02; material = \"grain\"; }, { position = [1, 0, "
        "0.124]; radius = 0.01; material = \"grain\"; },\n" /* 6 mm of 20 mm */
        "{ position = [2, 0, 0.1]; radius = 0.02; material = \"grain\"; }, { position = [2, 0, "
        "0.135]; radius = 0.02; material = \"grain\"; } );\n")); /* 5 mm of 40 mm */
    run_step(r);
    assert_int_equal(beyond(r, PLU_LIMIT_PENETRATION), 1);
    has("body 2 and body 1 overlap by 0.006 m, 0.3 of the smaller diameter (the limit is 0.2, "
        "limits.penetration)");
    run_close(r);
}

/* A spring that is too soft lets a center through a thin plate, step by step; it is named where
 * that happens, and one that bears it is not. */
static void passages(void **state)
{
    (void)state;
    for (int soft = 0; soft < 2; soft++) {
        run *r = heard(run_open(
            "method = \"penalty\";\ntime: { step = 1e-4; end = 9.0; };\ngravity = [0, 0, 0];\n"
            "limits: { on_limit = \"warn\"; penetration = 9; velocity = 100; };\n" RUN_MATERIALS(
                "2500.0", "0.0", "0.0",
                "0.0; normal_stiffness = %g") "boundaries = ( { plate: { center = [0, 0, -1]; size "
                                              "= [0.1, 0.1]; }; material = "
                                              "\"plate\"; name = \"below\"; }, { plate: { center = "
                                              "[0, 0, 0]; size = [0.1, 0.1]; }; "
                                              "material = \"plate\"; name = \"sheet\"; } );\n"
                                              "bodies = ( { position = [0.03, 0, 0.0101]; radius = "
                                              "0.01; material = \"grain\"; }, { "
                                              "position = [0, 0, 0.0101]; radius = 0.01; material "
                                              "= \"grain\"; velocity = [0, 0, -2]; "
                                              "} );\n",
            soft ? 1.0 : 1e4, soft ? 1.0 : 1e4));
        run_to(r, 0.006);
        assert_int_equal(beyond(r, PLU_LIMIT_PASSAGE), soft);
        if (soft) { /* 0.2 mm in a step, less than the radius of 10 mm: 0.75 of the step */
            has("body 1 passed through sheet, from (0, 0, ");
            has("; a time.step of 8e-05 s may avoid this");
        }
        run_close(r);
    }
}

/* Places and velocities that are no numbers end the run, with the body and the step. */
static void what_is_no_number(void **state)
{
    (void)state;
    static const double places[] = {NAN, INFINITY};
    for (int k = 0; k < 3; k++) {
        run *r =
            run_open("gravity = [0, 0, 0];\n" HEAD "bodies = ( { position = [0, 0, 0]; radius = "
                     "0.01; material = \"grain\"; }, { position = "
                     "[1, 0, 0]; radius = 0.01; material = \"grain\"; } );\n");
        run_to(r, 0.002);
        if (k < 2)
            r->world->spheres.at[1][1] = places[k];
        else
            r->world->bodies.row[1][1] = NAN;
        r->world->generation++;
        assert_int_equal(plu_step(r->stepper, &r->info, &r->err), PLU_BREAKDOWN);
        if (!strstr(r->err.text, k < 2
                                     ? "step 3 (t = 0.003 s): the place of body 1 is not a finite "
                                       "number that cells hold, at (1, "
                                     : "step 3 (t = 0.003 s): the velocity of body 1 is not"))
            fail_msg("%s", r->err.text);
        run_close(r);
    }
}

/* --- steps that are given up --- */

static bool stop_at(void *user)
{
    int *left = user;
    return --*left < 0;
}

/* It is asked while a step lasts, with what it was given; without it no step is given up. */
static void a_step_is_given_up(void **state)
{
    (void)state;
    run *r = run_open(HEAD RUN_PLANE "bodies = ( { lattice: { counts = [4, 4, 4]; spacing = "
                                     "0.0199; origin = [0, 0, 0.0099]; }; radius = 0.01; material "
                                     "= \"grain\"; } );\n");
    int left = 0;
    plu_stepper_set_stop(r->stepper, stop_at, &left);
    assert_int_equal(plu_step(r->stepper, &r->info, &r->err), PLU_STOPPED);
    assert_int_equal(left, -1); /* once said, it is not asked again */
    run_close(r);
    for (left = 0; left < 4; left += 3) { /* in either look at more pairs than are one piece */
        r = run_open(HEAD
                     "bodies = ( { lattice: { counts = [17, 17, 17]; spacing = 0.02; }; radius "
                     "= 0.01; material = \"grain\"; } );\n");
        int asks = left;
        plu_stepper_set_stop(r->stepper, stop_at, &asks);
        assert_int_equal(plu_step(r->stepper, &r->info, &r->err), PLU_STOPPED);
        assert_string_equal(r->err.text, "step 1 (t = 0.001 s) was given up");
        assert_int_equal(asks, -1);
        assert_int_equal(r->stepper->problem.slots, 0); /* there is no contact problem yet */
        run_close(r);
    }
    r = run_open(HEAD RUN_PLANE "bodies = ( { lattice: { counts = [4, 4, 4]; spacing = 0.0199; "
                                "origin = [0, 0, 0.0099]; }; radius = 0.01; material = \"grain\"; "
                                "} );\n");
    left = 1000000;
    plu_stepper_set_stop(r->stepper, stop_at, &left);
    run_step(r);
    assert_true(left < 1000000);
    left = 0;
    plu_stepper_set_stop(r->stepper, NULL, NULL);
    run_step(r);
    assert_int_equal(left, 0);
    run_close(r);
}

/* A light ball on a heavy one that has fallen by 2 m is sent up at nearly three times the speed of
 * the fall, and passes the height where it began at once with it: both have their energy from
 * there. */
static void speeds_from_others_that_fell(void **state)
{
    (void)state;
    run *r =
        run_open("time: { step = 1e-4; end = 9; };\n" RUN_MATERIALS("2500.0", "0.0", "0.0", "0.95")
                     RUN_PLANE "bodies = ( { position = [0, 0, 2.01]; radius = 0.01; "
                               "material = \"grain\"; }, { position = [0, 0, 2.0233]; "
                               "radius = 0.003; material = \"grain\"; } );\n");
    run_to(r, 0.85);
    assert_true(run_position(r, 1)[2] > 2.1 && run_velocity(r, 1)[2] > 10.0);
    run_close(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(speeds),
        cmocka_unit_test(speeds_that_energy_allows),
        cmocka_unit_test(speeds_from_others_that_fell),
        cmocka_unit_test(overlaps),
        cmocka_unit_test(passages),
        cmocka_unit_test(what_is_no_number),
        cmocka_unit_test(a_step_is_given_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
