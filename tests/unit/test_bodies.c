/* Bodies that are there from the start: masses, lattices, packings, overlaps, laws, energies. */
#include "base/vec3.h"
#include "worlds.h"
#include <omp.h>

#define PI 3.14159265358979323846

static void test_mass_and_inertia_of_a_sphere(void **state)
{
    (void)state;
    small_scene small;
    small_scene_init(&small);
    plu_body_spec *spec = small_scene_sphere(&small, 1.0, 2.0, 3.0, 0.5);
    memcpy(spec->velocity, (double[3]){4, 5, 6}, sizeof spec->velocity);
    memcpy(spec->angular_velocity, (double[3]){7, 8, 9}, sizeof spec->angular_velocity);
    plu_world *world = small_world(&small);
    const plu_bodies_view bodies = plu_world_bodies(world);
    assert_int_equal(bodies.count, 1);
    assert_int_equal(plu_world_active(world), 1);
    static const double position[4] = {1, 2, 3, 0.5}, turn[4] = {1, 0, 0, 0};
    for (int k = 0; k < 4; k++) {
        assert_near(bodies.position[0][k], position[k], 0.0);
        assert_near(bodies.orientation[0][k], turn[k], 0.0);
    }
    for (int k = 0; k < 6; k++)
        assert_near(bodies.velocity[0][k], 4.0 + k, 0.0);
    const double mass = 2500.0 * PI / 6.0; /* density x pi d^3 / 6 */
    assert_near(1.0 / bodies.velocity[0][6], mass, 1e-10);
    assert_near(1.0 / bodies.velocity[0][7], mass / 10.0, 1e-10); /* 2/5 m r^2, r = 1/2 */
    assert_int_equal(bodies.species[0], SMALL_GRAIN);
    assert_int_equal(bodies.state[0], PLU_ACTIVE);
    plu_world_destroy(world);
}

static void test_masses_are_numbers(void **state)
{
    (void)state;
    static const double radii[] = {1e-120, 1e-70, 1e120, 1e200};
    for (int k = 0; k < 4; k++) {
        small_scene small;
        small_scene_init(&small);
        small_scene_sphere(&small, 0.0, 0.0, 0.0, 0.01);
        small_scene_sphere(&small, 1.0, 0.0, 0.0, radii[k]);
        small_world_refused(&small, "scene.cfg:2: a sphere of radius");
    }
}

static void test_lattice_runs_along_x_first(void **state)
{
    (void)state;
    small_scene small;
    small_scene_init(&small);
    small_scene_sphere(&small, -9, -9, -9, 0.1);
    plu_body_spec *spec = small_scene_bodies(&small, PLU_LATTICE, 0.1);
    memcpy(spec->counts, (int[3]){4, 3, 2}, sizeof spec->counts);
    memcpy(spec->origin, (double[3]){1, 2, 3}, sizeof spec->origin);
    spec->spacing = 0.5;
    spec->jitter = 0.05;
    plu_world *world = small_world(&small);
    assert_int_equal(world->bodies.count, 25);
    double least = 1.0, most = -1.0;
    for (int n = 0; n < 24; n++) {
        const int at[3] = {n % 4, n / 4 % 3, n / 12};
        for (int k = 0; k < 3; k++) {
            const double off = world->bodies.position[1 + n][k] - (spec->origin[k] + 0.5 * at[k]);
            assert_true(fabs(off) <= 0.05 * (1 + 1e-9));
            least = fmin(least, off);
            most = fmax(most, off);
        }
    }
    assert_true(least < -0.04 && most > 0.04); /* of 72 uniform numbers in +-0.05 */
    spec->jitter = 0.0;
    plu_world *exact = small_world(&small);
    assert_near(exact->bodies.position[24][0], 2.5, 1e-15);
    assert_near(exact->bodies.position[24][1], 3.0, 1e-15);
    assert_near(exact->bodies.position[24][2], 3.5, 1e-15);
    plu_world_destroy(world);
    plu_world_destroy(exact);
}

