/* The contacts of every step against brute force over all pairs, while a polydisperse cloud (1:50)
 * falls into a box: the candidate list is kept over steps, so that a wrong margin shows. */
#include "base/vec3.h"
#include "run.h"

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

static void equals_brute_force(void **state)
{
    (void)state;
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
    const plu_bodies_view bodies = plu_world_bodies(r->world);
    const int n = bodies.count;
    double(*x)[4] = malloc((size_t)n * sizeof *x), (*v)[8] = malloc((size_t)n * sizeof *v);
    pair *want = malloc((size_t)n * (size_t)n * sizeof *want);
    long total = 0;
    for (int step = 0; step < 250; step++) {
        memcpy(x, bodies.position, (size_t)n * sizeof *x);
        memcpy(v, bodies.velocity, (size_t)n * sizeof *v);
        run_step(r);
        const int count = brute_force(n, x, v, 0.5 * 2e-3, want);
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
    }
    assert_true(total > 50000);
    free(x);
    free(v);
    free(want);
    run_close(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(equals_brute_force)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
