/* How much work scenes take in which a number of base/strategy.h decides: sweeps, checks and steps
 * that are not converged are counts, the same on every machine. Limits lie between what was counted
 * and what the number times 4 or 16, or over it, takes (tests/faults/constants.py). */
#include "draws.h"
#include "run.h"
#include "step/stepper.h"
#include "sweep/criterion.h"
#include <math.h>

#define SCENE(step)                                                                                \
    "seed = %d; time: { step = " step "; end = 9; }; allow_overlap = true;\n"                      \
    "materials = ( { name = \"grain\"; density = 2500.0; }, { name = \"plate\"; } );\n"
#define LAWS(friction, rolling, wall, wall_rolling)                                                \
    "contacts = ( { between = [\"grain\", \"grain\"]; friction = " friction                        \
    "; rolling_friction = " rolling "; }, { between = [\"grain\", \"plate\"]; friction = " wall    \
    "; rolling_friction = " wall_rolling "; } );\n"
#define BOX                                                                                        \
    "boundaries = ( { box: { lower = [0, 0, 0]; upper = [%g, %g, 4]; }; material = \"plate\"; } "  \
    ");\n"
#define LATTICE(spacing, jitter)                                                                   \
    "bodies = ( { lattice: { counts = [%d, %d, %d]; spacing = " spacing                            \
    "; origin = [0.011, 0.011, 0.011]; jitter = " jitter                                           \
    "; }; radius = 0.01; material = \"grain\"; } );\n"

/* What the steps of a run have taken. */
typedef struct work {
    long sweeps, updates, unconverged;
    long exact, checks; /* of islands that floats suit */
    double missed;      /* the largest error of such an island, in doubles, over what is allowed */
} work;

static void add_islands(const run *r, work *w)
{
    plu_problem *p = &r->stepper->problem;
    const plu_solve_settings *s = &r->stepper->settings;
    for (int k = 0; k < p->islands_count; k++) {
        const plu_island_result *island = &plu_workspace_results(r->stepper->workspace)[k];
        if (p->islands[k].contacts < PLU_FLOATS)
            continue;
        w->exact += island->exact;
        w->checks += island->checks;
        const plu_errors e = plu_problem_errors(p, &p->islands[k], s->pull, false);
        w->missed = fmax(w->missed, plu_velocity_missed(&e, s));
    }
}

static work work_of(run *r, int steps)
{
    work w = {0};
    for (int i = 0; i < steps; i++) {
        run_step(r);
        w.sweeps += r->info.iterations;
        w.updates += r->info.updates;
        w.unconverged += !r->info.converged;
        add_islands(r, &w);
    }
    return w;
}

static void at_most(const char *what, long count, long most)
{
    if (count > most)
        fail_msg("%ld %s, more than %ld", count, what, most);
}

/* 640 spheres that fall between smooth walls, more than 40 layers of 16: twice as many sweeps
 * follow from estimates that say too little, and from doubles too soon. */
static void smooth_columns(void **state)
{
    (void)state;
    NUMBERS_ONLY();
    run *r = run_open(SCENE("1e-3") LAWS("0.3", "1e-3", "0", "0") BOX LATTICE("0.022", "8e-4"), 3,
                      0.088, 0.088, 4, 4, 40);
    const work w = work_of(r, 200);
    at_most("updates", w.updates, 5400000);
    assert_int_equal(w.unconverged, 0);
    run_close(r);
}

/* A tolerance a hundredth of the default, which floats meet in most steps. */
static void sharp_tolerances(void **state)
{
    (void)state;
    NUMBERS_ONLY();
    run *r =
        run_open(SCENE("1e-3") LAWS("0.4", "1e-4", "0.4", "1e-4")
                     BOX LATTICE("0.02", "2e-5") "solver: { tolerance = 1e-3; quiet = false; };\n",
                 1, 0.12, 0.12, 6, 6, 8);
    const work w = work_of(r, 20);
    at_most("sweeps in doubles", w.exact, 300);
    assert_int_equal(w.unconverged, 0);
    run_close(r);
}

/* By the natural map, of which sweeps have no estimate: neither many sweeps too many nor a check
 * after each. */
