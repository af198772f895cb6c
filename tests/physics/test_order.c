/* The order of convergence of motion along curved ways: errors at steps of 4, 2, 1, 0.5 and 0.25 ms
 * against what does not change (energy, angular momentum, a distance), or against a step of 1/64
 * ms. The table of src/theory.md is made of these numbers: tests/physics/order.csv, written anew
 * with ORDER_TABLE=tests/physics/order.csv. */
#include "base/vec3.h"
#include "draws.h"
#include "run.h"
#include <math.h>

enum { STEPS = 5 };
static const double steps[STEPS] = {4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4};
static const double finest = 1.0 / 32e3;

#define LAWS(friction, more)                                                                       \
    "materials = ( { name = \"grain\"; density = 2500; }, { name = \"wall\"; } );\n"               \
    "contacts = ( { between = [\"grain\", \"wall\"]; friction = " friction "; },\n"                \
    "             { between = [\"grain\", \"grain\"]; friction = " friction "; " more "} );\n"
#define WALL(shape) "boundaries = ( { " shape "; material = \"wall\"; } );\n"
#define TURNING(shape, motion)                                                                     \
    "boundaries = ( { " shape "; material = \"wall\"; motion: { axis = [0, 1, 0]; " motion         \
    " }; } );\n"
#define GRAIN(place, more)                                                                         \
    "{ position = [" place "]; radius = 0.01; material = \"grain\"; " more "}"

typedef struct scene {
    const char *name;
    double end; /* s */
    const char *text;
    double (*number)(run *r); /* of which the error is the change, or */
    bool absolute;            /* which is compared with that of the finest step */
    double scale;             /* errors are divided by it; 0: by the number at the start */
    double least;             /* order, by the errors of the longest and the shortest step */
} scene;

/* Above where the body would be lowest, which scenes have at the center of gravity 0. */
static double energy(run *r)
{
    return run_energy(r);
}

/* About the origin, along z. */
static double spin(run *r)
{
    const plu_bodies_view b = plu_world_bodies(r->world);
    double sum = 0.0;
    for (int i = 0; i < b.count; i++) {
        const double *x = b.position[i], *v = b.velocity[i];
        sum += (x[0] * v[1] - x[1] * v[0]) / v[6] + v[5] / v[7];
    }
    return sum;
}

static double height(run *r)
{
    return run_position(r, 0)[2];
}

static double along(run *r)
{
    return run_position(r, 0)[0];
}

#define BOWL(radius) WALL("sphere: { radius = " radius "; inside = true; }")
#define BOND "cohesion = 100; "

