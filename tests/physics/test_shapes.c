/* Spheres, cones and tubes along any axis against closed forms. */
#include "ball_shape.h"
#include "base/vec3.h"
#include "memory.h"
#include "pluvia/boundary.h"
#include "pluvia/tool/mesh.h"
#include "pluvia/trajectory.h"

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

/* A ball that is wider than a tube comes to rest on its rim, also where it begins beside the axis:
 * it presses on it with m g / cos of the angle at which it sees the rim. */
static void a_rim_holds_a_ball(void **state)
{
    (void)state;
    const double rim = 0.6 * r_ball, z = 0.02 + 0.8 * r_ball;
    for (int n = 0; n < 3; n++) {
        run *r = run_open("gravity = [0, 0, %.17g];\n" SCENE(
                              "1e-3", "2", "0.0") "boundaries = ( { cylinder: { "
                                                  "radius = %.17g; height = 0.02; "
                                                  "}; material = \"wall\"; } );\n"
                                                  "bodies = ( { position = [%.17g, "
                                                  "%.17g, %.17g]; radius = %.17g; "
                                                  "material = \"grain\"; } );\n",
                          -g, rim, n * 2e-4, n * 1e-4, z + n * 1e-3, r_ball);
        while (plu_world_time(r->world) < 1.5)
            run_step(r);
        double x[3];
        memcpy(x, run_position(r, 0), sizeof x);
        assert_true(hypot(x[0], x[1]) < 5e-5 && fabs(x[2] - z) < 5e-5); /* slop: 2e-5 */
        assert_near(wall_force(r, 1e-3) / (mass_of(r_ball) * g / 0.8), 1.0, n ? 1e-2 : 1e-9);
        run_step(r);
        for (int k = 0; k < 3; k++)
            assert_near(run_position(r, 0)[k], x[k], 1e-9);
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

/* --- shapes from outside --- */

#define BALL_SCENE                                                                                 \
    SCENE("1e-3", "1", "0.3")                                                                      \
    "boundaries = ( { %s; motion: { velocity = [0.02, 0, 0]; rate = 1; start = 0.1; };\n"          \
    "                 material = \"wall\"; } );\n"                                                 \
    "bodies = ( { lattice: { counts = [3, 3, 3]; spacing = 0.021; origin = [0, 0, 0.12]; };\n"     \
    "             radius = 0.01; material = \"grain\"; } );\n"

static const char ball[] = "own: { type = \"ball\"; numbers = [0.1]; position = [0.01, 0.02, 0]; }";

static plu_extensions *with_shape(plu_own_shape shape, void *user)
{
    plu_extensions *own = NULL;
    assert_int_equal(plu_extensions_create(&own, NULL), PLU_OK);
    assert_int_equal(plu_extensions_add_shape(own, "ball", &shape, user, NULL), PLU_OK);
    return own;
}

/* The status of the first of reading the scene, making its world and its stepper that fails. */
static plu_status open_own(run *r, const plu_extensions *own, const char *shape)
{
    char scene[2000];
    snprintf(scene, sizeof scene, BALL_SCENE, shape);
    plu_status status = plu_scene_read_text_with(&r->scene, own, "text", scene, NULL, 0, &r->err);
    if (status == PLU_OK)
        status = plu_world_create(&r->world, &r->scene, &r->err);
    return status == PLU_OK ? plu_stepper_create(&r->stepper, r->world, &r->scene, NULL, &r->err)
                            : status;
}

/* Spheres fall on a ball that moves, which is a sphere of the library and a shape from outside: the
 * same bits, also once the state was set. */
static void a_shape_from_outside(void **state)
{
    (void)state;
    plu_extensions *own = with_shape(ball_shape, NULL);
    run *a = run_open(BALL_SCENE, "sphere: { radius = 0.1; center = [0.01, 0.02, 0]; }");
    run *b = calloc(1, sizeof *b), *c = calloc(1, sizeof *c);
    run_check(b, open_own(b, own, ball));
    run_check(c, open_own(c, own, ball));
    run_to(a, 0.3);
    run_to(b, 0.15);
    memory *saved = memory_save(b);
    run_check(c, memory_set(c, saved));
    run_to(c, 0.3);
    assert_true(a->info.wall_contacts > 2);
    assert_true(plu_world_hash(a->world) == plu_world_hash(c->world));
    assert_near(plu_mesh_reported(b->scene.boundaries[0].mesh)->volume, 4.0 / 3.0 * 1e-3, 1e-12);
    run *other = calloc(1, sizeof *other);
    run_check(other, open_own(other, own,
                              "own: { type = \"ball\"; numbers = [0.1001]; position = "
                              "[0.01, 0.02, 0]; }"));
    assert_int_equal(memory_set(other, saved), PLU_BAD_INPUT);
    assert_non_null(strstr(other->err.text, "or their numbers, differ"));
    memory_free(saved);
    run_close(a), run_close(b), run_close(c), run_close(other);
    plu_extensions_destroy(own);
}

/* What its trajectory holds is drawn by programs that do not know the shape. */
static void a_shape_in_a_file(void **state)
{
    (void)state;
    char path[] = "/tmp/pluvia-test-XXXXXX.h5md", side[64], *text;
    close(mkstemps(path, 5));
    plu_extensions *own = with_shape(ball_shape, NULL);
    run *r = calloc(1, sizeof *r);
    plu_trajectory *trajectory;
    plu_scene read;
    run_check(r, open_own(r, own, ball));
    const plu_provenance from = {.command = "test", .threads = 1};
    run_check(r, plu_trajectory_create(&trajectory, path, true, &r->scene, r->world, r->stepper,
                                       &from, &r->err));
    run_check(r, plu_trajectory_frame(trajectory, NULL, &r->err));
    run_check(r, plu_trajectory_close(trajectory, PLU_RUN_COMPLETE, &r->err));
    run_check(r, plu_trajectory_scene(&text, true, path, &r->err));
    run_check(r, plu_scene_read_stored(&read, path, text, &r->err));
    run_check(r, plu_trajectory_meshes(&read, path, &r->err));
    assert_true(plu_mesh_reported(read.boundaries[0].mesh)->hash ==
                plu_mesh_reported(r->scene.boundaries[0].mesh)->hash);
    plu_world *world;
    assert_int_equal(plu_world_create(&world, &read, &r->err), PLU_BAD_INPUT);
    assert_non_null(strstr(r->err.text, "only that program can run it"));
    unlink(path);
    snprintf(side, sizeof side, "%.*s.xdmf", (int)strlen(path) - 5, path);
    unlink(side);
    free(text);
    plu_scene_free(&read);
    run_close(r);
    plu_extensions_destroy(own);
}

/* Faults of a shape; `user` says when. */
static double twice(void *user, const plu_own_numbers *n, int part, const double x[3],
                    double normal[3])
{
    const double distance = ball_distance(user, n, part, x, normal);
    for (int k = 0; k < 3; k++)
        normal[k] *= 2.0;
    return distance;
}

static double other_sign(void *user, const plu_own_numbers *n, int part, const double x[3],
                         double normal[3])
{
    return -ball_distance(user, n, part, x, normal);
}

static double inward(void *user, const plu_own_numbers *n, int part, const double x[3],
                     double normal[3])
{
    const double distance = ball_distance(user, n, part, x, normal);
    for (int k = 0; k < 3; k++)
        normal[k] *= -1.0;
    return distance;
}

static double nothing(void *user, const plu_own_numbers *n, int part, const double x[3],
                      double normal[3])
{
    const double distance = ball_distance(user, n, part, x, normal);
    return *(const bool *)user ? NAN : distance;
}

static double a_bound(void *user, const plu_own_numbers *n, int part, const double x[3],
                      double normal[3])
{
    return 0.7 * ball_distance(user, n, part, x, normal);
}

static void half_bounds(void *user, const plu_own_numbers *n, int part, double low[3],
                        double high[3])
{
    ball_bounds(user, n, part, low, high);
    high[2] = 0.0;
}

static void shape_refused(plu_own_shape shape, const char *spec, const char *why)
{
    bool now = true;
    plu_extensions *own = with_shape(shape, &now);
    run *r = calloc(1, sizeof *r);
    assert_int_equal(open_own(r, own, spec), PLU_BAD_INPUT);
    if (!strstr(r->err.text, why) || !strstr(r->err.text, "text:6: boundaries[0].own.type: "))
        fail_msg("\"%s\" does not say \"%s\"", r->err.text, why);
    run_close(r);
    plu_extensions_destroy(own);
}

static void shapes_that_cannot_be(void **state)
{
    (void)state;
    plu_own_shape s = ball_shape;
    plu_extensions *own = with_shape(s, NULL);
    plu_error err;
    assert_int_equal(plu_extensions_add_shape(own, "ball", &s, NULL, &err), PLU_USAGE);
    assert_int_equal(plu_extensions_add_shape(own, "a ball", &s, NULL, &err), PLU_USAGE);
    s.bounds = NULL;
    assert_int_equal(plu_extensions_add_shape(own, "bare", &s, NULL, &err), PLU_USAGE);
    plu_extensions_destroy(own);
    s = ball_shape;
    shape_refused(s, "own: { type = \"bell\"; }", "unknown shape \"bell\" (known: ball)");
    shape_refused(s, "own: { type = \"ball\"; numbers = [1, 2]; }", "a ball has one number");
    s.distance = twice;
    shape_refused(s, ball, "the length of the normal is not 1");
    s.distance = nothing;
    shape_refused(s, ball, "the distance is not finite");
    s.distance = other_sign;
    shape_refused(s, ball, "the right sign");
    s.distance = inward;
    shape_refused(s, ball, "the right sign");
    s.distance = a_bound;
    shape_refused(s, ball, "the exact distance");
    s = ball_shape;
    s.bounds = half_bounds;
    shape_refused(s, ball, "outside the bounds");
}

/* An answer that turns bad during the run ends it, and says of which boundary. */
static void a_shape_fails_later(void **state)
{
    (void)state;
    bool now = false;
    plu_own_shape shape = ball_shape;
    shape.distance = nothing;
    plu_extensions *own = with_shape(shape, &now);
    run *r = calloc(1, sizeof *r);
    run_check(r, open_own(r, own, ball));
    run_to(r, 0.1);
    now = true;
    assert_int_equal(plu_step(r->stepper, &r->info, &r->err), PLU_BREAKDOWN);
    assert_non_null(strstr(r->err.text, "boundary \"own-1\": the shape \"ball\": the distance is "
                                        "not finite"));
    plu_stepper_destroy(r->stepper);
    r->stepper = NULL;
    plu_world_destroy(r->world);
    r->world = NULL; /* what is asked where spheres begin tells it, too */
    assert_int_equal(plu_world_create(&r->world, &r->scene, &r->err), PLU_BREAKDOWN);
    assert_null(r->world);
    run_close(r);
    plu_extensions_destroy(own);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rolls_to_and_fro),    cmocka_unit_test(leaves_a_sphere),
        cmocka_unit_test(a_cone_holds_a_ball), cmocka_unit_test(three_balls_in_a_cone),
        cmocka_unit_test(a_rim_holds_a_ball),  cmocka_unit_test(a_shape_from_outside),
        cmocka_unit_test(a_shape_in_a_file),   cmocka_unit_test(shapes_that_cannot_be),
        cmocka_unit_test(a_shape_fails_later),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
