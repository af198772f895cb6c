/* Stages of a scene (pluvia/stage.h): what a boundary does from the beginning of one on, whether
 * there is room for one that is added, and the numbers by which stages end. */
#include "memory.h"
#include "pluvia/sensor.h"
#include "pluvia/stage.h"
#include "run.h"
#include "step/stepper.h"
#include <math.h>

static const double pi = 3.14159265358979323846;

/* Stages begin now, and after each 50 ms before. */
static plu_status try_stage(run *r, int stage)
{
    double begun[PLU_STAGES];
    for (int k = 0; k < PLU_STAGES; k++)
        begun[k] = plu_world_time(r->world) - 0.05 * (stage - k);
    plu_scene_enter(&r->scene, stage, begun);
    return plu_stepper_restage(r->stepper, true, &r->err);
}

static void enter(run *r, int stage)
{
    run_check(r, try_stage(r, stage));
}

#define HEAD                                                                                       \
    "gravity = [0, 0, 0];\ntime: { step = 1e-3; end = 9.0; };\n" RUN_MATERIALS("2500.0", "0.3",    \
                                                                               "0.0", "0.0")
#define BALL "bodies = ( { position = [0, 0, 0.05]; radius = 0.01; material = \"grain\"; } );\n"
#define LID                                                                                        \
    "boundaries = ( { plane: { center = [0, 0, 0.2]; normal = [0, 0, -1]; }; material = "          \
    "\"plate\"; name = \"lid\"; servo: { mass = 0.01; force = 1e-3; }; },\n"                       \
    "{ plane: { center = [-0.2, 0, 0]; normal = [1, 0, 0]; }; material = \"plate\"; name = "       \
    "\"side\"; } );\n"

static double lid_at(const run *r)
{
    return plu_world_boundary(r->world, 0).position[2];
}

/* What had a servo is where its motion has it, to rounding, and no servo that comes in its place
 * moves it. */
static void after_a_servo(void **state)
{
    (void)state;
    run *r = run_open(
        HEAD BALL LID
        "stages = ( { name = \"push\"; until: { duration = 0.05; }; },\n"
        "{ name = \"move\"; until: { duration = 0.05; }; boundaries = ( { name = \"lid\"; motion: "
        "{ "
        "velocity = [0, 0, 0.1]; vibration: { amplitude = [0, 0, 1e-3]; frequency = 20.0; }; }; } "
        "); },\n"
        "{ name = \"other\"; boundaries = ( { name = \"side\"; servo: { mass = 0.01; force = 2e-3; "
        "}; "
        "} ); } );\n");
    run_to(r, 0.05);
    const double begin = lid_at(r);
    assert_near(begin, 0.2 - 0.5 * 0.1 * 0.05 * 0.05, 1e-5); /* 1 mN on 10 g */
    for (int stage = 1; stage < 3; stage++) {
        enter(r, stage);
        for (int k = 0; k < 50; k++) {
            run_step(r);
            const double t = plu_world_time(r->world) - 0.05;
            assert_near(lid_at(r), begin + 0.1 * t + 1e-3 * sin(40.0 * pi * t), 1e-15);
        }
    }
    const double way = plu_world_boundary(r->world, 1).position[0] + 0.2;
    assert_near(way, 0.5 * 0.2 * 0.05 * 0.05, 1e-5); /* 2 mN on 10 g */
    run_close(r);
}

/* A motion counts from the beginning of its stage, and goes on from where the boundary is, turned
 * as it was. */
static void from_where_it_is(void **state)
{
    (void)state;
    run *r = run_open(HEAD BALL
                      "boundaries = ( { plate: { center = [0, 0, -0.2]; size = [0.1, 0.1]; }; "
                      "material = \"plate\"; name = \"plate\"; motion: { velocity = [0.2, 0, 0]; "
                      "axis = [0, 1, 0]; rate = 2.0; }; } );\n"
                      "stages = ( { name = \"one\"; until: { duration = 0.1; }; },\n"
                      "{ name = \"two\"; boundaries = ( { name = \"plate\"; motion: { velocity = "
                      "[0, 0.3, 0]; start = 0.02; }; } ); } );\n");
    run_to(r, 0.1);
    enter(r, 1);
    run_to(r, 0.2);
    const plu_boundary_place place = plu_world_boundary(r->world, 0);
    assert_near(place.position[0], 0.02, 1e-15);
    assert_near(place.position[1], 0.3 * 0.08, 1e-15);
    assert_near(place.rotation[0], cos(0.1), 1e-15);
    assert_near(place.rotation[2], sin(0.1), 1e-15);
    run_close(r);
}

