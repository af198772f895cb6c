/* Pairs that attract each other, against closed forms; n is the load on a contact, c = F_c. */
#include "assemble/assemble.h"
#include "base/vec3.h"
#include "pluvia/control.h"
#include "run.h"
#include "step/stepper.h"
#include <math.h>

static const double pi = 3.14159265358979323846, g = 9.81;

/* Spheres of 1 kg and radius 0.1 m; `cohesion` in N. */
static run *open_scene(const char *boundaries, const char *bodies, const char *law,
                       const char *more)
{
    return run_open(
        "time: { step = 1e-3; end = 10.0; };\nsolver: { tolerance = 1e-3; };\n%s"
        "materials = ( { name = \"grain\"; density = %.17g; }, { name = \"plate\"; } );\n"
        "contacts = ( { between = [\"grain\", \"grain\"]; %s }, "
        "{ between = [\"grain\", \"plate\"]; %s } );\n"
        "boundaries = ( %s );\nbodies = ( %s );\n",
        more, 1.0 / (4.0 / 3.0 * pi * 1e-3), law, law, boundaries, bodies);
}

static const char *ceiling =
    "{ plane: { center = [0, 0, 0]; normal = [0, 0, -1]; }; material = \"plate\"; }";
static const char *wall =
    "{ plane: { center = [0, 0, 0]; normal = [1, 0, 0]; }; material = \"plate\"; }";
static const char *below = "{ position = [0, 0, -0.1]; radius = 0.1; material = \"grain\"; }";
static const char *beside = "{ position = [0.1, 0, 0]; radius = 0.1; material = \"grain\"; }";

static void balance_closes(const run *r)
{
    assert_near(plu_stepper_imbalance(r->stepper), 0.0, 1e-12);
}

/* A sphere below a ceiling holds iff F_c >= m g; the contact bears m g all the same. */
static void ceiling_holds(void **state)
{
    (void)state;
    for (int holds = 0; holds < 2; holds++) {
        char law[100];
        snprintf(law, sizeof law, "friction = 0.3; cohesion = %.17g;", (holds ? 1.001 : 0.999) * g);
        run *r = open_scene(ceiling, below, law, "");
        run_to(r, 0.5);
        if (holds) {
            plu_contact_row row;
            assert_near(run_position(r, 0)[2], -0.1, 1e-9);
            plu_stepper_contact(r->stepper, 0, &row);
            assert_near(row.impulse_normal, -g * 1e-3, 1e-9);
        } else {
            assert_true(run_position(r, 0)[2] < -0.5);
        }
        balance_closes(r);
        run_close(r);
    }
}

/* At a vertical wall friction holds a sphere iff mu F_c >= m g, rolling friction iff mu_r F_c >= m
 * g R. */
static void wall_holds(void **state)
{
    (void)state;
    const double factor[] = {0.975, 1.025};
    for (int rolls = 0; rolls < 2; rolls++)
        for (int holds = 0; holds < 2; holds++) {
            char law[160];
            snprintf(law, sizeof law,
                     "friction = %.17g; rolling_friction = %.17g; cohesion = %.17g;",
                     rolls ? 1.0 : 0.4 * factor[holds], rolls ? 0.02 * factor[holds] : 1.0,
                     rolls ? 5.0 * g : 2.5 * g);
            run *r = open_scene(wall, beside, law, "");
            run_to(r, 0.5);
            const double fallen = -run_position(r, 0)[2];
            assert_near(run_position(r, 0)[0], 0.1, 1e-9);
            if (holds)
                assert_true(fallen < 1e-6);
            else
                assert_true(fallen > 0.5 * 0.5 * 0.025 * g * 0.25 * 5.0 / 7.0 * 0.9);
            balance_closes(r);
            run_close(r);
        }
}

