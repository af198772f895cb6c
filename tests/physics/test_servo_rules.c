/* The rules of servos, one by one: when they act, with which force, how fast they may be, what is
 * counted, kept and refused. What they press on: test_servo.c. */
#include "base/vec3.h"
#include "memory.h"
#include "pluvia/control.h"
#include "pluvia/motion.h"
#include "world/servo.h"
#include "world/world.h"
#include <math.h>

static const double PI = 3.14159265358979323846, g = 9.81, h = 1e-3;

#define SLICK RUN_MATERIALS("2500", "0.0", "0", "0")
#define LID(more)                                                                                  \
    "{ plane: { center = [0, 0, 1]; normal = [0, 0, -1]; }; material = \"plate\"; " more " }"
#define BALL                                                                                       \
    "bodies = ( { position = [0, 0, 0.012]; radius = 0.012; material = \"grain\"; }, { position "  \
    "= "                                                                                           \
    "[0.1, 0, 0.013]; radius = 0.01; material = \"grain\"; } );\n"

static run *lid(const char *time, const char *servo)
{
    return run_open(
        "time: { step = 1e-3; end = 1; %s };\n" SLICK
        "boundaries = ( { plane: {}; material = \"plate\"; }, " LID("servo: { %s };") " );\n" BALL,
        time, servo);
}

static const plu_world_servo *servo_of(const run *r)
{
    return &r->world->servos[0];
}

static double speed_of(const run *r)
{
    return plu_dot(servo_of(r)->motion->pose.velocity[0], servo_of(r)->spec->axis);
}

static double way_of(const run *r)
{
    return plu_dot(servo_of(r)->motion->pose.now.shift, servo_of(r)->spec->axis);
}

/* In flight v = h (F/m + g . a) k, and its way is that of the rule of theta. */
static void falls(void **unused)
{
    (void)unused;
    static const struct {
        const char *axis;
        double up; /* g . a */
    } axes[] = {{"axis = [0, 0, -2];", 9.81}, {"axis = [3, 0, 4];", -0.8 * 9.81}, {"", 9.81}};
    const double thetas[] = {0.5, 1.0};
    for (size_t k = 0; k < 3; k++)
        for (int i = 0; i < 2; i++) {
            char time[64], servo[128];
            snprintf(time, sizeof time, "theta = %g;", thetas[i]);
            snprintf(servo, sizeof servo, "mass = 0.5; force = 1.5; speed = 100; %s", axes[k].axis);
            run *r = lid(time, servo);
            const double a = 1.5 / 0.5 + axes[k].up;
            double way = 0.0;
            for (int step = 1; step <= 20; step++) {
                run_step(r);
                way += h * (step - 1 + thetas[i]) * h * a;
                assert_near(speed_of(r), step * h * a, 1e-14);
                assert_near(way_of(r), way, 1e-15);
                assert_near(servo_of(r)->force, 1.5, 0.0);
                assert_near(servo_of(r)->load, 0.5 * a, 1e-14);
            }
            run_close(r);
        }
}

/* The share of a table is that at t_k + (3/2 - theta) h, from the start on. */
static void a_table(void **unused)
{
    (void)unused;
    char path[] = "/tmp/pluvia-test-XXXXXX";
    FILE *file = fdopen(mkstemp(path), "w");
    fputs("t, share\n0, 0.5\n0.1, 1.5\n", file);
    fclose(file);
    const double thetas[] = {0.5, 1.0};
    for (int i = 0; i < 2; i++) {
        char time[64], servo[256];
        snprintf(time, sizeof time, "theta = %g;", thetas[i]);
        snprintf(servo, sizeof servo,
                 "mass = 0.5; force = 2; speed = 100; start = 0.005; table = \"%s\"", path);
        run *r = lid(time, servo);
        for (int step = 0; step < 20; step++) {
            const double t = (step + 1.5 - thetas[i]) * h - 0.005;
            run_step(r);
            assert_true(servo_of(r)->active == (step >= 5));
            if (step >= 5)
                assert_near(servo_of(r)->force, 2.0 * (0.5 + 10.0 * t), 1e-13);
        }
        run_close(r);
    }
    unlink(path);
}

/* What is known of the loads to come: a load that falls and comes back to what it was does not
 * rise. */
