/* Inlets: how many spheres, when each is due, where it comes in, and who waits for whom; packings
 * that are filled to a solid fraction. */
#include "base/vec3.h"
#include "fill/inlet.h"
#include "near.h"
#include "worlds.h"

static plu_feeder_spec *small_scene_inlet(small_scene *small, double radius)
{
    plu_feeder_spec *inlet = small_scene_feeder(small, 0, 0.0, radius);
    inlet->kind = PLU_INLET;
    inlet->area = (plu_area_spec){
        .kind = PLU_AREA_BOX, .normal = {0, 0, 1}, .direction = {1, 0, 0}, .center = {0, 0, 5}};
    return inlet;
}

static void release_at(plu_world *world, double time)
{
    plu_error err = {0};
    double inserted = 0.0;
    world->time = time;
    assert_int_equal(plu_world_release(world, NULL, &inserted, &err), PLU_OK);
}

static double mass_of(const plu_world *world, int body)
{
    return 1.0 / world->bodies.row[body][6];
}

/* By number at start + k / rate, up to the stop; by mass flow when the masses before have passed.
 */
static void test_times(void **state)
{
    (void)state;
    small_scene small;
    small_scene_init(&small);
    plu_feeder_spec *inlet = small_scene_inlet(&small, 0.1);
    inlet->radius[1] = 0.3;
    inlet->start = 0.5;
    inlet->rate = 8.0;
    inlet->stop = 3.0;
    plu_world *world = small_world(&small);
    assert_int_equal(world->bodies.count, 20);
    for (int k = 0; k < 20; k++)
        assert_near(world->bodies.release[k], 0.5 + 0.125 * k, 1e-15);
    plu_world_destroy(world);

    inlet->rate = 0.0;
    inlet->mass_flow = 40.0;
    world = small_world(&small);
    double before = 0.0;
    for (int k = 0; k < world->bodies.count; k++) {
        assert_near(world->bodies.release[k], 0.5 + before / 40.0, 1e-12);
        before += mass_of(world, k);
    }
    /* E m of radii from 0.1 to 0.3 m, each drawn by itself: 100 kg are so many in the mean */
    const double mean = 2500.0 * 16.0 / 3.0 * atan(1.0) * 0.01;
    assert_int_equal(world->bodies.count, (int)rint(100.0 / mean));
    assert_near(plu_world_feed(world, 0).asked * plu_world_feed(world, 0).sphere_mass, 40.0, 1e-9);
    plu_world_destroy(world);

    static const struct {
        double mass, stop;
        int count, made;
    } ends[] = {{1000.0, 0.0, 0, 10}, {1000.0, 3.0, 0, 1}, {1000.0, 0.0, 7, 7}, {1.0, 0.0, 0, 1}};
    inlet->radius[0] = inlet->radius[1] = cbrt(100.0 / 2500.0 * 3.0 / (16.0 * atan(1.0)));
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
        inlet->mass = ends[k].mass;
        inlet->stop = ends[k].stop;
        inlet->count = ends[k].count;
        world = small_world(&small);
        assert_int_equal(plu_world_made(world, 0), ends[k].made);
        plu_world_destroy(world);
    }
}

/* Places of many spheres: they lie in the area, spread evenly: variances size^2 / 12, radius^2 / 4.
 */
static void check_area(const plu_area_spec *area, const double axes[3][3], const double variance[3],
                       const double most[3])
{
    enum { COUNT = 20000 };
    small_scene small;
    small_scene_init(&small);
    small_scene_inlet(&small, 0.1)->area = *area;
    double middle[3], mean[3] = {0}, moment[3] = {0};
    for (int i = 0; i < 3; i++)
        middle[i] = area->kind == PLU_AREA_LINE ? 0.5 * (area->ends[0][i] + area->ends[1][i])
                                                : area->center[i];
    for (int k = 0; k < COUNT; k++) {
        double x[3], from[3];
        plu_inlet_place(&small.scene, 0, k / 2, k % 2, x); /* two tries of each */
        plu_sub(x, middle, from);
        for (int i = 0; i < 3; i++) {
            const double along = plu_dot(from, axes[i]);
            assert_true(fabs(along) <= most[i] + 1e-12);
            mean[i] += along / COUNT;
            moment[i] += along * along / COUNT;
        }
    }
    for (int i = 0; i < 3; i++) {
        assert_near(mean[i], 0.0, 5.0 * sqrt(variance[i] / COUNT) + 1e-12);
        assert_near(moment[i], variance[i], 5.0 * variance[i] / sqrt(COUNT) + 1e-12);
    }
}