/* A chain of k spheres breaks at its top iff k m g > F_c. */
static void chain_breaks(void **state)
{
    (void)state;
    enum { LINKS = 5 };
    for (int holds = 0; holds < 2; holds++) {
        char bodies[1000] = "", law[100];
        for (int i = 0; i < LINKS; i++)
            snprintf(bodies + strlen(bodies), sizeof bodies - strlen(bodies),
                     "%s{ position = [0, 0, %.17g]; radius = 0.1; material = \"grain\"; }",
                     i ? ", " : "", -0.1 - 0.2 * i);
        snprintf(law, sizeof law, "friction = 0.3; cohesion = %.17g;",
                 (holds ? 1.01 : 0.99) * LINKS * g);
        run *r = open_scene(ceiling, bodies, law, "");
        run_to(r, 0.5);
        const double top = run_position(r, 0)[2], last = run_position(r, LINKS - 1)[2];
        if (holds)
            assert_near(last, -0.1 - 0.2 * (LINKS - 1), 1e-4);
        else
            assert_true(top < -0.11);
        assert_near(top - last, 0.2 * (LINKS - 1), 1e-4); /* below the top nothing breaks */
        balance_closes(r);
        run_close(r);
    }
}

/* Two spheres that turn about each other move along their tangent in a step, which opens their
 * pair: it holds, whatever the step and with no gravity, as long as the force that keeps them on
 * their way is below F_c. */
static void bond_turns(void **state)
{
    (void)state;
    const double step[] = {1e-3, 1e-4};
    for (int k = 0; k < 2; k++)
        for (int holds = 0; holds < 2; holds++) { /* m omega^2 R = 1.6 N */
            run *r =
                run_open("time: { step = %g; end = 1; };\ngravity = [0, 0, 0];\n"
                         "materials = ( { name = \"grain\"; density = %.17g; } );\n"
                         "contacts = ( { between = [\"grain\", \"grain\"]; friction = 1; "
                         "rolling_friction = 1; cohesion = %g; } );\n"
                         "bodies = ( { position = [-0.1, 0, 0]; velocity = [0, -0.4, 0]; %s }, "
                         "{ position = [0.1, 0, 0]; velocity = [0, 0.4, 0]; %s } );\n",
                         step[k], 1.0 / (4.0 / 3.0 * pi * 1e-3), holds ? 2.0 : 1.0,
                         "angular_velocity = [0, 0, 4]; radius = 0.1; material = \"grain\";",
                         "angular_velocity = [0, 0, 4]; radius = 0.1; material = \"grain\";");
            run_to(r, 0.5);
            double apart[3];
            plu_sub(run_position(r, 1), run_position(r, 0), apart);
            if (holds)
                assert_near(plu_norm(apart), 0.2, 1e-4);
            else
                assert_true(plu_norm(apart) > 0.25);
            balance_closes(r);
            run_close(r);
        }
}

/* Errors of a step may open a bond by a tenth of the least range in it, whatever its length. */
static void errors_open_no_bond(void **state)
{
    (void)state;
    const double step[] = {1e-3, 1e-4};
    for (int k = 0; k < 2; k++) {
        run *r = run_open(
            "time: { step = %g; end = 1; };\nmaterials = ( { name = \"grain\"; density = 1000; }, "
            "{ name = \"wet\"; density = 1000; } );\ncontacts = ( { between = [\"grain\", "
            "\"grain\"]; friction = 0; }, { between = [\"wet\", \"wet\"]; friction = 0; cohesion "
            "= 2; cohesion_range = 0.004; }, { between = [\"wet\", \"grain\"]; friction = 0; "
            "cohesion = 1; cohesion_range = 0.002; } );\nbodies = ( { position = [0, 0, 0]; radius "
            "= "
            "0.1; material = \"wet\"; }, { position = [0.2, 0, 0]; radius = 0.1; material = "
            "\"grain\"; } );\n",
            step[k]);
        const double gap = r->stepper->settings.bond * step[k];
        assert_true(gap > 0.05 * 0.002 && gap < 0.2 * 0.002);
        run_close(r);
    }
}