/* Lengths in m; bowls and rings have their middle at the origin. */
static const scene scenes[] = {
    {"slides in a bowl", 4.0,
     LAWS("0", "") BOWL("0.1") "bodies = ( " GRAIN("-0.0757, 0, -0.048677612924218037", "") " );\n",
     energy, false, 4.243e-3, 1.8},
    {"rolls in a bowl", 4.0,
     LAWS("1e4", "")
         BOWL("0.1") "bodies = ( " GRAIN("-0.0757, 0, -0.048677612924218037", "") " );\n",
     energy, false, 4.243e-3, 1.8},
    {"swings a little in a small bowl", 4.0,
     LAWS("0", "") BOWL("0.03") "bodies = ( " GRAIN(
         "-0.0068404028665133747, 0, -0.018793852415718168", "") " );\n",
     energy, false, 0.0001239, 1.8},
    {"swings a little from a bond", 4.0,
     LAWS("0", BOND) "bodies = ( { position = [0, 0, 0]; radius = 0.01; material = \"grain\"; "
                     "fixed = true; },\n" GRAIN("-0.0034729635533386066, 0, -0.01969615506024416",
                                                "") " );\n",
     energy, false, 3.121e-05, 1.8},
    {"loops in an upright ring", 2.0,
     LAWS("0", "")
         WALL("cylinder: { center = [0, -0.5, 0]; axis = [0, 1, 0]; radius = 0.1; height = "
              "1; bottom = false; }") "bodies = ( " GRAIN("0, 0, -0.09",
                                                          "velocity = [3, 0, 0]; ") " );\n",
     energy, false, 0.047, 1.8},
    {"circles in a cone", 2.0,
     LAWS("0", "") WALL("cone: { radii = [0, 0.2]; height = 0.2; }") "bodies = ( " GRAIN(
         "0.0858578643762690, 0, 0.1", "velocity = [0, 1, 0]; ") " );\n",
     height, true, 0.1, 1.8},
    {"a bonded pair", 2.0,
     LAWS("0.5", BOND) "gravity = [0, 0, 0];\nbodies = ( " GRAIN(
         "0.01, 0, 0",
         "velocity = [0, 0.6, 0]; angular_velocity = [0, 0, 60]; ") ", " GRAIN("-0.01, 0, 0",
                                                                               "velocity = [0, "
                                                                               "-0.6, 0]; "
                                                                               "angular_"
                                                                               "velocity = [0, "
                                                                               "0, 60]; ") " );"
                                                                                           "\n",
     spin, false, 0.0, 1.8},
    {"a bonded triangle", 2.0,
     LAWS("0.5", BOND) "gravity = [0, 0, 0];\nbodies = ( " GRAIN(
         "0.0115470053837925, 0, 0", "velocity = [0, 0.461880215351701, 0]; angular_velocity = "
                                     "[0, 0, 40]; ") ", " GRAIN("-0.00577350269189626, 0.01, 0",
                                                                "velocity = [-0.4, "
                                                                "-0.23094010767585, 0]; "
                                                                "angular_velocity = [0, 0, "
                                                                "40]; ") ", " GRAIN("-0."
                                                                                    "0057735026"
                                                                                    "9189626, "
                                                                                    "-0.01, 0",
                                                                                    "velocity "
                                                                                    "= [0.4, "
                                                                                    "-0."
                                                                                    "2309401076"
                                                                                    "7585, 0]; "
                                                                                    "angular_"
                                                                                    "velocity "
                                                                                    "= [0, 0, "
                                                                                    "40]; ") " "
                                                                                             ")"
                                                                                             ";"
                                                                                             "\n",
     spin, false, 0.0, 1.8},
    {"slides down a sphere", 0.2,
     LAWS("0", "") WALL("sphere: { radius = 0.1; }") "bodies = ( " GRAIN(
         "0.022, 0, 0.10777754868245984", "") " );\n",
     along, true, 0.1, 1.8},
    {"rolls down a sphere", 0.2,
     LAWS("1e4", "") WALL("sphere: { radius = 0.1; }") "bodies = ( " GRAIN(
         "0.022, 0, 0.10777754868245984", "") " );\n",
     along, true, 0.1, 1.8},
    {"slides over the edge of a plate", 0.3,
     LAWS("0", "") WALL("plate: { center = [-0.5, 0, 0]; size = [1, 1]; }") "bodies = ( " GRAIN(
         "-0.02, 0, 0.01", "velocity = [0.2, 0, 0]; ") " );\n",
     along, true, 0.01, 1.5},
    {"swings in a smooth drum that turns", 2.0,
     LAWS("0",
          "") "boundaries = ( { cylinder: { center = [0, -0.5, 0]; axis = [0, 1, 0]; radius = "
              "0.1; "
              "height = 1; bottom = false; }; material = \"wall\"; motion: { axis = [0, 1, 0]; "
              "rate = 3.0; }; } );\nbodies = ( " GRAIN("-0.0757, 0, -0.048677612924218037",
                                                       "") " );\n",
     energy, false, 4.243e-3, 1.8},
    {"slides on a plate that turns", 0.5,
     LAWS("0", "") TURNING("plate: { size = [2, 1]; }",
                           "rate = -0.4;") "bodies = ( " GRAIN("0.05, 0, 0.01", "") " );\n",
     along, true, 0.05, 1.8},
    {"rolls on a plane that rocks", 0.5,
     LAWS("1e4", "") TURNING(
         "plane: { }",
         "rocking: { amplitude = 0.3; frequency = 1.0; };") "bodies = ( " GRAIN("0.05, 0, 0.01",
                                                                                "") " );\n",
     along, true, 0.05, 1.8},
};
enum { SCENES = sizeof scenes / sizeof *scenes };

static double error_of(const scene *s, double step, double reference)
{
    run *r = run_open("time: { step = %.17g; end = 100; };\n%s", step, s->text);
    const double start = s->number(r);
    run_to(r, s->end);
    const double end = s->number(r), scale = s->scale > 0.0 ? s->scale : start;
    run_close(r);
    return s->absolute && isnan(reference) ? end
                                           : (end - (s->absolute ? reference : start)) / scale;
}

static void measure(const scene *s, double error[STEPS])
{
    const double reference = s->absolute ? error_of(s, finest, NAN) : NAN;
    for (int k = 0; k < STEPS; k++)
        error[k] = error_of(s, steps[k], s->absolute ? reference : 0.0);
}

static double order_of(const double error[STEPS])
{
    return log2(fabs(error[0] / error[STEPS - 1])) / log2(steps[0] / steps[STEPS - 1]);
}

