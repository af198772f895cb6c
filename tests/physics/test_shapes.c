/* Spheres, cones and tubes along any axis against closed forms. */
#include "base/vec3.h"
#include "run.h"

static const double g = 9.81, PI = 3.14159265358979323846;

#define SCENE(step, end, friction)                                                                 \
    "time: { step = " step "; end = " end "; };\n"                                                 \
    "solver: { criterion = \"natural-map\"; tolerance = 1e-12; };\n"                               \
    "materials = ( { name = \"grain\"; density = 2500; }, { name = \"wall\"; } );\n"               \
    "contacts = ( { between = [\"grain\", \"wall\"]; friction = " friction "; },\n"                \
    "             { between = [\"grain\", \"grain\"]; friction = " friction "; } );\n"

static const double r_ball = 0.01;

static double mass_of(double r)
{
    return 4.0 / 3.0 * PI * r * r * r * 2500.0;
}

/* Mean period of x from the first to the last time that it passes `middle` upward. */
static double period_of(run *r, double middle, double end)
{
    double before = run_position(r, 0)[0] - middle, first = -1.0, last = -1.0;
    int count = 0;
    while (plu_world_time(r->world) < end) {
        const double t = plu_world_time(r->world);
        run_step(r);
        const double now = run_position(r, 0)[0] - middle;
        if (before < 0.0 && now >= 0.0) {
            last = t + (plu_world_time(r->world) - t) * before / (before - now);
            first = count++ ? first : last;
        }
        before = now;
    }
    assert_true(count > 3);
    return (last - first) / (count - 1);
}

/* A ball that rolls to and fro in a hollow of radius a: T = 2 pi sqrt(7/5 (a - r) / g) for small
 * swings, longer by theta^2 / 16. Tubes along y, obliquely across the swing, and a bowl. */
static void rolls_to_and_fro(void **state)
{
    (void)state;
    const char *const hollows[] = {
        "cylinder: { center = [0, -0.5, 0.1]; axis = [0, 1, 0]; radius = 0.1; height = 1; bottom = "
        "false; }",
        "cylinder: { center = [0, 0.5, 0.1]; axis = [0, -3, 0]; radius = 0.1; height = 1; bottom = "
        "false; }",
        "cone: { center = [0, -0.5, 0.1]; axis = [0, 1, 0]; radii = [0.1, 0.1]; height = 1; }",
        "sphere: { center = [0, 0, 0.1]; radius = 0.1; inside = true; }"};
    const double swing = 0.05, T = 2.0 * PI * sqrt(1.4 * (0.1 - r_ball) / g);
    for (int k = 0; k < 4; k++) {
        run *r = run_open(
            SCENE("2e-4", "4",
                  "1.0") "boundaries = ( { %s; material = \"wall\"; } );\n"
                         "bodies = ( { position = [%.17g, 0, %.17g]; radius = 0.01; material = "
                         "\"grain\"; } );\n",
            hollows[k], -0.09 * sin(swing), 0.1 - 0.09 * cos(swing));
        const double period = period_of(r, 0.0, 3.5);
        assert_near(period / T - swing * swing / 16.0, 1.0, 2e-4);
        assert_near(run_position(r, 0)[1], 0.0, 1e-9);
        run_close(r);
    }
}

/* A ball that rolls down a fixed sphere leaves it where cos = 10/17 of that where it was at rest.
 */
static void leaves_a_sphere(void **state)
{
    (void)state;
    const double R = 0.1, start = 0.1;
    run *r = run_open(
        SCENE("1e-4", "4",
              "1e4") "boundaries = ( { sphere: { center = [0, 0, 0]; radius = "
                     "0.1; }; material = \"wall\"; } );\nstabilization = \"none\";\n"
                     "bodies = ( { position = [%.17g, 0, %.17g]; radius = 0.01; material = "
                     "\"grain\"; } );\n",
        0.11 * sin(start), 0.11 * cos(start));
    double last = 1.0;
    int free_steps = 0;
    while (free_steps < 100 && plu_world_time(r->world) < 3.0) {
        run_step(r);
        const double *x = run_position(r, 0);
        plu_contact_row row = {0};
        if (plu_stepper_contacts(r->stepper) > 0)
            plu_stepper_contact(r->stepper, 0, &row);
        free_steps = row.impulse_normal > 0.0 ? 0 : free_steps + 1;
        last = free_steps ? last : x[2] / plu_norm(x);
    }
    assert_near(last, 10.0 / 17.0 * cos(start), 2e-3);
    assert_true(plu_norm(run_position(r, 0)) > R + r_ball);
    run_close(r);
}

