/* Steps that are chosen: exact clocks, the quality of short steps, and what the rules ask for. */
#include "memory.h"
#include "run.h"
#include "step/stepper.h"
#include "step/undo.h"
#include <omp.h>

#define LAWS(friction, restitution)                                                                \
    "materials = ( { name = \"g\"; density = 2500; }, { name = \"w\"; } );\n"                      \
    "contacts = ( { between = [\"g\", \"g\"]; friction = " friction "; restitution = " restitution \
    " ; },\n"                                                                                      \
    "             { between = [\"g\", \"w\"]; friction = " friction "; restitution = " restitution \
    "; } );\n"
#define OUTPUT "output: { interval = 0.01; };\n"
#define FLOATS "gravity = [0, 0, 0];\n"

/* Frames fall on whole steps, whatever parts these are made of. */
static void clocks_are_exact(void **state)
{
    (void)state;
    run *r = run_open("time: { end = 1; };\n" OUTPUT LAWS(
        "0.3", "0.5") "boundaries = ( { plane: {}; material = \"w\"; } );\n"
                      "bodies = ( { position = [0, 0, 0.1]; velocity = [0, 0, -5]; radius = 0.01; "
                      "material = \"g\"; } );\n");
    assert_true(r->scene.chooses);
    assert_near(r->scene.step, 0.01 / 3.0, 1e-15);
    for (int k = 1; k <= 60; k++) {
        run_step(r);
        assert_true(plu_world_time(r->world) == k * r->scene.step);
        assert_int_equal(plu_world_steps(r->world), k);
    }
    assert_true(plu_stepper_totals(r->stepper)->steps > 60);
    assert_true(plu_stepper_totals(r->stepper)->repeated > 0);
    assert_true(plu_stepper_imbalance(r->stepper) < 1e-12);
    run_close(r);
}

/* A ball at 100 m/s: aside on a fixed sphere, the way after it; on a thin plate, which it would
 * pass in a step of the scene; and one that bounces with e = 0.5 from there. */
static void impacts(void **state)
{
    (void)state;
    static const char *const aside = "time: { %s end = 1; };\n" OUTPUT FLOATS LAWS(
        "0",
        "0") "boundaries = ( { sphere: { radius = 0.005; }; material = \"w\"; } );\n"
             "bodies = ( { position = [0.005, 0, 1.0213]; velocity = [0, 0, -100]; radius = 0.005; "
             "material = \"g\"; } );\n";
    double way[2];
    for (int k = 0; k < 2; k++) {
        run *r = run_open(aside, k == 0 ? "" : "step = 1e-6;");
        run_to(r, 0.02);
        way[k] = run_position(r, 0)[0];
        run_close(r);
    }
    assert_near(way[0], way[1], 0.03 * way[1]);
    for (int k = 0; k < 2; k++) {
        run *r = run_open(
            "time: { end = 1; };\n" OUTPUT FLOATS LAWS(
                "0",
                "%s") "boundaries = ( { plate: { size = [1, 1]; }; material = \"w\"; } );\n"
                      "bodies = ( { position = [0, 0, 1.01]; velocity = [0, 0, -100]; radius = "
                      "0.01; material = \"g\"; } );\n",
            k == 0 ? "0" : "0.5", k == 0 ? "0" : "0.5");
        run_to(r, 0.02);
        assert_near(run_velocity(r, 0)[2], k == 0 ? 0.0 : 50.0, 1e-12);
        assert_near(run_position(r, 0)[2], 0.01 + (k == 0 ? 0.0 : 0.5), 2e-3);
        run_close(r);
    }
}

/* A vibration is made in parts of at most a fiftieth of its period, from the first one on. */
static void boundaries_decide(void **state)
{
    (void)state;
    run *r = run_open("time: { end = 1; };\n" OUTPUT LAWS(
        "0.3",
        "0") "boundaries = ( { plate: { size = [1, 1]; }; material = \"w\"; motion: { "
             "vibration: { amplitude = [0, 0, 1e-4]; frequency = 50; }; }; } );\n"
             "bodies = ( { position = [0, 0, 0.01]; radius = 0.01; material = \"g\"; } );\n");
    run_to(r, 0.1);
    const plu_totals *t = plu_stepper_totals(r->stepper);
    assert_int_equal(t->repeated, 0);
    assert_true(t->shortest <= 0.02 / 50.0 && t->shortest > 0.005 / 50.0);
    for (int k = 0; k < PLU_RULES; k++)
        assert_int_equal(t->too_long[k], 0);
    run_close(r);
}

