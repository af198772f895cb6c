/* What a trajectory holds, read back frame by frame: all that was written, and files that do not
 * fit are refused. */
#include "known.h"
#include "pluvia/frames.h"
#include "pluvia/grains.h"
#include "pluvia/trajectory.h"
#include "reseal.h"
#include <math.h>

static plu_frames *open_frames(void)
{
    plu_frames *frames = NULL;
    ok(plu_frames_open(&frames, file, &err));
    return frames;
}

static plu_frame_data read_frame(plu_frames *frames, long k)
{
    plu_frame_data frame;
    ok(plu_frames_read(frames, k, &frame, &err));
    return frame;
}

static void test_bodies(void **unused)
{
    (void)unused;
    scene.output->quantities =
        PLU_OUT_VELOCITY | PLU_OUT_ANGULAR_VELOCITY | PLU_OUT_ORIENTATION | PLU_OUT_FORCE;
    write_run(3, false);
    plu_frames *frames = open_frames();
    assert_int_equal(plu_frames_count(frames), 3);
    assert_int_equal(plu_frames_bodies(frames), BODIES);
    for (long k = 2; k >= 0; k--) {
        const plu_frame_data f = read_frame(frames, k);
        advance(k);
        assert_int_equal(f.step, k);
        assert_near(f.time, 1e-3 * (double)k, 0.0);
        for (int i = 0; i < BODIES; i++) {
            const bool there = state[i] == PLU_ACTIVE;
            for (int j = 0; j < 3; j++) {
                assert_true(f.position[i][j] == position[i][j]);
                assert_true(f.velocity[i][j] == velocity[i][j]);
                assert_true(f.angular_velocity[i][j] == velocity[i][3 + j]);
                assert_true(f.force[i][j] == (k > 0 ? (double)k + i - 0.5 * j : 0.0));
            }
            assert_true(f.orientation[i][3] == orientation[i][3]);
            assert_true(f.state[i] == state[i] && f.id[i] == (there ? i : -1));
            assert_true(f.species[i] == species[i] && f.radius[i] == position[i][3]);
            assert_near(f.mass[i], 1.0 + i, 1e-12 * (1.0 + i));
            assert_near(f.inertia[i], 2.0 + i, 1e-12 * (2.0 + i));
        }
    }
    plu_frames_close(frames);
}

/* Numbers of grains, of all contacts of the step, whether they are written or not. */
static void test_numbers_of_grains(void **unused)
{
    (void)unused;
    static plu_grain want[BODIES];
    static plu_contact_row row[256];
    scene.output->quantities =
        PLU_OUT_TORQUE | PLU_OUT_STRESS | PLU_OUT_DISSIPATION | PLU_OUT_COORDINATION;
    write_run(4, true);
    plu_frames *frames = open_frames();
    for (long k = 0; k < 4; k++) {
        const plu_frame_data f = read_frame(frames, k);
        advance(k);
        plu_view view = {.bodies = BODIES,
                         .state = state,
                         .radius = {position[0] + 3, 4},
                         .contacts = k > 0 ? stepper.contacts : 0,
                         .contact = row,
                         .dt = scene.step};
        for (int i = 0; i < view.contacts; i++)
            plu_stepper_contact(&stepper, i, &row[i]);
        memset(want, 0, sizeof want);
        plu_grains_add(want, &view, true);
        assert_null(f.force);
        for (int i = 0; i < BODIES; i++) {
            assert_memory_equal(f.torque[i], want[i].torque, sizeof want[i].torque);
            assert_memory_equal(f.stress[i], want[i].stress, sizeof want[i].stress);
            assert_true(f.dissipation[i] == want[i].dissipation);
            assert_int_equal(f.coordination[i], want[i].coordination);
        }
        assert_true(k % 2 == 0 || want[1].coordination == 1);
    }
    plu_frames_close(frames);
    plu_verified verified;
    ok(plu_trajectory_verify(&verified, file, &err));
    scene.output->quantities = 0;
}

static void same3(const double *got, const double *want)
{
    for (int i = 0; i < 3; i++)
        assert_near(got[i], want[i], 1e-12 * (1.0 + fabs(want[i])));
}

