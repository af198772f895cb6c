/* What stands still stays where it is and carries what lies on it. */
#include "base/vec3.h"
#include "draws.h"
#include "run.h"

/* n spheres on top of each other: contact k carries (n - k) m g h. */
static void a_stack_carries_its_weight(void **state)
{
    (void)state;
    const int n = 12;
    run *r = run_open(
        "time: { step = 1e-3; end = 10; theta = 1; };\n"
        "solver: { tolerance = 1e-9; max_iterations = 5000; };\n" RUN_MATERIALS(
            "2000.0", "0.5", "1e-3", "0.0") RUN_PLANE
        "bodies = ( { lattice: { counts = [1, 1, %d]; spacing = 0.1; origin = [0, 0, 0.05]; }; "
        "radius = 0.05; material = \"grain\"; } );\n",
        n);
    run_to(r, 0.5);
    const double weight = 4.0 / 3.0 * 3.14159265358979323846 * 1.25e-4 * 2000.0 * 9.81 * 1e-3;
    assert_int_equal(plu_stepper_contacts(r->stepper), n);
    for (int i = 0; i < n; i++) {
        plu_contact_row row;
        plu_stepper_contact(r->stepper, i, &row);
        assert_near(row.impulse_normal, (n - row.b) * weight, 1e-6 * weight);
        assert_near(plu_norm(row.impulse_tangent), 0.0, 1e-9 * weight);
        assert_near(row.point[2], 0.1 * row.b, 1e-6);
    }
    for (int i = 0; i < n; i++)
        assert_near(plu_norm(run_velocity(r, i)), 0.0, 1e-8);
    run_close(r);
}

#define POURED                                                                                     \
    "seed = %d;\nboundaries = ( { plate: { center = [0, 0, 0]; normal = [0, 0, 1]; size = [1, "    \
    "1]; "                                                                                         \
    "}; material = \"plate\"; } );\nfeeders = ( { pluviation: { count = 60; interval = "           \
    "0.0638550856814101; height = 0.2; footprint: { square = 0.02; }; }; material = \"grain\"; "   \
    "radius = 0.01; } );\n"

static run *poured(const char *stabilization, int seed)
{
    return run_open("time: { step = 1e-3; end = 20; theta = 1; forecast = %g; };\nstabilization = "
                    "\"%s\";\n" RUN_MATERIALS("1300.0", "0.3", "1e-2", "0.0") POURED,
                    strcmp(stabilization, "none") ? 0.5 : 1.0, stabilization, seed);
}

/* Largest change of a coordinate in 3 s, or -1 if the pile is still moving at 9 s (the law has no
 * drilling moment: now and then a sphere goes on balancing on another one). */
static double creep(const char *stabilization, int seed)
{
    run *r = poured(stabilization, seed);
    run_to(r, 9.0);
    const bool rests = plu_stepper_rest_measure(r->stepper) < 1e-26;
    const int n = plu_world_bodies(r->world).count;
    double(*before)[4] = malloc((size_t)n * sizeof *before), moved = 0.0;
    memcpy(before, plu_world_bodies(r->world).position, (size_t)n * sizeof *before);
    run_to(r, 12.0);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            moved = fmax(moved, fabs(run_position(r, i)[k] - before[i][k]));
    assert_true(plu_stepper_contacts(r->stepper) > n);
    free(before);
    run_close(r);
    return rests ? moved : -1.0;
}

/* A pile at rest does not creep: most do not change by a single bit, the others by a few last bits
 * of coordinates near zero (d = 0.02 m). */
static void a_pile_does_not_creep(void **state)
{
    (void)state;
    static const char *const stabilization[] = {"none", "projection"};
    for (int k = 0; k < 2; k++) {
        int resting = 0, unchanged = 0;
        for (int seed = 1; seed <= draws(8); seed++) {
            const double moved = creep(stabilization[k], seed);
            resting += moved >= 0.0;
            unchanged += moved == 0.0;
            assert_true(moved < 1e-16);
        }
        assert_true(SANITIZED || resting >= 4);
        assert_true(unchanged >= resting / 2);
    }
}