/* The row of the table that is kept; it has the numbers to two digits. */
static bool is_kept(const scene *s, const char *row)
{
    FILE *file = fopen(ORDER_TABLE, "r");
    char line[256];
    bool found = false;
    assert_non_null(file);
    while (fgets(line, sizeof line, file))
        found = found || strcmp(line, row) == 0;
    fclose(file);
    if (!found)
        print_error("%s: the table has no row %s", s->name, row);
    return found;
}

static void errors_fall_with_the_square_of_the_step(void **state)
{
    (void)state;
    NUMBERS_ONLY();
    const char *path = getenv("ORDER_TABLE");
    FILE *table = path ? fopen(path, "w") : NULL;
    bool kept = true, good = true;
    if (table)
        fputs("case,4 ms,2 ms,1 ms,0.5 ms,0.25 ms,order\n", table);
    for (int k = 0; k < SCENES; k++) {
        double e[STEPS];
        char row[256];
        measure(&scenes[k], e);
        const double order = order_of(e);
        snprintf(row, sizeof row, "%s,%.1e,%.1e,%.1e,%.1e,%.1e,%.1f\n", scenes[k].name, e[0], e[1],
                 e[2], e[3], e[4], order);
        print_message("%s", row);
        good &= order >= scenes[k].least;
        if (table)
            fputs(row, table);
        else
            kept &= is_kept(&scenes[k], row);
    }
    if (table)
        fclose(table);
    assert_true(good && kept);
}

/* On a circle the step is exact, whatever its length. */
static void circles_are_exact(void **state)
{
    (void)state;
    static const char *const bounces[] = {"0", "0.3", "1"};
    for (int e = 0; e < 3; e++)
        for (int k = 0; k < STEPS; k++) {
            run *r =
                run_open("time: { step = %.17g; end = 100; };\ngravity = [0, 0, 0];\n"
                         "materials = ( { name = \"grain\"; density = 2500; } );\n"
                         "contacts = ( { between = [\"grain\", \"grain\"]; friction = 0; "
                         "restitution = %s; } );\n"
                         "boundaries = ( { cylinder: { center = [0, 0, -0.5]; axis = [0, 0, 1]; "
                         "radius = 0.05; height = 1; bottom = false; }; material = \"grain\"; } "
                         ");\nbodies = ( { position = [0.04, 0, 0]; velocity = [0, 2, 0]; radius = "
                         "0.01; material = \"grain\"; } );\n",
                         steps[k], bounces[e]);
            run_to(r, 1.0);
            const double *x = run_position(r, 0);
            assert_near(plu_norm(run_velocity(r, 0)), 2.0, 1e-12);
            assert_near(hypot(x[0], x[1]), 0.04, 1e-12);
            assert_near(plu_stepper_totals(r->stepper)->projection, 0.0, 0.0);
            run_close(r);
        }
}

/* A ring of bonds that spins as a whole keeps its shape and its spin, for hundreds of turns. */
static void bonds_hold_while_they_turn(void **state)
{
    (void)state;
    static const struct {
        int count;
        double rate, step, end;
    } rings[] = {{2, 60.0, 1e-3, 20.0}, {2, 150.0, 1e-3, 2.0}, {6, 60.0, 1e-3, 2.0},
                 {6, 90.0, 1e-3, 1.0},  {6, 90.0, 2e-3, 1.0},  {12, 40.0, 1e-3, 1.0}};
    for (size_t k = 0; k < sizeof rings / sizeof *rings; k++) {
        const int n = rings[k].count;
        const double PI = acos(-1.0), radius = 0.01 / sin(PI / n), rate = rings[k].rate;
        char bodies[8192];
        int used = 0;
        for (int i = 0; i < n; i++) {
            const double a = 2.0 * PI * i / n;
            used +=
                snprintf(bodies + used, sizeof bodies - (size_t)used,
                         "%s{ position = [%.17g, %.17g, 0]; velocity = [%.17g, %.17g, 0]; "
                         "angular_velocity = [0, 0, %.17g]; radius = 0.01; material = \"grain\"; }",
                         i ? ", " : "", radius * cos(a), radius * sin(a), -rate * radius * sin(a),
                         rate * radius * cos(a), rate);
        }
        run *r = run_open("time: { step = %.17g; end = 100; };\ngravity = [0, 0, 0];\n" LAWS(
                              "0.5", "cohesion = 300; ") "bodies = ( %s );\n",
                          rings[k].step, bodies);
        const double start = spin(r);
        run_to(r, SANITIZED ? 0.05 : rings[k].end);
        for (int i = 0; i < n; i++) {
            double apart[3];
            plu_sub(run_position(r, i), run_position(r, (i + 1) % n), apart);
            assert_near(plu_norm(apart) / 0.02, 1.0, 1e-3);
        }
        assert_near(spin(r) / start, 1.0, 1e-3);
        run_close(r);
    }
}

