/* Boundaries made of triangles: a flat mesh is a plane, a tube of facets nears a tube, and a box is
 * met from both sides. */
#include "base/rng.h"
#include "base/vec3.h"
#include "detect/detect.h"
#include "mesh_file.h"
#include "pluvia/boundary.h"
#include "pluvia/tool/mesh.h"
#include "run.h"
#include "step/stepper.h"

static const double PI = 3.14159265358979323846;

static double draw(int item, uint32_t number)
{
    return plu_rng_uniform((plu_rng){5, 7}, (uint64_t)item, number);
}

/* Squares of one meter side, divided at random along one diagonal or the other, with inner corners
 * moved at random; in the plane that is normal to n, but for bumps of half that height. */
static mesh_file random_plane(int side, const double n[3], double bumps)
{
    mesh_file m = begin_mesh();
    double u[3], v[3];
    plu_frame(n, u, v);
    for (int k = 0; k < (side + 1) * (side + 1); k++) {
        const int i = k % (side + 1), j = k / (side + 1);
        const bool inner = i > 0 && j > 0 && i < side && j < side;
        const double x = (i + (inner ? 0.6 * draw(k, 0) - 0.3 : 0.0)) / side - 0.5,
                     y = (j + (inner ? 0.6 * draw(k, 1) - 0.3 : 0.0)) / side - 0.5;
        const double z = bumps * (draw(k, 3) - 0.5);
        mesh_corner(&m, x * u[0] + y * v[0] + z * n[0], x * u[1] + y * v[1] + z * n[1],
                    x * u[2] + y * v[2] + z * n[2]);
    }
    for (int k = 0; k < side * side; k++) {
        const int a = k / side * (side + 1) + k % side + 1, b = a + 1, c = b + side + 1,
                  d = a + side + 1;
        if (draw(k, 2) < 0.5)
            fprintf(m.file, "f %d %d %d\nf %d %d %d\n", a, b, c, a, c, d);
        else
            fprintf(m.file, "f %d %d %d\nf %d %d %d\n", a, b, d, b, c, d);
    }
    fclose(m.file);
    return m;
}

#define LAW                                                                                        \
    "solver: { criterion = \"natural-map\"; tolerance = 1e-13; };\nallow_overlap = "               \
    "true;\n" RUN_MATERIALS("2500", "0.4", "2e-4", "0")

/* A ball that begins to roll over the mesh is where it is on a plane, with one contact in each
 * step. */
static void rolls_as_on_a_plane(const double n[3], int side)
{
    double u[3], v[3], start[3];
    plu_frame(n, u, v);
    for (int k = 0; k < 3; k++)
        start[k] = -0.31 * u[k] - 0.28 * v[k] + 0.00999 * n[k];
    mesh_file m = random_plane(side, n, 0.0);
    run *r[2];
    for (int e = 0; e < 2; e++) {
        char wall[256];
        snprintf(wall, sizeof wall, e ? "mesh: { file = \"%s\"; }" : "plane: { normal = [%s]; }",
                 e ? m.path : "%.17g, %.17g, %.17g");
        char made[256];
        snprintf(made, sizeof made, wall, n[0], n[1], n[2]);
        r[e] = run_open(
            "time: { step = 1e-3; end = 2; };\ngravity = [%.17g, %.17g, %.17g];\n%s"
            "boundaries = ( { %s; material = \"plate\"; } );\nbodies = ( { position = [%.17g, "
            "%.17g, %.17g]; velocity = [%.17g, %.17g, %.17g]; radius = 0.01; material = \"grain\"; "
            "} );\n",
            -9.81 * n[0] + 0.6 * u[0] + 0.35 * v[0], -9.81 * n[1] + 0.6 * u[1] + 0.35 * v[1],
            -9.81 * n[2] + 0.6 * u[2] + 0.35 * v[2], LAW, e ? wall : made, start[0], start[1],
            start[2], 0.8 * u[0] + 0.3 * v[0], 0.8 * u[1] + 0.3 * v[1], 0.8 * u[2] + 0.3 * v[2]);
    }
    for (int step = 0; step < 800; step++) {
        run_step(r[0]);
        run_step(r[1]);
        assert_int_equal(plu_stepper_contacts(r[1]->stepper), 1);
        for (int k = 0; k < 3; k++) {
            assert_near(run_position(r[1], 0)[k], run_position(r[0], 0)[k], 1e-9);
            assert_near(run_velocity(r[1], 0)[k], run_velocity(r[0], 0)[k], 1e-9);
        }
    }
    assert_true(plu_dot(run_position(r[0], 0), u) > 0.2); /* it has crossed many edges */
    run_close(r[0]);
    run_close(r[1]);
    unlink(m.path);
}

