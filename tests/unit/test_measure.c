/* Numbers of piles that were put together by hand. */
#include "pluvia/tool/measure.h"
#include "worlds.h"

/* Four spheres in a square of side 2 on z = 5, a larger one on top, one below the base. */
static void test_pile_of_five(void **state)
{
    (void)state;
    small_scene small;
    small_scene_init(&small);
    for (int k = 0; k < 4; k++)
        small_scene_sphere(&small, 10.0 + (k & 1 ? 1 : -1), 20.0 + (k & 2 ? 1 : -1), 5.5, 0.5);
    small_scene_sphere(&small, 10.0, 20.0, 6.75, 0.75);
    small_scene_sphere(&small, 40.0, 20.0, 4.0, 0.5);
    small_scene_feeder(&small, 3, 1.0, 0.5)->height = 9.0; /* waiting: not counted */
    plu_world *world = small_world(&small);
    plu_pile pile;
    const plu_view view = plu_view_world(world);
    plu_measure_pile(&pile, &view, 5.0);
    assert_int_equal(pile.spheres, 5);
    assert_near(pile.height, 2.5, 1e-14);
    assert_near(pile.mean_height, (4 * 0.5 + 1.75) / 5, 1e-14);
    assert_int_equal(pile.bottom, 4);
    assert_near(pile.mean_radius, sqrt(2.0), 1e-14);
    assert_near(pile.base_radius, sqrt(2.0) + 0.5, 1e-14);
    plu_world_destroy(world);
}

static void test_bottom_layer_ends_at_a_twentieth_of_a_radius(void **state)
{
    (void)state;
    small_scene small;
    small_scene_init(&small);
    small_scene_sphere(&small, 0, 0, 0.104, 0.1);
    small_scene_sphere(&small, 1, 0, 0.106, 0.1);
    small_scene_sphere(&small, 3, 0, 0.098, 0.1); /* a little inside the plate */
    plu_world *world = small_world(&small);
    plu_pile pile;
    const plu_view view = plu_view_world(world);
    plu_measure_pile(&pile, &view, 0.0);
    assert_int_equal(pile.spheres, 3);
    assert_int_equal(pile.bottom, 2);
    assert_near(pile.mean_radius, 1.5, 1e-14);
    plu_world_destroy(world);
}

/* A world and its view have the same energy; what waits has none. */
static void test_a_view_of_a_world(void **state)
{
    (void)state;
    small_scene small;
    small_scene_init(&small);
    for (int k = 0; k < 3; k++) {
        plu_body_spec *sphere = small_scene_sphere(&small, k, 1.0, 2.0, 0.1 * (k + 1));
        memcpy(sphere->velocity, (double[3]){1.0, -2.0, k}, sizeof sphere->velocity);
        memcpy(sphere->angular_velocity, (double[3]){30.0, 40.0, k},
               sizeof sphere->angular_velocity);
    }
    small_scene_feeder(&small, 3, 1.0, 0.5)->height = 9.0;
    plu_world *world = small_world(&small);
    const plu_view view = plu_view_world(world);
    const plu_energy want = plu_world_energy(world), got = plu_measure_energy(&view);
    assert_near(got.translation, want.translation, 1e-12 * want.translation);
    assert_near(got.rotation, want.rotation, 1e-12 * want.rotation);
    assert_near(got.potential, want.potential, 1e-12 * want.potential);
    assert_true(want.rotation > 0.0);
    plu_world_destroy(world);
}

static void test_nothing_above_the_base(void **state)
{
    (void)state;
    small_scene small;
    small_scene_init(&small);
    small_scene_sphere(&small, 0, 0, 0, 0.1);
    plu_world *world = small_world(&small);
    plu_pile pile;
    const plu_view view = plu_view_world(world);
    plu_measure_pile(&pile, &view, 1.0);
    assert_int_equal(pile.spheres, 0);
    assert_int_equal(pile.bottom, 0);
    assert_near(pile.height, 0.0, 0.0);
    assert_near(pile.mean_height, 0.0, 0.0);
    assert_near(pile.mean_radius, 0.0, 0.0);
    plu_world_destroy(world);
}

/* Boundaries of a world bound volumes, too. */
static void test_the_room_in_a_world(void **state)
{
    (void)state;
    small_scene small;
    small_scene_init(&small);
    plu_boundary_spec *tube = small_scene_boundary(&small, PLU_CYLINDER);
    tube->radius = 0.5;
    tube->height = 2.0;
    small_scene_sphere(&small, 0.0, 0.0, 0.5, 0.2);
    plu_world *world = small_world(&small);
    const plu_view view = plu_view_world(world);
    const plu_region box = {{-1.0, -1.0, 0.0}, {1.0, 1.0, 1.0}};
    assert_near(plu_measure_room(&view, &box).volume, atan(1.0), 1e-12);
    plu_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pile_of_five),
        cmocka_unit_test(test_bottom_layer_ends_at_a_twentieth_of_a_radius),
        cmocka_unit_test(test_a_view_of_a_world),
        cmocka_unit_test(test_the_room_in_a_world),
        cmocka_unit_test(test_nothing_above_the_base),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
