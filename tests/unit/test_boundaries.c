/* Boundary parts: distances and normals against points sampled densely on the shapes. */
#include "base/rng.h"
#include "base/vec3.h"
#include "worlds.h"

static const plu_rng rng = {42, 7};

static double uniform(int item, uint32_t draw, double low, double high)
{
    return low + (high - low) * plu_rng_uniform(rng, (uint64_t)item, draw);
}

static void unit_normal(int item, double normal[3])
{
    for (uint32_t k = 0; k < 3; k++)
        normal[k] = uniform(item, 10 + k, -1.0, 1.0);
    const double length = plu_norm(normal);
    for (int k = 0; k < 3; k++)
        normal[k] /= length;
}

/* Point of the part for parameters s, t in [0, 1], from the specification of the boundary. */
static void point_of(const plu_boundary_spec *spec, const plu_part *part, double s, double t,
                     double x[3])
{
    double u[3], v[3];
    const double angle = 8.0 * atan(1.0) * t;
    for (int k = 0; k < 3; k++)
        x[k] = spec->center[k];
    if (spec->kind == PLU_PLATE) {
        for (int k = 0; k < 3; k++)
            x[k] += (s - 0.5) * spec->size[0] * part->axis[0][k] +
                    (t - 0.5) * spec->size[1] * part->axis[1][k];
    } else if (spec->kind == PLU_DISC) {
        plu_frame(spec->normal, u, v);
        plu_add_scaled(x, s * spec->radius * cos(angle), u);
        plu_add_scaled(x, s * spec->radius * sin(angle), v);
    } else if (spec->kind == PLU_FIXED_SPHERE) {
        const double polar = 4.0 * atan(1.0) * s;
        x[0] += spec->radius * sin(polar) * cos(angle);
        x[1] += spec->radius * sin(polar) * sin(angle);
        x[2] += spec->radius * cos(polar);
    } else {
        const bool cone = spec->kind == PLU_CONE;
        const double first = cone ? spec->radii[0] : spec->radius,
                     last = cone ? spec->radii[1] : spec->radius,
                     radius = first + s * (last - first);
        plu_frame(spec->axis, u, v);
        plu_add_scaled(x, s * spec->height, spec->axis);
        plu_add_scaled(x, radius * cos(angle), u);
        plu_add_scaled(x, radius * sin(angle), v);
    }
}

/* No sampled point is nearer than the distance found, and one is hardly farther; the closest point
 * center - distance x normal that the function claims is on the shape, within the same accuracy. */
static void check_against_samples(const plu_boundary_spec *spec, const plu_part *part,
                                  const double sphere[4])
{
    enum { SAMPLES = 400 };
    double normal[3], x[3], from[3], claimed[3];
    const double distance = plu_part_gap(part, sphere, normal) + sphere[3];
    assert_near(plu_norm(normal), 1.0, 1e-14);
    for (int k = 0; k < 3; k++)
        claimed[k] = sphere[k] - distance * normal[k];
    double least = INFINITY, least_claimed = INFINITY;
    for (int i = 0; i <= SAMPLES; i++)
        for (int j = 0; j <= SAMPLES; j++) {
            point_of(spec, part, (double)i / SAMPLES, (double)j / SAMPLES, x);
            plu_sub(sphere, x, from);
            least = fmin(least, plu_norm(from));
            plu_sub(claimed, x, from);
            least_claimed = fmin(least_claimed, plu_norm(from));
        }
    /* spacing of the samples: at most 2 pi radius / SAMPLES < 0.02, half of its diagonal */
    assert_true(distance <= least + 1e-12);
    assert_true(distance >= least - 0.015);
    assert_true(least_claimed < 0.015);
}

/* Shapes that end somewhere and have points of their own. */
enum { THIN = 5 };
static const plu_boundary_kind thin[THIN] = {PLU_PLATE, PLU_DISC, PLU_CYLINDER, PLU_CONE,
                                             PLU_FIXED_SPHERE};

