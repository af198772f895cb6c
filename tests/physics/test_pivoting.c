/* Pivoting friction, |m_P| <= mu_p r_N, against closed forms. A solid sphere that spins about the
 * normal of its contact under the load F slows down by 5 mu_p F / (2 m R^2). */
#include "pluvia/solving.h"
#include "pluvia/tool/solver.h"
#include "run.h"
#include "world/world.h"
#include <math.h>

static const double pi = 3.14159265358979323846, g = 9.81, mu_p = 2e-4, radius = 0.01;

static run *open_timed(const char *time, const char *more, const char *bodies)
{
    return run_open(
        "time: { step = 1e-3; end = 10.0; %s };\n%s\n"
        "materials = ( { name = \"grain\"; density = 2500; }, { name = \"plate\"; } );\n"
        "contacts = ( { between = [\"grain\", \"grain\"]; friction = 0.3; "
        "rolling_friction = 1e-4; pivoting_friction = 2e-4; }, "
        "{ between = [\"grain\", \"plate\"]; friction = 0.3; rolling_friction = 1e-4; "
        "pivoting_friction = 2e-4; } );\n" RUN_PLANE "bodies = ( %s );\n",
        time, more, bodies);
}

static run *open_scene(const char *more, const char *bodies)
{
    return open_timed("", more, bodies);
}

static const double *spin_of(const run *r, int body)
{
    return plu_world_bodies(r->world).velocity[body] + 3;
}

static double rotation(const run *r)
{
    return plu_world_energy(r->world).rotation;
}

static const char *spinning = "{ position = [0, 0, 0.01]; radius = 0.01; material = \"grain\"; "
                              "angular_velocity = [0, 0, 100]; }";

/* Steps until nothing turns; the angle by the mean of the spins before and after each step. */
static double stop(run *r, double *angle)
{
    *angle = 0.0;
    while (spin_of(r, 0)[2] > 1e-9 && plu_world_time(r->world) < 9.0) {
        const double before = spin_of(r, 0)[2];
        run_step(r);
        *angle += 0.5e-3 * (before + spin_of(r, 0)[2]);
    }
    return plu_world_time(r->world);
}

/* Stops after 2 R^2 w0 / (5 mu_p g), having turned by R^2 w0^2 / (5 mu_p g): 2.0387360 s,
 * 101.936799 rad; by each local solver and criterion. */
static void top_stops(void **state)
{
    (void)state;
    const char *how[] = {"", "solver: { fallback = \"none\"; };",
                         "solver: { local = \"projection\"; };",
                         "solver: { criterion = \"scaled\"; tolerance = 1e-10; };",
                         "solver: { criterion = \"natural-map\"; tolerance = 1e-10; };"};
    for (size_t i = 0; i < sizeof how / sizeof *how; i++) {
        run *r = open_scene(how[i], spinning);
        const double start = rotation(r);
        double angle;
        for (int step = 0; step < 500; step++)
            run_step(r);
        assert_near(spin_of(r, 0)[2], 100.0 - 2.5 * mu_p * g * 0.5 / (radius * radius), 1e-9);
        run_close(r);
        r = open_scene(how[i], spinning);
        const double end = stop(r, &angle);
        assert_near(end, 2.0387360, 1e-3); /* the step that holds it */
        assert_true(end >= 2.0387360);
        assert_near(angle, 101.936799, 1e-5);
        const plu_totals *t = plu_stepper_totals(r->stepper);
        assert_near(t->work_pivoting, -start, 1e-12 * start);
        assert_near(t->work_friction + t->work_rolling, 0.0, 1e-12 * start);
        assert_near(plu_stepper_imbalance(r->stepper), 0.0, 1e-13);
        assert_int_equal(t->unconverged, 0);
        plu_contact_row row;
        run_step(r);
        plu_stepper_contact(r->stepper, 0, &row);
        assert_near(row.impulse_moment[2], 0.0, 1e-12);
        run_close(r);
    }
}

/* While it turns the contact bears mu_p times the load, and does so in the trajectory's row. */
static void moment_is_in_the_row(void **state)
{
    (void)state;
    run *r = open_scene("", spinning);
    plu_contact_row row;
    for (int i = 0; i < 5; i++)
        run_step(r);
    plu_stepper_contact(r->stepper, 0, &row);
    assert_near(row.impulse_moment[2], -mu_p * row.impulse_normal, 1e-9 * row.impulse_normal);
    assert_near(row.spin[2], spin_of(r, 0)[2], 1e-12);
    assert_int_equal(row.mode, PLU_MODE_STICK);
    run_close(r);
}