static void the_natural_map(void **state)
{
    (void)state;
    NUMBERS_ONLY();
    run *r =
        run_open(SCENE("1e-3") LAWS("0.4", "1e-4", "0.4", "1e-4")
                     BOX LATTICE("0.02", "2e-5") "solver: { criterion = \"natural-map\"; tolerance "
                                                 "= 1e-3; fallback = \"none\"; quiet = false; };\n",
                 1, 0.122, 0.122, 6, 6, 4);
    const work w = work_of(r, 20);
    at_most("sweeps", w.sweeps, 90);
    at_most("checks", w.checks, 48);
    assert_int_equal(w.unconverged, 0);
    run_close(r);
}

/* A bed on a belt at 30 m/s in steps of a microsecond, in which g h is less than what floats make
 * of that speed: what is called solved is. */
static void a_fast_belt(void **state)
{
    (void)state;
    NUMBERS_ONLY();
    run *r = run_open(
        SCENE("1e-6") LAWS("0.4", "1e-4", "0.4", "1e-4") //
        "cell: { size = [0.1, 0.1, 1]; periodic = [\"x\", \"y\"]; };\n"
        "boundaries = ( { plane: { center = [0, 0, 0]; normal = [0, 0, 1]; }; material = "
        "\"plate\"; motion: { velocity = [30, 0, 0]; }; } );\n"
        "bodies = ( { lattice: { counts = [5, 5, 5]; spacing = 0.02; origin = [0.01, 0.01, 0.01]; "
        "jitter = 2e-5; }; radius = 0.01; material = \"grain\"; velocity = [30, 0, 0]; } );\n",
        1);
    const work w = work_of(r, 100);
    assert_true(w.missed <= 1.0 + 1e-2);
    at_most("sweeps", w.sweeps, 600);
    run_close(r);
}

/* A column at rest that is kept awake: where a sweep changes nothing, one suffices. */
static void a_column_at_rest(void **state)
{
    (void)state;
    NUMBERS_ONLY();
    run *r = run_open(SCENE("1e-3") LAWS("0.4", "0", "0.4", "0")
                          RUN_PLANE LATTICE("0.02", "0") "solver: { quiet = false; };\n",
                      1, 1, 1, 6);
    const work w = work_of(r, 100);
    at_most("sweeps", w.sweeps, 535);
    run_close(r);
}

/* 1,100 spheres that touch and come to rest: more than 2,048 contacts. */
static void a_crystal_at_rest(void **state)
{
    (void)state;
    NUMBERS_ONLY();
    run *r = run_open(SCENE("1e-3") LAWS("0.3", "1e-3", "0.3", "1e-3")
                          BOX LATTICE("0.02", "2e-5") "solver: { quiet = false; };\n",
                      3, 0.202, 0.202, 10, 10, 11);
    const work w = work_of(r, 50);
    at_most("sweeps", w.sweeps, 330);
    run_close(r);
}

/* A crystal of 1,210 spheres that a plate presses and nothing else can end: the jam is found while
 * sweeps are left to solve it. */
static void a_crystal_under_a_plate(void **state)
{
    (void)state;
    NUMBERS_ONLY();
    run *r = run_open(
        SCENE("1e-3") LAWS("0.5", "0", "0.4", "0") //
        "boundaries = ( { box: { lower = [0, 0, 0]; upper = [0.11, 0.11, 1]; }; material = "
        "\"plate\"; }, { plane: { center = [0, 0, 0.1002]; normal = [0, 0, -1]; }; material = "
        "\"plate\"; motion: { velocity = [0, 0, -0.02]; }; } );\n"
        "bodies = ( { lattice: { counts = [11, 11, 10]; spacing = 0.01; origin = [0.005, 0.005, "
        "0.005]; jitter = 1e-5; }; radius = 0.005; material = \"grain\"; } );\n"
        "solver: { fallback = \"none\"; max_iterations = 300; };\n",
        1);
    const work w = work_of(r, 20);
    at_most("steps not converged", w.unconverged, 3);
    at_most("sweeps", w.sweeps, 2200);
    run_close(r);
}