/* Back to a stage from one that has removed a wall, which a stress in it needs. */
static void back_again(void **state)
{
    (void)state;
    run *r = run_open(
        HEAD BALL
        "boundaries = ( { box: { lower = [-0.1, -0.1, 0]; upper = [0.1, 0.1, 0.3]; faces = "
        "[\"x-\", "
        "\"y-\", \"y+\", \"z-\"]; }; material = \"plate\"; },\n"
        "{ plane: { center = [0.1, 0, 0]; normal = [-1, 0, 0]; }; material = \"plate\"; name = "
        "\"side\"; },\n"
        "{ plane: { center = [0, 0, 0.2]; normal = [0, 0, -1]; }; material = \"plate\"; name = "
        "\"lid\"; servo: { mass = 0.01; stress = 1.0; }; } );\n"
        "stages = ( { name = \"press\"; until: { duration = 0.05; }; },\n"
        "{ name = \"open\"; remove = [\"side\"]; boundaries = ( { name = \"lid\"; motion: { "
        "velocity = [0, 0, 0.1]; }; } ); } );\n");
    run_check(r, plu_world_try_stages(r->world, &r->scene, &r->err));
    run_to(r, 0.02);
    memory *pressed = memory_save(r);
    run_to(r, 0.03);
    const uint64_t then = plu_world_hash(r->world);
    enter(r, 1);
    run_step(r);
    assert_true(plu_world_boundary(r->world, 1).gone);
    const double begun[PLU_STAGES] = {0.0};
    plu_scene_enter(&r->scene, 0, begun);
    run_check(r, plu_stepper_restage(r->stepper, false, &r->err));
    assert_int_equal(memory_set(r, pressed), PLU_OK);
    assert_false(plu_world_boundary(r->world, 1).gone);
    run_to(r, 0.03);
    assert_true(plu_world_hash(r->world) == then);
    memory_free(pressed);
    run_close(r);
}

/* The status where a lid is added `depth` diameters into the upper one of two spheres. */
static plu_status add_lid(double depth, const char *more, char *text)
{
    run *r = run_open(HEAD "%s boundaries = ( { plane: {}; material = \"plate\"; name = \"floor\"; "
                           "}, { plane: { center = [0, 0, %.9g]; "
                           "normal = [0, 0, -1]; }; material = \"plate\"; name = \"lid\"; } );\n"
                           "bodies = ( { position = [0, 0, 0.01]; radius = 0.01; material = "
                           "\"grain\"; },\n{ position = [0.1, 0, 0.03]; "
                           "radius = 0.02; material = \"grain\"; } );\n"
                           "stages = ( { name = \"one\"; until: { duration = 0.1; }; }, { name = "
                           "\"two\"; add = [\"lid\"]; } );\n",
                      more, 0.05 - 0.04 * depth);
    run_step(r);
    assert_true(plu_world_boundary(r->world, 1).gone);
    const plu_status status = try_stage(r, 1);
    snprintf(text, sizeof r->err.text, "%s", r->err.text);
    assert_int_equal(plu_world_boundary(r->world, 1).gone, false);
    run_close(r);
    return status;
}

static void what_is_added_has_room(void **state)
{
    (void)state;
    char text[sizeof((plu_error *)0)->text];
    assert_int_equal(add_lid(-0.01, "", text), PLU_OK);
    assert_int_equal(add_lid(0.0099, "", text), PLU_OK); /* the projection undoes it */
    assert_int_equal(add_lid(0.0101, "", text), PLU_BREAKDOWN);
    assert_non_null(strstr(text,
                           "stage \"two\" adds boundary \"lid\" where 1 sphere is: sphere 1 at "
                           "(0.1, 0, 0.03) m overlaps it by 0.000404 m"));
    assert_int_equal(add_lid(0.8, "", text), PLU_BREAKDOWN);
    assert_non_null(strstr(text, "where 2 spheres are: sphere 1 at"));
    assert_int_equal(add_lid(0.8, "allow_overlap = true;\n", text), PLU_OK);
}

