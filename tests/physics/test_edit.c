/* Bodies that calls add, move, remove and fix: closed forms, the balance of energy, who wakes, the
 * state, what is refused. */
#include "memory.h"
#include "pluvia/control.h"
#include "pluvia/edit.h"
#include "world/world.h"

static plu_error err;

/* Three spheres of radius 0.1 m on each other upon a plane, and three in reserve. */
static run *stack(const char *more)
{
    return run_open("time: { step = 1e-3; end = 10; };\ngravity = [0, 0, -10];\n%s\n" RUN_MATERIALS(
                        "2500.0", "0.5", "1e-3", "0.0") RUN_PLANE
                    "bodies = ( { lattice: { counts = [1, 1, 3]; spacing = 0.2; origin = [0, 0, "
                    "0.1]; }; radius = 0.1; material = \"grain\"; }, { reserve: { count = 3; }; "
                    "radius = 0.1; material = \"grain\"; } );\n",
                    more);
}

static void balanced(const run *r)
{
    assert_near(plu_stepper_imbalance(r->stepper), 0.0, 1e-12);
}

static void added_bodies_fly(void **state)
{
    (void)state;
    run *r = stack("");
    static const int body[2] = {5, 3};
    static const double place[2][3] = {{1, 0, 5}, {2, 0, 5}}, speed[2][3] = {{1, 0, 3}, {0, 2, 0}},
                        spin[2][3] = {{0, 0, 7}, {0, 0, 0}};
    run_to(r, 0.1);
    assert_int_equal(plu_world_active(r->world), 3);
    assert_true(plu_world_is_spare(r->world, 3) && !plu_world_is_spare(r->world, 0));
    run_check(r, plu_stepper_add(r->stepper, 2, body, place, speed, spin, &r->err));
    assert_int_equal(plu_world_active(r->world), 5);
    assert_int_equal(plu_world_waiting(r->world), 1);
    assert_false(plu_world_is_spare(r->world, 3));
    balanced(r);
    run_to(r, 0.6);
    for (int k = 0; k < 2; k++) {
        const double *x = run_position(r, body[k]);
        assert_near(x[0], place[k][0] + 0.5 * speed[k][0], 1e-12);
        assert_near(x[1], 0.5 * speed[k][1], 1e-12);
        assert_near(x[2], 5 + 0.5 * speed[k][2] - 5 * 0.25, 1e-12);
        assert_near(run_velocity(r, body[k])[5], spin[k][2], 1e-12);
    }
    balanced(r);
    run_close(r);
}

/* Only what waits for a feeder keeps a run from rest, a reserve does not. */
static void a_reserve_does_not_disturb_rest(void **state)
{
    (void)state;
    run *r = stack("");
    run_to(r, 0.5);
    assert_true(plu_stepper_rest_measure(r->stepper) < 1e-9);
    run_close(r);
}

/* What rests on a body that is taken away falls, though it slept, and lands on the next. */
static void what_leans_on_the_removed_wakes(void **state)
{
    (void)state;
    run *r = stack("");
    const int middle = 1;
    run_to(r, 0.5);
    assert_int_equal(r->world->asleep, 3);
    run_check(r, plu_stepper_remove(r->stepper, 1, &middle, &r->err));
    balanced(r);
    run_to(r, 0.6);
    assert_near(run_position(r, 2)[2], 0.5 - 5 * 0.01, 1e-3);
    run_to(r, 1.5);
    assert_near(run_position(r, 2)[2], 0.3, 1e-5);
    assert_near(run_position(r, 0)[2], 0.1, 1e-5);
    balanced(r);
    assert_true(plu_world_is_spare(r->world, middle));
    const double place[1][3] = {{0, 0, 2}};
    run_check(r, plu_stepper_add(r->stepper, 1, &middle, place, NULL, NULL, &r->err));
    assert_int_equal(plu_world_removed(r->world), 0);
    run_step(r);
    assert_near(run_velocity(r, middle)[2], -0.01, 1e-15);
    balanced(r);
    run_close(r);
}

/* The last one meets nothing where the other was that left the domain, or that a call removed. */
static void the_last_one_meets_no_ghosts(void **state)
{
    (void)state;
    for (int by_call = 0; by_call < 2; by_call++) {
        run *r = run_open("time: { step = 1e-3; end = 2; };\ngravity = [0, 0, 0];\n" RUN_MATERIALS(
                              "2500.0", "0.5", "0", "0.0") "domain: { box = [[-0.5, -1, -1], [1, "
                                                           "1, %d]]; };\nbodies = ( { lattice: { "
                                                           "counts = [2, 1, 1]; spacing = 0.3; }; "
                                                           "radius = 0.1; velocity = [-2, 0, 0]; "
                                                           "material = \"grain\"; } );\n",
                          1 + by_call);
        const int first = 0;
        run_to(r, 0.249);
        if (by_call)
            run_check(r, plu_stepper_remove(r->stepper, 1, &first, &r->err));
        run_to(r, 0.39);
        assert_int_equal(plu_world_removed(r->world), 1);
        assert_near(run_velocity(r, 1)[0], -2.0, 1e-12);
        assert_near(run_position(r, 1)[0], 0.3 - 2.0 * 0.39, 1e-12);
        run_close(r);
    }
}

