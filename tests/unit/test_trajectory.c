/* What a trajectory holds: writes one of a known world and reads it back with HDF5 itself. */
#include "io/h5/h5_buffers.h"
#include "known.h"
#include "pluvia/frames.h"
#include <sys/stat.h>

static haddr_t address(hid_t h5, const char *path)
{
    H5O_info_t found;
    assert_true(H5Oget_info_by_name(h5, path, &found, H5P_DEFAULT) >= 0);
    return found.addr;
}

static void test_bodies_come_back(void **unused)
{
    (void)unused;
    write_run(3, false);
    const hid_t h5 = H5Fopen(file, H5F_ACC_RDONLY, H5P_DEFAULT);
    static const struct {
        const char *path;
        int components;
    } elements[] = {{"position", 3},
                    {"velocity", 3},
                    {"angular_velocity", 3},
                    {"force", 3},
                    {"orientation", 4}};
    for (size_t e = 0; e < sizeof elements / sizeof elements[0]; e++) {
        char path[64];
        hsize_t size[3];
        snprintf(path, sizeof path, "/particles/trajectory/%s/value", elements[e].path);
        double *value = numbers(h5, path, 3, size);
        assert_int_equal(size[0], 3);
        assert_int_equal(size[1], BODIES);
        assert_int_equal(size[2], elements[e].components);
        for (int f = 0; f < 3; f++) {
            advance(f);
            for (int i = 0; i < BODIES; i++)
                for (int k = 0; k < elements[e].components; k++) {
                    const double want[] = {position[i][k % 3], velocity[i][k % 3],
                                           velocity[i][3 + k % 3], f ? f + i - 0.5 * k : 0.0, 0.5};
                    const int c = elements[e].components;
                    assert_true(value[((size_t)f * BODIES + (size_t)i) * (size_t)c + (size_t)k] ==
                                want[e]);
                }
        }
        free(value);
    }
    H5Fclose(h5);
}

static void test_id_and_state(void **unused)
{
    (void)unused;
    write_run(3, false);
    const hid_t h5 = H5Fopen(file, H5F_ACC_RDONLY, H5P_DEFAULT);
    hsize_t size[2];
    double *id = numbers(h5, "/particles/trajectory/id/value", 2, size);
    double *states = numbers(h5, "/particles/trajectory/state/value", 2, size);
    for (int f = 0; f < 3; f++) {
        advance(f);
        for (int i = 0; i < BODIES; i++) {
            assert_true(states[f * BODIES + i] == state[i]);
            assert_true(id[f * BODIES + i] == (state[i] == PLU_ACTIVE ? i : -1));
        }
    }
    const hid_t set = H5Dopen2(h5, "/particles/trajectory/id/value", H5P_DEFAULT);
    const hid_t how = H5Dget_create_plist(set);
    int fill = 0;
    H5Pget_fill_value(how, H5T_NATIVE_INT, &fill);
    assert_int_equal(fill, -1);
    H5Pclose(how);
    H5Dclose(set);
    free(id);
    free(states);
    H5Fclose(h5);
}

static void test_fixed_values(void **unused)
{
    (void)unused;
    write_run(1, false);
    const hid_t h5 = H5Fopen(file, H5F_ACC_RDONLY, H5P_DEFAULT);
    hsize_t size[2];
    double *mass = numbers(h5, "/particles/trajectory/mass", 1, size);
    double *radius = numbers(h5, "/particles/trajectory/radius", 1, size);
    double *kind = numbers(h5, "/particles/trajectory/species", 1, size);
    double *inertia = numbers(h5, "/particles/trajectory/inertia", 2, size);
    assert_int_equal(size[0], BODIES);
    assert_int_equal(size[1], 3);
    for (int i = 0; i < BODIES; i++) {
        assert_near(mass[i], 1.0 + i, 1e-15 * (1.0 + i));
        assert_near(inertia[3 * i + 2], 2.0 + i, 1e-15 * (2.0 + i));
        assert_true(radius[i] == position[i][3] && kind[i] == species[i]);
    }
    free(mass);
    free(radius);
    free(kind);
    free(inertia);
    H5Fclose(h5);
}

