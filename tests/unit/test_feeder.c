/* Bodies that come and go: feeders, their waiting, the domain, and the energy of it all. */
#include "base/vec3.h"
#include "near.h"
#include "worlds.h"

struct heard {
    int lines;
    char text[4][256];
};

static void hear(void *user, plu_log_level level, const char *text)
{
    (void)level;
    struct heard *heard = user;
    if (heard->lines < 4)
        snprintf(heard->text[heard->lines], sizeof heard->text[0], "%s", text);
    heard->lines++;
}

/* Releases what is due at `time`; returns the energy that came in. */
static double release_at(plu_world *world, double time, struct heard *heard)
{
    const plu_log log = {hear, heard};
    plu_error err = {0};
    double inserted = 0.0;
    world->time = time;
    assert_int_equal(plu_world_release(world, heard ? &log : NULL, &inserted, &err), PLU_OK);
    return inserted;
}

static double energy_of(const plu_world *world)
{
    const plu_energy energy = plu_world_energy(world);
    return energy.translation + energy.rotation + energy.potential;
}

static void test_times_and_state(void **state)
{
    (void)state;
    small_scene small;
    small_scene_init(&small);
    small_scene_sphere(&small, 3, 0, 0, 0.1);
    plu_feeder_spec *feeder = small_scene_feeder(&small, 4, 0.25, 0.1);
    feeder->start = 0.5;
    feeder->height = 2.0;
    feeder->square = 1e-3;
    memcpy(feeder->velocity, (double[3]){1, 2, 3}, sizeof feeder->velocity);
    plu_world *world = small_world(&small);
    assert_int_equal(world->bodies.count, 5);
    assert_int_equal(plu_world_waiting(world), 4);
    for (int k = 0; k < 4; k++) {
        assert_near(world->bodies.release[1 + k], 0.5 + 0.25 * k, 1e-15);
        assert_near(world->bodies.position[1 + k][2], 2.0, 0.0);
    }
    release_at(world, 0.499, NULL);
    assert_int_equal(plu_world_active(world), 1);
    const long generation = world->generation;
    const double before = energy_of(world);
    const double inserted = release_at(world, 0.5 - 1e-13, NULL); /* due but for rounding */
    assert_int_equal(plu_world_active(world), 2);
    assert_int_equal(world->bodies.state[1], PLU_ACTIVE);
    assert_int_equal(world->bodies.state[2], PLU_WAITING);
    assert_true(world->generation > generation);
    assert_near(energy_of(world) - before, inserted, 1e-12);
    const double mass = 1.0 / world->bodies.row[1][6];
    assert_near(inserted, mass * (7.0 + 9.81 * 2.0), 1e-9);
    plu_world_destroy(world);
}

/* Positions of many spheres: bounds, mean and second moment of a uniform square or disc. */
static void check_footprint(bool round)
{
    enum { COUNT = 20000 };
    small_scene small;
    small_scene_init(&small);
    plu_feeder_spec *feeder = small_scene_feeder(&small, COUNT, 0.25, 0.1);
    feeder->center[0] = 1.0;
    feeder->center[1] = -2.0;
    *(round ? &feeder->disc : &feeder->square) = 4.0;
    feeder->radius[1] = 0.3;
    plu_world *world = small_world(&small);
    double mean[3] = {0}, moment[2] = {0}, farthest = 0.0;
    for (int b = 0; b < COUNT; b++) {
        const double *x = world->bodies.position[b];
        const double dx = x[0] - 1.0, dy = x[1] + 2.0;
        farthest = fmax(farthest, round ? hypot(dx, dy) : fmax(fabs(dx), fabs(dy)));
        mean[0] += dx / COUNT;
        mean[1] += dy / COUNT;
        mean[2] += x[3] / COUNT;
        moment[0] += dx * dx / COUNT;
        moment[1] += dy * dy / COUNT;
    }
    assert_true(farthest <= 2.0 && farthest > 1.99);
    /* variances: side^2 / 12 and radius^2 / 4; five standard errors */
    const double variance = round ? 1.0 : 16.0 / 12.0;
    for (int k = 0; k < 2; k++) {
        assert_near(mean[k], 0.0, 5 * sqrt(variance / COUNT));
        assert_near(moment[k], variance, 5 * variance * sqrt(1.0 / COUNT));
    }
    assert_near(mean[2], 0.2, 5 * 0.2 / sqrt(12.0 * COUNT));
    plu_world_destroy(world);
}

