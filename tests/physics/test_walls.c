/* The position projection: the lighter body of a pair moves more, and a pair is not separated at
 * the cost of a wall behind it. */
#include "run.h"
#include "world/world.h"

#define TWO_MATERIALS                                                                              \
    "materials = ( { name = \"light\"; density = 1300.0; }, { name = \"heavy\"; density = 1e5; }," \
    " { name = \"plate\"; } );\n"                                                                  \
    "contacts = ( { between = [\"light\", \"light\"]; friction = 0.3; },"                          \
    " { between = [\"light\", \"heavy\"]; friction = 0.3; },"                                      \
    " { between = [\"heavy\", \"heavy\"]; friction = 0.3; },"                                      \
    " { between = [\"light\", \"plate\"]; friction = 0.3; },"                                      \
    " { between = [\"heavy\", \"plate\"]; friction = 0.3; } );\n"

#define PRESSED                                                                                    \
    "time: { step = 1e-3; end = 1; forecast = 0.5; };\ngravity = [0, 0, 0];\n"                     \
    "solver: { criterion = \"weight\"; tolerance = 1e-2; max_iterations = 200; };\n"               \
    "allow_overlap = true;\n" TWO_MATERIALS

enum { LIGHT = 3 };

/* Three light spheres on the floor, 0.4 r too deep in a heavy one above them; nothing else moves
 * them. */
static run *pressed(const char *floor)
{
    const double r = 0.01, heavy = 0.1, from_axis = 0.02;
    const double height = r + sqrt((r + heavy) * (r + heavy) - from_axis * from_axis) - 0.4 * r;
    return run_open(PRESSED
                    "boundaries = ( { %s; material = \"plate\"; } );\n"
                    "bodies = ( { position = [0.02, 0, 0.01]; radius = 0.01; material = "
                    "\"light\"; }, { position = [-0.01, 0.0173, 0.01]; radius = 0.01; material = "
                    "\"light\"; }, { position = [-0.01, -0.0173, 0.01]; radius = 0.01; material = "
                    "\"light\"; }, { position = [0, 0, %.17g]; radius = 0.1; material = "
                    "\"heavy\"; } );\n",
                    floor, height);
}

static double depth_of_pair(const run *r, int a, int b)
{
    const double *x = run_position(r, a), *y = run_position(r, b);
    const double way[3] = {y[0] - x[0], y[1] - x[1], y[2] - x[2]};
    return x[3] + y[3] - sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
}

static void spheres_give_way_but_not_into_the_floor(void **state)
{
    (void)state;
    const char *const floors[] = {"plane: { }", "plate: { size = [1, 1]; }",
                                  "disc: { radius = 0.5; }"};
    for (int k = 0; k < 3; k++) {
        run *r = pressed(floors[k]);
        const double slop = 1e-3 * 0.02, before = depth_of_pair(r, 0, LIGHT);
        assert_true(before > 0.35 * 0.01);
        while (plu_world_time(r->world) < 0.4) {
            run_step(r);
            for (int i = 0; i < LIGHT; i++)
                assert_true(run_position(r, i)[2] - 0.01 >= -1.02 * slop);
        }
        assert_true(depth_of_pair(r, 0, LIGHT) < 1.02 * slop);
        run_close(r);
    }
}

/* In a corner there is no way out for the light sphere, nor is the heavy one moved by it: what it
 * overlaps stays, and the walls hold. */
static void what_has_no_room_stays(void **state)
{
    (void)state;
    run *r = run_open(PRESSED "boundaries = ( { box: { lower = [0, 0, 0]; upper = [1, 1, 1]; }; "
                              "material = \"plate\"; } );\n"
                              "bodies = ( { position = [0.01, 0.01, 0.01]; radius = 0.01; "
                              "material = \"light\"; }, { position = [0.072, 0.072, 0.072]; radius "
                              "= 0.1; material = \"heavy\"; } );\n");
    const double before = depth_of_pair(r, 0, 1), slop = 1e-3 * 0.02;
    assert_true(before > 0.0);
    for (int step = 0; step < 200; step++) {
        run_step(r);
        for (int k = 0; k < 3; k++)
            assert_true(run_position(r, 0)[k] - 0.01 >= -1.02 * slop);
    }
    run_close(r);
}

/* A sphere that is too deep in a wall by itself comes out of it. */
static void walls_push_out(void **state)
{
    (void)state;
    run *r = run_open(PRESSED RUN_PLANE "bodies = ( { position = [0, 0, 0.008]; radius = 0.01; "
                                        "material = \"light\"; } );\n");
    double height = 0.008;
    for (int step = 0; step < 100; step++) {
        run_step(r);
        assert_true(run_position(r, 0)[2] >= height);
        assert_true(run_position(r, 0)[2] <= height + 5 * 2e-3 * 0.02 + 1e-15); /* five passes */
        height = run_position(r, 0)[2];
    }
    assert_near(height, 0.01 * (1.0 - 2e-3), 1e-6);
    run_close(r);
}

/* Sum of m x over the bodies, and of m. */
static double moment_of(const run *r, int axis, double *mass)
{
    const plu_bodies_view all = plu_world_bodies(r->world);
    double sum = 0.0;
    *mass = 0.0;
    for (int i = 0; i < all.count; i++) {
        sum += all.position[i][axis] / all.velocity[i][6];
        *mass += 1.0 / all.velocity[i][6];
    }
    return sum;
}