static void test_areas_at_any_angle(void **state)
{
    (void)state;
    static const double axes[3][3] = {{0.6, 0.0, -0.8}, {0.0, 1.0, 0.0}, {0.8, 0.0, 0.6}};
    plu_area_spec area = {.kind = PLU_AREA_BOX,
                          .center = {1, -2, 3},
                          .normal = {0.8, 0.0, 0.6},
                          .direction = {0.6, 0.0, -0.8},
                          .size = {2.0, 1.0, 0.5},
                          .radius = 2.0};
    check_area(&area, axes, (const double[3]){4 / 12.0, 1 / 12.0, 0.25 / 12.0},
               (const double[3]){1.0, 0.5, 0.25});
    area.kind = PLU_AREA_DISC;
    check_area(&area, axes, (const double[3]){1.0, 1.0, 0.0}, (const double[3]){2.0, 2.0, 0.0});
    area.kind = PLU_AREA_LINE;
    memcpy(area.ends, (double[2][3]){{1.6, 3, -0.8}, {0.4, 3, 0.8}}, sizeof area.ends);
    check_area(&area, axes, (const double[3]){4 / 12.0, 0.0, 0.0},
               (const double[3]){1.0, 0.0, 0.0});
}

/* The first one does not fit anywhere; the others pass it, in their order. It comes when there is
 * room, in the place of its last try, and what it owes is said. */
static void test_a_blocked_sphere_blocks_nobody(void **state)
{
    enum { COUNT = 30 };
    (void)state;
    small_scene small;
    small_scene_init(&small);
    plu_feeder_spec *inlet = small_scene_inlet(&small, 0.01);
    inlet->count = COUNT;
    inlet->rate = 1e9; /* all are due at once */
    inlet->area.size[0] = inlet->area.size[1] = 2.0;
    small_scene_sphere(&small, 0.0, 0.0, 5.6, 0.5);
    plu_world *world = small_world(&small);
    world->bodies.position[1][3] = 0.15; /* the first of the inlet: it reaches the lid everywhere */
    world->bodies.position[0][3] = 3.0;  /* the lid */
    world->bodies.position[0][2] = 8.02;
    release_at(world, 1e-3);
    assert_int_equal(world->bodies.state[1], PLU_WAITING);
    assert_int_equal(world->queue_head[0], 1);
    int came = 0;
    for (int b = 2; b <= COUNT; b++)
        came += world->bodies.state[b] == PLU_ACTIVE;
    assert_true(came > COUNT / 2);
    release_at(world, 2e-3);
    const plu_feed feed = plu_world_feed(world, 0);
    assert_int_equal(feed.delayed, COUNT - came);
    assert_int_equal(feed.released, plu_world_active(world) - 1);
    assert_near(feed.mass_due - feed.mass, mass_of(world, 1) * (COUNT - feed.released), 1e-9);
    world->bodies.state[0] = PLU_REMOVED;
    for (int step = 3; step < 100; step++)
        release_at(world, 1e-3 * step);
    assert_int_equal(plu_world_waiting(world), 0);
    assert_int_equal(world->queue_head[0], COUNT + 1);
    for (int a = 1; a <= COUNT; a++)
        for (int b = 1; b < a; b++) {
            double from[3];
            plu_apart(&world->space, world->bodies.position[a], world->bodies.position[b], from);
            assert_true(plu_norm(from) >=
                        world->bodies.position[a][3] + world->bodies.position[b][3]);
        }
    plu_world_destroy(world);
}

/* Set to a moment at which some in the middle of the queue have come, it goes on as it would have.
 */
static void test_goes_on_from_a_moment(void **state)
{
    enum { COUNT = 12 };
    (void)state;
    small_scene small;
    small_scene_init(&small);
    plu_feeder_spec *inlet = small_scene_inlet(&small, 0.01);
    inlet->count = COUNT;
    inlet->rate = 1000.0;
    inlet->area.size[0] = 1.0;
    plu_world *world = small_world(&small);
    double position[COUNT][3] = {{0}}, velocity[COUNT][3] = {{0}};
    unsigned char states[COUNT] = {1, 0, 1, 1, 0, 3, 0, 0, 0, 0, 0, 0};
    for (int k = 0; k < COUNT; k++)
        position[k][0] = 10.0 * k;
    plu_error err = {0};
    assert_int_equal(plu_world_set(world, 0.02, 20, (const double(*)[3])position,
                                   (const double(*)[3])velocity, (const double(*)[3])velocity, NULL,
                                   states, &err),
                     PLU_OK);
    assert_int_equal(world->queue_head[0], 1);
    assert_int_equal(plu_world_waiting(world), 8);
    assert_int_equal(plu_world_feed(world, 0).released, 4);
    for (int step = 21; step < 80; step++)
        release_at(world, 1e-3 * step);
    assert_int_equal(plu_world_waiting(world), 0);
    assert_int_equal(world->bodies.state[5], PLU_REMOVED);
    plu_world_destroy(world);
}