/* Sum of the normal forces of all walls (N). */
static double wall_force(run *r, double h)
{
    double sum = 0.0;
    for (int c = 0; c < plu_stepper_contacts(r->stepper); c++) {
        plu_contact_row row;
        plu_stepper_contact(r->stepper, c, &row);
        sum += plu_side_is_part(row.a) ? row.impulse_normal / h : 0.0;
    }
    return sum;
}

/* A ball that fills a smooth cone of half-angle beta stays where it is put, and presses on it with
 * m g / sin beta all around; a push to the side does not get it out of the middle. Along z, and
 * with axis and gravity turned. */
static void a_cone_holds_a_ball(void **state)
{
    (void)state;
    const double slant[3] = {2.0 / 7.0, 3.0 / 7.0, 6.0 / 7.0}, up[3] = {0, 0, 1};
    const double sine = 0.02 / hypot(0.02, 0.03);           /* radii 5 and 25 mm, 30 mm apart */
    const double z = r_ball / sine - 0.005 * (0.03 / 0.02); /* of the center, the tip is below 0 */
    for (int n = 0; n < 4; n++) {
        const double *a = n < 2 ? up : slant;
        double push[3], across[3], from[3];
        plu_frame(a, push, across);
        for (int k = 0; k < 3; k++)
            push[k] *= n % 2 ? 0.05 : 0.0;
        run *r =
            run_open("gravity = [%.17g, %.17g, %.17g];\n" SCENE(
                         "1e-3", "2", "0.0") "boundaries = ( { cone: { "
                                             "axis = [%.17g, %.17g, %.17g]; radii = [0.005, "
                                             "0.025]; height = 0.03; }; material = "
                                             "\"wall\"; } );\nbodies = ( { position = [%.17g, "
                                             "%.17g, %.17g]; velocity = [%.17g, %.17g, "
                                             "%.17g]; radius = 0.01; material = \"grain\"; } );\n",
                     -g * a[0], -g * a[1], -g * a[2], a[0], a[1], a[2], z * a[0], z * a[1],
                     z * a[2], push[0], push[1], push[2]);
        while (plu_world_time(r->world) < 1.0)
            run_step(r);
        for (int k = 0; k < 3; k++)
            from[k] = run_position(r, 0)[k] - z * a[k];
        assert_true(plu_norm(from) < (n % 2 ? 2.5e-5 : 1e-12)); /* slop: 2e-5 */
        assert_near(wall_force(r, 1e-3) / (mass_of(r_ball) * g / sine), 1.0, n % 2 ? 1e-3 : 1e-9);
        run_close(r);
    }
}

/* Three equal balls in a smooth cone hold each other: each presses on it with m g / sin beta, and
 * on its neighbors with m g cot beta / (2 cos 30 degrees). */
static void three_balls_in_a_cone(void **state)
{
    (void)state;
    const double sine = 0.04 / hypot(0.04, 0.03), cosine = 0.03 / hypot(0.04, 0.03);
    /* each a distance 2 r / sqrt(3) from the axis, its center r from the wall */
    const double axial = 2.0 * r_ball / sqrt(3.0),
                 z = (axial - 0.01 + r_ball / cosine) * 0.03 / 0.04;
    run *r = run_open(
        SCENE("1e-3", "2",
              "0.0") "boundaries = ( { cone: { radii = [0.01, 0.05]; height = "
                     "0.03; }; material = \"wall\"; } );\n"
                     "bodies = ( { position = [%.17g, 0, %.17g]; radius = 0.01; material = "
                     "\"grain\"; }, "
                     "{ position = [%.17g, 0.01, %.17g]; radius = 0.01; material = \"grain\"; }, "
                     "{ position = [%.17g, -0.01, %.17g]; radius = 0.01; material = \"grain\"; } "
                     ");\n",
        axial, z, -0.5 * axial, z, -0.5 * axial, z);
    while (plu_world_time(r->world) < 0.5)
        run_step(r);
    const double weight = mass_of(r_ball) * g;
    assert_int_equal(plu_stepper_contacts(r->stepper), 6);
    for (int c = 0; c < 6; c++) {
        plu_contact_row row;
        plu_stepper_contact(r->stepper, c, &row);
        const double want =
            plu_side_is_part(row.a) ? weight / sine : weight * cosine / sine / sqrt(3.0);
        assert_near(row.impulse_normal / 1e-3 / want, 1.0, 1e-6);
    }
    run_close(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rolls_to_and_fro),
        cmocka_unit_test(leaves_a_sphere),
        cmocka_unit_test(a_cone_holds_a_ball),
        cmocka_unit_test(three_balls_in_a_cone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