/* With strict_string_checks the sanitizer asks at each number how long the rest of the file is. */
#ifdef __SANITIZE_ADDRESS__
enum { FINE = 60 };
#else
enum { FINE = 150 };
#endif

static void a_flat_mesh_is_a_plane(void **state)
{
    (void)state;
    const double up[3] = {0, 0, 1}, slant[3] = {2.0 / 7.0, 3.0 / 7.0, 6.0 / 7.0};
    rolls_as_on_a_plane(up, 16);
    rolls_as_on_a_plane(up, FINE); /* triangles smaller than the ball */
    rolls_as_on_a_plane(slant, 16);
    rolls_as_on_a_plane(slant, FINE);
}

/* The ball lies higher than in the round tube by the sagitta R (1 - cos(pi / N)): a quarter for
 * twice the facets. */
static void tubes_of_facets_near_a_tube(void **state)
{
    (void)state;
    double before = 0.0;
    for (int facets = 16; facets <= 128; facets *= 2) {
        mesh_file m = tube(facets);
        run *r = run_open("time: { step = 1e-3; end = 2; };\n%s"
                          "boundaries = ( { mesh: { file = \"%s\"; }; material = \"plate\"; } );\n"
                          "bodies = ( { position = [0, 0, %.17g]; radius = 0.01; material = "
                          "\"grain\"; } );\n",
                          LAW, m.path, 0.01 + 0.1 * (1.0 - cos(PI / facets)));
        run_to(r, 0.05);
        const double higher = run_position(r, 0)[2] - 0.01;
        assert_int_equal(plu_stepper_contacts(r->stepper), 1);
        assert_near(higher, 0.1 * (1.0 - cos(PI / facets)), 1e-9);
        if (before > 0.0)
            assert_near(log2(before / higher), 2.0, 0.02);
        before = higher;
        run_close(r);
        unlink(m.path);
    }
}

/* A cube of half edge 0.1 around the origin, each face two triangles. */
static mesh_file cube(void)
{
    mesh_file m = begin_mesh();
    for (int k = 0; k < 8; k++)
        mesh_corner(&m, k & 1 ? 0.1 : -0.1, k & 2 ? 0.1 : -0.1, k & 4 ? 0.1 : -0.1);
    fputs("f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n", m.file);
    fclose(m.file);
    return m;
}

/* Balls that touch the cube from outside at places all over it: one contact, along the way from the
 * closest point of the cube. */
static void a_cube_from_outside(void **state)
{
    (void)state;
    mesh_file m = cube();
    run *r = run_open("time: { step = 1e-3; end = 2; };\ngravity = [0, 0, 0];\n%s"
                      "boundaries = ( { mesh: { file = \"%s\"; }; material = \"plate\"; } );\n"
                      "bodies = ( { position = [1, 0, 0]; radius = 0.01; material = \"grain\"; } "
                      ");\n",
                      LAW, m.path);
    plu_error err;
    plu_detector *d = plu_detector_create(r->world, &err);
    plu_contacts *list;
    for (int place = 0; place < 600; place++) {
        double closest[3], away[3], *x = r->world->bodies.position[0];
        for (uint32_t k = 0; k < 3; k++) {
            const double from = 0.4 * draw(place, k) - 0.2;
            closest[k] = fmax(-0.1, fmin(0.1, from));
            away[k] = from - closest[k];
        }
        const double length = plu_norm(away);
        if (!(length > 0.0))
            continue;
        for (int k = 0; k < 3; k++)
            x[k] = closest[k] + 0.00999 * away[k] / length;
        r->world->generation++;
        assert_int_equal(plu_detect(d, &list, &err), PLU_OK);
        assert_int_equal(list->count, 1);
        assert_near(list->contact[0].gap, -1e-5, 1e-15);
        for (int k = 0; k < 3; k++)
            assert_near(list->contact[0].normal[k], away[k] / length, 1e-12);
    }
    plu_detector_destroy(d);
    run_close(r);
    unlink(m.path);
}

static void a_cube_from_inside(void **state)
{
    (void)state;
    mesh_file m = cube();
    run *r = run_open("time: { step = 1e-3; end = 2; };\ngravity = [-5, -6, -7];\n%s"
                      "boundaries = ( { mesh: { file = \"%s\"; }; material = \"plate\"; } );\n"
                      "bodies = ( { position = [-0.085, -0.085, -0.085]; radius = 0.01; material = "
                      "\"grain\"; } );\n",
                      LAW, m.path);
    run_to(r, 0.5);
    assert_int_equal(plu_stepper_contacts(r->stepper), 3);
    for (int k = 0; k < 3; k++)
        assert_near(run_position(r, 0)[k], -0.09, 2.1e-5); /* the slop */
    run_close(r);
    unlink(m.path);
}