static void moved_bodies_go_on_from_there(void **state)
{
    (void)state;
    run *r = stack("sensors = ( { name = \"s\"; plane: { center = [0, 0, 1]; normal = [0, 0, 1]; "
                   "}; } );");
    const int top = 2;
    const double place[1][3] = {{0.5, 0, 3}}, turn[1][4] = {{0, 1, 0, 0}};
    run_to(r, 0.5);
    run_check(r, plu_stepper_move(r->stepper, 1, &top, place, turn, &r->err));
    balanced(r);
    run_to(r, 0.7);
    assert_near(run_position(r, top)[0], 0.5, 1e-12);
    assert_near(run_position(r, top)[2], 3 - 5 * 0.04, 1e-12);
    assert_near(plu_world_bodies(r->world).orientation[top][1], 1.0, 1e-12);
    assert_near(plu_stepper_sensor(r->stepper, 0, 1), 0.0, 0.0); /* nothing has passed */
    balanced(r);
    run_close(r);
}

/* Whether the counters of the world are those of its bodies. */
static void counts(const run *r)
{
    int asleep = 0, fixed = 0, active = 0;
    for (int i = 0; i < r->world->bodies.count; i++)
        if (r->world->bodies.state[i] == PLU_ACTIVE) {
            active++;
            asleep += plu_asleep(r->world, i);
            fixed += plu_is_fixed(r->world, i);
        }
    assert_int_equal(r->world->asleep, asleep);
    assert_int_equal(plu_world_fixed(r->world), fixed);
    assert_int_equal(plu_world_active(r->world), active);
}

/* Of three that sleep on each other each is fixed, released, moved or removed. */
static void counters_count(void **state)
{
    (void)state;
    const double place[1][3] = {{3, 0, 0.5}};
    for (int body = 0; body < 3; body++)
        for (int what = 0; what < 3; what++) {
            run *r = stack("");
            run_to(r, 0.5);
            assert_int_equal(r->world->asleep, 3);
            if (what == 0)
                run_check(r, plu_stepper_fix(r->stepper, 1, &body, true, &r->err));
            else if (what == 1)
                run_check(r, plu_stepper_remove(r->stepper, 1, &body, &r->err));
            else
                run_check(r, plu_stepper_move(r->stepper, 1, &body, place, NULL, &r->err));
            counts(r);
            run_step(r);
            counts(r);
            if (what == 0) {
                const int other = (body + 1) % 3;
                run_check(r, plu_stepper_fix(r->stepper, 1, &other, true, &r->err));
                run_check(r, plu_stepper_remove(r->stepper, 1, &other, &r->err));
                counts(r);
                run_check(r, plu_stepper_fix(r->stepper, 1, &body, false, &r->err));
                counts(r);
            }
            run_to(r, 0.6);
            counts(r);
            run_close(r);
        }
}

/* A body that is fixed holds others and is held by nobody. */
static void fixed_bodies_hold(void **state)
{
    (void)state;
    run *r = stack("");
    const int middle = 1, low = 0;
    run_to(r, 0.5);
    run_check(r, plu_stepper_fix(r->stepper, 1, &middle, true, &r->err));
    run_check(r, plu_stepper_remove(r->stepper, 1, &low, &r->err));
    run_to(r, 1.0);
    assert_int_equal(plu_world_fixed(r->world), 1);
    assert_near(run_position(r, 1)[2], 0.3, 1e-5);
    assert_near(run_position(r, 2)[2], 0.5, 1e-5);
    balanced(r);
    run_check(r, plu_stepper_fix(r->stepper, 1, &middle, false, &r->err));
    const double high = run_position(r, 1)[2];
    run_to(r, 1.1);
    assert_int_equal(plu_world_fixed(r->world), 0);
    assert_near(run_position(r, 1)[2], high - 5 * 0.01, 1e-12);
    balanced(r);
    run_close(r);
}

