/* Boundaries that attract a sphere, against closed forms: those of several parts do so once where
 * it touches several of them, and bounces keep e of the speed. */
#include "base/rng.h"
#include "base/vec3.h"
#include "mesh_file.h"
#include "run.h"

static const double PI = 3.14159265358979323846;

/* A roof of two sides or more, its tip in the origin, the normals of its sides at this angle from
 * the vertical, which they spread about; of two sides a ridge along y. */
static mesh_file roof(int sides, double angle)
{
    mesh_file m = begin_mesh();
    mesh_corner(&m, 0, -1, 0);
    for (int k = 0; k < sides; k++) {
        const double turn = 2.0 * PI * k / sides, out = 1.0 / cos(PI / sides);
        if (sides > 2)
            mesh_corner(&m, out * cos(turn), out * sin(turn) - 1.0, -tan(angle));
        else /* its corners: along the ridge, and on this side */
            fprintf(m.file, "v 0 %d 0\nv %d -1 %.17g\nv %d 1 %.17g\n", k ? 2 : 1, k ? -1 : 1,
                    -tan(angle), k ? -1 : 1, -tan(angle));
    }
    for (int k = 0; k < sides; k++)
        if (sides > 2)
            fprintf(m.file, "f 1 %d %d\n", 2 + k, 2 + (k + 1) % sides);
        else
            fprintf(m.file, "f 1 %d %d\nf 1 %d 2\n", 3 + 3 * k, 4 + 3 * k, 4 + 3 * k);
    fclose(m.file);
    return m;
}

/* A sphere of radius 0.01 that hangs in a mesh at x from F_c = `share` of its weight, which pulls
 * along `down`: how far it has got along that in 0.1 s. *pull: what its contacts hold it
 * with then, over its weight. */
static double hangs(const mesh_file *m, const double x[3], const double down[3], double friction,
                    double share, double *pull)
{
    const double weight = 4.0 / 3.0 * PI * 1e-6 * 2500.0 * 9.81;
    run *r = run_open(
        "time: { step = 1e-3; end = 2; };\nsolver: { tolerance = 1e-4; };\n"
        "gravity = [%.17g, %.17g, %.17g];\nallow_overlap = true;\n"
        "materials = ( { name = \"grain\"; density = 2500; }, { name = \"plate\"; } );\n"
        "contacts = ( { between = [\"grain\", \"grain\"]; friction = 0.3; },"
        "{ between = [\"grain\", \"plate\"]; friction = %g; rolling_friction = 1; "
        "cohesion = %.17g; } );\n"
        "boundaries = ( { mesh: { file = \"%s\"; }; material = \"plate\"; } );\n"
        "bodies = ( { position = [%.17g, %.17g, %.17g]; radius = 0.01; material = \"grain\"; } "
        ");\n",
        9.81 * down[0], 9.81 * down[1], 9.81 * down[2], friction, share * weight, m->path, x[0],
        x[1], x[2]);
    run_to(r, 0.1);
    double way[3];
    plu_sub(run_position(r, 0), x, way);
    assert_near(plu_stepper_imbalance(r->stepper), 0.0, 1e-12);
    for (int k = 0; pull && k < plu_stepper_contacts(r->stepper); k++) {
        plu_contact_row row;
        plu_stepper_contact(r->stepper, k, &row);
        *pull -=
            row.impulse_normal * plu_dot(row.normal, down) + plu_dot(row.impulse_tangent, down);
    }
    if (pull)
        *pull /= 1e-3 * weight;
    run_close(r);
    return plu_dot(way, down);
}

/* Below the tip of a roof a sphere touches all of its sides, and holds iff F_c is its weight. */
static void folds_and_vertices_attract_once(void **state)
{
    (void)state;
    static const struct {
        int sides;
        double angle;
    } roofs[] = {{2, 0.03},   {2, 0.2}, {2, 0.6}, {2, 1.0},
                 {3, 0.9553}, {4, 0.5}, {6, 0.3}, {12, 0.05}};
    const double down[3] = {0, 0, -1};
    for (size_t k = 0; k < sizeof roofs / sizeof *roofs; k++) {
        mesh_file m = roof(roofs[k].sides, roofs[k].angle);
        const double x[3] = {0, roofs[k].sides > 2 ? -1 : 0, -0.01 / cos(roofs[k].angle)};
        assert_true(hangs(&m, x, down, 0.3, 0.99, NULL) > 0.01 * 0.5 * 9.81 * 0.1 * 0.1 * 0.5);
        double pull = 0.0;
        assert_near(hangs(&m, x, down, 0.3, 1.01, &pull), 0.0, 1e-6);
        assert_near(pull, 1.0, 1e-6);
        unlink(m.path);
    }
}

/* In the corner of three triangles that stand upright on each other the pull-off force is F_c in
 * every direction between their normals, without friction. */
static void a_corner_holds_in_all_directions(void **state)
{
    (void)state;
    const double downs[][3] = {{1, 1, 1}, {0, 0, 1},      {0, 1, 1},
                               {5, 6, 7}, {1, 0.1, 0.02}, {0.2, 0.9, 0}};
    mesh_file m = begin_mesh();
    fputs("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 3 4\nf 1 4 2\n", m.file);
    fclose(m.file);
    const double x[3] = {0.01, 0.01, 0.01};
    for (size_t k = 0; k < sizeof downs / sizeof *downs; k++) {
        const double length = plu_norm(downs[k]),
                     down[3] = {downs[k][0] / length, downs[k][1] / length, downs[k][2] / length};
        assert_true(hangs(&m, x, down, 0.0, 0.99, NULL) > 0.01 * 0.5 * 9.81 * 0.1 * 0.1 * 0.5);
        assert_near(hangs(&m, x, down, 0.0, 1.01, NULL), 0.0, 1e-6);
    }
    unlink(m.path);
}