/* A chain of three that a ball hits from the side at its end: the hit turns the bond by up to 0.06
 * rad in the step and would part its spheres by 2e-3 d, though the bond bears a hundred times what
 * turns it. Moments about the middle stay. */
static void bonds_that_are_hit_hold(void **state)
{
    (void)state;
    for (int k = 0; k < 5; k++) {
        run *r = run_open(
            "time: { step = 1e-3; end = 1; };\ngravity = [0, 0, 0];\n"
            "materials = ( { name = \"grain\"; density = 2500; } );\n"
            "contacts = ( { between = [\"grain\", \"grain\"]; friction = 0.3; cohesion = 300; } "
            ");\n"
            "bodies = ( { position = [-0.02, 0, 0]; radius = 0.01; material = \"grain\"; },\n"
            "{ position = [0, 0, 0]; radius = 0.01; material = \"grain\"; },\n"
            "{ position = [0.02, 0, 0]; radius = 0.01; material = \"grain\"; },\n"
            "{ position = [%.17g, 0.03, 0]; velocity = [0, -3, 0]; radius = 0.01; material = "
            "\"grain\"; } );\n",
            0.015 + 0.003 * k);
        run_to(r, 0.03);
        for (int i = 0; i < 2; i++) {
            double apart[3];
            plu_sub(run_position(r, i + 1), run_position(r, i), apart);
            assert_near(plu_norm(apart), 0.02, 4e-5);
        }
        balance_closes(r);
        run_close(r);
    }
}

/* Without gravity, a sphere that comes with the speed u from outside of the range d sticks iff
 * e^2 (u^2 + 2 F_c d / m) < 2 F_c d / m: the bond is worth F_c d. */
static void bond_has_energy(void **state)
{
    (void)state;
    const double force = 0.5, range = 2e-3, e = 0.5, bond = 2.0 * force * range;
    const double limit = sqrt(bond * (1.0 / (e * e) - 1.0));
    for (int escapes = 0; escapes < 2; escapes++) {
        char law[200], body[200];
        const double speed = (escapes ? 1.1 : 0.9) * limit;
        snprintf(law, sizeof law,
                 "friction = 0.3; restitution = 0.5; cohesion = %g; cohesion_range = %g;", force,
                 range);
        snprintf(body, sizeof body,
                 "{ position = [0.1041, 0, 0]; velocity = [%.17g, 0, 0]; radius = 0.1; material = "
                 "\"grain\"; }",
                 -speed);
        run *r = run_open(
            "time: { step = 1e-4; end = 10.0; };\ngravity = [0, 0, 0];\n"
            "materials = ( { name = \"grain\"; density = %.17g; }, { name = \"plate\"; } );\n"
            "contacts = ( { between = [\"grain\", \"grain\"]; friction = 0.1; }, "
            "{ between = [\"grain\", \"plate\"]; %s } );\n"
            "boundaries = ( %s );\nbodies = ( %s );\n",
            1.0 / (4.0 / 3.0 * pi * 1e-3), law, wall, body);
        run_to(r, 2.0);
        if (escapes)
            assert_true(run_position(r, 0)[0] > 0.1 + 2.0 * range);
        else
            assert_near(run_position(r, 0)[0], 0.1, 1e-4);
        assert_near(plu_stepper_totals(r->stepper)->work_cohesion, escapes ? 0.0 : force * range,
                    0.05 * force * range);
        balance_closes(r);
        run_close(r);
    }
}

/* What attraction holds at rest, without gravity, counts as solved: velocities are what impulses
 * leave of it, up to rounding. A chain, and a sphere that slides along a ridge. */