/* 432 spheres that have settled, started again without their impulses. */
static void a_bed_without_impulses(void **state)
{
    (void)state;
    NUMBERS_ONLY();
    enum { BODIES = 432, ROOM = 120 * BODIES };
    run *r = run_open(SCENE("1e-3") LAWS("0.4", "1e-4", "0.4", "1e-4") BOX LATTICE("0.022", "8e-4"),
                      1, 0.132, 0.132, 6, 6, 12);
    run_to(r, 0.8);
    char *bodies = calloc(ROOM, 1);
    for (int i = 0, at = 0; i < BODIES; i++) {
        const double *x = run_position(r, i);
        at +=
            snprintf(bodies + at, (size_t)(ROOM - at),
                     "%s{ position = [%.17g, %.17g, %.17g]; radius = 0.01; material = \"grain\"; }",
                     i > 0 ? ",\n" : "", x[0], x[1], x[2]);
    }
    run_close(r);
    r = run_open(SCENE("1e-3") LAWS("0.4", "1e-4", "0.4", "1e-4") BOX "bodies = ( %s );\n", 1,
                 0.132, 0.132, bodies);
    const work first = work_of(r, 1), later = work_of(r, 29);
    assert_true(first.missed < 0.1); /* all later steps begin with what it leaves */
    at_most("updates", first.updates + later.updates, 600000);
    free(bodies);
    run_close(r);
}

/* A sphere of twenty diameters falls with four layers of grains: few contacts bear it, and sweeps
 * alone would not solve some steps. */
static void a_boulder(void **state)
{
    (void)state;
    NUMBERS_ONLY();
    run *r = run_open(
        SCENE("1e-3") LAWS("0.3", "1e-3", "0.3", "1e-3") BOX
        "bodies = ( { lattice: { counts = [20, 20, 4]; spacing = 0.022; origin = [0.011, 0.011, "
        "0.011]; jitter = 8e-4; }; radius = 0.01; material = \"grain\"; }, { position = [0.22, "
        "0.22, 0.3]; radius = 0.2; material = \"grain\"; } );\n",
        1, 0.44, 0.44);
    const work w = work_of(r, 250);
    at_most("updates", w.updates, 20000000);
    assert_int_equal(w.unconverged, 0);
    run_close(r);
}

/* 100 grains under 100 kPa that are compressed: in some of 250 steps a chain buckles, which takes
 * up to 2,700 sweeps. */
static void chains_that_buckle(void **state)
{
    (void)state;
    NUMBERS_ONLY();
    run *r = run_open(
        "seed = 10; gravity = [0, 0, 0]; time: { step = 2e-4; end = 9; };\n"
        "cell: { size = [0.028, 0.028, 0.021]; stress = [1e5, 1e5, 0.0]; strain_rate = [0.0, 0.0, "
        "-0.3]; };\nmaterials = ( { name = \"grain\"; density = 2650.0; } );\n"
        "contacts = ( { between = [\"grain\", \"grain\"]; friction = 0.5; rolling_friction = 1e-4; "
        "} );\nbodies = ( { packing: { box = [[0, 0, 0], [0.028, 0.028, 0.021]]; count = 100; }; "
        "material = \"grain\"; radius = [0.0015, 0.0025]; } );\n");
    const work w = work_of(r, 250);
    assert_int_equal(w.unconverged, 0);
    run_close(r);
}

/* 8,000 grains that hardly resist rolling come to rest in a box: all contacts roll, many slip, and
 * momentum alone would leave a step of these with 1000 sweeps and too large an error. */
static void a_bed_that_settles(void **state)
{
    (void)state;
    NUMBERS_ONLY();
    run *r = run_open(SCENE("1e-3") LAWS("0.4", "1e-4", "0.4", "1e-4") BOX LATTICE("0.022", "8e-4"),
                      1, 0.44, 0.44, 20, 20, 20);
    const work w = work_of(r, 400);
    at_most("updates", w.updates, 280000000);
    assert_int_equal(w.unconverged, 0);
    run_close(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(smooth_columns),
        cmocka_unit_test(sharp_tolerances),
        cmocka_unit_test(the_natural_map),
        cmocka_unit_test(a_fast_belt),
        cmocka_unit_test(a_column_at_rest),
        cmocka_unit_test(a_crystal_at_rest),
        cmocka_unit_test(a_crystal_under_a_plate),
        cmocka_unit_test(a_bed_without_impulses),
        cmocka_unit_test(a_boulder),
        cmocka_unit_test(chains_that_buckle),
        cmocka_unit_test(a_bed_that_settles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