static void a_load_rises(void **unused)
{
    (void)unused;
    char path[] = "/tmp/pluvia-test-XXXXXX", servo[256];
    FILE *file = fdopen(mkstemp(path), "w");
    fputs("t, share\n0, 0.5\n4.5e-3, -1.5\n6.5e-3, 0.2\n9.5e-3, 1.5\n", file);
    fclose(file);
    snprintf(servo, sizeof servo,
             "mass = 0.5; force = 2; speed = 100; start = 0.002; table = \"%s\"", path);
    run *r = lid("", servo);
    for (int step = 0; step < 14; step++) {
        assert_true(plu_world_load_rises(r->world) == (step * h - 0.002 < 4.5e-3));
        run_step(r);
    }
    run_close(r);
    r = lid("", "mass = 0.5; force = 2; speed = 100");
    assert_false(plu_world_load_rises(r->world));
    run_close(r);
    unlink(path);
}

/* It acts in the steps that begin at `start` or later and before `stop`; then it stands still. A
 * step in which it starts, and the one after it ends, has other live contacts. */
static void starts_and_stops(void **unused)
{
    (void)unused;
    run *r = lid("", "mass = 0.5; force = 1; speed = 100; start = 0.004; stop = 0.009");
    const double a = 1.0 / 0.5 + g;
    double way = 0.0;
    for (int step = 0; step < 14; step++) {
        const bool acts = step >= 4 && step < 9;
        const long before = r->world->wakings;
        const double v = acts ? h * a * (step - 3) : 0.0,
                     last = step > 4 && step < 10 ? h * a * (step - 4) : 0.0;
        run_step(r);
        way += 0.5 * h * (v + (acts ? last : 0.0));
        assert_true(servo_of(r)->active == acts);
        assert_int_equal(servo_of(r)->motion->pose.servo, acts ? 1 : 0);
        assert_near(speed_of(r), v, 1e-14);
        assert_int_equal(r->world->wakings - before, step == 4 || step == 10 ? 1 : 0);
        if (acts) {
            assert_near(way_of(r), way, 1e-15);
            assert_true(servo_of(r)->motion->pose.moves);
        }
    }
    assert_near(way_of(r), way, 1e-4 * way + 0.5 * h * h * a * 5);
    run_close(r);
    r = lid("", "mass = 0.5; force = 1; speed = 100; start = 0.0041");
    run_to(r, 0.005);
    assert_false(servo_of(r)->active);
    run_step(r);
    assert_true(servo_of(r)->active);
    run_close(r);
}

/* One that is taken away acts no more. */
static void is_taken_away(void **unused)
{
    (void)unused;
    run *r =
        run_open("time: { step = 1e-3; end = 1; };\n" SLICK
                 "boundaries = ( { plane: {}; material = \"plate\"; }, " LID(
                     "until = 0.005; servo: { mass = 1; force = 1; speed = 100; };") " );\n" BALL);
    for (int step = 0; step < 8; step++) {
        run_step(r);
        assert_true(servo_of(r)->active == (step < 5));
        assert_int_equal(servo_of(r)->motion->pose.servo, step < 5);
    }
    run_close(r);
}

/* Up to its limit, both ways; by default a tenth of the smallest radius in a step. Detection knows
 * that it may be as fast. It hurries at the limit without a push. */