static void rest_is_solved(void **state)
{
    (void)state;
    for (int chain = 0; chain < 2; chain++) {
        run *r = open_scene(
            chain ? ""
                  : "{ plate: { center = [-0.5, 0, 0]; size = [1, 9]; }; material = "
                    "\"plate\"; }, { plate: { center = [0.4, 0, -0.3]; normal = [0.6, 0, "
                    "0.8]; size = [1, 9]; }; material = \"plate\"; }",
            chain ? "{ position = [0, 0, 0]; radius = 0.1; material = \"grain\"; }, { position = "
                    "[0.2, 0, 0]; radius = 0.1; material = \"grain\"; }, { position = [0.4, 0, "
                    "0]; radius = 0.1; material = \"grain\"; }"
                  : "{ position = [0, 0, 0.1]; velocity = [0, 0.3, 0]; radius = 0.1; material = "
                    "\"grain\"; }",
            "friction = 0.3; cohesion = 300;", "gravity = [0, 0, 0];\n");
        for (int k = 0; k < 40; k++) {
            run_step(r);
            assert_true(r->info.converged && r->info.iterations <= 50);
        }
        run_close(r);
    }
}

/* A force that grows by 0.01 N a step opens a bond of 5 N once it is above that, not before: with
 * its twin on the other of two spheres, and at a wall. */
static void bonds_break_at_their_force(void **state)
{
    (void)state;
    for (int pair = 0; pair < 2; pair++) {
        run *r =
            open_scene(pair ? "" : wall,
                       pair ? "{ position = [-0.1, 0, 0]; radius = 0.1; material = \"grain\"; }, "
                              "{ position = [0.1, 0, 0]; radius = 0.1; material = \"grain\"; }"
                            : beside,
                       "friction = 0.3; cohesion = 5;", "gravity = [0, 0, 0];\n");
        const double start = pair ? 0.2 : 0.1;
        for (int k = 1; k <= 560; k++) {
            const double force[3] = {0.01 * k - 0.005, 0, 0}, against[3] = {-force[0], 0, 0};
            run_check(r, plu_stepper_set_load(r->stepper, pair, force, NULL, &r->err));
            if (pair)
                run_check(r, plu_stepper_set_load(r->stepper, 0, against, NULL, &r->err));
            run_step(r);
            const double apart = run_position(r, pair)[0] - (pair ? run_position(r, 0)[0] : 0.0);
            if (k <= 500)
                assert_near(apart, start, 1e-9);
        }
        const double apart = run_position(r, pair)[0] - (pair ? run_position(r, 0)[0] : 0.0);
        assert_true(apart > start + 2e-4);
        balance_closes(r);
        run_close(r);
    }
}

/* Separating a pair takes F_c d, d = 1e-3 of the diameter or what is given, also where it leaves
 * that range within a step: of 1 kg at the wall, and of two spheres of which one begins at rest. A
 * bounce that does not stop in the range takes no more. */
static void separating_takes_its_energy(void **state)
{
    (void)state;
    const double force = 50.0, speeds[] = {0.5, 2.0};
    for (int k = 0; k < 2; k++)
        for (int pair = 0; pair < 2; pair++)
            for (int wide = 0; wide < 2; wide++) {
                char law[100], bodies[300];
                const double range = wide ? 4e-4 : 2e-4, u = speeds[k] * (wide ? 2.0 : 1.0);
                snprintf(law, sizeof law, "friction = 0; cohesion = %g; cohesion_range = %g;",
                         force, wide ? range : 0.0);
                snprintf(bodies, sizeof bodies,
                         "{ position = [0.1, 0, 0]; velocity = [%g, 0, 0]; radius = 0.1; material "
                         "= \"grain\"; }, { position = [%s, 0]; radius = 0.1; material = "
                         "\"grain\"; }",
                         u, pair ? "-0.1, 0" : "0.1, 5");
                run *r = open_scene(pair ? "" : wall, bodies, law,
                                    "allow_overlap = true;\ngravity = [0, 0, 0];\n");
                run_to(r, 0.02);
                const double bond = force * range * (pair ? 2.0 : 1.0),
                             left = run_velocity(r, 0)[0] - run_velocity(r, 1)[0];
                assert_near(left, sqrt(u * u - 2.0 * bond), 1e-5 * u);
                balance_closes(r);
                run_close(r);
            }
    run *r =
        open_scene(wall,
                   "{ position = [0.1305, 0, 0]; velocity = [-2, 0, 0]; radius = 0.1; "
                   "material = \"grain\"; }",
                   "friction = 0; restitution = 0.5; cohesion = 50;", "gravity = [0, 0, 0];\n");
    run_to(r, 0.1);
    const double v = run_velocity(r, 0)[0];
    assert_true(v > sqrt(1.0 - 2.0 * force * 2e-4 * (1.0 + 1e-5)) && v < 1.0 + 1e-12);
    run_close(r);
}