/* All around a tube of 96 facets, 3.75 degrees each, what pulls a sphere off is F_c, as in a round
 * one: on facets, which the pull is normal to but for 1.9 degrees, and in the folds between them.
 */
static void a_tube_of_facets_attracts_as_a_tube(void **state)
{
    (void)state;
    enum { FACETS = 96 };
    mesh_file m = tube(FACETS);
    for (int k = 0; k < 40; k++) {
        const double facet = 2.0 * PI / FACETS, fold = (k + 0.5) * facet;
        const double angle =
            k % 2 ? fold : fold + facet * (plu_rng_uniform((plu_rng){5, 7}, (uint64_t)k, 0) - 0.5);
        const double nearest = facet * round(angle / facet);
        const double out = (0.1 * cos(PI / FACETS) - 0.01) / cos(angle - nearest);
        const double x[3] = {out * sin(angle), 0, 0.1 - out * cos(angle)},
                     in[3] = {-sin(angle), 0, cos(angle)};
        assert_true(hangs(&m, x, in, 0.3, 0.99, NULL) > 0.01 * 0.5 * 9.81 * 0.1 * 0.1 * 0.5);
        assert_true(fabs(hangs(&m, x, in, 0.3, 1.01, NULL)) < 0.1 * (1.0 - cos(PI / FACETS)));
    }
    unlink(m.path);
}

/* A roof that a force lifts takes a sphere along, both with F / (m_w + m), iff F_c is what that
 * takes. */
static void a_roof_lifts_a_sphere(void **state)
{
    (void)state;
    const double mass = 4.0 / 3.0 * PI * 1e-6 * 2500.0, force = 10.0;
    mesh_file m = roof(2, 0.5);
    for (int heavy = 0; heavy < 2; heavy++)
        for (int holds = 0; holds < 2; holds++) {
            const double servo = heavy ? 1.0 : 1e-3, pull = force / (servo + mass);
            run *r = run_open(
                "time: { step = 1e-4; end = 2; };\ngravity = [0, 0, 0];\n"
                "materials = ( { name = \"grain\"; density = 2500; }, { name = \"plate\"; } );\n"
                "contacts = ( { between = [\"grain\", \"grain\"]; friction = 0.3; }, { between = "
                "[\"grain\", \"plate\"]; friction = 0.3; cohesion = %.17g; } );\n"
                "boundaries = ( { mesh: { file = \"%s\"; }; material = \"plate\"; servo: { mass = "
                "%g; force = %g; axis = [0, 0, 1]; speed = 1000; }; } );\n"
                "bodies = ( { position = [0, 0, %.17g]; radius = 0.01; material = \"grain\"; } "
                ");\n",
                (holds ? 1.02 : 0.98) * mass * pull, m.path, servo, force, -0.01 / cos(0.5));
            run_to(r, 0.05);
            if (holds)
                assert_near(run_velocity(r, 0)[2], 0.05 * pull, 1e-6 * pull);
            else
                assert_true(run_velocity(r, 0)[2] < 0.049 * pull);
            assert_near(plu_stepper_imbalance(r->stepper), 0.0, 1e-12);
            run_close(r);
        }
    unlink(m.path);
}

/* An attraction too small to count changes no bounce, wherever in a step the sphere is met, and
 * with a range in which it is found before. A large one lets no sphere in, however far it pulls it
 * in a step. */
static void bounces(void **state)
{
    (void)state;
    static const struct {
        double force, range, least, most; /* N, m; of the speed that is left */
    } cases[] = {{1e-9, 1e-9, 0.4995, 0.5005}, {1e-9, 5e-4, 0.4995, 0.5005}, {3.0, 2e-4, 0.0, 0.5}};
    for (int k = 0; k < 3; k++)
        for (int start = 0; start < 25; start++) {
            run *r = run_open(
                "gravity = [0, 0, 0]; time: { step = 1e-3; end = 9; };\n"
                "materials = ( { name = \"grain\"; density = 2500.0; }, { name = \"plate\"; } );\n"
                "contacts = ( { between = [\"grain\", \"plate\"]; friction = 0.0; restitution = "
                "0.5; "
                "cohesion = %g; cohesion_range = %g; } );\n" RUN_PLANE
                "bodies = ( { position = [0, 0, %.17g]; radius = 0.005; velocity = [0, 0, -1]; "
                "material = \"grain\"; } );\n",
                cases[k].force, cases[k].range, 0.0055 + 4e-5 * start);
            double deepest = 1.0;
            for (int step = 0; step < 40; step++) {
                run_step(r);
                deepest = fmin(deepest, run_position(r, 0)[2]);
            }
            const double left = run_velocity(r, 0)[2];
            if (!(left >= cases[k].least - 1e-3 && left <= cases[k].most && deepest > 0.0043))
                fail_msg("case %d, start %d: %g m/s, %g m", k, start, left, deepest);
            run_close(r);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folds_and_vertices_attract_once),
        cmocka_unit_test(a_corner_holds_in_all_directions),
        cmocka_unit_test(a_tube_of_facets_attracts_as_a_tube),
        cmocka_unit_test(a_roof_lifts_a_sphere),
        cmocka_unit_test(bounces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