static void limits(void **unused)
{
    (void)unused;
    static const struct {
        const char *servo;
        double limit, sign;
    } tried[] = {{"mass = 0.01; force = 5; speed = 0.6", 0.6, 1.0},
                 {"mass = 0.01; force = -5; speed = 0.6", 0.6, -1.0},
                 {"mass = 0.01; force = 50", 1.0, 1.0},
                 {"mass = 0.01; force = -50", 1.0, -1.0}};
    for (size_t k = 0; k < 4; k++) {
        run *r = lid("", tried[k].servo);
        assert_near(servo_of(r)->limit, tried[k].limit, 1e-15);
        assert_near(servo_of(r)->motion->most[0], tried[k].limit, 1e-15);
        assert_near(servo_of(r)->motion->bound[0], tried[k].limit, 1e-15);
        run_step(r);
        const double v = speed_of(r), first = h * (servo_of(r)->spec->force / 0.01 + g);
        assert_near(v, plu_max(-tried[k].limit, plu_min(first, tried[k].limit)), 1e-14);
        assert_true(servo_of(r)->hurries == (fabs(first) >= tried[k].limit));
        assert_int_equal(servo_of(r)->idle, 1);
        run_step(r);
        run_step(r);
        assert_near(speed_of(r), tried[k].sign * tried[k].limit, 0.0);
        assert_true(servo_of(r)->hurries);
        assert_int_equal(servo_of(r)->idle, 3);
        r->world->servos[0].warned = k % 2 == 0; /* is not said again */
        memory *m = memory_save(r);
        run *other = lid("", tried[k].servo);
        assert_int_equal(memory_set(other, m), PLU_OK);
        assert_int_equal(servo_of(other)->idle, 3);
        assert_true(servo_of(other)->warned == (k % 2 == 0));
        run_step(other);
        run_step(r);
        assert_near(speed_of(other), speed_of(r), 0.0);
        assert_near(way_of(other), way_of(r), 0.0);
        memory_free(m);
        run_close(other);
        run_close(r);
    }
    /* a motion that is faster is what detection has to know */
    run *r = run_open("time: { step = 1e-3; end = 1; };\n" SLICK "boundaries = ( " LID(
        "motion: { velocity = [0, 0, -5]; }; servo: { mass = 1; force = 1; "
        "speed = 0.5; start = 0.5; };") " );\n" BALL);
    assert_true(servo_of(r)->motion->bound[0] >= 5.0);
    assert_near(servo_of(r)->motion->most[0], servo_of(r)->motion->bound[0], 0.0);
    run_close(r);
}

/* What it pushes ends its idleness; a state has that. */
static void pushes(void **unused)
{
    (void)unused;
    run *r =
        run_open("gravity = [0, 0, 0];\ntime: { step = 1e-3; end = 1; };\n" SLICK
                 "boundaries = ( { plane: { center = [0, 0, -0.0021]; }; material = \"plate\"; "
                 "servo: { mass = 0.5; force = 250; speed = 0.5; }; } );\n" BALL);
    int first = -1;
    for (int step = 0; step < 12; step++) {
        run_step(r);
        const bool pushed = r->info.contacts > 0;
        first = pushed && first < 0 ? step : first;
        assert_int_equal(servo_of(r)->idle, first < 0 ? step + 1 : pushed ? 0 : servo_of(r)->idle);
        assert_true(servo_of(r)->hurries == (!pushed && speed_of(r) >= 0.5));
    }
    assert_in_range(first, 2, 8);
    run_close(r);
    r = lid("", "mass = 0.5; force = 1; start = 0.5");
    run_step(r); /* while it does not act nothing is counted */
    assert_int_equal(servo_of(r)->idle, 0);
    assert_false(servo_of(r)->hurries);
    plu_servo_end(r->world, 0, 3.0, true);
    assert_near(servo_of(r)->motion->pose.velocity[1][2], 0.0, 0.0);
    run_close(r);
}

/* A stress acts on the area of a plate or disc, on one that is given, or on what walls enclose. */
static void areas(void **unused)
{
    (void)unused;
    static const struct {
        const char *boundary;
        double area;
    } tried[] = {
        {"{ plate: { center = [0, 0, 1]; normal = [0, 0, -1]; size = [2, 3]; }; servo: { mass = 1; "
         "stress = 5; };",
         6.0},
        {"{ disc: { center = [0, 0, 1]; normal = [0, 0, -1]; radius = 2; }; servo: { mass = 1; "
         "stress = 5; };",
         4.0},
        {"{ disc: { center = [0, 0, 1]; normal = [0, 0, -1]; radius = 2; }; servo: { mass = 1; "
         "stress = 5; area "
         "= 7; };",
         7.0},
        {"{ plane: { center = [0, 0, 1]; normal = [0, 0, -1]; }; servo: { mass = 1; stress = 5; "
         "area = 0.5; };",
         0.5},
        {"{ box: { lower = [-1, -1, -1]; upper = [1, 1, 1]; faces = [\"z+\"]; }; servo: { mass = "
         "1; stress = 5; "
         "axis = [0, 0, -1]; area = 0.25; };",
         0.25},
        {"{ plane: { center = [0, 0, 1]; normal = [0, 0, -1]; }; servo: { mass = 1; stress = 5; };",
         0.12}};
    for (size_t k = 0; k < sizeof tried / sizeof *tried; k++) {
        run *r = run_open(
            "gravity = [0, 0, 0];\ntime: { step = 1e-3; end = 1; };\n" SLICK
            "boundaries = ( %s material = \"plate\"; }, { box: { lower = [-0.1, -0.2, 0]; upper = "
            "[0.2, 0.2, "
            "2]; faces = [\"x-\", \"x+\", \"y-\", \"y+\"]; }; material = \"plate\"; } );\n" BALL,
            tried[k].boundary);
        const double area = tried[k].area * (tried[k].area == 4.0 ? PI : 1.0),
                     force[3] = {1.0, 2.0, 12.0};
        run_step(r);
        assert_near(servo_of(r)->area, area, 1e-14);
        assert_near(servo_of(r)->force, 5.0 * area, 1e-13);
        assert_near(plu_boundary_stress(r->world, 0, force), 12.0 / area,
                    1e-12); /* against the axis */
        assert_true(isnan(plu_boundary_stress(r->world, 1, force)));
        run_close(r);
    }
}