static void test_radii_are_uniform_and_follow_the_seed(void **state)
{
    (void)state;
    small_scene small;
    small_scene_init(&small);
    plu_body_spec *spec = small_scene_bodies(&small, PLU_LATTICE, 0.1);
    spec->radius[1] = 0.3;
    spec->spacing = 1.0;
    spec->counts[0] = spec->counts[1] = spec->counts[2] = 20;
    plu_world *world = small_world(&small), *again = small_world(&small);
    small.scene.seed = 2;
    plu_world *other = small_world(&small);
    double sum = 0.0, squares = 0.0;
    for (int b = 0; b < world->bodies.count; b++) {
        const double r = world->bodies.position[b][3];
        assert_true(r >= 0.1 && r < 0.3);
        sum += r / world->bodies.count;
        squares += (r - 0.2) * (r - 0.2) / world->bodies.count;
    }
    /* 8000 numbers of deviation 0.2 / sqrt(12): five standard errors */
    assert_near(sum, 0.2, 5 * 0.2 / sqrt(12.0 * 8000));
    assert_near(squares, 0.04 / 12, 5 * 0.04 / 12 / sqrt(8000));
    assert_true(plu_world_hash(world) == plu_world_hash(again));
    assert_true(plu_world_hash(world) != plu_world_hash(other));
    plu_world_destroy(world);
    plu_world_destroy(again);
    plu_world_destroy(other);
}

static void assert_no_overlap(const plu_world *world)
{
    for (int a = 0; a < world->bodies.count; a++)
        for (int b = 0; b < a; b++) {
            double from[3];
            plu_sub(world->bodies.position[a], world->bodies.position[b], from);
            assert_true(plu_norm(from) >=
                        world->bodies.position[a][3] + world->bodies.position[b][3]);
        }
}

static void test_packing_in_a_box(void **state)
{
    (void)state;
    small_scene small;
    small_scene_init(&small);
    small_scene_sphere(&small, 0.5, 0.5, 0.5, 0.2);
    plu_body_spec *spec = small_scene_bodies(&small, PLU_PACKING, 0.004);
    spec->radius[1] = 0.08; /* 1:20 */
    spec->count = 400;
    memcpy(spec->box, (double[2][3]){{0, 0, 0}, {1, 1, 1}}, sizeof spec->box);
    plu_world *world = small_world(&small), *again = small_world(&small);
    assert_int_equal(world->bodies.count, 401);
    assert_no_overlap(world);
    for (int b = 1; b < world->bodies.count; b++) {
        for (int k = 0; k < 3; k++) {
            assert_true(world->bodies.position[b][k] - world->bodies.position[b][3] >= -1e-15);
            assert_true(world->bodies.position[b][k] + world->bodies.position[b][3] <= 1.0 + 1e-15);
        }
    }
    assert_true(plu_world_hash(world) == plu_world_hash(again));
    plu_world_destroy(world);
    plu_world_destroy(again);
}

/* Mean distance from one sphere to the next: that of a random order would be 0.66. */
static void test_packing_is_in_space_order(void **state)
{
    (void)state;
    small_scene small;
    small_scene_init(&small);
    plu_body_spec *spec = small_scene_bodies(&small, PLU_PACKING, 0.01);
    spec->radius[1] = 0.02;
    spec->count = 5000;
    memcpy(spec->box, (double[2][3]){{-1, 0, 0}, {0, 1, 1}}, sizeof spec->box);
    plu_world *world = small_world(&small);
    double way = 0.0, volume = 0.0;
    for (int b = 0; b < world->bodies.count; b++) {
        const double *x = world->bodies.position[b], r = x[3];
        double step[3];
        plu_sub(x, world->bodies.position[b > 0 ? b - 1 : 0], step);
        way += plu_norm(step);
        volume += 4.0 / 3.0 * PI * r * r * r;
        assert_near(1.0 / world->bodies.row[b][6], 2500.0 * 4.0 / 3.0 * PI * r * r * r, 1e-12);
    }
    assert_true(way / world->bodies.count < 0.1);
    assert_near(volume / world->bodies.count, 4.0 / 3.0 * PI * 3.75e-6, 2e-7);
    plu_world_destroy(world);
}