static void test_distances_of_all_shapes_match_samples(void **state)
{
    (void)state;
    for (int n = 0; n < 20 * THIN; n++) {
        small_scene small;
        small_scene_init(&small);
        plu_boundary_spec *spec = small_scene_boundary(&small, thin[n % THIN]);
        double sphere[4], from[3];
        for (uint32_t k = 0; k < 3; k++) {
            spec->center[k] = uniform(n, k, -1.0, 1.0);
            from[k] = uniform(n, 20 + k, -2.0, 2.0);
            sphere[k] = spec->center[k] + from[k];
        }
        sphere[3] = 0.1;
        unit_normal(n, spec->normal);
        memcpy(spec->axis, spec->normal, sizeof spec->axis);
        spec->size[0] = uniform(n, 3, 0.5, 2.0);
        spec->size[1] = uniform(n, 4, 0.5, 2.0);
        spec->radius = uniform(n, 5, 0.3, 1.2);
        spec->height = uniform(n, 6, 0.5, 2.0);
        spec->radii[0] = n % 3 ? uniform(n, 7, 0.0, 1.2) : 0.0;
        spec->radii[1] = uniform(n, 8, 0.3, 1.2);
        spec->inside = plu_norm(from) < spec->radius;
        plu_world *world = small_world(&small);
        check_against_samples(spec, &world->parts[0], sphere);
        plu_world_destroy(world);
    }
}

static void check_gap(const plu_part *part, double x, double y, double z, double want, double nx,
                      double ny, double nz)
{
    double normal[3];
    assert_near(plu_part_gap(part, (const double[4]){x, y, z, 0.1}, normal), want - 0.1, 1e-14);
    assert_near(normal[0], nx, 1e-14);
    assert_near(normal[1], ny, 1e-14);
    assert_near(normal[2], nz, 1e-14);
}

static void test_plate_face_edge_corner(void **state)
{
    (void)state;
    small_scene small;
    small_scene_init(&small);
    plu_boundary_spec *plate = small_scene_plate(&small, 2.0);
    plate->size[1] = 4.0;
    plu_world *world = small_world(&small);
    const plu_part *part = &world->parts[0];
    assert_int_equal(world->parts_count, 1);
    check_gap(part, 0.5, -1.5, 0.3, 0.3, 0, 0, 1);
    check_gap(part, 0.5, -1.5, -0.3, 0.3, 0, 0, -1);
    check_gap(part, 0.5, 0.5, 0.0, 0.0, 0, 0, 1); /* on the surface */
    check_gap(part, 1.0, 2.0, 0.0, 0.0, 0, 0, 1); /* on the corner */
    check_gap(part, 1.3, 0.0, 0.4, 0.5, 0.6, 0, 0.8);
    check_gap(part, 0.0, -2.3, -0.4, 0.5, 0, -0.6, -0.8);
    check_gap(part, 2.0, 0.0, 0.0, 1.0, 1, 0, 0);
    check_gap(part, -2.0, 4.0, -2.0, 3.0, -1. / 3, 2. / 3, -2. / 3);
    plu_world_destroy(world);
}

static void test_plane_has_one_side(void **state)
{
    (void)state;
    small_scene small;
    small_scene_init(&small);
    plu_boundary_spec *plane = small_scene_boundary(&small, PLU_PLANE);
    plane->normal[0] = 0.6;
    plane->normal[2] = 0.8;
    plane->center[0] = 5.0;
    plu_world *world = small_world(&small);
    check_gap(&world->parts[0], 5.0 + 0.6, 7.0, 0.8, 1.0, 0.6, 0, 0.8);
    check_gap(&world->parts[0], 5.0 - 1.2, 7.0, -1.6, -2.0, 0.6, 0, 0.8);
    plu_world_destroy(world);
}