static double reading(const run *r, plu_stage_number_kind kind, int index, int part)
{
    const plu_stage_number number = {kind, index, part};
    return plu_stepper_reading(r->stepper, &number, &r->info);
}

/* Three spheres of 10 cm that rest in a box of 1 m^3, two of them on each other, and a glued one.
 */
static void numbers(void **state)
{
    (void)state;
    run *r = run_open("gravity = [0, 0, -10];\ntime: { step = 1e-4; end = 9.0; };\n" RUN_MATERIALS(
        "3000.0", "0.5", "0.0",
        "0.0") "boundaries = ( { box: { lower = [-0.5, -0.5, 0]; upper = [0.5, 0.5, 1]; faces = "
               "[\"x-\", "
               "\"x+\", \"y-\", \"y+\", \"z-\", \"z+\"]; }; material = \"plate\"; name = \"box\"; "
               "},\n"
               "{ plane: { center = [3, 4, 5]; normal = [0, 0, -1]; }; material = \"plate\"; name "
               "= \"far\"; "
               "motion: { velocity = [1, 2, 3]; }; } );\n"
               "bodies = ( { position = [0, 0, 0.1]; radius = 0.1; material = \"grain\"; },\n"
               "{ position = [0, 0, 0.3]; radius = 0.1; material = \"grain\"; },\n"
               "{ position = [0.3, 0, 0.1]; radius = 0.1; material = \"grain\"; },\n"
               "{ position = [-0.3, 0, 0.5]; radius = 0.1; material = \"grain\"; fixed = true; },\n"
               "{ position = [-0.3, 0.3, 0.8]; radius = 0.1; material = \"grain\"; velocity = [0, "
               "0, 2]; "
               "angular_velocity = [0, 3, 0]; } );\n"
               "sensors = ( { name = \"below\"; box: { lower = [-0.5, -0.5, 0]; upper = [0.5, 0.5, "
               "0.2]; }; "
               "} );\n");
    const double mass = 4.0 / 3.0 * pi * 1e-3 * 3000.0, grain = 4.0 / 3.0 * pi * 1e-3,
                 room = 1.0 - grain; /* without the fixed one */
    run_step(r);
    const double speed = 2.0 - 10.0 * 1e-4;
    assert_near(reading(r, PLU_READ_GRAINS, 0, 0), 4.0, 0.0);
    assert_near(reading(r, PLU_READ_CONTACTS, 0, 0), 3.0, 0.0);
    assert_near(reading(r, PLU_READ_COORDINATION, 0, 0), 4.0 / 4.0, 0.0); /* one has two */
    assert_near(reading(r, PLU_READ_KINETIC, 0, 0),
                0.5 * mass * speed * speed + 0.5 * 0.4 * mass * 0.01 * 9.0, 1e-9);
    assert_near(reading(r, PLU_READ_SOLID_FRACTION, 0, 0), 4.0 * grain / room, 1e-12);
    assert_near(reading(r, PLU_READ_VOID_RATIO, 0, 0), (room - 4.0 * grain) / (4.0 * grain), 1e-9);
    assert_near(reading(r, PLU_READ_FORCE, 0, 0), 0.0, 1e-9);
    assert_near(reading(r, PLU_READ_FORCE, 0, 2), -30.0 * mass, 0.1);
    assert_near(reading(r, PLU_READ_FORCE, 0, 3), 30.0 * mass, 0.1);
    for (int k = 0; k < 3; k++)
        assert_near(reading(r, PLU_READ_PLACE, 1, k), 3.0 + k + (1.0 + k) * 1e-4, 1e-15);
    assert_true(isnan(reading(r, PLU_READ_STRESS, 0, 0))); /* a box has no one normal */
    run_close(r);
}