static void test_packing_in_a_cylinder_avoids_boundaries(void **state)
{
    (void)state;
    small_scene small;
    small_scene_init(&small);
    plu_boundary_spec *plate = small_scene_plate(&small, 1.2);
    plate->center[2] = 1.0;
    plu_body_spec *spec = small_scene_bodies(&small, PLU_PACKING, 0.1);
    spec->count = 200;
    spec->cylinder_radius = 1.0;
    spec->cylinder_height = 2.0;
    plu_world *world = small_world(&small);
    assert_no_overlap(world);
    int above = 0;
    for (int b = 0; b < world->bodies.count; b++) {
        const double *x = world->bodies.position[b];
        double normal[3];
        assert_true(hypot(x[0], x[1]) + 0.1 <= 1.0 + 1e-12);
        assert_true(x[2] >= 0.1 - 1e-12 && x[2] <= 1.9 + 1e-12);
        assert_true(plu_part_gap(&world->parts[0], x, normal) >= 0.0);
        above += x[2] > 1.0;
    }
    assert_true(above > 50 && above < 150);
    plu_world_destroy(world);
}

/* Around a sphere, in a bowl, and on both sides of a cone. */
static void test_packing_avoids_curved_boundaries(void **state)
{
    (void)state;
    small_scene small;
    small_scene_init(&small);
    plu_boundary_spec *sphere = small_scene_boundary(&small, PLU_FIXED_SPHERE);
    sphere->center[0] = 0.5;
    sphere->radius = 0.4;
    plu_boundary_spec *bowl = small_scene_boundary(&small, PLU_FIXED_SPHERE);
    bowl->radius = 1.2;
    bowl->inside = true;
    plu_boundary_spec *cone = small_scene_boundary(&small, PLU_CONE);
    cone->center[0] = -0.5;
    cone->radii[1] = 0.5;
    cone->height = 1.0;
    plu_body_spec *spec = small_scene_bodies(&small, PLU_PACKING, 0.05);
    spec->count = 400;
    memcpy(spec->box, (double[2][3]){{-1, -1, -1}, {1, 1, 1}}, sizeof spec->box);
    plu_world *world = small_world(&small);
    assert_no_overlap(world);
    assert_int_equal(world->parts_count, 5);
    for (int b = 0; b < world->bodies.count; b++)
        for (int p = 0; p < world->parts_count; p++) {
            double normal[3];
            assert_true(plu_part_gap(&world->parts[p], world->bodies.position[b], normal) >= 0.0);
        }
    plu_world_destroy(world);
}

static void test_packing_gives_up(void **state)
{
    (void)state;
    small_scene small;
    small_scene_init(&small);
    small_scene_sphere(&small, 5, 5, 5, 0.1);
    plu_body_spec *spec = small_scene_bodies(&small, PLU_PACKING, 0.05);
    spec->count = 1000; /* 1000 pi/6 0.1^3 = 0.524 */
    memcpy(spec->box, (double[2][3]){{0, 0, 0}, {1, 1, 1}}, sizeof spec->box);
    const char *text = small_world_refused(&small, "scene.cfg:2: ");
    assert_non_null(strstr(text, " of 1000 spheres"));
    assert_non_null(strstr(text, "0.524"));
    assert_non_null(strstr(text, "0.35"));
    spec->radius[1] = 0.6; /* larger than the box */
    small_world_refused(&small, "too narrow");
}