static void test_footprints(void **state)
{
    (void)state;
    check_footprint(false);
    check_footprint(true);
}

static void test_a_blocked_feeder_waits_and_says_so_once(void **state)
{
    (void)state;
    small_scene small;
    small_scene_init(&small);
    small_scene_feeder(&small, 4, 0.125, 0.1); /* all at one point */
    plu_world *world = small_world(&small);
    struct heard heard = {0};
    release_at(world, 0.0, &heard);
    assert_int_equal(plu_world_active(world), 1);
    assert_int_equal(heard.lines, 0);
    release_at(world, 0.13, &heard); /* late by a few steps: counted, no word of it */
    assert_int_equal(plu_world_delayed(world), 1);
    assert_int_equal(heard.lines, 0);
    for (int k = 0; k < 5; k++)
        release_at(world, 1.0 + k, &heard);
    assert_int_equal(plu_world_active(world), 1);
    assert_int_equal(plu_world_delayed(world), 3); /* two behind it, too */
    assert_int_equal(heard.lines, 1);
    assert_string_equal(heard.text[0],
                        "feeder 1: sphere 1 waits for a free place since t = 0.125 s "
                        "(sphere 0 is in the way)");
    world->bodies.position[0][2] = -0.1999;
    release_at(world, 6.0, &heard);
    assert_int_equal(plu_world_active(world), 1);
    world->bodies.position[0][2] = -0.2; /* touching is no overlap */
    release_at(world, 7.0, &heard);
    assert_int_equal(plu_world_active(world), 2); /* and the next one waits for this one */
    assert_int_equal(plu_world_delayed(world), 3);
    assert_int_equal(heard.lines, 2);
    assert_string_equal(heard.text[1],
                        "feeder 1: sphere 1 is released at t = 7 s; later delays are "
                        "only counted");
    world->bodies.position[1][0] = 0.5;
    release_at(world, 8.0, &heard);
    world->bodies.position[2][0] = -0.5;
    release_at(world, 9.0, &heard);
    assert_int_equal(plu_world_active(world), 4);
    assert_int_equal(plu_world_waiting(world), 0);
    assert_int_equal(plu_world_delayed(world), 3);
    assert_int_equal(heard.lines, 2);
    const plu_feed feed = plu_world_feed(world, 0);
    assert_int_equal(feed.released, 4);
    assert_int_equal(feed.delayed, 3);
    assert_near(feed.asked, 8.0, 1e-15);
    assert_near(feed.rate, 3.0 / 9.0, 1e-15); /* four from 0 to 9 s */
    plu_world_destroy(world);
}

/* Behind one that waits all wait, also those whose own place is free: at a stroke they go on. */
static void test_all_of_a_queue_are_late(void **state)
{
    enum { COUNT = 20 };
    (void)state;
    small_scene small;
    small_scene_init(&small);
    small_scene_feeder(&small, COUNT, 0.125, 0.01)->square = 20.0;
    plu_world *world = small_world(&small);
    double apart[4];
    release_at(world, 0.0, NULL);
    memcpy(apart, world->bodies.position[0], sizeof apart);
    memcpy(world->bodies.position[0], world->bodies.position[1],
           sizeof apart); /* where the next one is due */
    release_at(world, 0.125, NULL);
    assert_int_equal(plu_world_feed(world, 0).delayed, 1);
    release_at(world, 1.25, NULL); /* ten are due, from 0.125 to 1.25 s */
    assert_int_equal(plu_world_active(world), 1);
    assert_int_equal(plu_world_feed(world, 0).delayed, 10);
    memcpy(world->bodies.position[0], apart, sizeof apart);
    release_at(world, 1.25 + small.scene.step, NULL);
    assert_int_equal(plu_world_active(world), 11);
    assert_int_equal(plu_world_delayed(world), 10);
    for (int k = 11; k < COUNT; k++)
        release_at(world, 0.125 * k, NULL); /* in time */
    assert_int_equal(plu_world_active(world), COUNT);
    assert_int_equal(plu_world_feed(world, 0).delayed, 10);
    assert_near(plu_world_feed(world, 0).rate, 8.0, 1e-12);
    plu_world_destroy(world);
}