/* Of planes without a servo the stress is along their normals, over what others enclose; where
 * nothing does, and of other shapes, there is none. */
static void stresses(void **unused)
{
    (void)unused;
    run *r = run_open(
        "gravity = [0, 0, 0];\ntime: { step = 1e-3; end = 1; };\n" SLICK
        "boundaries = ( { plane: {}; material = \"plate\"; }, { box: { lower = [-0.1, -0.2, 0]; "
        "upper = [0.2, 0.2, 2]; faces = [\"x-\", \"x+\", \"y-\", \"y+\"]; }; material = "
        "\"plate\"; }, { plane: { center = [0, 0, 1]; normal = [0.6, 0, -0.8]; }; material = "
        "\"plate\"; }, { plate: { center = [0, 0, -1]; normal = [0, 0, 1]; size = [3, 3]; }; "
        "material = \"plate\"; } );\n" BALL);
    const double force[3] = {1.0, 2.0, 12.0};
    assert_near(plu_boundary_stress(r->world, 0, force), -12.0 / 0.12, 1e-11);
    assert_near(plu_boundary_stress(r->world, 2, force), -(0.6 - 0.8 * 12.0) / (0.12 / 0.8), 1e-11);
    assert_true(isnan(plu_boundary_stress(r->world, 1, force)));
    assert_true(isnan(plu_boundary_stress(r->world, 3, force)));
    run_close(r);
    r = run_open("time: { step = 1e-3; end = 1; };\n" SLICK
                 "boundaries = ( { plane: {}; material = \"plate\"; }, " LID(
                     "servo: { mass = 1; force = 1; };") ", { plane: { center = [0, 0, 2]; normal "
                                                         "= [0, 0, -1]; "
                                                         "}; material = \"plate\"; } );\n" BALL);
    for (int b = 0; b < 3; b++) /* without bounds, and behind another */
        assert_true(isnan(plu_boundary_stress(r->world, b, force)));
    run_close(r);
}

/* What begin and end write for a step, along any axis. */
static void velocities(void **unused)
{
    (void)unused;
    static const double force[] = {1.0, 700.0, -900.0};
    for (int k = 0; k < 3; k++) {
        char servo[128];
        snprintf(servo, sizeof servo, "mass = 0.5; force = %g; speed = 0.25; axis = [2, 3, 6]",
                 force[k]);
        run *r = lid("", servo);
        plu_pose *pose = &r->world->servos[0].motion->pose;
        const double axis[3] = {2.0 / 7.0, 3.0 / 7.0, 6.0 / 7.0},
                     free = h * (force[k] / 0.5 - g * axis[2]),
                     v = plu_max(-0.25, plu_min(free, 0.25));
        run_check(r, plu_servos_begin(r->world, &r->err));
        assert_near(servo_of(r)->free, free, 1e-14);
        for (int i = 0; i < 3; i++)
            assert_near(pose->velocity[1][i], v * axis[i], 1e-14);
        plu_servo_end(r->world, 0, 0.125, true);
        for (int i = 0; i < 3; i++)
            assert_near(pose->velocity[1][i], 0.125 * axis[i], 1e-15);
        run_close(r);
    }
    /* just as early as rounding may have it */
    run *r = lid("", "mass = 0.5; force = 1; start = 0.125; stop = 0.25");
    const double slack = plu_time_slack(r->world->step), at[] = {0.125 - slack, 0.25 - slack};
    for (int k = 0; k < 2; k++) {
        r->world->time = at[k];
        run_check(r, plu_servos_begin(r->world, &r->err));
        assert_true(servo_of(r)->active == (k == 0));
    }
    run_close(r);
}