/* Of frames with 35, 0 and 103 contacts; vectors come back from the frame of the contact. */
static void test_contacts(void **unused)
{
    (void)unused;
    write_run(4, false);
    plu_frames *frames = open_frames();
    static const int counts[4] = {0, 35, 0, 103};
    for (long k = 0; k < 4; k++) {
        const plu_frame_data f = read_frame(frames, k);
        advance(k);
        assert_int_equal(f.contacts, counts[k]);
        assert_near(f.dt, scene.step, 0.0);
        for (int i = 0, r = 0; r < f.contacts; i++) {
            if (!plu_stepper_touches(&stepper, i))
                continue;
            plu_contact_row want;
            const plu_contact_row *got = &f.contact[r++];
            plu_stepper_contact(&stepper, i, &want);
            assert_true(plu_side_same(got->a, want.a) && got->b == want.b && got->gap == want.gap);
            assert_true(got->mode == want.mode && got->law == want.law);
            assert_near(got->impulse_normal, want.impulse_normal, 0.0);
            same3(got->point, want.point);
            same3(got->normal, want.normal);
            same3(got->impulse_tangent, want.impulse_tangent);
            same3(got->impulse_moment, want.impulse_moment);
            same3(got->velocity, want.velocity);
        }
    }
    plu_frames_close(frames);
}

/* Places of boundaries come back; a run without any that move has none. */
static void test_boundaries(void **unused)
{
    (void)unused;
    write_run(3, false);
    plu_frames *frames = open_frames();
    plu_frame_data f = read_frame(frames, 2);
    assert_int_equal(f.boundaries, 0);
    plu_frames_close(frames);
    scene.output->boundaries = true;
    write_run(3, true);
    frames = open_frames();
    for (long k = 0; k < 3; k++) {
        f = read_frame(frames, k);
        advance(k);
        assert_int_equal(f.boundaries, 2);
        for (int b = 0; b < 2; b++) {
            const plu_boundary_place want = plu_world_boundary(&world, b);
            same3(f.place[b].position, want.position);
            same3(f.place[b].rotation, want.rotation);
            assert_int_equal(f.place[b].gone, want.gone);
        }
    }
    plu_frames_close(frames);
}

static void test_nearest(void **unused)
{
    (void)unused;
    write_run(4, false);
    plu_frames *frames = open_frames();
    static const double at[][2] = {{-1.0, 0},   {0.4e-3, 0}, {0.6e-3, 1}, {1.4e-3, 1},
                                   {1.6e-3, 2}, {3e-3, 3},   {9.0, 3}};
    for (size_t k = 0; k < sizeof at / sizeof *at; k++)
        assert_int_equal(plu_frames_nearest(frames, at[k][0]), (int)at[k][1]);
    plu_frames_close(frames);
}

/* Each number of an observable is the one that was given. */
static void test_observables(void **unused)
{
    (void)unused;
    static const struct {
        const char *name;
        double want;
    } all[] = {
        {"kinetic_energy", 3.002},
        {"kinetic_energy_rotation", 2.0},
        {"potential_energy", -3.0},
        {"work_friction", -1.0},
        {"work_rolling", -0.5},
        {"work_impact", -4.0},
        {"work_theta", 0.125},
        {"work_projection", 0.0625},
        {"work_cohesion", 0.03125},
        {"energy_inserted", 16.0},
        {"energy_removed", 32.0},
        {"energy_imbalance", 1e-15},
        {"unconverged_steps", 2.0},
        {"made_steps", 6.0},
        {"worst_velocity_error", 0.75},
        {"worst_sinking_speed", 0.25},
        {"max_penetration", 1e-5},
        {"solver_iterations", 7.0},
        {"solver_residual", 1e-3},
        {"solver_natural_map", 1e-9},
        {"velocity_error", 0.03},
        {"boundary_load", 0.75},
        {"work_boundary", 0.375},
        {"work_cell", 0.1875},
        {"jams", 3.0},
        {"yielding_contacts", 6.0},
        {"yielding_steps", 5.0},
        {"jam_depth", 0.0625},
        {"jam_time", 0.5},
        {"jam_body", 4.0},
        {"jam_with", -2.0},
        {"jam_against", NAN},
        {"error_work_net", -0.5},
        {"error_work", 1.5},
        {"error_work_friction", 8.0},
    };
    write_run(3, false);
    plu_frames *frames = open_frames();
    size_t found = 0;
    for (int i = 0; i < plu_frames_observables(frames); i++) {
        const double *values, *again;
        const char *name = plu_frames_observable_name(frames, i);
        ok(plu_frames_observable(&values, frames, name, &err));
        ok(plu_frames_observable(&again, frames, name, &err));
        assert_ptr_equal(values, again); /* read once, however often it is asked for */
        for (size_t k = 0; k < sizeof all / sizeof *all; k++)
            if (!strcmp(name, all[k].name)) {
                if (isnan(all[k].want))
                    assert_true(isnan(values[2]));
                else
                    assert_near(values[2], all[k].want, 1e-15);
                found++;
            }
    }
    assert_int_equal(found, sizeof all / sizeof *all);
    const double *none = &(double){1.0};
    ok(plu_frames_observable(&none, frames, "no_such_observable", &err));
    assert_null(none);
    plu_frames_close(frames);
}

