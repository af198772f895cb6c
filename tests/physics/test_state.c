/* The state of a stepper, saved in memory and set in a fresh one: the same bits from there on, and
 * what makes no sense is refused. (Files: unit/test_checkpoint.c; runs: cli/restart.py.) */
#include "memory.h"
#include "world/world.h"

/* Spheres rain into a tube: some lie, some fall, some wait. */
static run *rain(int count, double radius)
{
    return run_open("time: { step = 1e-3; end = 10; };\n" RUN_MATERIALS(
                        "1500.0", "0.3", "1e-3",
                        "0.2") "boundaries = ( { cylinder: { radius = 0.04; height = 1.0; }; "
                               "material = \"plate\"; } );\nfeeders = ( { pluviation: { count = "
                               "%d; interval = 0.01; height = 0.2; footprint: { disc = 0.04; }; "
                               "}; material = \"grain\"; radius = [0.004, %g]; } );\n",
                    count, radius);
}

/* The same with springs, which are more to be saved. */
static run *soft_rain(int count, double radius)
{
    return run_open(
        "method = \"penalty\";\ntime: { step = 1e-4; end = 10; };\n" RUN_MATERIALS(
            "1500.0", "0.3", "1e-3",
            "0.0; friction_dynamic = 0.2; normal_stiffness = 1e3") "boundaries = ( { cylinder: { "
                                                                   "radius = 0.04; height = 1.0; "
                                                                   "}; "
                                                                   "material = \"plate\"; } "
                                                                   ");\nfeeders = ( { pluviation: "
                                                                   "{ count = "
                                                                   "%d; interval = 0.01; height = "
                                                                   "0.2; footprint: { disc = 0.04; "
                                                                   "}; "
                                                                   "}; material = \"grain\"; "
                                                                   "radius = [0.004, %g]; } );\n",
        count, radius);
}

static void same_totals(const run *one, const run *two)
{
    plu_totals a = *plu_stepper_totals(one->stepper), b = *plu_stepper_totals(two->stepper);
    memset(a.seconds, 0, sizeof a.seconds); /* of the clock */
    memset(b.seconds, 0, sizeof b.seconds);
    a.solver_seconds = b.solver_seconds = 0.0;
    a.fallback_seconds = b.fallback_seconds = 0.0; /* since the stepper was made */
    a.fallback_steps = b.fallback_steps = 0;
    assert_memory_equal(&a, &b, sizeof a);
}

static void go_on(run *one, run *two)
{
    run_to(one, 0.7);
    assert_in_range(one->info.contacts, 10, 200);
    assert_in_range(plu_world_waiting(one->world), 10, 70);
    memory *m = memory_save(one);
    assert_int_equal(memory_set(two, m), PLU_OK);
    assert_int_equal(plu_stepper_contacts(two->stepper), 0); /* until the next step */
    same_totals(one, two);
    for (int step = 0; step < 600; step++) {
        assert_int_equal(plu_world_hash(one->world), plu_world_hash(two->world));
        assert_int_equal(plu_world_waiting(one->world), plu_world_waiting(two->world));
        run_step(one);
        run_step(two);
        assert_memory_equal(&one->info, &two->info, sizeof one->info);
    }
    assert_near(plu_stepper_imbalance(two->stepper), 0.0, 1e-12);
    same_totals(one, two);
    memory_free(m);
    run_close(one);
    run_close(two);
}

static void same_bits(void **unused)
{
    (void)unused;
    go_on(rain(80, 0.01), rain(80, 0.01));
    go_on(soft_rain(80, 0.01), soft_rain(80, 0.01));
}

/* Grains that attract each other fall asleep a few at a time: a run that is set to its own state
 * now and then is the one that goes through. */
static void sleepers_that_attract(void **unused)
{
    (void)unused;
    static const char *const bed = "seed = 3;\ntime: { step = 2.5e-4; end = 10; };\n" RUN_MATERIALS(
        "2500.0", "0.5", "1e-4",
        "0.0; cohesion = 1e-3; cohesion_range = 5e-5") "boundaries = ( { box: { lower = [0, 0, 0]; "
                                                       "upper = [0.03, 0.03, 0.2]; }; material = "
                                                       "\"plate\"; } );\nbodies = ( { packing: { "
                                                       "box = [[0, 0, 0], [0.03, 0.03, 0.05]]; "
                                                       "count = "
                                                       "60; }; material = \"grain\"; radius = "
                                                       "[0.0025, 0.0035]; } );\n";
    run *one = run_open("%s", bed), *two = run_open("%s", bed);
    int asleep = 0, awake = 0;
    for (int step = 0; step < 3000; step++) {
        if (step % 10 == 0) {
            memory *m = memory_save(two);
            assert_int_equal(memory_set(two, m), PLU_OK);
            memory_free(m);
        }
        run_step(one);
        run_step(two);
        assert_true(plu_world_hash(one->world) == plu_world_hash(two->world));
        const int sleepers = one->world->asleep;
        asleep += sleepers > 0;
        awake += sleepers > 0 && sleepers < 60;
    }
    assert_in_range(asleep, 100, 2900);
    assert_in_range(awake, 100, 2900); /* beside some that sleep */
    run_close(one);
    run_close(two);
}

/* A ball that spins on four that sleep, and one that bounces beside them, for which steps are
 * halved: what holds the sleepers is that of the length of the step. */