/* What errors of a step may open a bond by is a share of the range of attraction: as a speed, in
 * parts of any length, whatever the steps of the stage before. */
static void bonds_in_steps_of_stages(void **state)
{
    (void)state;
    run *r =
        run_open("time: { step = 1e-3; end = 9.0; };\n" RUN_MATERIALS(
            "2500.0", "0.3", "0.0", "0.0; cohesion = 1e-3; cohesion_range = 5e-5") RUN_PLANE BALL
                 "stages = ( { name = \"one\"; until: { duration = 0.05; }; },\n"
                 "{ name = \"two\"; until: { duration = 0.05; }; time: { step = 2.5e-4; }; },\n"
                 "{ name = \"three\"; time: { step = 5e-4; }; } );\n");
    static const double steps[] = {1e-3, 2.5e-4, 5e-4};
    for (int stage = 0; stage < 3; stage++) {
        if (stage > 0)
            enter(r, stage);
        run_to(r, 0.05 * (stage + 1));
        assert_near(r->world->step, steps[stage], 1e-18);
        assert_near(r->stepper->settings.bond * steps[stage], 0.1 * 5e-5, 1e-18);
    }
    run_close(r);
}

/* Sensors that sum in one stage, in two, and in all, of a grain that flies slowly: a box has it
 * from the moment its stage begins, the whole time, and as much as then once that has ended; a
 * surface that it has passed keeps it. */
static void sensors_of_stages(void **state)
{
    (void)state;
    enum { GRAINS = 1, GRAIN_TIME = 3, FIRST };
    run *r = run_open(
        HEAD
        "bodies = ( { position = [0, 0, 0.05]; radius = 0.01; material = \"grain\"; velocity = "
        "[0.1, "
        "0, 0]; } );\nsensors = ( { name = \"gate\"; plane: { center = [0.00205, 0, 0]; normal = "
        "[1, "
        "0, 0]; }; }, { name = \"one\"; box: { lower = [-1, -1, -1]; upper = [1, 1, 1]; }; stage = "
        "\"b\"; last_stage = \"b\"; }, { name = \"two\"; box: { lower = [-1, -1, -1]; upper = [1, "
        "1, "
        "1]; }; stage = \"b\"; }, { name = \"all\"; box: { lower = [-1, -1, -1]; upper = [1, 1, "
        "1]; }; "
        "}, { name = \"empty\"; box: { lower = [1, 1, 1]; upper = [2, 2, 2]; }; stage = \"b\"; } "
        ");\n"
        "stages = ( { name = \"a\"; until: { duration = 0.05; }; }, { name = \"b\"; until: { "
        "duration "
        "= 0.05; }; }, { name = \"c\"; } );\n");
    for (int stage = 0; stage < 3; stage++) {
        if (stage > 0)
            enter(r, stage);
        for (int k = 0; k < 50; k++) {
            const double t = 0.05 * stage + 1e-3 * k, since = fmax(t - 0.05, 0.0);
            const double time[] = {0.0, fmin(since, 0.05), since, t, 0.0};
            assert_near(plu_stepper_sensor(r->stepper, 0, GRAINS), t > 0.0205, 0.0);
            for (int i = 1; i < 5; i++) {
                const bool begun = i == 3 || (i < 3 && stage > 0);
                assert_near(plu_stepper_sensor(r->stepper, i, GRAINS), begun, 0.0);
                assert_near(plu_stepper_sensor(r->stepper, i, GRAIN_TIME), time[i], 1e-12);
                if (begun)
                    assert_near(plu_stepper_sensor(r->stepper, i, FIRST), i == 3 ? 0.0 : 0.05,
                                1e-12);
                else
                    assert_true(isnan(plu_stepper_sensor(r->stepper, i, FIRST)));
            }
            run_step(r);
        }
    }
    run_close(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(after_a_servo),     cmocka_unit_test(from_where_it_is),
        cmocka_unit_test(back_again),        cmocka_unit_test(what_is_added_has_room),
        cmocka_unit_test(numbers),           cmocka_unit_test(bonds_in_steps_of_stages),
        cmocka_unit_test(sensors_of_stages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
