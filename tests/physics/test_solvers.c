/* Every solver and every local solver in time steps: the same motion, that of the closed forms. */
#include "pluvia/tool/solver.h"
#include "run.h"

/* AB21 section 6.1: R = 0.5 m, U = 2.5 m/s, Omega = 2.5 rad/s: slips, then rolls. */
#define SPHERE                                                                                     \
    "boundaries = ( { plane: { center = [0, 0, 0]; normal = [0, 0, 1]; }; material = \"plate\"; "  \
    "} );\nbodies = ( { position = [0, 0, 0.5]; velocity = [2.5, 0, 0]; angular_velocity = [0, "   \
    "2.5, 0]; material = \"grain\"; radius = 0.5; } );\n"

static run *sphere(const char *solver, const char *local, const char *rolling)
{
    return run_open(
        "time: { step = 1e-3; end = 10; theta = 0.5; };\n"
        "solver: { name = \"%s\"; local = \"%s\"; fallback = \"none\"; tolerance = 1e-10; "
        "max_iterations = 5000; };\n"
        "materials = ( { name = \"grain\"; density = 2500.0; }, { name = \"plate\"; } );\n"
        "contacts = ( { between = [\"grain\", \"grain\"]; friction = 0.2; }, { between = "
        "[\"grain\", \"plate\"]; friction = 0.2; rolling_friction = %s; } );\n" SPHERE,
        solver, local, rolling);
}

/* Slip until t1, with decelerations mu g and (mu R - mu_r) g / (0.4 R^2), then rolling with 5/7
 * mu_r g / R. */
static double distance(double t, double mu_r)
{
    const double mu = 0.2, g = 9.81, r = 0.5, u = 2.5, w = 2.5;
    const double turn = (mu * r - mu_r) * g / (0.4 * r * r);
    const double t1 = (u - r * w) / (mu * g + r * turn), u1 = u - mu * g * t1;
    const double x1 = u * t1 - 0.5 * mu * g * t1 * t1, a = 5.0 / 7.0 * mu_r * g / r;
    return x1 + u1 * (t - t1) - 0.5 * a * (t - t1) * (t - t1);
}

static void rolls(const char *solver, const char *local, double mu_r)
{
    char rolling[32];
    snprintf(rolling, sizeof rolling, "%.3f", mu_r);
    run *r = sphere(solver, local, rolling);
    run_to(r, 0.5);
    const double off = run_position(r, 0)[0] - distance(0.5, mu_r);
    if (!(fabs(off) < 1e-4))
        fprintf(stderr, "%s, %s: off by %g m\n", solver, local, off);
    assert_near(off, 0.0, 1e-4); /* the step in which the slip ends is resolved to h */
    run_close(r);
}

static void each_solver_rolls_a_sphere(void **state)
{
    (void)state;
    assert_true(plu_solvers_count() >= 6);
    for (int i = 0; i < plu_solvers_count(); i++)
        rolls(plu_solver_name(i), "exact", 0.04);
}

static void each_local_solver_rolls_a_sphere(void **state)
{
    (void)state;
    for (int i = 0; i < plu_local_solvers_count(); i++) {
        const char *name = plu_local_solver_name(i);
        const bool coulomb = strncmp(name, "quartic", 7) == 0;
        rolls("gs", name, coulomb ? 0.0 : 0.04);
    }
}

static bool is_here(const char *solver)
{
    for (int i = 0; i < plu_solvers_count(); i++)
        if (strcmp(plu_solver_name(i), solver) == 0)
            return true;
    return false;
}

/* By the associated law what slides and rolls lifts off with mu |u_T| + mu_r |omega_R| (AB21 (32)
 * without its correction); by Coulomb's it stays on the plate. */
static void associated_law_dilates(void **state)
{
    (void)state;
    const char *const laws[] = {"coulomb", "associated"}, *const names[] = {"convex", "apgd",
                                                                            "admm"};
    if (!is_here("convex")) /* a build without the solvers for comparison */
        skip();
    for (int i = 0; i < 6; i++) {
        run *r = run_open(
            "time: { step = 1e-3; end = 10; theta = 0.5; forecast = 0.5; };\nlaw = \"%s\";\n"
            "solver: { name = \"%s\"; criterion = \"scaled\"; tolerance = 1e-10; max_iterations = "
            "20000; };\n"
            "materials = ( { name = \"grain\"; density = 2500.0; }, { name = \"plate\"; } );\n"
            "contacts = ( { between = [\"grain\", \"grain\"]; friction = 0.2; }, { between = "
            "[\"grain\", \"plate\"]; friction = 0.2; rolling_friction = 0.04; } );\n" SPHERE,
            laws[i / 3], names[i % 3]);
        run_step(r);
        assert_true(r->info.converged);
        const double *v = run_velocity(r, 0);
        const double *w = v + 3;
        const double slip = fabs(v[0] - 0.5 * w[1]), lift = 0.2 * slip + 0.04 * fabs(w[1]);
        assert_true(slip > 1.0);
        assert_near(v[2], i < 3 ? 0.0 : lift, 1e-8);
        run_close(r);
    }
}

