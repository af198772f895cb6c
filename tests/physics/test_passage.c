/* What meets in long strides, of half a radius to hundreds of radii in a step, does not pass:
 * impacts of spheres, plates and paddles against their closed forms, and pairs that only pass by.
 */
#include "base/vec3.h"
#include "run.h"

#define HEAD                                                                                       \
    "time: { step = 1e-3; end = 1; };\ngravity = [0, 0, 0];\n"                                     \
    "materials = ( { name = \"grain\"; density = 2500; }, { name = \"plate\"; } );\n"              \
    "contacts = ( { between = [\"grain\", \"grain\"]; friction = 0; %s }, "                        \
    "{ between = [\"grain\", \"plate\"]; friction = 0; %s } );\n"
#define BODY                                                                                       \
    "{ position = [%.17g, %.17g, 0]; velocity = [%.17g, 0, 0]; radius = %.17g; "                   \
    "material = \"grain\"; }"

typedef struct law {
    double e;
    const char *text;
} law;

static const law laws[] = {
    {0.0, ""},
    {0.5, "restitution = 0.5;"},
    {1.0, "restitution = 1.0;"},
    {0.5, "restitution = 0.5; restitution_law = \"energy\";"},
    {1.0, "restitution = 1.0; restitution_law = \"energy\";"},
};

enum { LAWS = sizeof laws / sizeof *laws };

/* Moments of the step at which they meet. */
static const double moments[] = {0.03, 0.4, 0.77};

/* Two spheres at u and -u (the second one at 0 where `rests`), whose ways are `beside` apart, after
 * the impact; m ~ r^3. In a periodic cell of 2 m the first one starts at `start_x`. */
static void two_in(const char *cell, double start_x, const law *l, double u, const double r[2],
                   double beside, bool rests, double moment)
{
    const double radii = r[0] + r[1], rate = rests ? u : 2.0 * u;
    const bool meet = fabs(beside) < radii;
    const double depth = meet ? sqrt(radii * radii - beside * beside) : radii;
    const double x = depth + rate * 1e-3 * (2.0 + moment);
    run *s = run_open(HEAD "%s bodies = ( " BODY ", " BODY " );\n", l->text, l->text, cell, start_x,
                      0.0, u, r[0], fmod(start_x + x, 2.0), beside, rests ? 0.0 : -u, r[1]);
    for (int k = 0; k < 6; k++)
        run_step(s);
    const double m[2] = {pow(r[0], 3.0), pow(r[1], 3.0)};
    const double normal[2] = {depth / radii, beside / radii};
    const double impulse =
        meet ? (1.0 + l->e) * m[0] * m[1] / (m[0] + m[1]) * rate * normal[0] : 0.0;
    const double start[2] = {u, rests ? 0.0 : -u};
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++)
            assert_near(run_velocity(s, i)[k],
                        (k == 0 ? start[i] : 0.0) + (i ? 1.0 : -1.0) * impulse / m[i] * normal[k],
                        1e-6 * u);
    run_close(s);
}

static void two_spheres(const law *l, double u, const double r[2], double beside, bool rests,
                        double moment)
{
    two_in("", 0.0, l, u, r, beside, rests, moment);
}

static const double radii[][2] = {{5e-4, 5e-4}, {5e-4, 1e-2}, {1e-2, 1e-2}, {1e-2, 2e-3}};

static void head_on(void **unused)
{
    (void)unused;
    static const double speeds[] = {1.0, 5.0, 20.0, 100.0};
    for (int k = 0; k < LAWS; k++)
        for (size_t n = 0; n < 4; n++)
            for (size_t i = 0; i < 4; i++)
                for (size_t j = 0; j < 3; j++)
                    for (int rests = 0; rests < 2; rests++)
                        two_spheres(&laws[k], speeds[i], radii[n], 0.0, rests, moments[j]);
}

/* Newton's law keeps to the closed form at any angle. What lands does so where it leaves the
 * place of the impact in the same step, as here. */
static void oblique(void **unused)
{
    (void)unused;
    for (int k = 0; k < LAWS; k++)
        for (size_t n = 0; n < 4; n++)
            for (double share = 0.3; share < 0.9; share += 0.2)
                for (int rests = 0; rests < 2; rests++)
                    two_spheres(&laws[k], 100.0, radii[n], share * (radii[n][0] + radii[n][1]),
                                rests, 0.4);
}