static void test_clock_is_shared(void **unused)
{
    (void)unused;
    write_run(3, false);
    const hid_t h5 = H5Fopen(file, H5F_ACC_RDONLY, H5P_DEFAULT);
    static const char *const owners[] = {"/particles/trajectory/velocity",
                                         "/particles/trajectory/id", "/particles/trajectory/state",
                                         "/observables/contacts", "/contacts"};
    for (size_t k = 0; k < sizeof owners / sizeof owners[0]; k++)
        for (int which = 0; which < 2; which++) {
            char path[96];
            snprintf(path, sizeof path, "%s/%s", owners[k], which ? "time" : "step");
            assert_true(address(h5, path) ==
                        address(h5, which ? "/particles/trajectory/position/time"
                                          : "/particles/trajectory/position/step"));
        }
    hsize_t size;
    double *step = numbers(h5, "/particles/trajectory/position/step", 1, &size);
    double *time = numbers(h5, "/particles/trajectory/position/time", 1, &size);
    for (int f = 0; f < 3; f++) {
        assert_true(step[f] == f);
        assert_near(time[f], 1e-3 * f, 0.0);
    }
    free(step);
    free(time);
    H5Fclose(h5);
}

static void test_observables(void **unused)
{
    (void)unused;
    write_run(4, false);
    const hid_t h5 = H5Fopen(file, H5F_ACC_RDONLY, H5P_DEFAULT);
    hsize_t size;
    double *kinetic = numbers(h5, "/observables/kinetic_energy/value", 1, &size);
    assert_int_equal(size, 4);
    double *coordination = numbers(h5, "/observables/coordination/value", 1, &size);
    double *residual = numbers(h5, "/observables/solver_residual/value", 1, &size);
    double *unconverged = numbers(h5, "/observables/unconverged_steps/value", 1, &size);
    double *error = numbers(h5, "/observables/velocity_error/value", 1, &size);
    double *worst = numbers(h5, "/observables/worst_sinking_speed/value", 1, &size);
    double *load = numbers(h5, "/observables/boundary_load/value", 1, &size);
    assert_near(kinetic[3], 3.003, 1e-15);
    assert_true(residual[0] == 0.0 && residual[3] == 1e-3);
    assert_true(unconverged[3] == 3);
    assert_true(error[0] == 0.0 && error[3] == 0.03 && worst[3] == 0.25);
    assert_true(load[0] == 0.0 && load[3] == 0.75);
    advance(3); /* 120 contacts, 30 of them with walls */
    assert_near(coordination[3], (2.0 * 90 + 30) / world.active, 1e-15);
    assert_true(coordination[0] == 0.0 && coordination[2] == 0.0);
    free(kinetic);
    free(coordination);
    free(residual);
    free(unconverged);
    free(error);
    free(worst);
    free(load);
    H5Fclose(h5);
}

/* Frames with 0, 40, 0 and 120 contacts, then one with more than are written at a time; of each the
 * rows of those that touch. */