/* Where most sleep only what moves is looked at: it lands on the plane, and on one that sleeps. */
static void what_falls_among_sleepers_lands(void **state)
{
    (void)state;
    run *r = run_open("time: { step = 1e-3; end = 10; };\ngravity = [0, 0, -10];\n" RUN_MATERIALS(
        "2500.0", "0.5", "1e-3", "0.0") RUN_PLANE
                      "bodies = ( { position = [0.25, 0.25, 2.55]; radius = 0.1; material = "
                      "\"grain\"; }, { position = [0.5, 0, 2.75]; radius = 0.1; material = "
                      "\"grain\"; }, { lattice: { counts = [4, 2, 1]; spacing = 0.5; origin = [0, "
                      "0, 0.1]; }; radius = 0.1; material = \"grain\"; } );\n");
    run_to(r, 0.65);
    assert_int_equal(r->world->asleep, 8);
    assert_near(run_position(r, 0)[2], 2.55 - 5 * 0.65 * 0.65, 1e-12);
    while (plu_world_time(r->world) < 0.75) {
        int walls[10] = {0};
        run_step(r);
        for (int i = 0; i < plu_stepper_contacts(r->stepper); i++) {
            plu_contact_row row;
            plu_stepper_contact(r->stepper, i, &row);
            walls[row.b] += !plu_side_is_sphere(row.a);
        }
        for (int body = 2; body < 10; body++)
            assert_int_equal(walls[body], 1);
        assert_int_equal(walls[0], run_position(r, 0)[2] < 0.1001);
    }
    /* a landing within a step misses the place by g h^2 / 8 at most */
    assert_near(run_position(r, 0)[2], 0.1, 1.26e-6);
    assert_near(run_position(r, 1)[2], 0.3, 1e-4 * 0.2); /* and by what the solver leaves */
    assert_true(r->world->asleep >= 6);
    assert_int_equal(plu_stepper_contacts(r->stepper), 10);
    run_close(r);
}

/* Places outside of a cell are those of images, and the path goes on from them. */
static void cells_wrap_places(void **state)
{
    (void)state;
    run *r = run_open("time: { step = 1e-3; end = 1; };\ngravity = [0, 0, 0];\n" RUN_MATERIALS(
        "2500.0", "0.5", "0", "0.0") "cell = { size = [1, 1, 1]; periodic = [\"x\", \"y\", "
                                     "\"z\"]; };\nbodies = ( { position = [0.5, 0.5, 0.5]; radius "
                                     "= 0.1; material = \"grain\"; }, { reserve: { count = 1; }; "
                                     "radius = 0.1; material = \"grain\"; } );\n");
    const int body = 1;
    const double place[1][3] = {{2.25, -0.3, 0.5}}, near[1][3] = {{1.5, 0.5, 1.55}};
    assert_int_equal(plu_stepper_add(r->stepper, 1, &body, near, NULL, NULL, &err), PLU_USAGE);
    run_check(r, plu_stepper_add(r->stepper, 1, &body, place, NULL, NULL, &r->err));
    static const int image[3] = {2, -1, 0};
    for (int k = 0; k < 3; k++) {
        assert_int_equal(plu_world_images(r->world)[body][k], image[k]);
        assert_near(run_position(r, body)[k] + image[k], place[0][k], 1e-12);
    }
    run_step(r);
    run_close(r);
}

/* A run that is saved after edits goes on by the same bits: what is fixed, added, loaded, dragged.
 */
static void edits_are_part_of_the_state(void **state)
{
    (void)state;
    run *one = stack(""), *two = stack("");
    const int fixed = 0, removed = 1, added = 4;
    const double place[1][3] = {{0.02, 0, 0.9}}, force[3] = {0.3, 0.0, 0.0}, drag = 5.0,
                 wind[1][3] = {{0.0, 1.0, 0.0}};
    run_to(one, 0.1);
    run_check(one, plu_stepper_fix(one->stepper, 1, &fixed, true, &one->err));
    run_check(one, plu_stepper_remove(one->stepper, 1, &removed, &one->err));
    run_check(one, plu_stepper_add(one->stepper, 1, &added, place, NULL, NULL, &one->err));
    run_check(one, plu_stepper_set_load(one->stepper, 2, force, NULL, &one->err));
    run_check(one, plu_stepper_set_drags(one->stepper, 1, &added, &drag, wind, &one->err));
    run_to(one, 0.2);
    memory *m = memory_save(one);
    assert_int_equal(memory_set(two, m), PLU_OK);
    assert_int_equal(plu_world_fixed(two->world), 1);
    for (int k = 0; k < 400; k++) {
        run_step(one);
        run_step(two);
        assert_int_equal(plu_world_hash(one->world), plu_world_hash(two->world));
    }
    assert_true(run_position(one, added)[1] > 0.01);
    memory_free(m);
    run_close(one);
    run_close(two);
}

static void refused(plu_status status, const char *why)
{
    assert_int_equal(status, PLU_USAGE);
    if (!strstr(err.text, why)) {
        fprintf(stderr, "\"%s\" lacks \"%s\"\n", err.text, why);
        fail();
    }
}

