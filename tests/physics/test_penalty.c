/* The penalty method against closed forms: one sphere, then energies. */
#include "base/vec3.h"
#include "draws.h"
#include "run.h"

static const double PI = 3.14159265358979323846, g = 9.81;

/* A sphere of radius 0.5 m and 2500 kg/m^3 on the plane z = 0. */
static const double R = 0.5;

static double mass(void)
{
    return 4.0 / 3.0 * PI * R * R * R * 2500.0;
}

typedef struct ball {
    double h, stiffness, z, u[3], spin;
    const char *gravity; /* [x, y, z] */
    const char *law;     /* further keys of the contact */
} ball;

static run *ball_on_plane(const ball *b)
{
    return run_open(
        "method = \"penalty\"; allow_overlap = true; gravity = %s;\n"
        "time: { step = %.17g; end = 10; };\n"
        "materials = ( { name = \"grain\"; density = 2500; }, { name = \"plate\"; } );\n"
        "contacts = ( { between = [\"grain\", \"plate\"]; normal_stiffness = %.17e; %s } "
        ");\n" RUN_PLANE "bodies = ( { position = [0, 0, %.17g]; velocity = [%.17g, %.17g, %.17g]; "
        "angular_velocity = [0, %.17g, 0]; radius = 0.5; material = \"grain\"; } );\n",
        b->gravity, b->h, b->stiffness, b->law, b->z, b->u[0], b->u[1], b->u[2], b->spin);
}

/* At rest at the depth that carries it, so that N = m g from the first step on. */
static ball settled(double stiffness, const char *gravity, const char *law)
{
    return (ball){.h = 0.02 * sqrt(mass() / stiffness),
                  .stiffness = stiffness,
                  .z = R - mass() * g / stiffness,
                  .gravity = gravity,
                  .law = law};
}

#define DOWN "[0, 0, -9.81]"

static void rests_at_its_depth(void **state)
{
    (void)state;
    ball b = settled(1e6, DOWN, "friction = 0.3; normal_damping = 0.5;");
    b.z = R;
    run *r = ball_on_plane(&b);
    run_to(r, 3.0);
    plu_contact_row row;
    assert_int_equal(plu_stepper_contacts(r->stepper), 1);
    plu_stepper_contact(r->stepper, 0, &row);
    assert_near(row.gap, -mass() * g / 1e6, 1e-12);
    assert_near(row.impulse_normal, mass() * g * b.h, 1e-9);
    run_close(r);
}

/* Speed after a bounce over the one before. */
static double bounce(double ratio, double h)
{
    char law[64];
    snprintf(law, sizeof law, "friction = 0; normal_damping = %.17g;", ratio);
    const ball b = {h, 1e6, R, {0, 0, -1}, 0, "[0, 0, 0]", law};
    run *r = ball_on_plane(&b);
    run_step(r);
    while (plu_stepper_contacts(r->stepper) > 0)
        run_step(r);
    const double e = run_velocity(r, 0)[2];
    run_close(r);
    return e;
}

/* The spring lets go where its force would pull: at the angle pi - 2 asin z of the damped motion
 * the speed is exp(-z (pi - 2 asin z) / sqrt(1 - z^2)). */
static void bounces(void **state)
{
    (void)state;
    static const double ratio[] = {0.0, 0.05, 0.3, 0.7, 0.99};
    for (int i = 0; i < 5; i++) {
        const double z = ratio[i];
        const double e = exp(-z * (PI - 2.0 * asin(z)) / sqrt(1.0 - z * z));
        double error[3];
        for (int k = 0; k < 3; k++)
            error[k] = fabs(bounce(z, 0.02 * pow(0.25, k) * sqrt(mass() / 1e6)) - e);
        for (int k = 0; k < 3; k++) /* the integration is of first order */
            assert_near(error[k], 0.0, 6e-3 * pow(0.25, k));
        if (z > 0.0)
            assert_near(error[1] / error[2], 4.0, 0.2);
    }
}

/* Slip at mu_d, with N = m g from the start: exact in every step. */
static void slides(void **state)
{
    (void)state;
    ball b = settled(1e7, DOWN, "friction = 0.4; friction_dynamic = 0.2; normal_damping = 0.5;");
    b.u[0] = 2.5;
    run *r = ball_on_plane(&b);
    run_step(r); /* the spring is stretched to its limit */
    const double u = run_velocity(r, 0)[0], t = plu_world_time(r->world);
    run_to(r, 0.2);
    assert_near(run_velocity(r, 0)[0], u - 0.2 * g * (plu_world_time(r->world) - t), 1e-10);
    plu_contact_row row;
    plu_stepper_contact(r->stepper, 0, &row);
    assert_int_equal(row.mode, PLU_MODE_SLIDE); /* mu_r = 0 is no limit that could be reached */
    run_close(r);
}