static void test_contacts(void **unused)
{
    (void)unused;
    plu_trajectory *t = create(false);
    for (int k = 0; k < 4; k++) {
        advance(k);
        ok(plu_trajectory_frame(t, k ? &info : NULL, &err));
    }
    stepper.contacts = 20000;
    ok(plu_trajectory_frame(t, &info, &err));
    ok(plu_trajectory_close(t, PLU_RUN_COMPLETE, &err));

    const hid_t h5 = H5Fopen(file, H5F_ACC_RDONLY, H5P_DEFAULT);
    const int counts[5] = {0, 40, 0, 120, 20000}, rows[5] = {0, 35, 0, 103, 17143};
    hsize_t size[2];
    double *offset = numbers(h5, "/contacts/offset", 1, size);
    assert_int_equal(size[0], 6);
    double *body = numbers(h5, "/contacts/body", 2, size);
    assert_int_equal(size[0], 35 + 103 + 17143);
    double *impulse = numbers(h5, "/contacts/impulse", 2, size);
    double *moment = numbers(h5, "/contacts/moment_impulse", 2, size);
    double *speed = numbers(h5, "/contacts/velocity", 2, size);
    double *tangent = numbers(h5, "/contacts/tangent", 2, size);
    double *status = numbers(h5, "/contacts/status", 1, size);
    double *law = numbers(h5, "/contacts/law", 1, size);
    double *gap = numbers(h5, "/contacts/gap", 1, size);
    double *dt = numbers(h5, "/contacts/dt", 1, size);
    assert_int_equal(size[0], 5);
    const double n[3] = {0.6, 0.0, 0.8};
    double t1[3], t2[3];
    plu_frame(n, t1, t2);
    for (int f = 0; f < 5; f++) {
        assert_true(offset[f + 1] - offset[f] == rows[f] && dt[f] == scene.step);
        int r = (int)offset[f] - 1;
        for (int i = 0; i < counts[f]; i++) {
            if (!plu_stepper_touches(&stepper, i))
                continue;
            r++;
            assert_true(body[2 * r] == (i % 4 ? 2 * i : -1 - i % PARTS));
            assert_true(body[2 * r + 1] == 2 * i + 1);
            assert_true(status[r] == i % 5 && law[r] == i % 3 && gap[r] == -1e-6 * i);
            assert_true(impulse[3 * r] == 1.0 + i);
            assert_near(impulse[3 * r + 1], 0.25 * i, 1e-12 * (1 + i));
            assert_near(impulse[3 * r + 2], -0.5, 1e-12 * (1 + i));
            assert_near(moment[3 * r], 0.0, 1e-12 * (1 + i));
            assert_near(moment[3 * r + 1], -2.0, 1e-12 * (1 + i));
            assert_near(moment[3 * r + 2], 0.125 * i, 1e-12 * (1 + i));
            assert_near(speed[3 * r], 0.5, 1e-14);
            assert_near(speed[3 * r + 2], -4.0, 1e-14);
            assert_near(tangent[3 * r + 1], t1[1], 0.0);
        }
    }
    double *all[] = {offset, body, impulse, moment, speed, tangent, status, law, gap, dt};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
        free(all[k]);
    H5Fclose(h5);
    plu_trajectory_info found, again;
    plu_frames *frames;
    ok(plu_trajectory_info_read(&found, file, &err));
    assert_int_equal(found.contacts, 35 + 103 + 17143);
    ok(plu_frames_open(&frames, file, &err));
    ok(plu_frames_info(&again, frames, &err));
    plu_frames_close(frames);
    assert_int_equal(again.contacts, found.contacts);
    assert_int_equal(again.frames, found.frames);
    assert_int_equal(again.active, found.active);
    assert_int_equal(again.bytes, found.bytes);
    assert_string_equal(again.state, found.state);
    assert_int_equal(again.observables_count, found.observables_count);
    assert_memory_equal(again.last, found.last,
                        (size_t)found.observables_count * sizeof *found.last);
}