static void test_cylinder_has_tube_and_bottom(void **state)
{
    (void)state;
    small_scene small;
    small_scene_init(&small);
    plu_boundary_spec *cylinder = small_scene_boundary(&small, PLU_CYLINDER);
    cylinder->radius = 1.0;
    cylinder->height = 2.0;
    cylinder->center[2] = -1.0;
    cylinder->bottom = true;
    plu_world *world = small_world(&small);
    assert_int_equal(world->parts_count, 2);
    const plu_part *tube = &world->parts[0], *bottom = &world->parts[1];
    check_gap(tube, 0.75, 0, 0, 0.25, -1, 0, 0);
    check_gap(tube, 0, -1.25, 0, 0.25, 0, -1, 0);
    check_gap(tube, 0, 1, 0.5, 0, 0, -1, 0); /* on the surface */
    check_gap(tube, 1.3, 0, 1.4, 0.5, 0.6, 0, 0.8);
    check_gap(tube, 0.7, 0, -1.4, 0.5, -0.6, 0, -0.8);
    check_gap(bottom, 0.3, 0.4, -0.5, 0.5, 0, 0, 1);
    check_gap(bottom, 0, 1.3, -1.4, 0.5, 0, 0.6, -0.8);
    double normal[3];
    assert_near(plu_part_gap(tube, (const double[4]){0, 0, 0, 0.1}, normal), 0.9, 1e-14);
    assert_near(plu_norm(normal), 1.0, 1e-14);
    assert_near(normal[2], 0.0, 0.0);
    plu_world_destroy(world);
}

static void test_box_faces_point_inward(void **state)
{
    (void)state;
    small_scene small;
    small_scene_init(&small);
    plu_boundary_spec *box = small_scene_boundary(&small, PLU_BOX);
    memcpy(box->box, (double[2][3]){{-1, -2, -3}, {2, 3, 4}}, sizeof box->box);
    box->faces = 63u & ~(unsigned)PLU_FACE_ZMAX;
    plu_world *world = small_world(&small);
    assert_int_equal(world->parts_count, 5);
    static const double distances[5] = {1, 2, 2, 3, 3}; /* of the origin, in the order of faces */
    for (int p = 0; p < 5; p++) {
        const plu_part *part = &world->parts[p];
        double want[3] = {0, 0, 0}, corner[3];
        want[p / 2] = p % 2 ? -1 : 1;
        check_gap(part, 0, 0, 0, distances[p], want[0], want[1], want[2]);
        for (int c = 0; c < 4; c++) { /* corners of the face are corners of the box */
            for (int k = 0; k < 3; k++)
                corner[k] = part->center[k] + (c & 1 ? 1 : -1) * part->half[0] * part->axis[0][k] +
                            (c & 2 ? 1 : -1) * part->half[1] * part->axis[1][k];
            for (int k = 0; k < 3; k++)
                assert_near(
                    fmin(fabs(corner[k] - box->box[0][k]), fabs(corner[k] - box->box[1][k])), 0.0,
                    1e-14);
        }
    }
    plu_world_destroy(world);
}

static void test_axes_of_plates(void **state)
{
    (void)state;
    for (int n = 0; n < 40; n++) {
        small_scene small;
        small_scene_init(&small);
        plu_boundary_spec *plate = small_scene_plate(&small, 1.0);
        unit_normal(n, plate->normal);
        double wish[3] = {1, 0, 0};
        if (n == 0) {
            memcpy(plate->normal, wish, sizeof wish);
            wish[0] = 0;
            wish[1] = 1;
        } else if (n % 2) {
            unit_normal(n + 100, wish);
            for (int k = 0; k < 3; k++)
                plate->direction[k] = 3.0 * wish[k];
        }
        plu_world *world = small_world(&small);
        const plu_part *part = &world->parts[0];
        double cross[3], second[3];
        assert_near(plu_norm(part->axis[0]), 1.0, 1e-14);
        assert_near(plu_dot(part->axis[0], plate->normal), 0.0, 1e-13);
        plu_cross(wish, part->normal, cross); /* axis 0 is in the plane of wish and normal */
        assert_near(plu_dot(cross, part->axis[0]), 0.0, 1e-13);
        assert_true(plu_dot(wish, part->axis[0]) > 0.0);
        plu_cross(part->normal, part->axis[0], second);
        for (int k = 0; k < 3; k++)
            assert_near(part->axis[1][k], second[k], 1e-14);
        plu_world_destroy(world);
    }
}