/* A ball that is hit while it rolls in a tube stays on it: what it moves by, the new velocity
 * alone, is a tangent of the surface that it was on. */
static void hit_while_it_turns(void **state)
{
    (void)state;
    run *r = run_open("time: { step = 1e-3; end = 10; };\ngravity = [0, 0, 0];\n" LAWS("0", "") WALL(
        "cylinder: { center = [0, 0, -0.5]; axis = [0, 0, 1]; radius = 0.05; height = 1; "
        "bottom = false; }") "bodies = ( " GRAIN("0.04, 0, 0",
                                                 "velocity = [0, 1, 0]; ") ", " GRAIN("0.0, 0.04, "
                                                                                      "0",
                                                                                      "velocity = "
                                                                                      "[-0.2, 0, "
                                                                                      "0]; ") " );"
                                                                                              "\n");
    double furthest = 0.0, nearest = 1.0;
    run_to(r, 0.5);
    while (plu_world_time(r->world) < 1.0) {
        run_step(r);
        for (int i = 0; i < 2; i++) {
            const double *x = run_position(r, i);
            furthest = plu_max(furthest, hypot(x[0], x[1]));
            nearest = plu_min(nearest, hypot(x[0], x[1]));
        }
    }
    assert_near(furthest, 0.04, 4e-6);
    assert_near(nearest, 0.04, 4e-6);
    run_close(r);
}

/* What goes on along a surface does not bounce on it: restitution takes nothing of loops. */
static void restitution_leaves_loops_alone(void **state)
{
    (void)state;
    static const char *const e[] = {"0.5", "0.8", "1.0"};
    static const double lengths[] = {5e-4, 1e-3, 2e-3};
    for (int k = 0; k < 9; k++) {
        run *r =
            run_open("time: { step = %.17g; end = 10; };\ngravity = [0, 0, -9.81];\nmaterials = "
                     "( { name = \"grain\"; density = 2500; } );\ncontacts = ( { between = "
                     "[\"grain\", \"grain\"]; friction = 0; restitution = %s; } );\n"
                     "boundaries = ( { cylinder: { center = [0, -0.5, 0]; axis = [0, 1, 0]; "
                     "radius = 0.1; height = 1; bottom = false; }; material = \"grain\"; } "
                     ");\nbodies = ( " GRAIN("0, 0, -0.09", "velocity = [3, 0, 0]; ") " );\n",
                     lengths[k / 3], e[k % 3]);
        const double start = energy(r);
        run_to(r, 2.0);
        assert_near((energy(r) - start) / 0.047, 0.0, 1e-3);
        run_close(r);
    }
}

/* A ball that hops in a bowl without friction, e = 1, keeps its energy (0.2 %); in long strides, of
 * 4 ms here, it loses up to 8 % and gains nothing. */
static void hops_in_bowls_keep_their_energy(void **state)
{
    (void)state;
    static const double lengths[] = {5e-4, 1e-3, 4e-3}, sideways[] = {-0.5, 0.02, 0.3};
    for (int k = 0; k < 9; k++) {
        run *r = run_open(
            "time: { step = %.17g; end = 10; };\ngravity = [0, 0, -9.81];\nmaterials = ( { name = "
            "\"grain\"; density = 2500; } );\ncontacts = ( { between = [\"grain\", \"grain\"]; "
            "friction = 0; restitution = 1; restitution_law = \"newton\"; } );\nboundaries = ( { "
            "sphere: { radius = 0.11; inside = true; }; material = \"grain\"; } );\nbodies = ( "
            "{ position = [-0.0191, 0.0143, -0.0192]; velocity = [%.17g, 0.1, 0]; radius = 0.01; "
            "material = \"grain\"; } );\n",
            lengths[k / 3], sideways[k % 3]);
        const double mass = 2500.0 * 4.0 / 3.0 * 3.14159265358979323846 * 1e-6;
        const double lowest = -9.81 * 0.1 * mass, start = energy(r) - lowest;
        run_to(r, 3.0);
        const double left = (energy(r) - lowest) / start;
        assert_true(left < 1.005 && left > (lengths[k / 3] > 1e-3 ? 0.9 : 0.995));
        run_close(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(circles_are_exact),
                                       cmocka_unit_test(restitution_leaves_loops_alone),
                                       cmocka_unit_test(hops_in_bowls_keep_their_energy),
                                       cmocka_unit_test(bonds_hold_while_they_turn),
                                       cmocka_unit_test(hit_while_it_turns),
                                       cmocka_unit_test(errors_fall_with_the_square_of_the_step)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