/* A state is that of these tables, of each servo. */
static run *with_tables(const char *first, const char *second)
{
    const char *rows[2] = {first, second};
    char path[2][32] = {"/tmp/pluvia-test-XXXXXX", "/tmp/pluvia-test-XXXXXX"};
    for (int k = 0; k < 2; k++) {
        FILE *file = fdopen(mkstemp(path[k]), "w");
        fprintf(file, "t, share\n%s", rows[k]);
        fclose(file);
    }
    run *r = run_open(
        "gravity = [0, 0, 0];\ntime: { step = 1e-3; end = 1; };\n" SLICK
        "boundaries = ( " LID("name = \"one\"; servo: { mass = 1; force = 1; table = \"%s\"; "
                              "};") ", " LID("name = \"two\"; servo: { mass = 1; force = 1; table "
                                             "= \"%s\"; };") " );\n" BALL,
        path[0], path[1]);
    unlink(path[0]);
    unlink(path[1]);
    return r;
}

static void states_of_tables(void **unused)
{
    (void)unused;
    static const char *const up = "0, 1\n1, 2\n", *const down = "0, 1\n1, 0.5\n";
    run *r = with_tables(up, up);
    run_step(r);
    memory *m = memory_save(r);
    for (int other = 0; other < 3; other++) {
        run *fresh = with_tables(other == 1 ? down : up, other == 2 ? down : up);
        assert_int_equal(memory_set(fresh, m), other ? PLU_BAD_INPUT : PLU_OK);
        if (other)
            assert_non_null(strstr(fresh->err.text, other == 1 ? "one" : "two"));
        run_close(fresh);
    }
    memory_free(m);
    run_close(r);
}

static void refuses(const char *boundaries, const char *why)
{
    char path[] = "/tmp/pluvia-test-XXXXXX";
    FILE *file = fdopen(mkstemp(path), "w");
    fprintf(file, "time: { step = 1e-3; end = 1; };\n" SLICK "boundaries = ( %s );\n" BALL,
            boundaries);
    fclose(file);
    plu_scene scene;
    plu_world *world = NULL;
    plu_error err = {0};
    if (plu_scene_read(&scene, path, NULL, 0, &err) != PLU_OK)
        fail_msg("%s", err.text);
    unlink(path);
    assert_int_equal(plu_world_create(&world, &scene, &err), PLU_BAD_INPUT);
    if (!strstr(err.text, why))
        fail_msg("\"%s\" does not say \"%s\"", err.text, why);
    plu_scene_free(&scene);
}

/* A stress without an area, at the start and on the way; a table that is none. All that is wrong is
 * said at once. */