static void test_float32(void **unused)
{
    (void)unused;
    scene.output->float32 = true;
    scene.output->compression = 0;
    scene.output->quantities = 0;
    write_run(2, false);
    const hid_t h5 = H5Fopen(file, H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t id = H5Dopen2(h5, "/particles/trajectory/position/value", H5P_DEFAULT);
    const hid_t type = H5Dget_type(id);
    assert_int_equal(H5Tget_size(type), 4);
    H5Tclose(type);
    H5Dclose(id);
    hsize_t size[3];
    double *value = numbers(h5, "/particles/trajectory/position/value", 3, size);
    advance(1);
    for (int i = 0; i < BODIES; i++)
        assert_true(value[(BODIES + i) * 3 + 1] == (double)(float)position[i][1]);
    free(value);
    assert_true(H5Lexists(h5, "/particles/trajectory/velocity", H5P_DEFAULT) == 0);
    H5Fclose(h5);
}

static void test_what_info_says(void **unused)
{
    (void)unused;
    write_run(3, false);
    plu_trajectory_info found;
    ok(plu_trajectory_info_read(&found, file, &err));
    assert_int_equal(found.schema, 2);
    assert_string_equal(found.version, plu_version());
    assert_string_equal(found.title, scene.title);
    assert_string_equal(found.state, "complete");
    assert_string_equal(found.command, provenance.command);
    assert_int_equal(found.frames, 3);
    assert_int_equal(found.bodies, BODIES);
    assert_int_equal(found.threads, 3);
    assert_int_equal(found.contacts, 35); /* of 40 that might touch */
    assert_true(found.seed == scene.seed && found.step == scene.step);
    assert_near(found.start, 0.0, 0.0);
    assert_near(found.end, 2e-3, 0.0);
    assert_int_equal(found.active, 4000);
    assert_int_equal(found.waiting, 500);
    assert_int_equal(found.removed, 500);
    assert_int_equal(found.quantities_count, 11);
    assert_string_equal(found.quantities[0], "angular_velocity");
    assert_int_equal(found.observables_count, 42);
    for (int k = 0; k < found.observables_count; k++)
        if (!strcmp(found.observables[k], "kinetic_energy"))
            assert_near(found.last[k], 3.002, 1e-15);
    struct stat on_disk;
    assert_int_equal(stat(file, &on_disk), 0);
    assert_true(found.bytes == on_disk.st_size);
    for (int which = 0; which < 2; which++) {
        char *read = NULL;
        ok(plu_trajectory_scene(&read, which, file, &err));
        assert_string_equal(read, which ? resolved : text);
        free(read);
    }
}

static void test_names_of_walls(void **unused)
{
    (void)unused;
    write_run(1, false);
    const hid_t h5 = H5Fopen(file, H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t wall = H5Gopen2(h5, "/walls/floor_1", H5P_DEFAULT);
    const hid_t at = H5Aopen(wall, "size", H5P_DEFAULT), box = H5Gopen2(h5, "/walls/position", 0);
    const hid_t which = H5Aopen(box, "parts", H5P_DEFAULT);
    const hid_t first = H5Aopen(wall, "parts", H5P_DEFAULT), space = H5Aget_space(first);
    assert_int_equal(H5Sget_simple_extent_npoints(space), 1); /* and not those of others */
    H5Sclose(space);
    H5Aclose(first);
    double size[2] = {0, 0};
    int index = -1;
    assert_true(H5Aread(at, H5T_NATIVE_DOUBLE, size) >= 0);
    assert_true(size[0] == 1.25 && size[1] == 1.5);
    assert_true(H5Aread(which, H5T_NATIVE_INT, &index) >= 0);
    assert_int_equal(index, 1);
    assert_true(H5Lexists(box, "value", H5P_DEFAULT) == 0); /* VMD would take it for a body */
    H5Aclose(at);
    H5Aclose(which);
    H5Gclose(wall);
    H5Gclose(box);
    H5Fclose(h5);
}

/* Contacts name any part: each is found in the attributes of its wall. */
static void test_walls_of_many_parts(void **unused)
{
    (void)unused;
    enum { MANY = 100 };
    static plu_part many[MANY + 1];
    many[MANY].boundary = 1;
    world.parts = many;
    world.parts_count = MANY + 1;
    write_run(1, false);
    int index[MANY] = {0}, last = -1;
    const hid_t h5 = H5Fopen(file, H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t all = H5Aopen_by_name(h5, "/walls/floor_1", "parts", 0, 0),
                space = H5Aget_space(all);
    const hid_t one = H5Aopen_by_name(h5, "/walls/position", "parts", 0, 0);
    assert_int_equal(H5Sget_simple_extent_npoints(space), MANY);
    assert_true(H5Aread(all, H5T_NATIVE_INT, index) >= 0);
    assert_true(H5Aread(one, H5T_NATIVE_INT, &last) >= 0);
    for (int k = 0; k < MANY; k++)
        assert_int_equal(index[k], k);
    assert_int_equal(last, MANY);
    H5Sclose(space);
    H5Aclose(all);
    H5Aclose(one);
    H5Fclose(h5);
}

/* The space that a frame reserves does not count as content, and is given back in the end. */
static void test_reserved_space(void **unused)
{
    (void)unused;
    enum { MUCH = 1 << 17 }; /* bytes; a quarter of what is reserved at least */
    struct stat about;
    off_t largest = 0;
    plu_trajectory *t = create(false);
    for (int k = 0; k < 3; k++) {
        advance(k);
        ok(plu_trajectory_frame(t, k ? &info : NULL, &err));
        assert_int_equal(stat(file, &about), 0);
        largest = about.st_size;
    }
    ok(plu_trajectory_close(t, PLU_RUN_COMPLETE, &err));
    assert_int_equal(stat(file, &about), 0);
    assert_true(largest < about.st_size + MUCH);
    assert_true(about.st_blocks * 512 < about.st_size + MUCH);
}

static void test_rows_side_by_side(void **unused)
{
    (void)unused;
    static const char bytes[] = "abcdefgh";
    plu_held rows = {0};
    static const int at[] = {104, 200, 100, 106};
    static const size_t size[] = {2, 1, 4, 2}, from[] = {4, 0, 0, 6};
    for (int k = 0; k < 4; k++)
        assert_true(plu_held_add(&rows, H5FD_MEM_DRAW, (haddr_t)at[k], size[k], bytes + from[k]));
    assert_true(plu_held_join(&rows));
    assert_int_equal(rows.count, 2);
    assert_int_equal(rows.list[0].at, 100);
    assert_int_equal(rows.list[0].size, 8);
    assert_memory_equal(rows.list[0].bytes, bytes, 8);
    assert_int_equal(rows.list[1].at, 200);
    assert_int_equal(rows.list[1].size, 1);
    plu_held_free(&rows);
}

/* Of metadata the block that counts frames is written last; near ones are written together, but not
 * beyond a gap of a page, and none that has another turn. */
static void test_order_of_metadata(void **unused)
{
    (void)unused;
    static const struct {
        H5FD_mem_t type;
        int at, size;
        const char *bytes;
    } blocks[] = {{H5FD_MEM_OHDR, 8770, 40, NULL},        {H5FD_MEM_DRAW, 600, 8, NULL},
                  {H5FD_MEM_OHDR, 500, 40, NULL},         {H5FD_MEM_BTREE, 300, 40, "TREE\1\0"},
                  {H5FD_MEM_OHDR, 4635, 40, NULL},        {H5FD_MEM_OHDR, 100, 40, NULL},
                  {H5FD_MEM_BTREE, 8000, 40, "TREE\1\1"}, {H5FD_MEM_SUPER, 0, 96, NULL}};
    static const int order[] = {0, 8000, 300, 100, 4635, 8770, 500, 600};
    static const size_t near[] = {1, 1, 1, 1, 2, 1, 1, 1};
    enum { BLOCKS = sizeof blocks / sizeof *blocks };
    plu_held held = {0};
    size_t bytes;
    for (int k = 0; k < BLOCKS; k++) {
        char content[96] = "";
        if (blocks[k].bytes)
            memcpy(content, blocks[k].bytes, 6);
        assert_true(plu_held_add(&held, blocks[k].type, (haddr_t)blocks[k].at,
                                 (size_t)blocks[k].size, content));
    }
    plu_held_sort(&held, true, 500);
    for (int k = 0; k < BLOCKS; k++) {
        assert_int_equal(held.list[k].at, order[k]);
        assert_int_equal(plu_held_near(&held, (size_t)k, &bytes), near[k]);
        assert_int_equal(bytes, near[k] == 1 ? held.list[k].size : 8810 - 4635);
    }
    plu_held_free(&held);
}

/* With --write FILE.h5md: writes a trajectory for the checks with foreign readers (tests/cli). */
int main(int count, char **words)
{
    if (count == 3 && !strcmp(words[1], "--write")) {
        setup(NULL);
        snprintf(file, sizeof file, "%s", words[2]);
        write_run(5, true);
        return 0;
    }
    if (!mkdtemp(folder))
        return 1;
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_bodies_come_back),  TEST(test_id_and_state),
        TEST(test_fixed_values),      TEST(test_clock_is_shared),
        TEST(test_observables),       TEST(test_contacts),
        TEST(test_float32),           TEST(test_what_info_says),
        TEST(test_names_of_walls),    TEST(test_walls_of_many_parts),
        TEST(test_reserved_space),    TEST(test_rows_side_by_side),
        TEST(test_order_of_metadata),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rmdir(folder);
    return failed;
}