/* Near the start of the step the normal points almost along the ways of these. */
static void pass_by(void **unused)
{
    (void)unused;
    for (int k = 0; k < LAWS; k++)
        for (size_t n = 0; n < 4; n++)
            for (size_t j = 0; j < 3; j++)
                for (int rests = 0; rests < 2; rests++) {
                    const double beside = radii[n][0] + radii[n][1];
                    two_spheres(&laws[k], 100.0, radii[n], 1.01 * beside, rests, moments[j]);
                    two_spheres(&laws[k], 20.0, radii[n], 1.5 * beside, rests, moments[j]);
                }
}

/* They meet across a side of the cell, or one comes through it on its way. */
static void across_sides(void **unused)
{
    (void)unused;
    static const char *const cell = "cell: { size = [2, 2, 2]; periodic = [\"x\", \"y\"]; };";
    static const double starts[] = {1.7, 1.9, 1.999};
    for (int k = 0; k < LAWS; k++)
        for (size_t n = 0; n < 4; n++)
            for (size_t j = 0; j < 3; j++)
                for (int rests = 0; rests < 2; rests++)
                    two_in(cell, starts[j], &laws[k], 100.0, radii[n],
                           n == 0 ? 0.0 : 0.5 * (radii[n][0] + radii[n][1]), rests, 0.4);
}

static void plates(void **unused)
{
    (void)unused;
    static const double speeds[] = {1.0, 5.0, 20.0, 50.0, 100.0, 200.0};
    static const char *shapes[] = {
        "plate: { center = [%.17g, 0, 0]; normal = [1, 0, 0]; size = [1, 1]; };",
        "disc: { center = [%.17g, 0, 0]; normal = [1, 0, 0]; radius = 0.5; };",
        "plane: { center = [%.17g, 0, 0]; normal = [1, 0, 0]; };"};
    for (int k = 0; k < LAWS; k++)
        for (size_t n = 0; n < 3; n++)
            for (size_t i = 0; i < 6; i++)
                for (size_t j = 0; j < 3; j++) {
                    const double u = speeds[i], r = n == 0 ? 5e-4 : n == 1 ? 5e-3 : 2e-2;
                    char shape[256];
                    snprintf(shape, sizeof shape, shapes[n], -r - u * 1e-3 * (2.0 + moments[j]));
                    run *s =
                        run_open(HEAD "boundaries = ( { %s material = \"plate\"; motion: { "
                                      "velocity = [%.17g, 0, 0]; }; } );\nbodies = ( " BODY " );\n",
                                 laws[k].text, laws[k].text, shape, u, 0.0, 0.0, 0.0, r);
                    for (int step = 0; step < 6; step++)
                        run_step(s);
                    assert_near(run_velocity(s, 0)[0], (1.0 + laws[k].e) * u, 1e-6 * u);
                    run_close(s);
                }
}

/* Around the z axis, against a sphere at rest at 6 and 9 cm: the surface that meets it, half a
 * radius of the sphere from the middle of the plate, has a normal at a right angle to the arm. */
static void paddles(void **unused)
{
    (void)unused;
    static const double rates[] = {100.0, 200.0, 400.0};
    for (int k = 1; k < 3; k++)
        for (size_t i = 0; i < 3; i++)
            for (double arm = 0.06; arm < 0.1; arm += 0.03)
                for (double ahead = 1.2; ahead < 4.0; ahead += 0.9) {
                    const double angle = fmin(ahead * rates[i] * 1e-3, 1.5), r = 2e-3;
                    run *s = run_open(
                        HEAD "boundaries = ( { plate: { normal = [0, 1, 0]; size = [0.2, 0.2]; }; "
                             "material = \"plate\"; motion: { rate = %.17g; axis = [0, 0, 1]; }; } "
                             ");\nbodies = ( " BODY " );\n",
                        laws[k].text, laws[k].text, rates[i], arm * cos(angle), arm * sin(angle),
                        0.0, r);
                    for (int step = 0; step < 5; step++)
                        run_step(s);
                    /* where it is touched: sqrt(arm^2 - r^2) from the axis */
                    const double speed = rates[i] * sqrt(arm * arm - r * r);
                    assert_near(plu_norm(run_velocity(s, 0)), (1.0 + laws[k].e) * speed,
                                1e-6 * speed);
                    run_close(s);
                }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(head_on),      cmocka_unit_test(oblique), cmocka_unit_test(pass_by),
        cmocka_unit_test(across_sides), cmocka_unit_test(plates),  cmocka_unit_test(paddles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