/* Shear strength tau = mu (sigma + sigma_c): a sphere that cannot roll stays on a plane of slope
 * beta iff m g sin(beta) <= mu (m g cos(beta) + F_c). */
static void slope_holds(void **state)
{
    (void)state;
    const double beta = 50.0 * pi / 180.0, mu = 0.5;
    const double force = g * (sin(beta) / mu - cos(beta));
    for (int holds = 0; holds < 2; holds++) {
        char law[160], more[100];
        snprintf(law, sizeof law, "friction = 0.5; rolling_friction = 10; cohesion = %.17g;",
                 (holds ? 1.01 : 0.99) * force);
        snprintf(more, sizeof more, "gravity = [0, %.17g, %.17g];\n", g * sin(beta),
                 -g * cos(beta));
        run *r = open_scene(
            "{ plane: { center = [0, 0, 0]; normal = [0, 0, 1]; }; material = \"plate\"; }",
            "{ position = [0, 0, 0.1]; radius = 0.1; material = \"grain\"; }", law, more);
        run_to(r, 1.0);
        const double way = run_position(r, 0)[1], pull = 0.01 * mu * force;
        assert_near(way, holds ? 0.0 : 0.5 * pull, holds ? 1e-9 : 0.02 * 0.5 * pull);
        balance_closes(r);
        run_close(r);
    }
}

/* v_free of a body that sleeps is what the border of its bed makes it, once for as long as the
 * contacts are the same: who assembles the next step must not pull it once more. */
static void sleepers_are_pulled_once(void **state)
{
    (void)state;
    const char *bodies = "{ position = [0, 0, -0.1]; radius = 0.1; material = \"grain\"; }, "
                         "{ position = [0, 0, -0.3]; radius = 0.1; material = \"grain\"; }";
    run *r = open_scene(ceiling, bodies, "friction = 0.3; cohesion = 50;", "");
    plu_detector *detector = plu_detector_create(r->world, &r->err);
    plu_assembler *assembler = plu_assembler_create(r->world, &r->err);
    plu_contacts *contacts;
    plu_problem problem = {0};
    r->world->bodies.rest[0] = PLU_ASLEEP;
    r->world->asleep = 1;
    run_check(r, plu_detect(detector, &contacts, &r->err));
    double held[8] = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 1.0, 250.0}, pulled = 0.0;
    for (int step = 0; step < 3; step++) {
        run_check(r, plu_assemble(assembler, contacts, step > 0, &problem, &r->err));
        if (step == 0)
            memcpy(problem.v_free[0], held, sizeof held); /* as plu_border_place does */
        else
            assert_memory_equal(problem.v_free[0], held, sizeof held);
        pulled = problem.v_free[1][2];
    }
    assert_near(pulled, (50.0 - g) * 1e-3, 1e-12); /* the one that is awake, once a step */
    plu_assembler_destroy(assembler);
    plu_detector_destroy(detector);
    run_close(r);
}

/* Walls that are each attract each: below the ridge of two planes a sphere holds iff 2 F_c cos(a)
 * is its weight, in the corner of a box iff sqrt(3) F_c is. The tip of a cone, which it touches all
 * around, attracts once. */