static void test_overlaps_are_named(void **state)
{
    (void)state;
    small_scene small;
    small_scene_init(&small);
    small_scene_plate(&small, 4.0);
    small_scene_sphere(&small, 0, 0, 0.1, 0.1);
    small_scene_sphere(&small, 0, 0, 1.1, 0.9); /* touches the first */
    plu_world_destroy(small_world(&small));
    small.bodies[1].position[2] = 1.09;
    const char *text = small_world_refused(&small, "scene.cfg:1: sphere 0 overlaps sphere 1 ");
    assert_non_null(strstr(text, "(scene.cfg:2) by 0.01 m, 5 % of the smaller diameter"));
    assert_non_null(strstr(text, "1 overlap of"));
    small.bodies[1].position[2] = 1.1;
    small.bodies[0].position[2] = 0.08; /* into the plate */
    text = small_world_refused(&small, "sphere 0 overlaps boundary \"wall-1\" (scene.cfg:1)");
    assert_non_null(strstr(text, "by 0.02 m, 10 % of its diameter"));
    small.scene.allow_overlap = true;
    plu_world_destroy(small_world(&small));
}

/* Contacts at rest overlap by the slop, and the last percent of it is left to them. */
static void test_overlaps_up_to_the_slop_are_none(void **state)
{
    (void)state;
    small_scene small;
    small_scene_init(&small);
    small_scene_plate(&small, 4.0);
    small.scene.slop = 1e-3;
    const double slop = 2e-4, less = 1.005 * slop, more = 1.02 * slop; /* of the smaller one */
    small_scene_sphere(&small, 0, 0, 0.1 - less, 0.1);
    small_scene_sphere(&small, 0, 0, 1.1 - 2.0 * less, 0.9);
    plu_world_destroy(small_world(&small));
    small.bodies[1].position[2] = 1.1 - less - more;
    small_world_refused(&small, "sphere 0 overlaps sphere 1 ");
    small.bodies[1].position[2] = 1.1;
    small.bodies[0].position[2] = 0.1 - more;
    small_world_refused(&small, "sphere 0 overlaps boundary");
}

/* Pairs found by the check against all pairs, for a cloud with sizes 1:50. */
static void test_overlaps_are_all_counted(void **state)
{
    (void)state;
    small_scene small;
    small_scene_init(&small);
    for (int n = 0; n < 2; n++) {
        plu_body_spec *spec = small_scene_bodies(&small, PLU_LATTICE, n ? 0.02 : 1.0);
        spec->radius[0] *= 0.5;
        spec->counts[0] = spec->counts[1] = spec->counts[2] = n ? 12 : 3;
        spec->spacing = n ? 0.4 : 1.6;
        spec->jitter = 1.0;
    }
    small.scene.allow_overlap = true;
    plu_world *world = small_world(&small);
    long pairs = 0;
    for (int a = 0; a < world->bodies.count; a++)
        for (int b = 0; b < a; b++) {
            double from[3];
            plu_sub(world->bodies.position[a], world->bodies.position[b], from);
            pairs += plu_norm(from) < world->bodies.position[a][3] + world->bodies.position[b][3];
        }
    assert_true(pairs > 100);
    plu_world_destroy(world);
    small.scene.allow_overlap = false;
    char text[64];
    snprintf(text, sizeof text, ": %ld overlaps of initial spheres", pairs);
    small_world_refused(&small, text);
}

static void test_laws_are_symmetric_and_needed(void **state)
{
    (void)state;
    small_scene small;
    small_scene_init(&small);
    small_scene_sphere(&small, 0, 0, 1, 0.1);
    small_scene_sphere(&small, 0, 0, 2, 0.1);
    small_scene_plate(&small, 1.0);
    small.laws[1].friction = 0.7;
    plu_world *world = small_world(&small);
    assert_near(plu_world_law(world, SMALL_GRAIN, SMALL_PLATE)->friction, 0.7, 0.0);
    assert_near(plu_world_law(world, SMALL_PLATE, SMALL_GRAIN)->friction, 0.7, 0.0);
    assert_int_equal(plu_world_law(world, SMALL_PLATE, SMALL_GRAIN)->index, 1);
    assert_int_equal(plu_world_law(world, SMALL_PLATE, SMALL_PLATE)->index, -1);
    plu_world_destroy(world);

    small.scene.laws_count = 1;
    small_world_refused(&small, "scene.cfg:1: no contact law between \"grain\" and \"plate\"");
    small.scene.boundaries_count = 0; /* then it is not needed */
    plu_world_destroy(small_world(&small));
    small.scene.laws_count = 0;
    small_world_refused(&small, "no contact law between \"grain\" and \"grain\"");
    small.scene.bodies_count = 1; /* one sphere meets no other */
    plu_world_destroy(small_world(&small));
    small.bodies[0].material = SMALL_PLATE;
    small_world_refused(&small, "material \"plate\" has no density");
}

