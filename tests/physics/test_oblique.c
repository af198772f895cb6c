/* Oblique impacts in long steps, of two spheres, on a plane and in a tube, against rigid-body
 * mechanics at the moment of touch: u_N' = -e u_N by the normal of that moment, and the tangential
 * impulse either stops the slip or is mu times the normal one. Ways in a step are from 0.01 to 0.4
 * diameters, and the touch is at any moment of the step. */
#include "base/vec3.h"
#include "run.h"
#include "world/world.h"

#define STEP 1e-3

typedef struct law {
    double e, mu;
    const char *name;
} law;

static const law laws[] = {{0.0, 0.0, "newton"}, {0.5, 0.0, "newton"}, {1.0, 0.0, "newton"},
                           {0.5, 0.0, "energy"}, {1.0, 0.0, "energy"}, {0.0, 0.3, "newton"},
                           {0.5, 0.3, "newton"}, {1.0, 0.3, "newton"}, {0.5, 0.3, "energy"},
                           {1.0, 0.3, "energy"}};
enum { LAWS = sizeof laws / sizeof *laws };

static const double ways[] = {0.01, 0.1, 0.3, 0.4}; /* v h / d */
enum { WAYS = sizeof ways / sizeof *ways, PHASES = 7 };

/* The relative velocity `u` after the impact with the normal n, of bodies that did not turn. */
static void reflect(const law *l, const double n[3], double u[3])
{
    const double normal = plu_dot(u, n), impulse = -(1.0 + l->e) * normal;
    double slip[3] = {u[0], u[1], u[2]};
    plu_add_scaled(slip, -normal, n);
    const double speed = plu_norm(slip), stop = speed * 2.0 / 7.0; /* per mass */
    const double rubs = l->mu * impulse < stop ? l->mu * impulse : stop;
    plu_add_scaled(u, impulse, n);
    if (speed > 0.0)
        plu_add_scaled(u, -rubs / speed, slip);
}

#define LAW "friction = %.17g; restitution = %.17g; restitution_law = \"%s\""
#define HEAD                                                                                       \
    "time: { step = 1e-3; end = 10; };\ngravity = [0, 0, 0];\nsolver: { tolerance = 1e-8; };\n"    \
    "materials = ( { name = \"grain\"; density = 1000; }, { name = \"wall\"; } );\n"               \
    "contacts = ( { between = [\"grain\", \"grain\"]; " LAW "; }, { between = [\"grain\", "        \
    "\"wall\"]; " LAW "; } );\n"
#define HEAD_NUMBERS(l) (l)->mu, (l)->e, (l)->name, (l)->mu, (l)->e, (l)->name
#define BODY                                                                                       \
    "{ position = [%.17g, %.17g, %.17g]; velocity = [%.17g, %.17g, %.17g]; radius = %.17g; "       \
    "material = \"grain\"; }"

static double distance(const double a[3], const double b[3])
{
    double d[3];
    plu_sub(a, b, d);
    return plu_norm(d);
}

/* Sphere b flies against a, which moves too, with its center off by `off` of the sum of radii. */
static double of_pair(const law *l, double ra, double rb, double off, double way, double phase)
{
    const double d = 2.0 * (ra < rb ? ra : rb), sum = ra + rb, v = way * d / STEP, y = off * sum,
                 x = sqrt(sum * sum - y * y), n[3] = {x / sum, y / sum, 0.0};
    const double base[3] = {0.3 * v, 0.2 * v, -0.1 * v};
    double u[3] = {-v, 0.0, 0.0}, got[3];
    run *r = run_open(HEAD "bodies = ( " BODY ", " BODY " );\n", HEAD_NUMBERS(l), 0.0, 0.0, 0.0,
                      base[0], base[1], base[2], ra, x + v * STEP * (3.0 + phase), y, 0.0,
                      base[0] - v, base[1], base[2], rb);
    for (int k = 0; k < 10; k++)
        run_step(r);
    reflect(l, n, u);
    plu_sub(run_velocity(r, 1), run_velocity(r, 0), got);
    run_close(r);
    return distance(got, u) / v;
}

static void pairs(void **unused)
{
    (void)unused;
    static const double radii[][2] = {{0.01, 0.01}, {0.01, 0.04}, {0.04, 0.01}},
                        offs[] = {0.2, 0.7, 0.9};
    for (int k = 0; k < LAWS; k++) {
        double worst = 0.0;
        for (int i = 0; i < 3 * 3 * WAYS * PHASES; i++) {
            const double *r = radii[i % 3], off = offs[i / 3 % 3], way = ways[i / 9 % WAYS],
                         phase = (i / 9 / WAYS + 0.37) / PHASES;
            const double error = of_pair(&laws[k], r[0], r[1], off, way, phase);
            /* Normals that turn by less than 1e-3 in a step are those of its start. */
            assert_true(error < (way < 0.02 ? 1e-3 : 1e-12));
            worst = error > worst ? error : worst;
        }
        print_message("pairs, e %g mu %g %s: %.2g\n", laws[k].e, laws[k].mu, laws[k].name, worst);
    }
}

/* A sphere against the point z = -depth of a wall, whose normal there is +z; for the tube from
 * within. The velocity after the step in which it touches. */