/* With the reason, and nothing has changed then. */
/* A lid goes through what is fixed, which is not let go then. */
static void what_a_boundary_is_in_stays_fixed(void **state)
{
    (void)state;
    run *r = run_open("time: { step = 1e-3; end = 2; };\ngravity = [0, 0, -10];\n" RUN_MATERIALS(
        "2500.0", "0.5", "0",
        "0.0") "boundaries = ( { name = \"lid\"; plane: { normal = [0, 0, -1]; "
               "center = [0, 0, 1]; }; motion: { velocity = [0, 0, -1]; }; "
               "material = \"plate\"; } );\nbodies = ( { position = [0, 0, "
               "0.5]; radius = 0.1; material = \"grain\"; } );\n");
    const int body = 0;
    run_check(r, plu_stepper_fix(r->stepper, 1, &body, true, &r->err));
    run_to(r, 0.48);
    run_check(r, plu_stepper_fix(r->stepper, 1, &body, false, &r->err));
    run_check(r, plu_stepper_fix(r->stepper, 1, &body, true, &r->err));
    run_to(r, 0.55);
    refused(plu_stepper_fix(r->stepper, 1, &body, false, &err),
            "overlaps boundary \"lid\" by 0.15 m");
    run_to(r, 0.6);
    assert_near(run_position(r, 0)[2], 0.5, 0.0);
    run_close(r);
}

static void refusals_change_nothing(void **state)
{
    (void)state;
    run *r = stack("domain: { box = [[-5, -5, -5], [5, 5, 5]]; };");
    plu_stepper *s = r->stepper;
    static const int two[2] = {3, 4}, twice[2] = {3, 3}, there[1] = {0}, nobody[1] = {6};
    static const double close[2][3] = {{0, 0, 2}, {0, 0, 2.1}}, low[2][3] = {{1, 0, 0.05}},
                        outside[2][3] = {{6, 0, 1}}, endless[2][3] = {{NAN, 0, 1}},
                        on_top[2][3] = {{0, 0, 0.6}}, bad_turn[1][4] = {{1, 1, 0, 0}};
    run_to(r, 0.1);
    const uint64_t hash = plu_world_hash(r->world);
    refused(plu_stepper_add(s, 2, two, close, NULL, NULL, &err), "would overlap body 3 by 0.1 m");
    refused(plu_stepper_add(s, 1, two, low, NULL, NULL, &err), "would overlap boundary");
    refused(plu_stepper_add(s, 1, two, on_top, NULL, NULL, &err), "would overlap body 2");
    refused(plu_stepper_add(s, 1, two, outside, NULL, NULL, &err), "outside of the domain");
    refused(plu_stepper_add(s, 1, two, endless, NULL, NULL, &err), "place has a number that is");
    refused(plu_stepper_add(s, 1, two, close, endless, NULL, &err), "velocity has a number that");
    refused(plu_stepper_add(s, 2, twice, close, NULL, NULL, &err), "body 3 is named twice");
    refused(plu_stepper_add(s, 1, there, close, NULL, NULL, &err), "is there already");
    refused(plu_stepper_add(s, 1, nobody, close, NULL, NULL, &err), "numbered 0 to 5");
    refused(plu_stepper_move(s, 1, two, close, NULL, &err), "body 3 is not active");
    refused(plu_stepper_move(s, 1, there, close, bad_turn, &err), "length 1.41421, not 1");
    refused(plu_stepper_move(s, 1, there, on_top, NULL, &err), "would overlap body 2");
    refused(plu_stepper_remove(s, 1, two, &err), "body 3 is not active");
    refused(plu_stepper_fix(s, 1, nobody, true, &err), "body 6 does not exist");
    refused(plu_stepper_fix(s, 2, twice, true, &err), "body 3 is not active");
    assert_int_equal(plu_world_hash(r->world), hash);
    assert_int_equal(plu_world_active(r->world), 3);
    run_step(r);
    balanced(r);
    run_close(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(added_bodies_fly),
        cmocka_unit_test(a_reserve_does_not_disturb_rest),
        cmocka_unit_test(what_leans_on_the_removed_wakes),
        cmocka_unit_test(the_last_one_meets_no_ghosts),
        cmocka_unit_test(moved_bodies_go_on_from_there),
        cmocka_unit_test(fixed_bodies_hold),
        cmocka_unit_test(counters_count),
        cmocka_unit_test(what_falls_among_sleepers_lands),
        cmocka_unit_test(cells_wrap_places),
        cmocka_unit_test(edits_are_part_of_the_state),
        cmocka_unit_test(what_a_boundary_is_in_stays_fixed),
        cmocka_unit_test(refusals_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
