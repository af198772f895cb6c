/* The contacts of every step against brute force over all pairs, while a polydisperse cloud (1:50)
 * falls into a box: the candidate list is kept over steps, so that a wrong margin shows. */
#include "base/vec3.h"
#include "detect/detector.h"
#include "run.h"
#include "step/stepper.h"

typedef struct pair {
    int a, b;
    double gap;
} pair;

/* The rule of the header of detect.h, with the positions and velocities before the step. */
static int brute_force(int n, double (*x)[4], double (*v)[8], double look_ahead, pair *found)
{
    int count = 0;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            double d[3], u[3];
            plu_sub(x[j], x[i], d);
            plu_sub(v[j], v[i], u);
            const double length = plu_norm(d), gap = length - x[i][3] - x[j][3];
            if (gap + look_ahead * plu_dot(d, u) / length <= 1e-9 * fmin(x[i][3], x[j][3]))
                found[count++] = (pair){i, j, gap};
        }
    return count;
}

/* Makes steps and compares; returns the number of contacts of all of them. *renewed: the steps
 * whose list was an older one in which some bodies had got new margins. */
static long compare(run *r, int steps, double look_ahead, int *renewed)
{
    const plu_bodies_view bodies = plu_world_bodies(r->world);
    const int n = bodies.count;
    double(*x)[4] = malloc((size_t)n * sizeof *x), (*v)[8] = malloc((size_t)n * sizeof *v);
    pair *want = malloc((size_t)n * (size_t)n * sizeof *want);
    long total = 0;
    *renewed = 0;
    for (int step = 0; step < steps; step++) {
        memcpy(x, bodies.position, (size_t)n * sizeof *x);
        memcpy(v, bodies.velocity, (size_t)n * sizeof *v);
        run_step(r);
        const int count = brute_force(n, x, v, look_ahead, want);
        int at = 0;
        for (int i = 0; i < plu_stepper_contacts(r->stepper); i++) {
            plu_contact_row row;
            plu_stepper_contact(r->stepper, i, &row);
            if (row.a < 0)
                continue;
            assert_true(at < count);
            assert_int_equal(row.a, want[at].a);
            assert_int_equal(row.b, want[at].b);
            assert_near(row.gap, want[at].gap, 1e-12);
            at++;
        }
        assert_int_equal(at, count);
        total += count;
        *renewed += r->stepper->detector->renewed_count > 0;
    }
    free(x);
    free(v);
    free(want);
    return total;
}

static void equals_brute_force(void **state)
{
    (void)state;
    int renewed;
    run *r = run_open(
        "time: { step = 2e-3; end = 10; theta = 1; forecast = 0.5; };\nlimits: { on_limit = "
        "\"warn\"; };\n" RUN_MATERIALS(
            "1500.0", "0.3", "1e-3",
            "0.0") "boundaries = ( { box: { lower = [0, 0, 0]; upper = [0.5, 0.5, 2]; }; material "
                   "= \"plate\"; } "
                   ");\nbodies = ( { position = [0.25, 0.25, 0.2]; radius = 0.15; material = "
                   "\"grain\"; }, "
                   "{ packing: { count = 900; box = ([0, 0, 0.4], [0.5, 0.5, 0.9]); }; radius = "
                   "[0.003, 0.03]; "
                   "velocity = [0.5, 0, -2]; material = \"grain\"; } );\n");
    assert_true(compare(r, 250, 0.5 * 2e-3, &renewed) > 50000);
    run_close(r);
}

/* A few fast spheres in a slow cloud, and those that they hit, outrun their margins. */
static void a_few_new_margins(void **state)
{
    (void)state;
    int renewed;
    run *r =
        run_open("time: { step = 1e-3; end = 10; theta = 1; forecast = 0.5; };\n" RUN_MATERIALS(
            "1500.0", "0.3", "1e-3",
            "0.0") "boundaries = ( { box: { lower = [0, 0, 0]; upper = [0.4, 0.3, 2]; }; material "
                   "= \"plate\"; } );\nbodies = ( { packing: { count = 1200; box = ([0.1, 0, 0], "
                   "[0.4, 0.3, 0.25]); }; radius = [0.008, 0.013]; material = \"grain\"; }, { "
                   "position = [0.05, 0.1, 0.2]; velocity = [3, 0, 0]; radius = 0.02; material = "
                   "\"grain\"; }, { position = [0.05, 0.2, 0.22]; velocity = [5, 1, 0.5]; radius = "
                   "0.01; material = \"grain\"; }, { position = [0.05, 0.2, 0.1]; velocity = [2, "
                   "-2, 0]; radius = 0.015; material = \"grain\"; } );\n");
    const long total = compare(r, 100, 0.5 * 1e-3, &renewed);
    assert_true(total > 10000);
    assert_true(renewed > 20);
    run_close(r);
}

/* No two bodies are candidates at first; then two that outran their margins many times meet. */
static void two_fast_spheres_meet(void **state)
{
    (void)state;
    int renewed;
    run *r = run_open(
        "time: { step = 1e-3; end = 10; theta = 1; forecast = 0.5; };\ngravity = [0, 0, "
        "0];\nsolver: { quiet = false; };\n" RUN_MATERIALS(
            "1500.0", "0.3", "1e-3",
            "0.0") "bodies = ( { lattice: { counts = [10, 10, 10]; spacing = 0.1; origin = [0, 0, "
                   "0]; }; radius = 0.01; material = \"grain\"; }, { position = [0, 0.05, 0.05]; "
                   "velocity = [3, 0, 0]; radius = 0.01; material = \"grain\"; }, { position = "
                   "[0.4, 0.05, 0.05]; velocity = [-3, 0, 0]; radius = 0.01; material = "
                   "\"grain\"; } );\n");
    assert_true(compare(r, 80, 0.5 * 1e-3, &renewed) > 0);
    assert_true(renewed > 70);
    run_close(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(equals_brute_force),
                                       cmocka_unit_test(a_few_new_margins),
                                       cmocka_unit_test(two_fast_spheres_meet)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
