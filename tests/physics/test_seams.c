/* Walls that touch each other are one surface: a sphere does not notice the seams of a flat floor,
 * meets all walls of a corner, and carries its impulse over where it rolls from one part to the
 * next. */
#include "base/vec3.h"
#include "detect/match.h"
#include "run.h"
#include "step/stepper.h"

#define ROLLING                                                                                    \
    "time: { step = 1e-3; end = 2; };\n"                                                           \
    "gravity = [0.6, 0.35, -9.81];\n"                                                              \
    "solver: { criterion = \"natural-map\"; tolerance = 1e-13; };\n" RUN_MATERIALS("2500", "0.4",  \
                                                                                   "2e-4", "0")

#define BALL                                                                                       \
    "bodies = ( { position = [-0.31, -0.28, 0.00999]; velocity = [0.8, 0.3, 0]; angular_velocity " \
    "= [0, 0, 8]; radius = 0.01; material = \"grain\"; } );\nallow_overlap = true;\n"

/* A floor of `side` x `side` flush plates; of the one in the middle there are two. */
static char *plates(int side)
{
    enum { ROOM = 200 };
    char *text = calloc((size_t)(side * side + 2), ROOM), *at = text;
    at += sprintf(at, "boundaries = (");
    for (int k = 0; k <= side * side; k++) {
        const int cell = k < side * side ? k : side * side / 2;
        const double width = 1.0 / side, x = (cell % side + 0.5) * width - 0.5,
                     y = ((double)(cell / side) + 0.5) * width - 0.5;
        at += sprintf(at,
                      "%s{ plate: { center = [%.17g, %.17g, 0]; size = [%.17g, %.17g]; }; "
                      "material = \"plate\"; }",
                      k ? "," : " ", x, y, width, width);
    }
    sprintf(at, " );\n");
    return text;
}

/* In each step one contact, and the ball is where it is on a plane. */
static void equals_a_plane(const char *floor, int steps)
{
    run *r = run_open("%s%s%s", ROLLING, floor, BALL);
    run *plane = run_open("%s%s%s", ROLLING, RUN_PLANE, BALL);
    for (int step = 0; step < steps; step++) {
        run_step(r);
        run_step(plane);
        assert_int_equal(plu_stepper_contacts(r->stepper), 1);
        for (int k = 0; k < 3; k++) {
            assert_near(run_position(r, 0)[k], run_position(plane, 0)[k], 1e-9);
            assert_near(run_velocity(r, 0)[k], run_velocity(plane, 0)[k], 1e-9);
        }
    }
    assert_true(run_position(r, 0)[0] > 0.3); /* it has crossed many seams */
    run_close(r);
    run_close(plane);
}

static void plates_are_a_floor(void **state)
{
    (void)state;
    for (int side = 2; side <= 23; side += 7) {
        char *floor = plates(side);
        equals_a_plane(floor, 900);
        free(floor);
    }
}

/* A ball that falls along the seam of two plates, with a speed at which it touches in the forecast
 * only: one contact, and along the normal of the plates. */
static void a_landing_on_a_seam(void **state)
{
    (void)state;
    run *r = run_open("%s%s%s", ROLLING,
                      "boundaries = ( { plate: { center = [-0.5, 0, 0]; size = [1, 1]; }; material "
                      "= \"plate\"; }, { plate: { center = [0.5, 0, 0]; size = [1, 1]; }; material "
                      "= \"plate\"; } );\n",
                      "bodies = ( { position = [-0.004, 0, 0.2]; velocity = [0.02, 0, -3]; radius "
                      "= 0.01; material = \"grain\"; } );\n");
    int touched = 0;
    for (int step = 0; step < 400; step++) {
        run_step(r);
        assert_true(plu_stepper_contacts(r->stepper) < 2);
        if (plu_stepper_contacts(r->stepper) == 1) {
            assert_near(r->stepper->contacts->contact[0].normal[2], 1.0, 1e-15);
            touched++;
        }
    }
    assert_true(touched > 300);
    run_close(r);
}

/* One ball in the inner corner of three plates that go on behind each other, one in that of a box.
 */
static void a_corner_has_three_walls(void **state)
{
    (void)state;
    const char *const walls[] = {
        "box: { lower = [0, 0, 0]; upper = [1, 1, 1]; }; material = \"plate\"; }",
        "plate: { size = [1, 1]; }; material = \"plate\"; }, { plate: { normal = [1, 0, 0]; size = "
        "[1, 1]; }; material = \"plate\"; }, { plate: { normal = [0, 1, 0]; size = [1, 1]; }; "
        "material = \"plate\"; }"};
    for (int n = 0; n < 2; n++) {
        run *r = run_open("time: { step = 1e-3; end = 2; };\ngravity = [-5, -6, -7];\n%s"
                          "boundaries = ( { %s );\nbodies = ( { position = [0.02, 0.02, 0.02]; "
                          "radius = 0.01; material = \"grain\"; } );\n",
                          RUN_MATERIALS("2500", "0.4", "0", "0"), walls[n]);
        run_to(r, 0.5);
        assert_int_equal(plu_stepper_contacts(r->stepper), 3);
        for (int k = 0; k < 3; k++)
            assert_near(run_position(r, 0)[k], 0.01, 2.1e-5); /* the slop */
        run_close(r);
    }
}

/* What a list of contacts takes over from the one before: a ball over the corner of four plates. */
static void impulses_go_along_once(void **state)
{
    (void)state;
    char *floor = plates(2);
    run *r = run_open("%s%s%s", ROLLING, floor, BALL);
    plu_world *w = r->world;
    static const double at[2][4] = {{-1e-4, -2e-4, 0.00999, 0.01}, {1e-4, 3e-4, 0.00999, 0.01}};
    plu_error err;
    plu_detector *d = plu_detector_create(w, &err);
    plu_contacts *list;
    int parts[2];
    for (int n = 0; n < 2; n++) {
        memcpy(w->bodies.position[0], at[n], sizeof at[n]);
        assert_int_equal(plu_detect(d, &list, &err), PLU_OK);
        assert_int_equal(list->count, 1);
        parts[n] = plu_side_part(list->contact[0].a);
        if (n == 0)
            list->impulse[0] = (plu_impulse){0.25, {0.1, 0.2, 0.0}, {0.0, 0.3, 0.0}};
    }
    assert_int_not_equal(parts[0], parts[1]);
    const plu_impulse *start = plu_warm_start(list, 0);
    assert_non_null(start);
    assert_near(start->n, 0.25, 0.0);
    assert_near(start->m[1], 0.3, 0.0);
    plu_detector_destroy(d);
    run_close(r);
    free(floor);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plates_are_a_floor),
        cmocka_unit_test(a_landing_on_a_seam),
        cmocka_unit_test(a_corner_has_three_walls),
        cmocka_unit_test(impulses_go_along_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