/* Its center is within a solid sphere, or too near to the wall of a bowl, a tube or a cone. */
static void test_a_boundary_blocks_too(void **state)
{
    (void)state;
    for (int k = 0; k < 5; k++) {
        static const plu_boundary_kind kinds[5] = {PLU_PLATE, PLU_FIXED_SPHERE, PLU_FIXED_SPHERE,
                                                   PLU_CYLINDER, PLU_CONE};
        small_scene small;
        small_scene_init(&small);
        plu_boundary_spec *wall = small_scene_boundary(&small, kinds[k]);
        wall->size[0] = wall->size[1] = wall->height = wall->radii[1] = 1.0;
        wall->inside = k == 2;
        wall->radius = k == 1 ? 0.3 : 0.15;
        if (k == 3) {
            memcpy(wall->axis, (double[3]){1, 0, 0}, sizeof wall->axis);
            wall->center[0] = -0.5;
        }
        small_scene_feeder(&small, 1, 0.1, 0.1)->height = 0.09;
        plu_world *world = small_world(&small);
        struct heard heard = {0};
        release_at(world, 0.02, &heard);
        assert_int_equal(plu_world_active(world), 0);
        assert_int_equal(heard.lines, 1);
        assert_non_null(strstr(heard.text[0], "boundary \"wall-1\""));
        plu_world_destroy(world);
    }
}

static void test_queues_do_not_block_each_other(void **state)
{
    (void)state;
    small_scene small;
    small_scene_init(&small);
    small_scene_feeder(&small, 3, 0.1, 0.1);
    plu_feeder_spec *second = small_scene_feeder(&small, 300, 0.0, 0.01);
    second->square = 20.0;
    second->height = 5.0;
    plu_world *world = small_world(&small);
    release_at(world, 1.0, NULL);
    assert_int_equal(world->bodies.state[0], PLU_ACTIVE);
    assert_int_equal(world->bodies.state[1], PLU_WAITING);
    assert_true(plu_world_active(world) > 10); /* many in one step */
    plu_world_destroy(world);
}

/* The first sphere that overlaps an earlier one, `other`, by all pairs; -1: none does. */
static int first_overlap(const plu_world *world, int *other)
{
    const double(*x)[4] = (const double(*)[4])world->bodies.position;
    for (int a = 0; a < world->bodies.count; a++)
        for (int b = 0; b < a; b++) {
            double from[3];
            plu_sub(x[a], x[b], from);
            *other = b;
            if (plu_norm(from) < x[a][3] + x[b][3])
                return a;
        }
    return -1;
}

/* Many releases in one step: none overlaps another, and the first that does not fit is the first
 * that overlaps an earlier one, by all pairs. */
static void test_releases_of_one_step_do_not_overlap(void **state)
{
    (void)state;
    small_scene small;
    small_scene_init(&small);
    plu_feeder_spec *feeder = small_scene_feeder(&small, 2000, 0.0, 0.01);
    feeder->radius[1] = 0.03;
    feeder->disc = 20.0;
    plu_world *world = small_world(&small);
    release_at(world, 0.0, NULL);
    int other, first = first_overlap(world, &other);
    assert_true(first > 20); /* far more than are searched for one by one */
    assert_int_equal(plu_world_active(world), first);
    assert_int_equal(world->queue_head[0], first);
    plu_world_destroy(world);
}

