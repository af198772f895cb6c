/* Loads and drags of many bodies by one call: closed forms, momentum, energy, what is refused. */
#include "memory.h"
#include "pluvia/control.h"
#include "pluvia/edit.h"

static plu_error err;
static const double g = 10.0;

/* Three spheres of 1 kg at z = 0.1 m, 2 m apart, upon a plane or without one. */
static run *three(const char *plane, double gravity, double end)
{
    return run_open("time: { step = 1e-3; end = %g; };\ngravity = [0, 0, %.17g];\n"
                    "materials = ( { name = \"grain\"; density = %.17g; }, { name = \"plate\"; } "
                    ");\ncontacts = ( { between = [\"grain\", \"grain\"]; friction = 0; }, { "
                    "between = [\"grain\", \"plate\"]; friction = 0; } );\n%s"
                    "bodies = ( { lattice: { counts = [3, 1, 1]; spacing = 2; origin = [0, 0, "
                    "0.1]; }; radius = 0.1; material = \"grain\"; } );\n",
                    end, -gravity, 1.0 / (4.0 / 3.0 * acos(-1.0) * 1e-3), plane);
}

static void balanced(const run *r)
{
    assert_near(plu_stepper_imbalance(r->stepper), 0.0, 1e-12);
}

static void all_at_once_is_each_for_itself(void **state)
{
    (void)state;
    run *one = three("", 0.0, 10.0), *all = three("", 0.0, 10.0);
    static const double force[3][3] = {{1, 0, 0}, {0, 0, 0}, {0, 2, 3}},
                        moment[3][3] = {{0, 0, 1e-3}, {0, 0, 0}, {1e-3, 0, 0}},
                        speed[3][3] = {{0, 0, 1}, {0, 0, 2}, {0, 0, 3}};
    for (int k = 0; k < 3; k++) {
        run_check(one, plu_stepper_set_load(one->stepper, k, force[k], moment[k], &one->err));
        run_check(one, plu_stepper_set_velocity(one->stepper, k, speed[k], NULL, &one->err));
    }
    run_check(all, plu_stepper_set_loads(all->stepper, 3, NULL, force, moment, &all->err));
    run_check(all, plu_stepper_set_velocities(all->stepper, 3, NULL, speed, NULL, &all->err));
    run_to(one, 0.1);
    run_to(all, 0.1);
    assert_int_equal(plu_world_hash(one->world), plu_world_hash(all->world));
    run_check(all, plu_stepper_set_loads(all->stepper, 3, NULL, NULL, NULL, &all->err));
    run_step(all);
    double acting[3][3];
    plu_stepper_loads(all->stepper, acting);
    for (int k = 0; k < 9; k++)
        assert_near(acting[k / 3][k % 3], 0.0, 0.0);
    run_close(one);
    run_close(all);
}

/* v = v_t (1 - (1 + c h / m)^-n), v_t = m g / c, whatever c; and what the fluid loses the body
 * gains. */
static void bodies_sink_as_their_drag_says(void **state)
{
    (void)state;
    static const double drag[3] = {0.5, 20.0, 1e6};
    run *r = three("", g, 10.0);
    double fluid = 0.0, acting[3][3];
    run_check(r, plu_stepper_set_drags(r->stepper, 3, NULL, drag, NULL, &r->err));
    for (int step = 1; step <= 400; step++) {
        run_step(r);
        plu_stepper_loads(r->stepper, acting);
        fluid += 1e-3 * acting[1][2];
        for (int k = 0; k < 3; k++)
            assert_near(run_velocity(r, k)[2],
                        -g / drag[k] * (1.0 - pow(1.0 + drag[k] * 1e-3, -step)), 1e-12);
    }
    assert_near(run_velocity(r, 1)[2], fluid - g * 0.4, 1e-12);
    balanced(r);
    run_close(r);
}

/* On a body that lies still the drag is that of the whole flow, however large c h / m: the floor
 * bears it. */