/* A frame that was not finished is none. */
static void test_half_a_frame(void **unused)
{
    (void)unused;
    static const char *const paths[] = {"/particles/trajectory/position/step",
                                        "/particles/trajectory/position/time",
                                        "/particles/trajectory/position/value"};
    world.bodies.count = world.spheres.count = 20;
    for (int k = 0; k < 3; k++) {
        write_run(4, true);
        const hid_t h5 = H5Fopen(file, H5F_ACC_RDWR, H5P_DEFAULT);
        const hid_t id = H5Dopen2(h5, paths[k], H5P_DEFAULT);
        const hsize_t size[3] = {3, 20, 3};
        assert_true(H5Dset_extent(id, size) >= 0);
        H5Dclose(id);
        H5Fclose(h5);
        plu_frames *frames = open_frames();
        assert_int_equal(plu_frames_count(frames), 3);
        plu_frames_close(frames);
    }
}

/* One array of another length than the others: refused, whether too short or too long. */
static void test_shapes_that_do_not_fit(void **unused)
{
    (void)unused;
    static const char *const paths[] = {"/particles/trajectory/radius",
                                        "/particles/trajectory/mass",
                                        "/particles/trajectory/species",
                                        "/contacts/body",
                                        "/contacts/gap",
                                        "/contacts/dt"};
    world.bodies.count = world.spheres.count = 20;
    for (size_t k = 0; k < sizeof paths / sizeof *paths; k++)
        for (int longer = 0; longer < (k < 3 ? 2 : 1); longer++) {
            write_run(4, true);
            const hid_t h5 = H5Fopen(file, H5F_ACC_RDWR, H5P_DEFAULT);
            const hid_t id = H5Dopen2(h5, paths[k], H5P_DEFAULT), space = H5Dget_space(id);
            hsize_t size[2];
            H5Sget_simple_extent_dims(space, size, NULL);
            size[0] += longer ? 1 : -1;
            assert_true(H5Dset_extent(id, size) >= 0);
            H5Sclose(space);
            H5Dclose(id);
            H5Fclose(h5);
            reseal(file);
            plu_frames *frames = NULL;
            assert_int_equal(plu_frames_open(&frames, file, &err), PLU_BAD_INPUT);
            assert_null(frames);
        }
}

/* The open file has the same texts as one that is opened for them. */
static void test_scene(void **unused)
{
    (void)unused;
    write_run(2, false);
    plu_frames *frames = open_frames();
    for (int whole = 0; whole < 2; whole++) {
        char *want = NULL, *got = NULL;
        ok(plu_trajectory_scene(&want, whole, file, &err));
        ok(plu_frames_scene(&got, whole, frames, &err));
        assert_string_equal(got, want);
        free(want);
        free(got);
    }
    plu_frames_close(frames);
}

int main(void)
{
    if (!mkdtemp(folder))
        return 1;
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_bodies),      TEST(test_numbers_of_grains), TEST(test_contacts),
        TEST(test_boundaries),  TEST(test_nearest),           TEST(test_scene),
        TEST(test_observables), TEST(test_half_a_frame),      TEST(test_shapes_that_do_not_fit),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rmdir(folder);
    return failed;
}