/* Light spheres below heavy ones and the other way round, 0.01 d too deep in each other, in so many
 * contacts that they are separated by lanes, and in a row: nothing from outside moves them, so that
 * their center of mass stays where it is. */
static void separation_keeps_the_center_of_mass(void **state)
{
    (void)state;
    static const char *const order[][2] = {{"light", "heavy"}, {"heavy", "light"}};
    for (int k = 0; k < 4; k++) {
        const int wide = k < 2 ? 3 : 1, below = 2 * wide * wide;
        run *r = run_open(
            PRESSED "bodies = ( { lattice: { counts = [%d, %d, 2]; spacing = 0.0198; }; radius "
                    "= 0.01; material = \"%s\"; }, { lattice: { counts = [%d, %d, 3]; spacing "
                    "= 0.0198; origin = [0, 0, 0.0396]; }; radius = 0.01; material = "
                    "\"%s\"; } );\n",
            wide, wide, order[k % 2][0], wide, wide, order[k % 2][1]);
        double before[3], mass;
        for (int i = 0; i < 3; i++)
            before[i] = moment_of(r, i, &mass);
        for (int step = 0; step < 40; step++)
            run_step(r);
        for (int i = 0; i < 3; i++)
            assert_near(moment_of(r, i, &mass) / mass, before[i] / mass, 1e-15);
        assert_true(depth_of_pair(r, below - 1, below - 1 + wide * wide) < 1.02e-3 * 0.02);
        run_close(r);
    }
}

/* An overlap beyond the limit is told in meters and in diameters. */
static void an_overlap_is_told(void **state)
{
    (void)state;
    run *r = run_open(PRESSED RUN_PLANE "limits: { penetration = 0.05; on_limit = \"stop\"; };\n"
                                        "bodies = ( { position = [0, 0, 0.008]; radius = 0.01; "
                                        "material = \"light\"; } );\n");
    assert_int_equal(plu_step(r->stepper, &r->info, &r->err), PLU_BREAKDOWN);
    assert_non_null(strstr(r->err.text, "overlap by 0.002 m, 0.1 of the smaller diameter"));
    assert_non_null(strstr(r->err.text, ", at (0, 0, "));
    run_close(r);
}

/* A fast sphere hits a heavy one, and stops, in the step in which its center passes a disc that it
 * did not touch before: what was fast at the start of the step is looked for, too. */
static void passing_while_it_stops(void **state)
{
    (void)state;
    run *r =
        run_open("time: { step = 1e-3; end = 1; theta = 0.5; forecast = 0.0; };\ngravity = [0, "
                 "0, 0];\nallow_overlap = true;\nstabilization = \"none\";\nlimits: { "
                 "penetration = 1.0; on_limit = \"stop\"; };\n" TWO_MATERIALS
                 "boundaries = ( { disc: { radius = 0.02; }; material = \"plate\"; } );\n"
                 "bodies = ( { position = [0, 0, 0.039999]; radius = 0.005; velocity = [0, 0, "
                 "-30]; material = \"light\"; }, { position = [0, 0, -0.095]; radius = 0.1; "
                 "material = \"heavy\"; } );\n");
    run_step(r);
    assert_int_equal(plu_step(r->stepper, &r->info, &r->err), PLU_BREAKDOWN);
    assert_non_null(strstr(r->err.text, "body 0 passed through"));
    assert_true(fabs(run_velocity(r, 0)[2]) < 0.1);
    run_close(r);
}

/* A tube that some sphere may be wider than, however its radius is drawn, has three parts, two of
 * which are touched on its rim (fill/parts_make.c). */
static void tubes_of_wide_spheres(void **state)
{
    (void)state;
    static const char *const radius[] = {"radius = 0.009",
                                         "radius = 0.011",
                                         "radius = [0.001, 0.011]",
                                         "radius: { distribution = \"normal\"; mean = 0.002; sigma "
                                         "= 1e-4; range = [0.001, 0.011]; }",
                                         "radius: { distribution = \"normal\"; mean = 0.002; sigma "
                                         "= 1e-4; range = [0.001, 0.009]; }",
                                         "radius: { sieves = [[0.004, 0], [0.022, 1]]; }"};
    static const int parts[] = {1, 3, 3, 3, 1, 3};
    for (int k = 0; k < 6; k++) {
        run *r = run_open(
            "time: { step = 1e-3; end = 1; };\n" RUN_MATERIALS(
                "2500.0", "0.3", "0.0", "0.0") "boundaries = ( { cylinder: { center = [1, 0, 0]; "
                                               "radius = 0.01; height = 0.1; bottom = "
                                               "false; }; material = \"plate\"; } );\n"
                                               "bodies = ( { lattice: { counts = [2, 1, 1]; "
                                               "spacing = 0.05; origin = [0, 0, 0]; }; "
                                               "%s; material = \"grain\"; } );\n",
            radius[k]);
        assert_int_equal(r->world->parts_count, parts[k]);
        run_close(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tubes_of_wide_spheres),
        cmocka_unit_test(spheres_give_way_but_not_into_the_floor),
        cmocka_unit_test(what_has_no_room_stays),
        cmocka_unit_test(walls_push_out),
        cmocka_unit_test(an_overlap_is_told),
        cmocka_unit_test(passing_while_it_stops),
        cmocka_unit_test(separation_keeps_the_center_of_mass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