static void test_direction_along_normal_is_refused(void **state)
{
    (void)state;
    small_scene small;
    small_scene_init(&small);
    small_scene_plate(&small, 1.0)->direction[2] = 2.0;
    const char *text = small_world_refused(&small, "scene.cfg:1: ");
    assert_non_null(strstr(text, "\"wall-1\""));
}

/* A distance changes by no more than the center moves; so walking across all regions shows jumps.
 */
static void test_gap_is_continuous(void **state)
{
    (void)state;
    for (int n = 0; n < 10 * THIN; n++) {
        small_scene small;
        small_scene_init(&small);
        plu_boundary_spec *spec = small_scene_boundary(&small, thin[n % THIN]);
        spec->size[0] = spec->size[1] = spec->height = spec->radius = spec->radii[n % 2] = 1.0;
        spec->radii[1 - n % 2] = 0.2;
        spec->inside = n % 4 == 0;
        plu_world *world = small_world(&small);
        double from[4] = {0, 0, 0, 0.1}, to[3], normal[3], before[4] = {0};
        enum { STEPS = 4000 };
        for (uint32_t k = 0; k < 3; k++) {
            from[k] = uniform(n, 30 + k, -2.0, 2.0);
            to[k] = k == 2 ? 0.5 : uniform(n, 40 + k, -1.0, 1.0); /* crosses the shape */
        }
        for (int i = 0; i <= STEPS; i++) {
            double at[4] = {0, 0, 0, 0.1}, move[3];
            plu_sub(to, from, move);
            for (int k = 0; k < 3; k++)
                at[k] = from[k] + 2.0 * i / STEPS * move[k];
            for (int p = 0; p < world->parts_count; p++) {
                const double gap = plu_part_gap(&world->parts[p], at, normal);
                if (i > 0)
                    assert_true(fabs(gap - before[p]) <= 2.0 / STEPS * plu_norm(move) * (1 + 1e-9));
                before[p] = gap;
                assert_true(gap >= before[0] - 1e-15); /* of a cone the first part is the closest */
            }
        }
        plu_world_destroy(world);
    }
}

static void check_passed(const plu_part *part, double x0, double z0, double x1, double z1,
                         bool want)
{
    const double a[3] = {x0, 0.1, z0}, b[3] = {x1, 0.1, z1};
    assert_int_equal(plu_part_passed(part, a, b), want);
}

/* A way that ends on a surface and one that begins there pass it once between them, whatever the
 * direction: a slow center cannot slip through. */