/* Velocities of a heap of spheres after its impacts: bodies on their way are unique. */
static void solvers_agree_in_a_heap(void **state)
{
    (void)state;
    double reference[6] = {0};
    for (int i = 0; i < plu_solvers_count(); i++) {
        run *r = run_open(
            "time: { step = 1e-3; end = 10; theta = 1; };\n"
            "solver: { name = \"%s\"; fallback = \"none\"; tolerance = 1e-9; max_iterations = "
            "20000; };\n"
            "materials = ( { name = \"grain\"; density = 1300.0; }, { name = \"plate\"; } );\n"
            "contacts = ( { between = [\"grain\", \"grain\"]; friction = 0.3; rolling_friction = "
            "1e-3; }, "
            "{ between = [\"grain\", \"plate\"]; friction = 0.3; rolling_friction = 1e-3; } "
            ");\n" RUN_PLANE
            "bodies = ( { lattice: { counts = [2, 1, 2]; spacing = 0.021; origin = [0, 0, 0.0105]; "
            "jitter = 4e-4; }; material = \"grain\"; radius = 0.01; } );\n",
            plu_solver_name(i));
        run_to(r, 0.03);
        run_agrees(r, i == 0, reference);
        run_close(r);
    }
}

/* A column of five spheres that bears one of eight times their mass, and a sphere beside it. */
static run *column(const char *settings)
{
    return run_open("time: { step = 1e-3; end = 1; forecast = 0.5; };\n"
                    "solver: { quiet = false; %s };\n" RUN_MATERIALS("1300", "0.3", "1e-3", "0.0")
                        RUN_PLANE
                    "bodies = ( { lattice: { counts = [1, 1, 5]; spacing = 0.02; origin = [0, 0, "
                    "0.01]; }; radius = 0.01; material = \"grain\"; }, { position = [0, 0, 0.12]; "
                    "radius = 0.02; material = \"grain\"; }, { position = [1, 0, 0.01]; radius = "
                    "0.01; material = \"grain\"; } );\n",
                    settings);
}

/* The residual that a scene asks for is the one that stops the sweeps. */
static void each_criterion_holds(void **state)
{
    (void)state;
    run *r = column(
        "fallback = \"none\"; criterion = \"scaled\"; tolerance = 1e-5; max_iterations = 20000;");
    for (int k = 0; k < 20; k++) {
        run_step(r);
        assert_true(r->info.converged && r->info.residual_scaled <= 1e-5);
    }
    run_close(r);
    r = column("fallback = \"none\"; criterion = \"natural-map\"; tolerance = 1e-9; max_iterations "
               "= 20000;");
    for (int k = 0; k < 20; k++) {
        run_step(r);
        assert_true(r->info.converged && r->info.residual_natural <= 1e-9);
    }
    run_close(r);
}

/* What the sweeps do not finish another solver does, if it gets nearer. */
static void the_fallback_finishes(void **state)
{
    (void)state;
    static const char *const fallback[] = {"none", "newton"};
    for (int k = 0; k < 2; k++) {
        char settings[128];
        snprintf(
            settings, sizeof settings,
            "fallback = \"%s\"; criterion = \"scaled\"; tolerance = 1e-9; max_iterations = 30;",
            fallback[k]);
        run *r = column(settings);
        run_step(r);
        assert_int_equal(r->info.converged, k == 1);
        run_close(r);
    }
}

/* A step is not solved where one island is not, and the ratio of masses there is told. */
static void one_island_is_enough_to_fail(void **state)
{
    (void)state;
    run *r = column(
        "fallback = \"none\"; criterion = \"scaled\"; tolerance = 1e-12; min_iterations = 1; "
        "max_iterations = 1;");
    run_step(r);
    const plu_totals *t = plu_stepper_totals(r->stepper);
    assert_int_equal(r->info.islands, 2);
    assert_false(r->info.converged);
    assert_int_equal(t->unconverged, 1);
    assert_near(t->unconverged_masses, 8.0, 1e-12);
    run_close(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(associated_law_dilates),
        cmocka_unit_test(each_solver_rolls_a_sphere),
        cmocka_unit_test(each_local_solver_rolls_a_sphere),
        cmocka_unit_test(solvers_agree_in_a_heap),
        cmocka_unit_test(each_criterion_holds),
        cmocka_unit_test(the_fallback_finishes),
        cmocka_unit_test(one_island_is_enough_to_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