/* Interpenetration at rest. Without projection what the impacts left stays: single piles scatter up
 * to h u / 2 for the speed u of the fall, the mean over seeds is at most 2 % of d. With it, the
 * slop. */
static double at_rest(const char *stabilization, double bound)
{
    const int seeds = draws(8);
    double mean = 0.0;
    for (int seed = 1; seed <= seeds; seed++) {
        run *r = poured(stabilization, seed);
        run_to(r, 6.0);
        assert_near(r->info.penetration_ratio, 0.0, bound);
        mean += r->info.penetration_ratio / seeds;
        run_close(r);
    }
    return mean;
}

static void interpenetration_at_rest(void **state)
{
    (void)state;
    const double speed = sqrt(2.0 * 9.81 * 0.2);
    const double single =
        0.5 * 1e-3 * speed / 0.02; /* of one pile, which is all that is drawn then */
    assert_near(at_rest("none", single), 0.0, SANITIZED ? single : 2e-2);
    assert_near(at_rest("projection", 1.1e-3), 0.0, 1.1e-3);
}

/* A sphere that spins about the vertical on a plate is at rest, one that rolls is not. */
static void spin_is_rest(void **state)
{
    (void)state;
    for (int rolls = 0; rolls < 2; rolls++) {
        run *r =
            run_open("time: { step = 1e-3; end = 1; };\n" RUN_MATERIALS("1300.0", "0.3", "1e-5",
                                                                        "0.0") RUN_PLANE
                     "bodies = ( { position = [0, 0, 0.01]; radius = 0.01; material = "
                     "\"grain\"; angular_velocity = [0, %d, 50]; velocity = [%g, 0, 0]; } );\n",
                     rolls ? 10 : 0, rolls ? 0.1 : 0.0);
        assert_true(isinf(plu_stepper_rest_measure(r->stepper)));
        run_step(r);
        const double unrest = plu_stepper_rest_measure(r->stepper);
        /* translation 1/2 v^2 and rolling 1/2 2/5 r^2 omega^2, over g d */
        assert_near(unrest, rolls ? 0.5 * 0.01 / (9.81 * 0.02) : 0.0, rolls ? 1e-4 : 1e-25);
        run_close(r);
    }
}

/* Whether a sphere that lies on a plate counts as at rest at `time`, where another boundary does
 * `what`. */
static bool rests_beside(const char *what, double time)
{
    run *r =
        run_open("time: { step = 1e-3; end = 1; };\n" RUN_MATERIALS(
                     "1300.0", "0.3", "1e-5", "0.0") "boundaries = ( { plane: { center = [0, 0, "
                                                     "0]; normal = [0, 0, 1]; }; material = "
                                                     "\"plate\"; }, { plate: { center = [0, 0, 1]; "
                                                     "normal = [0, 0, 1]; size = [1, 1]; }; "
                                                     "material = \"plate\"; %s } );\n"
                                                     "bodies = ( { position = [0, 0, 0.01]; radius "
                                                     "= 0.01; material = \"grain\"; } );\n",
                 what);
    run_to(r, time);
    const bool rests = plu_stepper_rest_measure(r->stepper) < 1e-6;
    run_close(r);
    return rests;
}

/* Nobody is at rest while the scene has something to come for a boundary. */
static void what_is_to_come_is_unrest(void **state)
{
    (void)state;
    const char *begins = "motion: { velocity = [0, 0, 0.1]; start = 0.2; };",
               *ends = "motion: { velocity = [0, 0, 0.1]; stop = 0.2; };", *goes = "until = 0.2;";
    for (int after = 0; after < 2; after++) {
        const double time = after ? 0.21 : 0.1;
        assert_int_equal(rests_beside(begins, time), after);
        assert_int_equal(rests_beside(ends, time), after);
        assert_int_equal(rests_beside(goes, time), after);
    }
    assert_true(rests_beside("motion: { velocity = [0, 0, 0.1]; };", 0.1));
    assert_true(rests_beside("", 0.1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stack_carries_its_weight), cmocka_unit_test(a_pile_does_not_creep),
        cmocka_unit_test(interpenetration_at_rest),   cmocka_unit_test(spin_is_rest),
        cmocka_unit_test(what_is_to_come_is_unrest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
