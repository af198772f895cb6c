/* Spheres from a CSV file: what it may look like, and every way in which it can be wrong. */
#include "worlds.h"
#include <stdlib.h>
#include <unistd.h>

static char path[64];

static void write_file(const char *text)
{
    strcpy(path, "/tmp/pluvia-csv-XXXXXX");
    const int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    const size_t size = strlen(text);
    assert_true(write(descriptor, text, size) == (ssize_t)size);
    close(descriptor);
}

static void scene_of(small_scene *small, const char *text)
{
    write_file(text);
    small_scene_init(small);
    plu_body_spec *spec = small_scene_bodies(small, PLU_FILE, 0.1);
    strcpy(spec->path, path);
    memcpy(spec->velocity, (double[3]){1, 2, 3}, sizeof spec->velocity);
    memcpy(spec->angular_velocity, (double[3]){4, 5, 6}, sizeof spec->angular_velocity);
}

static void test_columns_in_any_order(void **state)
{
    (void)state;
    small_scene small;
    scene_of(&small, "\xEF\xBB\xBF# made by hand\r\n\r\n z , radius,x,y,vy  \r\n"
                     "3,0.5, 1 ,2,7\r\n  # between\n\t13,0.25,11,1.2e1,-7\t\n");
    plu_world *world = small_world(&small);
    unlink(path);
    assert_int_equal(world->bodies.count, 2);
    static const double want[2][4] = {{1, 2, 3, 0.5}, {11, 12, 13, 0.25}};
    for (int b = 0; b < 2; b++) {
        for (int k = 0; k < 4; k++)
            assert_near(world->bodies.position[b][k], want[b][k], 0.0);
        assert_near(world->bodies.row[b][0], 1, 0.0);
        assert_near(world->bodies.row[b][1], b ? -7 : 7, 0.0);
        assert_near(world->bodies.row[b][2], 3, 0.0);
        for (int k = 3; k < 6; k++)
            assert_near(world->bodies.row[b][k], 1.0 + k, 0.0);
        assert_int_equal(world->bodies.state[b], PLU_ACTIVE);
    }
    plu_world_destroy(world);
}

static void test_each_column_has_its_place(void **state)
{
    (void)state;
    small_scene small;
    scene_of(&small, "wz,vx,y,vz,wx,x,radius,wy,z,vy\n9,4,2,6,7,1,0.5,8,3,5\n");
    plu_world *world = small_world(&small);
    unlink(path);
    for (int k = 0; k < 3; k++) {
        assert_near(world->bodies.position[0][k], 1.0 + k, 0.0);
        assert_near(world->bodies.row[0][k], 4.0 + k, 0.0);
        assert_near(world->bodies.row[0][3 + k], 7.0 + k, 0.0);
    }
    plu_world_destroy(world);
}

static void test_later_spheres_wait_in_order_of_time(void **state)
{
    (void)state;
    small_scene small;
    scene_of(&small, "x,y,z,time\n1,0,0,0.5\n2,0,0,0\n3,0,0,0.25\n4,0,0,0.5\n5,0,0,-1\n");
    plu_world *world = small_world(&small);
    unlink(path);
    static const int order[5] = {2, 5, 3, 1, 4};
    for (int b = 0; b < 5; b++)
        assert_near(world->bodies.position[b][0], order[b], 0.0);
    assert_int_equal(plu_world_active(world), 2);
    assert_int_equal(plu_world_waiting(world), 3);
    assert_int_equal(world->queues, 1);
    assert_int_equal(world->queue_head[0], 2);
    assert_int_equal(world->queue_end[0], 5);
    double inserted = 0.0;
    plu_error err = {0};
    assert_int_equal(plu_world_release(world, NULL, &inserted, &err), PLU_OK);
    assert_int_equal(plu_world_active(world), 2);
    world->time = 0.25;
    plu_world_release(world, NULL, &inserted, &err);
    assert_int_equal(plu_world_active(world), 3);
    assert_int_equal(world->bodies.state[2], PLU_ACTIVE);
    world->time = 0.5;
    plu_world_release(world, NULL, &inserted, &err);
    assert_int_equal(plu_world_active(world), 5);
    plu_world_destroy(world);
}

static void refused(const char *text, const char *message)
{
    small_scene small;
    scene_of(&small, text);
    char want[256];
    snprintf(want, sizeof want, "%s%s", *message == ':' ? path : "", message);
    small_world_refused(&small, want);
    unlink(path);
}