/* A slope of tan a = 3/4, tilted by gravity: 5/7 g sin a, once the springs tremble no more. */
static void rolls_down(void **state)
{
    (void)state;
    ball b = settled(1e8, "[5.886, 0, -7.848]", "friction = 0.5;");
    run *r = ball_on_plane(&b);
    run_to(r, 0.5);
    const double u = 5.0 / 7.0 * 5.886 * plu_world_time(r->world);
    assert_near(run_velocity(r, 0)[0], u, 1e-9);
    assert_near(run_velocity(r, 0)[4], u / R, 1e-9);
    run_close(r);
}

/* Where a sphere stops for good. x_{k+1} = x_k + h v_{k+1} is h U/2 short from a start at U to the
 * rest; that is added, so that what remains is the error of the springs. */
static double stop(double stiffness, double spin, const char *law)
{
    ball b = settled(stiffness, DOWN, law);
    b.u[0] = 2.5;
    b.spin = spin;
    run *r = ball_on_plane(&b);
    run_to(r, 6.0 + 10.0 * sqrt(1e6 / stiffness));
    assert_near(run_velocity(r, 0)[0], 0.0, 1e-6);
    const double x = run_position(r, 0)[0];
    run_close(r);
    return x + 0.5 * b.h * 2.5;
}

/* AB21 section 6.1, by what is left of the error when the springs are ten times as stiff. It is the
 * angle, and the slip, at which they reach their limit: 1/K. Case c starts to slide from rolling,
 * after a part of the period of its tangential spring: 1/sqrt(K). */
static void stops(void **state)
{
    (void)state;
    NUMBERS_ONLY();
    static const struct {
        double spin, x, bound, ratio;
        const char *law;
    } way[] = {
        {5.0, 5.574668705, 6e-5, 10.0, "friction = 0.2; rolling_friction = 0.04;"},
        {2.5, 4.141182467, 9e-5, 10.0, "friction = 0.2; rolling_friction = 0.04;"},
        {5.0, 6.371049949, 6e-3, 3.16227766, "friction = 0.05; rolling_friction = 0.04;"},
    };
    for (int i = 0; i < 3; i++) {
        double error[3];
        for (int k = 0; k < 3; k++)
            error[k] = stop(1e6 * pow(10, k), way[i].spin, way[i].law) - way[i].x;
        assert_near(error[2], 0.0, way[i].bound);
        for (int k = 0; k < 2; k++)
            assert_near(error[k] / error[k + 1], way[i].ratio, 0.08 * way[i].ratio);
    }
}

/* On slopes tan a, held from rolling: at rest until mu_s; once it slides mu_d opposes, and a slope
 * below mu_d brings it to rest again. */
static void sticks_and_slips(void **state)
{
    (void)state;
    NUMBERS_ONLY();
    const char *law = "friction = 0.4; friction_dynamic = 0.2; rolling_friction = 0.5; "
                      "normal_damping = 1.0;";
    ball b = settled(1e8, "[2.943, 0, -9.81]", law); /* tan a = 0.3 */
    b.h *= 0.2;
    run *r = ball_on_plane(&b);
    run_to(r, 1.0);
    assert_near(run_velocity(r, 0)[0], 0.0, 1e-10);
    plu_contact_row row;
    plu_stepper_contact(r->stepper, 0, &row);
    assert_near(row.impulse_tangent[0] / row.impulse_normal, -0.3, 1e-9);
    assert_int_equal(row.mode, PLU_MODE_STICK);
    run_close(r);

    b.u[0] = 1.0;
    r = ball_on_plane(&b);
    run_to(r, 0.5);
    const double u = run_velocity(r, 0)[0];
    run_to(r, 1.0);
    assert_near(run_velocity(r, 0)[0] - u, 0.1 * g * 0.5, 5e-5);
    run_close(r);

    b.gravity = "[0.981, 0, -9.81]"; /* tan a = 0.1 */
    r = ball_on_plane(&b);
    run_to(r, 0.5);
    assert_near(run_velocity(r, 0)[0], 1.0 - 0.1 * g * 0.5, 5e-5);
    run_to(r, 3.0);
    assert_near(run_velocity(r, 0)[0], 0.0, 1e-10);
    plu_stepper_contact(r->stepper, 0, &row);
    assert_near(row.impulse_tangent[0] / row.impulse_normal, -0.1, 1e-9);
    assert_int_equal(row.mode, PLU_MODE_STICK);
    run_close(r);
}