/* Swings in a narrow bowl gain no more than with steps of 2 ms, and none is repeated. */
static void swings(void **state)
{
    (void)state;
    run *r = run_open("time: { end = 10; };\n" OUTPUT LAWS(
        "0", "0") "boundaries = ( { sphere: { radius = 0.03; inside = true; }; material = \"w\"; } "
                  ");\nbodies = ( { position = [-0.0068404028665133746, 0, "
                  "-0.018793852415718166]; radius = 0.01; material = \"g\"; } );\n");
    const double start = run_energy(r);
    const double swing = 2500.0 * 4.18879020478639e-6 * 9.81 * 0.02 * (1.0 - cos(0.3490658504));
    run_to(r, 5.0);
    assert_near(run_energy(r), start, 0.002 * swing);
    assert_int_equal(plu_stepper_totals(r->stepper)->repeated, 0);
    run_close(r);
}

/* Five balls above each other that fall on a floor with e = 0.7 lose 99 % of their energy in many
 * impacts, which steps of 3 ms left 50 to 90 % of, with overlaps of 0.2 d that the parts did not
 * see.
 */
static void chains(void **state)
{
    (void)state;
    run *r = run_open("time: { end = 1; };\n" OUTPUT LAWS(
        "0.3", "0.7") "boundaries = ( { plane: {}; material = \"w\"; } );\nbodies = ( { lattice: { "
                      "counts = [1, 1, 5]; spacing = 0.0201; origin = [0, 0, 0.112]; }; radius = "
                      "0.01; material = \"g\"; } );\n");
    const double weight = 5.0 * 2500.0 * 4.18879020478639e-6 * 9.81;
    const double rest = weight * 0.0502, start = run_energy(r);
    run_to(r, 0.2);
    assert_near(run_energy(r) - rest, 0.0, 0.06 * (start - rest));
    assert_true(plu_stepper_totals(r->stepper)->worst_penetration_ratio < 0.02);
    assert_true(plu_stepper_totals(r->stepper)->steps < 200);
    run_close(r);
}

/* The smallest step is kept, and what it is too long for is named. */
static void smallest(void **state)
{
    (void)state;
    run *r = run_open("time: { end = 1; smallest = 1e-3; };\n" OUTPUT FLOATS LAWS(
        "0", "0") "boundaries = ( { sphere: { radius = 0.005; }; material = \"w\"; } );\n"
                  "bodies = ( { position = [0.005, 0, 0.0513]; velocity = [0, 0, -20]; radius = "
                  "0.005; material = \"g\"; } );\n");
    run_to(r, 0.02);
    const plu_totals *t = plu_stepper_totals(r->stepper);
    assert_true(t->shortest >= 1e-3 && t->too_long[PLU_RULE_TRAVEL] > 0);
    run_close(r);
}

static void count_line(void *user, plu_log_level level, const char *text)
{
    int *lines = user;
    assert_int_equal(level, *lines % 3 ? PLU_LOG_INFO : PLU_LOG_WARNING);
    assert_int_equal(strlen(text), 900);
    assert_int_equal(atoi(text), *lines);
    ++*lines;
}

/* All messages of a step that counts are said once it does, whole; those of one that is undone are
 * not. */
static void messages_wait(void **state)
{
    (void)state;
    run *r = run_open("time: { end = 1; };\n" OUTPUT LAWS(
        "0.3", "0.5") "boundaries = ( { plane: {}; material = \"w\"; } );\n"
                      "bodies = ( { position = [0, 0, 0.01]; radius = 0.01; material = \"g\"; } "
                      ");\n");
    int lines = 0;
    plu_undo *undo = plu_undo_create(&r->err);
    r->stepper->log = (plu_log){count_line, &lines};
    for (int counts = 0; counts < 2; counts++) {
        run_check(r, plu_undo_keep(undo, r->stepper, &r->err));
        for (int k = 0; k < 100; k++)
            plu_log_write(&r->stepper->log, k % 3 ? PLU_LOG_INFO : PLU_LOG_WARNING, "%0900d", k);
        assert_int_equal(lines, 0);
        if (counts)
            plu_undo_release(undo, r->stepper);
        else
            run_check(r, plu_undo_return(undo, r->stepper, &r->err));
        plu_undo_release(undo, r->stepper); /* nothing waits any more */
        assert_int_equal(lines, counts ? 100 : 0);
    }
    plu_undo_destroy(undo);
    run_close(r);
}