static void test_ways_through_shapes(void **state)
{
    (void)state;
    small_scene small;
    small_scene_init(&small);
    plu_boundary_spec *plate = small_scene_boundary(&small, PLU_PLATE);
    plate->size[0] = plate->size[1] = 2.0;
    plu_boundary_spec *disc = small_scene_boundary(&small, PLU_DISC);
    disc->radius = 1.0;
    small_scene_boundary(&small, PLU_PLANE);
    plu_boundary_spec *cylinder = small_scene_boundary(&small, PLU_CYLINDER);
    cylinder->radius = 1.0;
    cylinder->height = 1.0;
    plu_world *world = small_world(&small);
    for (int k = 0; k < 3; k++) {
        const plu_part *part = &world->parts[k];
        check_passed(part, 0.2, 1e-9, 0.2, -1e-9, true);
        check_passed(part, 0.2, 1e-300, 0.3, -1e-300, true);
        check_passed(part, 0.2, 1, 0.2, 0, false);
        check_passed(part, 0.2, 0, 0.2, -1e-9, true);
        check_passed(part, 0.2, 0, 0.2, 1, false);
        check_passed(part, 0.2, -1, 0.2, -2, false);
        check_passed(part, 0.2, -1, 0.2, 0, k < 2); /* from behind, where there is one */
        check_passed(part, 2, 1, 2, -1, k == 2);    /* past the edge */
    }
    const plu_part *tube = &world->parts[3];
    const double on = sqrt(1.0 - 0.1 * 0.1);
    check_passed(tube, on - 1e-9, 0.5, on + 1e-9, 0.5, true);
    check_passed(tube, on + 1e-9, 0.5, on - 1e-9, 0.5, true);
    check_passed(tube, 0.5, 0.5, 0.6, 0.9, false);
    check_passed(tube, 0.5, 1.5, 1.5, 1.5, false); /* above the rim */
    check_passed(tube, 0.5, 0.2, 1.5, 0.4, true);  /* out, on the side where it goes */
    check_passed(tube, 1.5, 0.4, 0.5, 0.2, true);  /* in */
    check_passed(tube, 0.5, 0.8, 1.5, 1.4, false);
    check_passed(tube, 1.5, 1.4, 0.5, 0.8, false);
    const double inside[3] = {0, 0, 0.5}, surface[3] = {1, 0, 0.5}, outside[3] = {2, 0, 0.5};
    assert_false(plu_part_passed(tube, inside, surface));
    assert_true(plu_part_passed(tube, surface, outside));
    plu_world_destroy(world);
}

/* The three parts of a cone stand around a sphere that fills it, and are one surface. */
static void test_a_cone_is_met_all_around(void **state)
{
    (void)state;
    small_scene small;
    small_scene_init(&small);
    plu_boundary_spec *cone = small_scene_boundary(&small, PLU_CONE);
    cone->radii[1] = 3.0;
    cone->height = 4.0;
    plu_world *world = small_world(&small);
    assert_int_equal(world->parts_count, 3);
    double sum[3] = {0, 0, 0}, normal[3];
    for (int p = 0; p < 3; p++) { /* the center is 0.6 * 2 away from the wall */
        const double sphere[4] = {0, 0, 2.0, 1.0};
        assert_near(plu_part_gap(&world->parts[p], sphere, normal), 0.2, 1e-14);
        assert_near(normal[2], 0.6, 1e-14);
        plu_add_scaled(sum, 1.0, normal);
    }
    assert_near(hypot(sum[0], sum[1]), 0.0, 1e-14);
    const plu_part *part = &world->parts[0];
    check_gap(part, 3.0, 0, 0.25, 2.25, 0.8, 0, -0.6); /* from outside */
    check_gap(part, 0, 0, -0.5, 0.5, 0, 0, -1);        /* its tip */
    check_gap(part, 0, 3.3, 4.4, 0.5, 0, 0.6, 0.8);    /* its rim */
    plu_world_destroy(world);
}

static void test_a_sphere_has_one_side(void **state)
{
    (void)state;
    small_scene small;
    small_scene_init(&small);
    for (int k = 0; k < 2; k++) {
        plu_boundary_spec *sphere = small_scene_boundary(&small, PLU_FIXED_SPHERE);
        sphere->center[0] = 1.0;
        sphere->radius = 2.0;
        sphere->inside = k;
    }
    plu_world *world = small_world(&small);
    const plu_part *solid = &world->parts[0], *bowl = &world->parts[1];
    check_gap(solid, 4.0, 0, 4.0, 3.0, 0.6, 0, 0.8);
    check_gap(solid, 1.0, 0.5, 0, -1.5, 0, 1, 0);
    check_gap(bowl, 1.0, 0.5, 0, 1.5, 0, -1, 0);
    check_gap(bowl, 1.0, 0, -3.0, -1.0, 0, 0, 1);
    check_gap(bowl, 1.0, 0, 0, 2.0, 0, 0, -1); /* from the middle all ways are the same */
    plu_world_destroy(world);
}