static void what_cannot_be(void **unused)
{
    (void)unused;
    refuses(LID("name = \"lid\"; servo: { mass = 1; stress = 1; };"),
            ":5: boundary \"lid\": servo.stress needs an area");
    refuses(LID("name = \"lid\"; servo: { mass = 1; stress = 1; };") ", { plane: { center = [0, 0, "
                                                                     "2]; normal = [0, 0, -1]; "
                                                                     "}; material = \"plate\"; "
                                                                     "name = \"top\"; servo: { "
                                                                     "mass = 1; stress = -1; }; }",
            "boundary \"top\": servo.stress needs an area");
    refuses("{ plane: {}; material = \"plate\"; name = \"low\"; servo: { mass = 1; stress = -1; }; "
            "}, " LID("name = \"lid\"; servo: { mass = 1; force = 1; };"),
            "boundary \"low\": servo.stress needs an area");
    char path[] = "/tmp/pluvia-test-XXXXXX", servo[512];
    FILE *table = fdopen(mkstemp(path), "w");
    fputs("t, part\n0, 1\n1, 2\n", table);
    fclose(table);
    snprintf(servo, sizeof servo,
             LID("servo: { mass = 1; force = 1; table = \"%s\"; };") ", " LID(
                 "name = \"lid\"; servo: { mass = 1; force = 1; };"),
             path);
    refuses(servo, "column \"part\"; known are t, share");
    unlink(path);
    /* a tent: its top has no area any more at z = 2 */
    run *r = run_open(
        "gravity = [0, 0, 0];\ntime: { step = 1e-3; end = 1; };\n" SLICK
        "boundaries = ( { plane: { center = [0, 0, 2]; normal = [1, 0, -1]; }; material = "
        "\"plate\"; }, { plane: { center = [0, 0, 2]; normal = [-1, 0, -1]; }; material = "
        "\"plate\"; }, { plane: { center = [0, -1, 0]; normal = [0, 1, 0]; }; material = "
        "\"plate\"; }, { plane: { center = [0, 1, 0]; normal = [0, -1, 0]; }; material = "
        "\"plate\"; }, " LID(
            "name = \"lid\"; servo: { mass = 1e-3; stress = -1e6; speed = 300; };") " );\n" BALL);
    plu_status status = PLU_OK;
    int steps = 0;
    while (status == PLU_OK && steps < 20) {
        const double before = way_of(r);
        status = plu_step(r->stepper, &r->info, &r->err);
        assert_near(servo_of(r)->area, 4.0 * plu_max(1.0 + before, 0.0), 1e-12);
        steps++;
    }
    assert_int_equal(status, PLU_BREAKDOWN);
    char at[64];
    snprintf(at, sizeof at, "step %d (t = %g s)", steps, steps * h);
    assert_non_null(strstr(r->err.text, at));
    assert_non_null(strstr(r->err.text, "the other walls leave no area of lid"));
    run_close(r);
}

/* Of two servos each has its own limits and areas, and the boundary that it is. */
static void two_of_them(void **unused)
{
    (void)unused;
    run *r = run_open(
        "gravity = [0, 0, 0];\ntime: { step = 1e-3; end = 1; };\n" SLICK
        "boundaries = ( { plane: { center = [0, 0, -5]; normal = [0, 0, 1]; }; material = "
        "\"plate\"; motion: { velocity = [0, 0, -1]; }; }, "
        "{ plate: { center = [0, 0, 1]; normal = [0, 0, -1]; size = [1, 2]; }; material = "
        "\"plate\"; servo: { mass = 1; stress = 3; speed = 7; }; }, "
        "{ disc: { center = [0, 0, 2]; normal = [0, 0, -1]; radius = 1; }; material = \"plate\"; "
        "servo: { mass = 2; stress = -4; speed = 8; }; } );\n" BALL);
    const double force[3] = {0.0, 0.0, 6.0};
    run_step(r);
    assert_int_equal(r->world->servos_count, 2);
    assert_int_equal(r->world->servos[0].boundary, 1);
    assert_int_equal(r->world->servos[1].boundary, 2);
    assert_int_equal(r->world->servos[0].motion->boundary, 1);
    assert_int_equal(r->world->servos[1].motion->boundary, 2);
    assert_int_equal(r->world->servos[0].motion->pose.servo, 1);
    assert_int_equal(r->world->servos[1].motion->pose.servo, 2);
    assert_near(r->world->servos[1].limit, 8.0, 0.0);
    assert_near(plu_boundary_stress(r->world, 1, force), 3.0, 1e-14);
    assert_near(plu_boundary_stress(r->world, 2, force), 6.0 / PI, 1e-14);
    r->world->servos[0].idle = 5;
    r->world->servos[1].idle = 9;
    memory *m = memory_save(r);
    r->world->servos[0].idle = r->world->servos[1].idle = 0;
    assert_int_equal(memory_set(r, m), PLU_OK);
    assert_int_equal(r->world->servos[0].idle, 5);
    assert_int_equal(r->world->servos[1].idle, 9);
    memory_free(m);
    run_close(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(falls),
        cmocka_unit_test(a_table),
        cmocka_unit_test(a_load_rises),
        cmocka_unit_test(starts_and_stops),
        cmocka_unit_test(is_taken_away),
        cmocka_unit_test(limits),
        cmocka_unit_test(pushes),
        cmocka_unit_test(areas),
        cmocka_unit_test(stresses),
        cmocka_unit_test(what_cannot_be),
        cmocka_unit_test(two_of_them),
        cmocka_unit_test(velocities),
        cmocka_unit_test(states_of_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