static void collapse(int threads, double *last)
{
    omp_set_num_threads(threads);
    run *r = run_open("time: { end = 1; };\n" OUTPUT LAWS(
        "0.4", "0") "boundaries = ( { box: { lower = [-0.05, -0.05, 0]; upper = [0.05, 0.05, 1]; "
                    "}; material = \"w\"; } );\n"
                    "bodies = ( { lattice: { counts = [8, 8, 6]; spacing = 0.0105; origin = "
                    "[-0.037, -0.037, 0.006]; jitter = 1e-4; }; radius = 0.005; material = "
                    "\"g\"; },\n"
                    "  { position = [0.001, 0, 2]; velocity = [0, 0, -50]; radius = 0.005; "
                    "material = \"g\"; } );\n");
    run_to(r, 0.08);
    assert_true(plu_stepper_totals(r->stepper)->repeated > 0);
    assert_true(plu_stepper_totals(r->stepper)->worst_penetration_ratio < 0.02);
    assert_true(plu_stepper_imbalance(r->stepper) < 1e-8);
    memcpy(last, run_position(r, 384), 3 * sizeof *last);
    last[3] = (double)(plu_world_hash(r->world) >> 12);
    run_close(r);
}

/* A run that goes on from a state has the step of then in all that is judged by it, and the same
 * bits from there. */
static void states_have_their_step(void **state)
{
    (void)state;
    static const char *const scene = "time: { end = 1; };\n" OUTPUT LAWS(
        "0.4", "0.5") "boundaries = ( { plane: {}; material = "
                      "\"w\"; } );\nbodies = ( { lattice: { "
                      "counts = [4, 4, 2]; spacing = 0.0105; "
                      "origin = [0, 0, 0.006]; jitter = 1e-4; }; "
                      "radius = 0.005; material = \"g\"; }, { "
                      "position = [0.016, 0.016, 0.05]; velocity "
                      "= [0, 0, -9]; radius = 0.005; material = "
                      "\"g\"; } );\n";
    run *a = run_open("%s", scene), *b = run_open("%s", scene);
    int shorter = 0;
    for (int k = 0; k < 12; k++) {
        run_step(a);
        memory *m = memory_save(a);
        assert_int_equal(memory_set(b, m), PLU_OK);
        memory_free(m);
        shorter += a->world->step < a->scene.step;
        assert_near(b->world->step, a->world->step, 0.0);
        assert_near(b->stepper->settings.step, a->world->step, 0.0);
        assert_near(a->stepper->settings.step, a->world->step, 0.0);
        assert_near(b->stepper->hit, 2.0 * 9.81 * a->world->step, 1e-15);
        assert_near(b->world->reach.ahead, a->world->reach.ahead, 0.0);
        assert_near(b->world->reach.fall, a->world->reach.fall, 0.0);
        if (k == 6)
            run_step(b); /* and is set again from there */
    }
    assert_true(shorter > 3);
    run_step(a);
    run_step(b);
    assert_true(plu_world_hash(a->world) == plu_world_hash(b->world));
    run_close(a), run_close(b);
}

/* What is undone depends on nothing but the state. */
static void threads_do_not_matter(void **state)
{
    (void)state;
    double one[4], two[4];
    const int before = omp_get_max_threads();
    collapse(1, one);
    collapse(2, two);
    omp_set_num_threads(before);
    assert_memory_equal(one, two, sizeof one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(clocks_are_exact),
                                       cmocka_unit_test(impacts),
                                       cmocka_unit_test(boundaries_decide),
                                       cmocka_unit_test(chains),
                                       cmocka_unit_test(smallest),
                                       cmocka_unit_test(swings),
                                       cmocka_unit_test(messages_wait),
                                       cmocka_unit_test(states_have_their_step),
                                       cmocka_unit_test(threads_do_not_matter)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