static void sleepers_in_chosen_steps(void **unused)
{
    (void)unused;
    static const char *const scene =
        "time: { step = \"auto\"; largest = 2e-3; end = 1; };\noutput: { interval = 2e-3; };\n"
        "materials = ( { name = \"grain\"; density = 2500.0; }, { name = \"plate\"; } );\n"
        "contacts = ( { between = [\"grain\", \"grain\"]; friction = 0.0; }, { between = "
        "[\"grain\", \"plate\"]; friction = 0.0; restitution = 0.9; } );\n"
        "boundaries = ( { box: { lower = [-0.02, -0.02, 0]; upper = [0.02, 0.02, 0.05]; }; "
        "material "
        "= \"plate\"; }, { plane: {}; material = \"plate\"; } );\n"
        "bodies = ( { lattice: { counts = [2, 2, 1]; spacing = 0.02; origin = [-0.01, -0.01, "
        "0.01]; "
        "}; radius = 0.01; material = \"grain\"; },\n{ position = [0, 0, 0.02415]; radius = 0.01; "
        "material = \"grain\"; angular_velocity = [0, 0, 40]; },\n"
        "{ position = [0.1, 0, 0.3]; radius = 0.004; material = \"grain\"; } );\n";
    run *one = run_open("%s", scene), *two = run_open("%s", scene);
    int asleep = 0;
    for (int step = 0; step < 500; step++) {
        memory *m = memory_save(two);
        assert_int_equal(memory_set(two, m), PLU_OK);
        memory_free(m);
        run_step(one);
        run_step(two);
        assert_true(plu_world_hash(one->world) == plu_world_hash(two->world));
        asleep += one->world->asleep == 4;
    }
    assert_in_range(asleep, 100, 500);
    assert_true(plu_stepper_totals(one->stepper)->shortest < 1.5e-3);
    run_close(one);
    run_close(two);
}

/* Two that wait for another one to go are two delays, however often the run is restarted. */
static void a_wait_is_counted_once(void **unused)
{
    (void)unused;
    static const char *const blocked =
        "time: { step = 1e-3; end = 10; };\n" RUN_MATERIALS("1500.0", "0.3", "1e-3", "0.0")
            RUN_PLANE
        "bodies = ( { position = [0, 0, 0.05]; radius = 0.05; material = \"grain\"; } );\n"
        "feeders = ( { pluviation: { count = 2; interval = 0.01; height = 0.05; footprint: { disc "
        "= "
        "0.01; }; }; material = \"grain\"; radius = 0.01; } );\n";
    run *one = run_open("%s", blocked), *two = run_open("%s", blocked);
    run_to(one, 0.05);
    memory *m = memory_save(one);
    assert_int_equal(memory_set(two, m), PLU_OK);
    assert_int_equal(plu_world_delayed(two->world), 2);
    run_to(two, 0.1);
    assert_int_equal(plu_world_delayed(one->world), 2);
    assert_int_equal(plu_world_delayed(two->world), 2);
    memory_free(m);
    run_close(one);
    run_close(two);
}

/* Changes one array of a whole state, which is then refused with a sentence that says `why`. */
static void refuses(memory *m, const char *name, const void *bad, size_t bytes, const char *why)
{
    char kept[64];
    run *fresh = rain(80, 0.01);
    memory_part *a = memory_find(m, name);
    assert_non_null(a);
    assert_true(a->bytes >= bytes && bytes <= sizeof kept);
    memcpy(kept, a->data, bytes);
    memcpy(a->data, bad, bytes);
    assert_int_equal(memory_set(fresh, m), PLU_BAD_INPUT);
    if (!strstr(fresh->err.text, why))
        fail_msg("\"%s\" does not say \"%s\"", fresh->err.text, why);
    memcpy(a->data, kept, bytes);
    run_close(fresh);
}

static void nonsense_is_refused(void **unused)
{
    (void)unused;
    run *r = rain(80, 0.01), *other = rain(80, 0.011), *fewer = rain(79, 0.01);
    run_to(r, 0.5);
    memory *m = memory_save(r);
    assert_int_equal(memory_set(other, m), PLU_BAD_INPUT);
    assert_non_null(strstr(other->err.text, "bodies of the scene differ"));
    assert_int_equal(memory_set(fewer, m), PLU_BAD_INPUT);
    const unsigned char no_state = 7;
    int twice[6]; /* three numbers each: the sides, and the image of the first */
    memcpy(twice, memory_find(m, "contacts/body")->data, 3 * sizeof *twice);
    memcpy(twice + 3, twice, 3 * sizeof *twice);
    const int beyond = 81, negative = -1, unknown[2] = {5, 80}, no_part[2] = {-1000, 3};
    refuses(m, "world/state", &no_state, sizeof no_state, "a body has an unknown state");
    refuses(m, "world/queue_head", &beyond, sizeof beyond, "queue 1");
    refuses(m, "contacts/count", &negative, sizeof negative, "-1 contacts");
    refuses(m, "contacts/body", unknown, sizeof unknown, "contact 0");
    refuses(m, "contacts/body", no_part, sizeof no_part, "contact 0");
    refuses(m, "contacts/body", twice, sizeof twice, "contact 1");
    memory_free(m);
    run_close(r);
    run_close(other);
    run_close(fewer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bits), cmocka_unit_test(sleepers_that_attract),
        cmocka_unit_test(sleepers_in_chosen_steps), cmocka_unit_test(a_wait_is_counted_once),
        cmocka_unit_test(nonsense_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