static void the_floor_bears_the_drag(void **state)
{
    (void)state;
    static const double drag[3] = {1.0, 1e3, 1e4},
                        wind[3][3] = {{0, 0, -2}, {0, 0, -2}, {0, 0, -2}};
    run *r = three(RUN_PLANE, g, 10.0);
    double force[3][3];
    run_check(r, plu_stepper_set_drags(r->stepper, 3, NULL, drag, wind, &r->err));
    run_to(r, 0.5);
    plu_stepper_forces(r->stepper, force);
    for (int k = 0; k < 3; k++)
        assert_near(force[k][2], g + 2.0 * drag[k], 1e-6 * drag[k]);
    balanced(r);
    run_close(r);
}

/* v = F t / m, of those that are there: one is taken out with its load, one is fixed and let go,
 * and a state has the loads. */
static void loads_of_others_stay(void **state)
{
    (void)state;
    static const double force[3][3] = {{1, 0, 0}, {0, 2, 0}, {0, 0, 3}};
    static const int first = 0, last = 2;
    run *r = three("", 0.0, 10.0), *copy = three("", 0.0, 10.0);
    double acting[3][3];
    run_check(r, plu_stepper_set_loads(r->stepper, 3, NULL, force, NULL, &r->err));
    run_to(r, 0.1);
    memory *of_all = memory_save(r);
    assert_int_equal(memory_set(copy, of_all), PLU_OK);
    memory_free(of_all);
    run_check(r, plu_stepper_remove(r->stepper, 1, &first, &r->err));
    run_to(r, 0.2);
    assert_near(run_velocity(r, 1)[1], 0.4, 1e-13);
    assert_near(run_velocity(r, 2)[2], 0.6, 1e-13);
    run_check(r, plu_stepper_fix(r->stepper, 1, &last, true, &r->err));
    run_to(r, 0.3);
    plu_stepper_loads(r->stepper, acting);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++)
            assert_near(acting[k][i], k == 1 ? force[1][i] : 0.0, 0.0);
    run_check(r, plu_stepper_fix(r->stepper, 1, &last, false, &r->err));
    memory *m = memory_save(r);
    assert_int_equal(memory_set(copy, m), PLU_OK);
    memory_free(m);
    run_to(r, 0.4);
    run_to(copy, 0.4);
    assert_near(run_velocity(r, 1)[1], 0.8, 1e-13);
    assert_near(run_velocity(r, 2)[2], 0.3, 1e-13);
    assert_int_equal(plu_world_hash(r->world), plu_world_hash(copy->world));
    balanced(r);
    run_close(r);
    run_close(copy);
}

static void refused(plu_status status, const char *why)
{
    assert_int_equal(status, PLU_USAGE);
    if (!strstr(err.text, why)) {
        fprintf(stderr, "\"%s\" lacks \"%s\"\n", err.text, why);
        fail();
    }
}

static void refusals_change_nothing(void **state)
{
    (void)state;
    run *r = three("", 0.0, 10.0);
    plu_stepper *s = r->stepper;
    static const int body[2] = {1, 3}, first[2] = {0, 1};
    static const double rows[3][3] = {{1, 0, 0}, {1, 0, 0}, {INFINITY, 0, 0}},
                        drag[2] = {1.0, -1.0};
    refused(plu_stepper_set_loads(s, 2, NULL, rows, NULL, &err), "2 rows are given for all bodies");
    refused(plu_stepper_set_loads(s, 2, body, rows, NULL, &err), "body 3 does not exist");
    refused(plu_stepper_set_loads(s, 3, NULL, rows, NULL, &err), "body 2: a number given for it");
    refused(plu_stepper_set_velocities(s, 3, NULL, NULL, rows, &err), "body 2: a number given for");
    refused(plu_stepper_set_drags(s, 2, first, drag, NULL, &err), "or its drag is negative");
    run_step(r);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 6; i++)
            assert_near(run_velocity(r, k)[i], 0.0, 0.0);
    run_close(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_at_once_is_each_for_itself),
        cmocka_unit_test(bodies_sink_as_their_drag_says),
        cmocka_unit_test(the_floor_bears_the_drag),
        cmocka_unit_test(loads_of_others_stay),
        cmocka_unit_test(refusals_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