static void test_bad_files(void **state)
{
    (void)state;
    refused("x,y,z,mass\n1,2,3,4\n", ":1: unknown column \"mass\"; known are x, y, z, radius");
    refused("# a\nx,z\n1,2\n", ":2: column \"y\" is missing");
    refused("x,y,z,x\n1,2,3,4\n", ":1: column \"x\" occurs twice");
    refused("x,y,z\n1,2,3\n1,2,3,4\n", ":3: 4 fields, but the header line names 3");
    refused("x,y,z\n1,two,3\n", ":2: \"two\" in column \"y\" is not a number");
    refused("x,y,z\n1,2 3,3\n", ":2: \"2 3\" in column \"y\" is not a number");
    refused("x,y,z\n1,,3\n", ":2: the field of column \"y\" is empty");
    refused("x,y,z\n1,nan,3\n", ":2: \"nan\" in column \"y\" is not a finite number");
    refused("x,y,z\n1,1e999,3\n", ":2: \"1e999\" in column \"y\" is not a finite number");
    refused("x,y,z,radius\n1,2,3,0\n", ":2: radius 0 is not positive");
    refused("x,y,z,radius\n1,2,3,-0.5\n", ":2: radius -0.5 is not positive");
    refused("x,y,z,radius\n1,2,3,wide\n", ":2: \"wide\" in column \"radius\" is not a number");
    refused("", "scene.cfg:1: ");
    refused("x,y,z\n# nothing\n", "contains no spheres");
}

static void test_file_that_cannot_be_read(void **state)
{
    (void)state;
    small_scene small;
    small_scene_init(&small);
    plu_body_spec *spec = small_scene_bodies(&small, PLU_FILE, 0.1);
    strcpy(spec->path, "/tmp/there is no such file.csv");
    small_world_refused(&small, "scene.cfg:1: cannot open \"/tmp/there is no such file.csv\": No");
    strcpy(spec->path, "/tmp");
    small_world_refused(&small, "scene.cfg:1: cannot read \"/tmp\": Is a directory");
}

static void test_radius_must_come_from_somewhere(void **state)
{
    (void)state;
    small_scene small;
    scene_of(&small, "x,y,z\n1,2,3\n");
    small.bodies[0].radius[0] = small.bodies[0].radius[1] = 0.0;
    small_world_refused(&small, ":1: column \"radius\" is missing");
    unlink(path);
}

static void test_all_errors_at_once_but_not_endlessly(void **state)
{
    (void)state;
    static char text[4096];
    strcpy(text, "x,y,z\n");
    for (int k = 0; k < 30; k++)
        strcat(text, k == 1 ? "1,2,3\n" : "a,2,3\n");
    small_scene small;
    scene_of(&small, text);
    const char *said = small_world_refused(&small, ":2: \"a\"");
    assert_non_null(strstr(said, ":4: \"a\""));
    assert_non_null(strstr(said, ":22: \"a\"")); /* the twentieth */
    assert_null(strstr(said, ":23: \"a\""));
    assert_non_null(strstr(said, ": 9 more errors"));
    unlink(path);
}

static void test_endless_line(void **state)
{
    (void)state;
    static char text[20000];
    memset(text, '1', sizeof text - 1);
    refused(text, ":1: the line is longer than");
}

static void test_overlap_names_the_lines(void **state)
{
    (void)state;
    small_scene small;
    scene_of(&small, "x,y,z\n0,0,0\n# far\n5,0,0\n0.1,0,0\n");
    char want[256];
    snprintf(want, sizeof want, "%s:5: sphere 2 overlaps sphere 0 (%s:2) by 0.1 m, 50 %%", path,
             path);
    small_world_refused(&small, want);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns_in_any_order),
        cmocka_unit_test(test_each_column_has_its_place),
        cmocka_unit_test(test_later_spheres_wait_in_order_of_time),
        cmocka_unit_test(test_bad_files),
        cmocka_unit_test(test_file_that_cannot_be_read),
        cmocka_unit_test(test_radius_must_come_from_somewhere),
        cmocka_unit_test(test_all_errors_at_once_but_not_endlessly),
        cmocka_unit_test(test_endless_line),
        cmocka_unit_test(test_overlap_names_the_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
