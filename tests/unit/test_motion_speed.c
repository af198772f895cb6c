/* How fast boundaries are (world/motion.h), from poses that are written by hand. */
#include "near.h"
#include "world/motion.h"
#include <math.h>

/* At the start of a step, at its end, and in the mean. */
static plu_motion motion_of(double start, double end, double mean, double spin)
{
    return (plu_motion){.boundary = 0,
                        .extent = 2.0,
                        .reach = 0.5,
                        .most = {7.0, 3.0},
                        .bound = {6.0, 2.0},
                        .pose = {.velocity = {{start, 0, 0}, {0, end, 0}, {0, 0, mean}},
                                 .spin = {spin, -2.0 * spin, 0.0},
                                 .belt = {{0, 0, 0.25}, {0, 0, 0}, {0, 0, 0}},
                                 .moves = true}};
}

static void the_fastest_of_a_step_counts(void **state)
{
    (void)state;
    plu_motion m = motion_of(3.0, 1.0, 2.0, 0.0);
    assert_near(plu_motion_speed(&m, 10.0), 3.0, 0.0);
    assert_near(plu_motion_speed_squared(&m), 3.25 * 3.25, 1e-15); /* with its belt */
    m = motion_of(1.0, 3.0, 2.0, 0.0);
    assert_near(plu_motion_speed(&m, 10.0), 3.0, 0.0);
    m = motion_of(1.0, 2.0, 3.0, 0.0);
    assert_near(plu_motion_speed(&m, 10.0), 3.0, 0.0);
    m = motion_of(0.5, 0.5, 0.5, 4.0);
    assert_near(plu_motion_speed(&m, 10.0), 0.5 + 8.0 * 0.5, 1e-15); /* by its reach, */
    assert_near(plu_motion_speed_squared(&m), 16.5 * 16.5, 1e-12);   /* and its extent */
    m.endless = true;
    assert_near(plu_motion_speed(&m, 10.0), 0.5 + 8.0 * 10.0, 1e-12);
    m.extent = INFINITY;
    assert_near(plu_motion_speed_squared(&m), 0.75 * 0.75, 1e-15);
}

static void all_motions_of_a_world(void **state)
{
    (void)state;
    plu_motion motions[2] = {motion_of(3.0, 1.0, 2.0, 0.0), motion_of(0.5, 0.1, 0.2, 0.25)};
    plu_world w = {.motions = motions, .motions_count = 2, .smallest = 0.01};
    motions[1].most[1] = 0.0;
    assert_near(plu_motions_fastest(&w), 7.0 + 3.0 * 2.0, 1e-15);
    motions[0].most[1] = 0.0;
    assert_near(plu_motions_fastest(&w), 7.0, 0.0);
    /* from (3, 0, 0) to (0, 1, 0), and of the other one 0.75 rad/s at 2 m */
    assert_near(plu_motions_change(&w), sqrt(10.0), 1e-15);
    motions[0].pose.velocity[1][0] = 3.0, motions[0].pose.velocity[1][1] = 0.0;
    assert_near(plu_motions_change(&w), sqrt(0.26) + 0.75 * 2.0, 1e-15);
    /* the slowest way that any of them has: a spin at the radius of the smallest sphere */
    assert_near(plu_motions_slowest(&w), 0.5 * 0.01, 1e-15);
    motions[1].pose.moves = false;
    assert_near(plu_motions_slowest(&w), 0.25, 0.0); /* the belt of the first */
    motions[0].pose.moves = false;
    assert_true(isinf(plu_motions_slowest(&w)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_fastest_of_a_step_counts),
        cmocka_unit_test(all_motions_of_a_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