/* Through cones, tubes that lie, and spheres. */
static void test_ways_through_curved_shapes(void **state)
{
    (void)state;
    small_scene small;
    small_scene_init(&small);
    plu_boundary_spec *cone = small_scene_boundary(&small, PLU_CONE);
    cone->radii[0] = 0.5; /* at z = 0 */
    cone->radii[1] = 1.5; /* at z = 2 */
    cone->height = 2.0;
    plu_boundary_spec *tube = small_scene_boundary(&small, PLU_CYLINDER);
    memcpy(tube->axis, (double[3]){1, 0, 0}, sizeof tube->axis);
    tube->radius = tube->height = 1.0;
    tube->bottom = true;
    plu_boundary_spec *ball = small_scene_boundary(&small, PLU_FIXED_SPHERE);
    ball->radius = 1.0;
    plu_boundary_spec *bowl = small_scene_boundary(&small, PLU_FIXED_SPHERE);
    bowl->radius = 1.0;
    bowl->inside = true;
    plu_world *world = small_world(&small);
    const plu_part *part = world->parts;
    check_passed(&part[0], 0.5, 1.0, 1.5, 1.0, true); /* y is 0.1 */
    check_passed(&part[0], 1.5, 1.0, 0.5, 1.0, true);
    check_passed(&part[1], 0.5, 1.0, 1.5, 1.0, false);  /* one part sees it */
    check_passed(&part[0], 0.3, 2.5, 0.3, -0.5, false); /* down through both openings */
    check_passed(&part[0], 1.0, 2.5, 1.0, -0.5, true);  /* in by the opening, out by the wall */
    check_passed(&part[0], 1.6, 2.5, 1.6, -0.5, false); /* past it */
    check_passed(&part[0], 1.4, 2.1, 1.7, 2.1, false);  /* above it */
    check_passed(&part[3], 0.5, 0.5, 0.5, 1.5, true);
    check_passed(&part[3], -0.5, 0.5, -0.5, 1.5, false); /* beside it */
    check_passed(&part[3], -0.5, 0.5, 1.5, 0.5, false);  /* along it */
    check_passed(&part[4], -0.5, 0.5, 0.5, 0.5, true);   /* its bottom */
    const double on = sqrt(1.0 - 0.1 * 0.1);
    check_passed(&part[5], 0.0, on + 1e-9, 0.0, on - 1e-9, true);
    check_passed(&part[5], 0.0, on - 1e-9, 0.0, on + 1e-9, false);
    check_passed(&part[5], 0.0, 2.0, 0.0, -2.0, true); /* right through */
    check_passed(&part[5], 0.0, 2.0, 0.0, 1.5, false);
    check_passed(&part[5], 2.0, 2.0, -2.0, 2.0, false); /* past it */
    check_passed(&part[6], 0.0, on - 1e-9, 0.0, on + 1e-9, true);
    check_passed(&part[6], 0.0, on + 1e-9, 0.0, on - 1e-9, false);
    plu_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_distances_of_all_shapes_match_samples),
        cmocka_unit_test(test_plate_face_edge_corner),
        cmocka_unit_test(test_plane_has_one_side),
        cmocka_unit_test(test_cylinder_has_tube_and_bottom),
        cmocka_unit_test(test_box_faces_point_inward),
        cmocka_unit_test(test_axes_of_plates),
        cmocka_unit_test(test_direction_along_normal_is_refused),
        cmocka_unit_test(test_gap_is_continuous),
        cmocka_unit_test(test_ways_through_shapes),
        cmocka_unit_test(test_a_cone_is_met_all_around),
        cmocka_unit_test(test_a_sphere_has_one_side),
        cmocka_unit_test(test_ways_through_curved_shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