/* Spheres of two sizes thrown into a box. */
static run *thrown(double h)
{
    return run_open(
        "seed = 7; method = \"penalty\";\ntime: { step = %.17g; end = 10; };\n"
        "materials = ( { name = \"grain\"; density = 1500; }, { name = \"wall\"; } );\n"
        "contacts = ( { between = [\"grain\", \"grain\"]; friction = 0.4; friction_dynamic = 0.3; "
        "rolling_friction = 1e-3; normal_stiffness = 1e4; normal_damping = 0.2; }, "
        "{ between = [\"grain\", \"wall\"]; friction = 0.3; rolling_friction = 2e-3; "
        "normal_stiffness = 1e4; normal_damping = 0.2; } );\n"
        "boundaries = ( { box: { lower = [0, 0, 0]; upper = [0.12, 0.12, 0.3]; "
        "faces = [\"x-\", \"x+\", \"y-\", \"y+\", \"z-\", \"z+\"]; }; material = \"wall\"; } );\n"
        "bodies = ( { lattice: { counts = [3, 3, 5]; spacing = 0.031; origin = [0.02, 0.02, 0.03]; "
        "jitter = 2e-3; }; radius = [0.006, 0.0125]; velocity = [1.5, 1, 0.5]; angular_velocity = "
        "[20, 0, 30]; material = \"grain\"; } );\n",
        h);
}

/* What bodies give is in the springs or used up, to the error of the integration, first order; the
 * balance of the contact work is exact. */
static void energy_closes(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        run *r = thrown(4e-5 * pow(0.5, k));
        const plu_totals *t = plu_stepper_totals(r->stepper);
        const double start = run_energy(r);
        run_to(r, 0.2);
        const double work = t->work_impact + t->work_friction + t->work_rolling;
        assert_true(work < -0.1 * start);
        run_step(r);
        assert_near((work + t->elastic + t->dissipated) / start, 0.0, 0.01 * pow(0.5, k));
        assert_near(plu_stepper_imbalance(r->stepper), 0.0, 1e-13);
        run_close(r);
    }
}

/* A pair, a cube of 11^3 with more contacts than one thread takes, and a pair, all pressed together
 * as much: the pairs part by twice k depth h / m each, corners along the diagonal. */
static void large_and_small_islands(void **state)
{
    (void)state;
    static const double h = 1e-6, depth = 1e-5, k = 1e4, r = 0.005;
    run *s = run_open(
        "method = \"penalty\"; allow_overlap = true; gravity = [0, 0, 0];\n"
        "time: { step = 1e-6; end = 10; };\nmaterials = ( { name = \"grain\"; density = 2500; } "
        ");\n"
        "contacts = ( { between = [\"grain\", \"grain\"]; normal_stiffness = 1e4; friction = 0; } "
        ");\nbodies = ( "
        "{ lattice: { counts = [2, 1, 1]; spacing = 0.00999; origin = [-1, 0, 0]; }; radius = "
        "0.005; "
        "material = \"grain\"; }, { lattice: { counts = [11, 11, 11]; spacing = 0.00999; }; radius "
        "= "
        "0.005; material = \"grain\"; }, { lattice: { counts = [2, 1, 1]; spacing = 0.00999; "
        "origin "
        "= [1, 0, 0]; }; radius = 0.005; material = \"grain\"; } );\n");
    run_step(s);
    const double v = k * depth * h / (4.0 / 3.0 * PI * r * r * r * 2500.0);
    const int last = 2 + 11 * 11 * 11;
    const int ends[] = {0, 1, last, last + 1, 2, last - 1};
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 3; j++) {
            const double want = i >= 4 || j == 0 ? (i % 2 ? v : -v) : 0.0;
            assert_near(run_velocity(s, ends[i])[j], want, 1e-9 * v);
        }
    run_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rests_at_its_depth),
        cmocka_unit_test(bounces),
        cmocka_unit_test(slides),
        cmocka_unit_test(rolls_down),
        cmocka_unit_test(stops),
        cmocka_unit_test(sticks_and_slips),
        cmocka_unit_test(energy_closes),
        cmocka_unit_test(large_and_small_islands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