/* What was there before is in the way of the many of one step, too. */
static void test_many_of_one_step_avoid_what_is_there(void **state)
{
    (void)state;
    int found = 0;
    for (int seed = 1; seed <= 8; seed++) {
        small_scene small;
        small_scene_init(&small);
        small.scene.seed = (uint64_t)seed;
        small_scene_sphere(&small, 0, 0, 0, 1.5);
        plu_feeder_spec *feeder = small_scene_feeder(&small, 500, 0.0, 0.01);
        feeder->disc = 20.0;
        plu_world *world = small_world(&small);
        release_at(world, 0.0, NULL);
        int other, first = first_overlap(world, &other);
        assert_true(first > 0);
        assert_int_equal(plu_world_active(world), first);
        found += first > 12 && other == 0;
        plu_world_destroy(world);
    }
    assert_true(found > 3);
}

static void test_bodies_outside_the_domain_go(void **state)
{
    (void)state;
    small_scene small;
    small_scene_init(&small);
    for (int k = 0; k < 5; k++)
        small_scene_sphere(&small, k, 0.0, 1.0, 0.1)->velocity[1] = 2.0;
    small_scene_feeder(&small, 1, 0.1, 0.1)->center[0] = 100.0; /* outside, but it waits */
    small.scene.has_domain = true;
    memcpy(small.scene.domain, (double[2][3]){{0.5, -1, -1}, {3, 1, 1}}, sizeof small.scene.domain);
    small.scene.outside = PLU_KEEP;
    plu_world *world = small_world(&small);
    double removed = 0.0;
    plu_world_remove_outside(world, &removed);
    assert_int_equal(plu_world_removed(world), 0);
    small.scene.outside = PLU_REMOVE;
    const double before = energy_of(world);
    const long generation = world->generation;
    plu_world_remove_outside(world, &removed);
    assert_int_equal(plu_world_removed(world), 2); /* x = 0 and x = 4; x = 3 is on the border */
    assert_int_equal(plu_world_active(world), 3);
    assert_int_equal(plu_world_waiting(world), 1);
    assert_int_equal(world->bodies.state[0], PLU_REMOVED);
    assert_int_equal(world->bodies.state[4], PLU_REMOVED);
    assert_true(world->generation > generation);
    assert_near(before - energy_of(world), removed, 1e-12 * before);
    assert_near(removed, 2.0 / world->bodies.row[1][6] * (2.0 + 9.81), 1e-9);
    for (int k = 0; k < 6; k++)
        assert_near(world->bodies.row[0][k], 0.0, 0.0);
    assert_near(world->bodies.row[0][6], world->bodies.row[1][6], 0.0);
    plu_world_destroy(world);
}

/* A sphere beyond each face of the domain, and one with its center on each. */
static void test_all_faces_of_the_domain_count(void **state)
{
    (void)state;
    small_scene small;
    small_scene_init(&small);
    for (int k = 0; k < 12; k++) {
        double x[3] = {0.5, 0.5, 0.5};
        x[k % 3] = (k % 2 ? 1.0 : -1.0) * (k < 6 ? 2.0 : 3.0);
        small_scene_sphere(&small, x[0], x[1], x[2], 0.1);
    }
    small.scene.has_domain = true;
    memcpy(small.scene.domain, (double[2][3]){{-2, -2, -2}, {2, 2, 2}}, sizeof small.scene.domain);
    small.scene.outside = PLU_REMOVE;
    plu_world *world = small_world(&small);
    double removed = 0.0;
    plu_world_remove_outside(world, &removed);
    for (int k = 0; k < 12; k++)
        assert_int_equal(world->bodies.state[k], k < 6 ? PLU_ACTIVE : PLU_REMOVED);
    plu_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_times_and_state),
        cmocka_unit_test(test_footprints),
        cmocka_unit_test(test_a_blocked_feeder_waits_and_says_so_once),
        cmocka_unit_test(test_all_of_a_queue_are_late),
        cmocka_unit_test(test_a_boundary_blocks_too),
        cmocka_unit_test(test_queues_do_not_block_each_other),
        cmocka_unit_test(test_releases_of_one_step_do_not_overlap),
        cmocka_unit_test(test_many_of_one_step_avoid_what_is_there),
        cmocka_unit_test(test_bodies_outside_the_domain_go),
        cmocka_unit_test(test_all_faces_of_the_domain_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