/* A large triangle beside two small ones, the corner of which lies on its edge. */
static void joints_are_silent(void **state)
{
    (void)state;
    mesh_file m = begin_mesh();
    mesh_corner(&m, -1, -1, 0);
    mesh_corner(&m, 1, 0, 0);
    mesh_corner(&m, -1, 1, 0);
    mesh_corner(&m, 0, 0.5, 1e-8); /* on the edge from 2 to 3, but for rounding */
    mesh_corner(&m, 1, 1, 0);
    fputs("f 1 2 3\nf 2 5 4\nf 4 5 3\n", m.file);
    fclose(m.file);
    run *r = run_open("time: { step = 1e-3; end = 2; };\n%s"
                      "boundaries = ( { mesh: { file = \"%s\"; }; material = \"plate\"; } );\n"
                      "bodies = ( { position = [-0.03, 0.45, 0.00998]; velocity = [0.12, 0.33, 0]; "
                      "radius = 0.01; material = \"grain\"; } );\n",
                      LAW, m.path);
    assert_int_equal(plu_mesh_reported(r->scene.boundaries[0].mesh)->joints, 1);
    for (int step = 0; step < 900; step++) {
        run_step(r);
        assert_int_equal(plu_stepper_contacts(r->stepper), 1);
        assert_near(run_velocity(r, 0)[2], 0.0, 1e-6);
    }
    assert_true(run_position(r, 0)[0] + 2.0 * run_position(r, 0)[1] > 1.05); /* beyond the edge */
    run_close(r);
    unlink(m.path);
}

/* Both lists hold the same contacts to the last bit. */
static void assert_same_contacts(const plu_contacts *a, const plu_contacts *b)
{
    assert_int_equal(a->count, b->count);
    for (int k = 0; k < a->count; k++) {
        assert_true(plu_side_same(a->contact[k].a, b->contact[k].a));
        assert_memory_equal(a->contact[k].normal, b->contact[k].normal, sizeof a->contact->normal);
        assert_memory_equal(&a->contact[k].gap, &b->contact[k].gap, sizeof a->contact->gap);
    }
}

/* What detection keeps of small triangles while a ball creeps over them, by steps of very different
 * lengths, changes no contact. */
static void wanders_over(double bumps)
{
    const double up[3] = {0, 0, 1};
    mesh_file m = random_plane(FINE, up, bumps);
    run *r = run_open("time: { step = 1e-3; end = 2; };\n%s"
                      "boundaries = ( { mesh: { file = \"%s\"; }; material = \"plate\"; } );\n"
                      "bodies = ( { position = [0, 0, 0.02]; radius = 0.02; material = \"grain\"; "
                      "} );\n",
                      LAW, m.path);
    plu_error err;
    plu_detector *kept = plu_detector_create(r->world, &err);
    long contacts = 0;
    for (int step = 0; step < 500; step++) {
        double *x = r->world->bodies.position[0];
        const double length = pow(10.0, -7.0 + 4.0 * draw(step, 0));
        for (uint32_t k = 0; k < 3; k++)
            x[k] += length * (2.0 * draw(step, k + 1) - 1.0);
        x[2] = plu_max(0.0198, plu_min(0.0201 + bumps, x[2]));
        plu_detector *fresh = plu_detector_create(r->world, &err);
        plu_contacts *now, *expected;
        assert_int_equal(plu_detect(kept, &now, &err), PLU_OK);
        assert_int_equal(plu_detect(fresh, &expected, &err), PLU_OK);
        assert_same_contacts(now, expected);
        contacts += now->count;
        plu_detector_destroy(fresh);
    }
    assert_true(contacts > 300);
    plu_detector_destroy(kept);
    run_close(r);
    unlink(m.path);
}

static void contacts_do_not_depend_on_the_past(void **state)
{
    (void)state;
    wanders_over(0.0);
    wanders_over(1e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_flat_mesh_is_a_plane),
        cmocka_unit_test(tubes_of_facets_near_a_tube),
        cmocka_unit_test(a_cube_from_outside),
        cmocka_unit_test(a_cube_from_inside),
        cmocka_unit_test(joints_are_silent),
        cmocka_unit_test(contacts_do_not_depend_on_the_past),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
