/* The work of the solver's errors (step/error_work.h) tells a wrong run of a pressed bed from a
 * right one, whatever the scene names as criterion and tolerance; on 1 and 2 threads, through a
 * restart. */
#include "memory.h"
#include "step/stepper.h"
#include <math.h>
#include <omp.h>

/* 100 grains under 100 kPa along x and y, which are compressed along z at an inertial number of
 * 2e-4. `solver`: its keys. */
static run *triaxial(const char *solver)
{
    return run_open("gravity = [0, 0, 0];\ntime: { step = 2e-4; end = 0.1; };\n"
                    "cell: { size = [0.028, 0.028, 0.021]; stress = [1e5, 1e5, 0.0];\n"
                    "        strain_rate = [0.0, 0.0, -0.3]; };\n"
                    "materials = ( { name = \"grain\"; density = 2650.0; } );\n"
                    "contacts = ( { between = [\"grain\", \"grain\"]; friction = 0.5;\n"
                    "               rolling_friction = 1e-4; } );\n"
                    "bodies = ( { packing: { box = [[0, 0, 0], [0.028, 0.028, 0.021]]; count = "
                    "100; };\n"
                    "             material = \"grain\"; radius = [0.0015, 0.0025]; } );\n"
                    "solver: { fallback = \"none\"; %s };\n",
                    solver);
}

static void count(void *user, plu_log_level level, const char *text)
{
    int *said = user;
    *said += level == PLU_LOG_WARNING && strstr(text, "errors of the solver");
}

static double net_share(const plu_error_work *e)
{
    return e->net / e->friction;
}

/* With 20 sweeps a step the bed gets too dense; with 200 it does not. */
static void few_sweeps_are_told(void **state)
{
    (void)state;
    int said = 0;
    run *wrong = triaxial("max_iterations = 20;"), *right = triaxial("max_iterations = 200;");
    wrong->stepper->log = right->stepper->log = (plu_log){count, &said};
    run_to(right, 0.1);
    const plu_totals *t = plu_stepper_totals(right->stepper);
    assert_true(fabs(net_share(&t->errors)) < 0.03);
    assert_true(t->errors.all < 0.3 * t->errors.friction);
    assert_int_equal(t->errors_beyond, 0);
    assert_int_equal(said, 0);
    run_to(wrong, 0.1);
    t = plu_stepper_totals(wrong->stepper);
    assert_true(net_share(&t->errors) < -0.2);
    assert_true(t->errors.all > t->errors.friction);
    assert_true(t->errors_beyond > 3);
    assert_int_equal(said, 1);
    assert_true(t->errors_time > 0.05); /* in the second half, too */
    run_close(wrong);
    run_close(right);
}

/* Other criteria and tolerances: too few sweeps are told as with the default one, and with as many
 * as they ask for there is nothing to tell, for they meet the same limits (sweep/criterion.h). */
static void no_criterion_hides_them(void **state)
{
    (void)state;
    static const char *const solvers[] = {
        "criterion = \"weight\"; tolerance = 1e-2;", "criterion = \"scaled\"; tolerance = 1e-2;",
        "criterion = \"natural-map\"; tolerance = 1e-2;", "tolerance = 10.0;"};
    for (size_t k = 0; k < sizeof solvers / sizeof *solvers; k++) {
        char few[128];
        snprintf(few, sizeof few, "%s max_iterations = 20;", solvers[k]);
        run *wrong = triaxial(few), *right = triaxial(solvers[k]);
        run_to(wrong, 0.06);
        assert_true(plu_stepper_totals(wrong->stepper)->errors_beyond > 3);
        run_to(right, 0.06);
        assert_true(fabs(net_share(&plu_stepper_totals(right->stepper)->errors)) < 0.05);
        run_close(wrong);
        run_close(right);
    }
}

/* A bed under its own weight: nothing is driven, and nothing measured. */
static void weight_alone_is_not_measured(void **state)
{
    (void)state;
    run *r = run_open(
        "time: { step = 1e-3; end = 0.1; };\n"
        "materials = ( { name = \"g\"; density = 2500.0; } );\n"
        "contacts = ( { between = [\"g\", \"g\"]; friction = 0.4; } );\n"
        "boundaries = ( { box: { lower = [-0.02, -0.02, 0]; upper = [0.02, 0.02, 0.5]; }; "
        "material = \"g\"; } );\n"
        "bodies = ( { packing: { count = 50; box = [[-0.02, -0.02, 0], [0.02, 0.02, 0.2]]; };\n"
        "             material = \"g\"; radius = 0.005; } );\n"
        "solver: { max_iterations = 5; fallback = \"none\"; };\n");
    run_to(r, 0.1);
    assert_true(plu_stepper_totals(r->stepper)->work_friction < 0.0);
    assert_true(plu_stepper_totals(r->stepper)->errors.friction == 0.0);
    run_close(r);
}

static void same(const run *a, const run *b)
{
    const plu_totals *s = plu_stepper_totals(a->stepper), *t = plu_stepper_totals(b->stepper);
    assert_memory_equal(&s->errors, &t->errors, sizeof s->errors);
    assert_memory_equal(a->stepper->errors, b->stepper->errors, sizeof a->stepper->errors);
    assert_int_equal(s->errors_beyond, t->errors_beyond);
    assert_true(s->errors_time == t->errors_time);
    assert_true(plu_world_hash(a->world) == plu_world_hash(b->world));
}

/* Sums and what is being watched, to the last bit. */
static void same_bits(void **state)
{
    (void)state;
    run *a = triaxial("max_iterations = 20;"), *b = triaxial("max_iterations = 20;");
    omp_set_num_threads(1);
    run_to(a, 0.03);
    memory *m = memory_save(a);
    run_check(b, memory_set(b, m));
    run_to(a, 0.05);
    omp_set_num_threads(2);
    run_to(b, 0.05);
    assert_true(plu_stepper_totals(a->stepper)->errors_beyond > 0);
    same(a, b);
    memory_free(m);
    run_close(a);
    run_close(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_sweeps_are_told),
        cmocka_unit_test(no_criterion_hides_them),
        cmocka_unit_test(weight_alone_is_not_measured),
        cmocka_unit_test(same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