static void walls_attract_each(void **state)
{
    (void)state;
    static const char *const walls[] = {
        ("{ plane: { normal = [0.6, 0, -0.8]; }; material = \"plate\"; }, { plane: { normal = "
         "[-0.6, 0, -0.8]; }; material = \"plate\"; }"),
        ("{ box: { lower = [-2, -2, -2]; upper = [0, 0, 0]; faces = [\"x+\", \"y+\", \"z+\"]; }; "
         "material = \"plate\"; }"),
        "{ cone: { center = [0, 0, -1]; radii = [1, 0]; height = 1; }; material = \"plate\"; }"};
    const double x[][3] = {{0, 0, -0.125}, {-0.1, -0.1, -0.1}, {0, 0, -0.1 * sqrt(2.0)}};
    const double down[][3] = {{0, 0, -1}, {-1, -1, -1}, {0, 0, -1}};
    const double pull[] = {1.6, sqrt(3.0), 1.0};
    for (int k = 0; k < 3; k++)
        for (int holds = 0; holds < 2; holds++) {
            char law[100], more[120], body[200];
            const double by = g / plu_norm(down[k]);
            snprintf(law, sizeof law, "friction = 0; cohesion = %.17g;",
                     (holds ? 1.01 : 0.99) * g / pull[k]);
            snprintf(more, sizeof more, "gravity = [%.17g, %.17g, %.17g];\n", by * down[k][0],
                     by * down[k][1], by * down[k][2]);
            snprintf(body, sizeof body,
                     "{ position = [%.17g, %.17g, %.17g]; radius = 0.1; material = \"grain\"; }",
                     x[k][0], x[k][1], x[k][2]);
            run *r = open_scene(walls[k], body, law, more);
            run_to(r, 0.3);
            const double fallen = x[k][2] - run_position(r, 0)[2];
            if (holds)
                assert_near(fallen, 0.0, 1e-6);
            else
                assert_true(fallen > 0.003);
            balance_closes(r);
            run_close(r);
        }
}

/* A plate that a force lifts takes a sphere along iff F_c is m (g + a), a the acceleration of both;
 * so does one that is moved, at its fastest. */
static void plates_lift(void **state)
{
    (void)state;
    const double masses[] = {0.01, 1.0, 50.0}, a = 5.0;
    for (int k = 0; k < 3; k++)
        for (int holds = 0; holds < 2; holds++) {
            char law[100], plate[300];
            snprintf(law, sizeof law, "friction = 0.3; cohesion = %.17g;",
                     (holds ? 1.01 : 0.99) * (g + a));
            snprintf(
                plate, sizeof plate,
                "{ plate: { size = [1, 1]; }; material = \"plate\"; servo: { mass = %g; force = "
                "%.17g; axis = [0, 0, 1]; speed = 100; }; }",
                masses[k], (masses[k] + 1.0) * (g + a));
            run *r = open_scene(plate, below, law, "");
            run_to(r, 0.3);
            if (holds)
                assert_near(run_velocity(r, 0)[2], 0.3 * a, 1e-6);
            else
                assert_true(run_velocity(r, 0)[2] < 0.29 * a);
            balance_closes(r);
            run_close(r);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ceiling_holds),       cmocka_unit_test(wall_holds),
        cmocka_unit_test(chain_breaks),        cmocka_unit_test(bond_turns),
        cmocka_unit_test(errors_open_no_bond), cmocka_unit_test(bonds_that_are_hit_hold),
        cmocka_unit_test(bond_has_energy),     cmocka_unit_test(separating_takes_its_energy),
        cmocka_unit_test(rest_is_solved),      cmocka_unit_test(bonds_break_at_their_force),
        cmocka_unit_test(slope_holds),         cmocka_unit_test(sleepers_are_pulled_once),
        cmocka_unit_test(walls_attract_each),  cmocka_unit_test(plates_lift),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