static void test_too_many_spheres(void **state)
{
    (void)state;
    small_scene small;
    small_scene_init(&small);
    plu_body_spec *spec = small_scene_bodies(&small, PLU_LATTICE, 0.1);
    spec->counts[0] = spec->counts[1] = spec->counts[2] = 2147483647;
    small_world_refused(&small, "scene.cfg:1: ");
}

static void test_energy_and_hash(void **state)
{
    (void)state;
    small_scene small;
    small_scene_init(&small);
    small_scene_sphere(&small, 0, 0, 2, 0.5);
    plu_world *world = small_world(&small);
    const double mass = 2500.0 * PI / 6.0;
    double *v = world->bodies.row[0];
    memcpy(v, (double[6]){1, -2, 3, 4, 5, 6}, 6 * sizeof *v);
    const plu_energy energy = plu_world_energy(world);
    assert_near(energy.translation, 0.5 * mass * 14, 1e-9);
    assert_near(energy.rotation, 0.5 * 0.1 * mass * 77, 1e-9);
    assert_near(energy.potential, mass * 9.81 * 2, 1e-9);
    const uint64_t before = plu_world_hash(world);
    v[5] = 1e6;
    assert_true(plu_world_hash(world) != before);
    v[5] = 6;
    assert_true(plu_world_hash(world) == before);
    world->bodies.orientation[0][3] = 1e-9;
    assert_true(plu_world_hash(world) != before);
    plu_world_destroy(world);
    plu_world_destroy(NULL);
}

static void test_energy_does_not_depend_on_threads(void **state)
{
    (void)state;
    small_scene small;
    small_scene_init(&small);
    plu_body_spec *spec = small_scene_bodies(&small, PLU_LATTICE, 0.1);
    spec->radius[1] = 0.3;
    spec->spacing = 1.0;
    spec->jitter = 0.1;
    spec->counts[0] = spec->counts[1] = spec->counts[2] = 30;
    plu_world *world = small_world(&small);
    const int threads = omp_get_max_threads();
    omp_set_num_threads(1);
    const double one = plu_world_energy(world).potential;
    omp_set_num_threads(3);
    const double three = plu_world_energy(world).potential;
    omp_set_num_threads(threads);
    assert_near(three, one, 0.0);
    double sum = 0.0;
    for (int b = 0; b < world->bodies.count; b++)
        sum += 9.81 / world->bodies.row[b][6] * world->bodies.position[b][2];
    assert_near(one, sum, 1e-9 * sum);
    plu_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mass_and_inertia_of_a_sphere),
        cmocka_unit_test(test_masses_are_numbers),
        cmocka_unit_test(test_lattice_runs_along_x_first),
        cmocka_unit_test(test_radii_are_uniform_and_follow_the_seed),
        cmocka_unit_test(test_packing_in_a_box),
        cmocka_unit_test(test_packing_is_in_space_order),
        cmocka_unit_test(test_packing_in_a_cylinder_avoids_boundaries),
        cmocka_unit_test(test_packing_avoids_curved_boundaries),
        cmocka_unit_test(test_packing_gives_up),
        cmocka_unit_test(test_overlaps_are_named),
        cmocka_unit_test(test_overlaps_up_to_the_slop_are_none),
        cmocka_unit_test(test_overlaps_are_all_counted),
        cmocka_unit_test(test_laws_are_symmetric_and_needed),
        cmocka_unit_test(test_too_many_spheres),
        cmocka_unit_test(test_energy_and_hash),
        cmocka_unit_test(test_energy_does_not_depend_on_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