/* Without the key nothing stops a sphere from turning, and it never sleeps; with it, it does. */
static void tops_sleep(void **state)
{
    (void)state;
    run *r = open_scene("", "{ position = [0, 0, 0.01]; radius = 0.01; material = \"grain\"; "
                            "angular_velocity = [0, 0, 100]; }, "
                            "{ position = [0.1, 0, 0.01]; radius = 0.01; material = \"grain\"; "
                            "angular_velocity = [0, 0, -50]; }");
    run_to(r, 2.5);
    assert_int_equal(r->world->asleep, 2);
    assert_near(rotation(r), 0.0, 0.0);
    assert_true(plu_stepper_rest_measure(r->stepper) < 1e-9);
    run_close(r);
}

/* One sphere on another, without gravity, pressed by nothing but an impact: the spin about the
 * normal is handed over, half of it each, or mu_p times the impulse. Spheres of mass m meet with
 * speed u: r_N = m u / 2 (e = 0), and each spin changes by at most mu_p r_N / I. */
static void pair_exchanges_spin(void **state)
{
    (void)state;
    for (int sticks = 0; sticks < 2; sticks++) {
        const double u = 0.1, w0 = sticks ? 0.5 : 100.0;
        char bodies[400];
        snprintf(bodies, sizeof bodies,
                 "{ position = [0, 0, 0.5]; radius = 0.01; material = \"grain\"; }, "
                 "{ position = [0.0201, 0, 0.5]; radius = 0.01; material = \"grain\"; "
                 "velocity = [%.17g, 0, 0]; angular_velocity = [%.17g, 0, 0]; }",
                 -u, w0);
        run *r = open_scene("gravity = [0, 0, 0];", bodies);
        run_to(r, 0.01);
        /* I = 2/5 m R^2, so that mu_p r_N / I = 5/4 mu_p u / R^2 */
        const double change = fmin(0.5 * w0, 1.25 * mu_p * u / (radius * radius));
        assert_near(spin_of(r, 0)[0], change, 1e-9 * w0);
        assert_near(spin_of(r, 1)[0], w0 - change, 1e-9 * w0);
        if (sticks)
            assert_near(change, 0.5 * w0, 0.0);
        const double inertia = 0.4 * 2500.0 * 4.0 / 3.0 * pi * pow(radius, 5.0);
        assert_near(plu_stepper_totals(r->stepper)->work_pivoting,
                    -inertia * change * (w0 - change), 1e-9 * inertia * w0 * w0);
        assert_near(plu_stepper_imbalance(r->stepper), 0.0, 1e-12);
        run_close(r);
    }
}

static const char *heap =
    "{ lattice: { counts = [2, 1, 2]; spacing = 0.021; origin = [0, 0, 0.0105]; jitter = 4e-4; }; "
    "material = \"grain\"; radius = 0.01; angular_velocity = [20, 10, 60]; }";

static bool knows_pivoting(const char *solver)
{
    return strcmp(solver, "newton-fb") != 0;
}

/* Spheres that spin fall on each other: all solvers find the same velocities. By touch landings
 * would rub by shares that depend on whether r_N was zero before, which it is not by the solvers
 * that go through the inside of the cones. */
static void solvers_agree(void **state)
{
    (void)state;
    double reference[6] = {0};
    for (int i = 0; i < plu_solvers_count(); i++) {
        char solver[200];
        if (!knows_pivoting(plu_solver_name(i)))
            continue;
        snprintf(solver, sizeof solver,
                 "solver: { name = \"%s\"; fallback = \"none\"; tolerance = 1e-9; max_iterations = "
                 "20000; };",
                 plu_solver_name(i));
        run *r = open_timed("forecast = 0.5;", solver, heap);
        run_to(r, 0.03);
        run_agrees(r, i == 0, reference);
        assert_true(plu_stepper_totals(r->stepper)->work_pivoting < 0.0);
        assert_near(plu_stepper_imbalance(r->stepper), 0.0, 1e-12);
        run_close(r);
    }
}

/* What does not know it says so. */
static void others_refuse(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        run *r = open_scene("", heap);
        plu_stepper *stepper;
        if (i == 0)
            snprintf(r->scene.solver->name, sizeof r->scene.solver->name, "newton-fb");
        else if (i == 1)
            snprintf(r->scene.solver->fallback, sizeof r->scene.solver->fallback, "newton-fb");
        else
            snprintf(r->scene.solver->local, sizeof r->scene.solver->local, "fischer-burmeister");
        assert_int_equal(plu_stepper_create(&stepper, r->world, &r->scene, NULL, &r->err),
                         PLU_BAD_INPUT);
        assert_non_null(strstr(r->err.text, "does not support pivoting friction"));
        run_close(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(top_stops),     cmocka_unit_test(moment_is_in_the_row),
        cmocka_unit_test(tops_sleep),    cmocka_unit_test(pair_exchanges_spin),
        cmocka_unit_test(solvers_agree), cmocka_unit_test(others_refuse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