/* A wide area lets 0.3 A v of volume through, whatever its angle to the way; a point one sphere in
 * the time in which it moves by its diameter, also by falling from rest. */
static void test_what_an_area_lets_through(void **state)
{
    (void)state;
    small_scene small;
    small_scene_init(&small);
    plu_feeder_spec *inlet = small_scene_inlet(&small, 0.01);
    const double volume = 16.0 / 3.0 * atan(1.0) * 1e-6, wide = 1000.0;
    inlet->velocity[2] = -100.0; /* gravity is nothing beside it */
    inlet->area.size[0] = inlet->area.size[1] = wide;
    assert_near(plu_feeder_most(&small.scene, 0, 0.02, volume) * volume /
                    (0.34 * wide * wide * 100.0),
                1.0, 1e-3);
    memcpy(inlet->area.normal, (double[3]){0.6, 0.0, 0.8}, sizeof inlet->area.normal);
    memcpy(inlet->area.direction, (double[3]){0.8, 0.0, -0.6}, sizeof inlet->area.direction);
    assert_near(plu_feeder_most(&small.scene, 0, 0.02, volume) * volume /
                    (0.34 * wide * wide * 80.0),
                1.0, 1e-3);
    inlet->area.kind = PLU_AREA_DISC;
    inlet->area.radius = wide;
    assert_near(plu_feeder_most(&small.scene, 0, 0.02, volume) * volume /
                    (1.36 * atan(1.0) * wide * wide * 80.0),
                1.0, 1e-3);
    inlet->area.kind = PLU_AREA_LINE;
    assert_near(plu_feeder_most(&small.scene, 0, 0.02, volume), 5000.0, 1.0);
    inlet->velocity[2] = 0.0;
    assert_near(plu_feeder_most(&small.scene, 0, 0.02, volume), sqrt(9.81 / 0.04), 1e-9);
    inlet->area.ends[1][1] = wide;
    assert_near(plu_feeder_most(&small.scene, 0, 0.02, volume) * volume /
                    (0.34 * wide * 0.02 * sqrt(9.81 * 0.01)),
                1.0, 1e-3);
}

/* As many as fill the region, or the lower part of it, in the mean. */
static void test_filled_packings(void **state)
{
    (void)state;
    for (int round = 0; round < 2; round++) {
        small_scene small;
        small_scene_init(&small);
        plu_body_spec *bodies = small_scene_bodies(&small, PLU_PACKING, 0.02);
        bodies->radius[1] = 0.04;
        bodies->sizes = (plu_size_spec){
            .kind = PLU_UNIFORM, .by = PLU_BY_NUMBER, .range = {0.02, 0.04}, .stratified = true};
        bodies->has_fill = true;
        bodies->fill_fraction = round ? 0.6 : 0.25;
        bodies->fill_height = round ? 0.4 : 0.0;
        if (round) {
            bodies->cylinder_radius = 0.5;
            bodies->cylinder_height = 1.0;
        } else {
            memcpy(bodies->box, (double[2][3]){{0, 0, 1}, {1, 0.5, 2}}, sizeof bodies->box);
        }
        plu_world *world = small_world(&small);
        double volume = 0.0;
        for (int b = 0; b < world->bodies.count; b++)
            volume += mass_of(world, b) / 2500.0;
        assert_near(volume / (round ? 0.6 * 0.4 * atan(1.0) : 0.125), 1.0, 2e-3);
        assert_int_equal(plu_world_made(world, 0), world->bodies.count);
        plu_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_times),
        cmocka_unit_test(test_areas_at_any_angle),
        cmocka_unit_test(test_a_blocked_sphere_blocks_nobody),
        cmocka_unit_test(test_goes_on_from_a_moment),
        cmocka_unit_test(test_what_an_area_lets_through),
        cmocka_unit_test(test_filled_packings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