static double of_wall(const law *l, const char *wall, double depth, double angle, double way,
                      double phase)
{
    const double r = 0.01, v = way * 2.0 * r / STEP, n[3] = {0.0, 0.0, 1.0};
    double u[3] = {0.8 * v * sin(angle), 0.6 * v * sin(angle), -v * cos(angle)};
    double flight = STEP * (1.0 + phase), x[3] = {0.0, 0.0, r - depth};
    const double chord = -2.0 * x[2] * -u[2] / (u[0] * u[0] + u[2] * u[2]); /* through the tube */
    if (depth > 0.0 && flight > 0.9 * chord)
        flight = (0.2 + 0.7 * phase) * chord;
    plu_add_scaled(x, -flight, u);
    run *flying = run_open(HEAD "boundaries = ( %s );\nbodies = ( " BODY " );\n", HEAD_NUMBERS(l),
                           wall, x[0], x[1], x[2], u[0], u[1], u[2], r);
    const double z = u[2];
    reflect(l, n, u);
    int steps = 0;
    while (fabs(run_velocity(flying, 0)[2] - z) < 1e-9 * v && steps++ < 10)
        run_step(flying);
    if (depth == 0.0)
        run_step(flying); /* a landing on what is flat is followed by the bounce */
    const double error = distance(run_velocity(flying, 0), u) / v;
    run_close(flying);
    return error;
}

static void walls(void **unused)
{
    (void)unused;
    static const char *plane =
        "{ plane: { center = [0, 0, 0]; normal = [0, 0, 1]; }; material = \"wall\"; }";
    static const char *tube = "{ cylinder: { center = [0, -10, 0]; axis = [0, 1, 0]; height = 20; "
                              "radius = 0.04; bottom = false; }; material = \"wall\"; }";
    static const double angles[] = {0.3, 0.7, 1.2};
    for (int k = 0; k < LAWS; k++)
        for (int i = 0; i < 3 * WAYS * PHASES; i++) {
            const double angle = angles[i % 3], way = ways[i / 3 % WAYS],
                         phase = (i / 3 / WAYS + 0.37) / PHASES;
            assert_true(of_wall(&laws[k], plane, 0.0, angle, way, phase) < 1e-12);
            if (laws[k].e > 0.0) /* else it slides on along the tube */
                assert_true(of_wall(&laws[k], tube, 0.04, angle, way, phase) < 1e-12);
        }
}

/* Off the same tube again and again a ball keeps its angular momentum and its speed, also while it
 * falls along it. */
static void galleries(void **unused)
{
    (void)unused;
    static const double speeds[] = {0.3, 1.0, 2.5}, es[] = {1.0, 0.9};
    for (int k = 0; k < 12; k++) {
        const double u = speeds[k % 3], e = es[k / 3 % 2];
        run *r = run_open(
            "time: { step = 1e-3; end = 10; };\ngravity = [0, 0, %d];\n"
            "materials = ( { name = \"grain\"; density = 1000; } );\ncontacts = ( { between = "
            "[\"grain\", \"grain\"]; friction = 0; restitution = %.17g; } );\n"
            "boundaries = ( { cylinder: { center = [0, 0, -10]; radius = 0.05; height = 20; bottom "
            "= "
            "false; }; material = \"grain\"; } );\nbodies = ( " BODY " );\n",
            k < 6 ? 0 : -10, e, 0.0, 0.03, 0.0, u, 0.0, 0.0, 0.01);
        run_to(r, e < 1.0 ? 0.3 / u : 0.6);
        const double *x = run_position(r, 0), *v = run_velocity(r, 0);
        assert_near(x[1] * v[0] - x[0] * v[1], 0.03 * u, 1e-9 * u);
        assert_true(e < 1.0 || fabs(hypot(v[0], v[1]) - u) < 1e-9 * u);
        run_close(r);
    }
}

/* A ball that hops in a bowl, by Newton's law, in gravity: round walls give it no angular momentum
 * about the vertical; what is left is that of normals that turn by less than 1e-3 in a step. */
static void bowls(void **unused)
{
    (void)unused;
    run *r =
        run_open("time: { step = 1e-3; end = 10; };\n"
                 "materials = ( { name = \"grain\"; density = 2500; }, { name = \"wall\"; } );\n"
                 "contacts = ( { between = [\"grain\", \"grain\"]; friction = 0.0; }, { between = "
                 "[\"grain\", \"wall\"]; friction = 0.0; restitution = 1.0; } );\n"
                 "boundaries = ( { sphere: { center = [0, 0, 0]; radius = 0.08; inside = true; }; "
                 "material = "
                 "\"wall\"; } );\n"
                 "bodies = ( { position = [0, 0.02, 0.03]; velocity = [1, 0.3, 0.2]; radius = "
                 "0.01; material "
                 "= \"grain\"; } );\n");
    run_to(r, 3.0);
    const double *x = run_position(r, 0), *v = run_velocity(r, 0),
                 share = (x[0] * v[1] - x[1] * v[0]) / -0.02;
    print_message("bowl: %.4f of the angular momentum after 3 s\n", share);
    assert_near(share, 1.0, 0.1);
    run_close(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pairs), cmocka_unit_test(walls),
                                       cmocka_unit_test(galleries), cmocka_unit_test(bowls)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
