/* The files of a trajectory when things go wrong: older results, bad places, a full disk, a kill,
 * damage. */
#include "known.h"
#include "reseal.h"
#include <errno.h>
#include <fcntl.h>
#include <omp.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

static void test_an_old_result_is_kept(void **unused)
{
    (void)unused;
    write_run(2, false);
    plu_trajectory *t = NULL;
    assert_int_equal(
        plu_trajectory_create(&t, file, false, &scene, &world, &stepper, &provenance, &err),
        PLU_IO);
    assert_null(t);
    assert_non_null(strstr(
        err.text, "exists; use --restart auto to continue its run, --force to replace it or -o to "
                  "write elsewhere"));
    assert_false(exists(part));

    plu_trajectory_info found;
    t = create(true);
    ok(plu_trajectory_info_read(&found, file, &err)); /* not touched before the first frame */
    assert_int_equal(found.frames, 2);
    assert_true(exists(part));
    ok(plu_trajectory_frame(t, NULL, &err));
    assert_false(exists(part));
    ok(plu_trajectory_close(t, PLU_RUN_INTERRUPTED, &err));
    ok(plu_trajectory_info_read(&found, file, &err));
    assert_int_equal(found.frames, 1);
    assert_string_equal(found.state, "interrupted");
}

static void test_no_frame_leaves_nothing(void **unused)
{
    (void)unused;
    ok(plu_trajectory_close(create(false), PLU_RUN_FAILED, &err));
    assert_false(exists(file) || exists(part) || exists(sidecar));
    ok(plu_trajectory_close(NULL, PLU_RUN_COMPLETE, &err));
}

static void refused(const char *path, const char *why)
{
    plu_trajectory *t = NULL;
    assert_int_equal(
        plu_trajectory_create(&t, path, true, &scene, &world, &stepper, &provenance, &err), PLU_IO);
    if (!strstr(err.text, why))
        fail_msg("\"%s\" does not say \"%s\"", err.text, why);
}

static void test_places(void **unused)
{
    (void)unused;
    char path[128], inner[96];
    snprintf(path, sizeof path, "%s/pile.h5", folder);
    refused(path, "must end in NAME.h5md");
    snprintf(path, sizeof path, "%s/a/b/pile.h5md", folder);
    refused(path, "No such file or directory");
    assert_int_equal(mkdir(file, 0700), 0);
    refused(file, "is a directory");
    rmdir(file);

    snprintf(inner, sizeof inner, "%s/new", folder);
    snprintf(path, sizeof path, "%s/new/pile.h5md", folder);
    plu_trajectory *t = NULL;
    ok(plu_trajectory_create(&t, path, false, &scene, &world, &stepper, &provenance, &err));
    assert_true(exists(inner));
    ok(plu_trajectory_close(t, PLU_RUN_FAILED, &err)); /* no frame: the folder goes, too */
    assert_false(exists(inner));
    close(open(inner, O_CREAT | O_WRONLY, 0600));
    refused(path, "not a folder");
    unlink(inner);
}

/* In a child that may not make files larger than `bytes`: returns its exit status. */
static int child_with_limit(long bytes, int frames)
{
    const pid_t child = fork();
    if (child == 0) {
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){(rlim_t)bytes, (rlim_t)bytes});
        plu_trajectory *t = NULL;
        plu_status status =
            plu_trajectory_create(&t, file, true, &scene, &world, &stepper, &provenance, &err);
        for (int k = 0; k < frames && status == PLU_OK; k++) {
            advance(k);
            status = plu_trajectory_frame(t, &info, &err);
        }
        const bool said = strstr(err.text, "File too large") != NULL;
        if (status != PLU_OK)
            plu_trajectory_frame(t, &info, NULL);
        plu_trajectory_close(t, PLU_RUN_FAILED, NULL);
        _exit(status == PLU_IO && said ? 42 : 1);
    }
    int how = 0;
    waitpid(child, &how, 0);
    return WIFEXITED(how) ? WEXITSTATUS(how) : -WTERMSIG(how);
}

static void test_a_full_disk(void **unused)
{
    (void)unused;
    assert_int_equal(child_with_limit(100000, 5), 42); /* in the first frame */
    assert_false(exists(file) || exists(part) || exists(sidecar));
    assert_int_equal(child_with_limit(4000000, 500), 42);
    plu_trajectory_info found;
    ok(plu_trajectory_info_read(&found, file, &err));
    assert_in_range(found.frames, 1, 499);
    const hid_t h5 = H5Fopen(file, H5F_ACC_RDONLY, H5P_DEFAULT);
    hsize_t size[3];
    double *value = numbers(h5, "/particles/trajectory/position/value", 3, size);
    advance(found.frames - 1);
    assert_true(value[((size_t)found.frames - 1) * BODIES * 3 + 4] == position[1][1]);
    free(value);
    H5Fclose(h5);
}

/* A child writes until it is killed, telling the frames that are safe. */
static void test_kill(void **unused)
{
    (void)unused;
    for (int round = 0; round < 5; round++) {
        int tell[2];
        assert_int_equal(pipe(tell), 0);
        const pid_t child = fork();
        if (child == 0) {
            plu_trajectory *t = create(true);
            for (int k = 0;; k++) {
                advance(k % 50);
                world.steps = k;
                ok(plu_trajectory_frame(t, &info, &err));
                if (write(tell[1], "x", 1) != 1)
                    _exit(1);
            }
        }
        char done[4096];
        long frames = 0;
        while (frames < 3 + round)
            frames += read(tell[0], done, 1);
        usleep(3000u * (unsigned)round);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        close(tell[1]);
        for (ssize_t more; (more = read(tell[0], done, sizeof done)) > 0;)
            frames += more;
        close(tell[0]);
        plu_trajectory_info found;
        ok(plu_trajectory_info_read(&found, file, &err));
        assert_true(found.frames >= frames);
        assert_string_equal(found.state, "running");
        const hid_t h5 = H5Fopen(file, H5F_ACC_RDONLY, H5P_DEFAULT);
        hsize_t size[3];
        double *value = numbers(h5, "/particles/trajectory/position/value", 3, size);
        for (long f = 0; f < frames; f++) {
            advance(f % 50);
            assert_memory_equal(&value[(size_t)f * BODIES * 3], position[0], 3 * sizeof(double));
        }
        free(value);
        H5Fclose(h5);
    }
}

static plu_status read_info(const char *path)
{
    static plu_trajectory_info found;
    return plu_trajectory_info_read(&found, path, &err);
}

static void test_files_that_are_none(void **unused)
{
    (void)unused;
    assert_int_equal(read_info(file), PLU_IO);
    assert_non_null(strstr(err.text, "No such file or directory"));
    assert_int_equal(read_info(folder), PLU_BAD_INPUT);
    FILE *out = fopen(file, "w");
    fputs("not a trajectory\n", out);
    fclose(out);
    assert_int_equal(read_info(file), PLU_BAD_INPUT);
    assert_non_null(strstr(err.text, "not an HDF5 file"));
    char *read = NULL;
    assert_int_equal(plu_trajectory_scene(&read, true, file, &err), PLU_BAD_INPUT);
    assert_null(read);
    const hid_t h5 = H5Fcreate(file, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(h5);
    assert_int_equal(read_info(file), PLU_BAD_INPUT);
    assert_non_null(strstr(err.text, "not a pluvia trajectory"));
}

static void test_a_file_cut_short(void **unused)
{
    (void)unused;
    world.bodies.count = world.spheres.count = 20;
    write_run(2, false);
    struct stat whole;
    assert_int_equal(stat(file, &whole), 0);
    for (long cut = whole.st_size - 1; cut >= 0; cut -= 1 + whole.st_size / 200) {
        assert_int_equal(truncate(file, cut), 0);
        assert_int_equal(read_info(file), PLU_BAD_INPUT);
    }
}

/* Takes away or replaces one object at a time: always a sentence, never a crash. */
static void test_a_file_with_parts_missing(void **unused)
{
    (void)unused;
    static const char *const paths[] = {"/parameters/pluvia",
                                        "/parameters/pluvia/command",
                                        "/particles/trajectory",
                                        "/particles/trajectory/position/step",
                                        "/particles/trajectory/state",
                                        "/particles/trajectory/position/value",
                                        "/contacts/offset",
                                        "/observables/active/value"};
    world.bodies.count = world.spheres.count = 20;
    for (size_t k = 0; k < 3 * sizeof paths / sizeof paths[0]; k++) {
        const char *path = paths[k / 3];
        write_run(2, true);
        const hid_t h5 = H5Fopen(file, H5F_ACC_RDWR, H5P_DEFAULT);
        assert_true(H5Ldelete(h5, path, H5P_DEFAULT) >= 0);
        if (k % 3 == 1)
            H5Gclose(H5Gcreate2(h5, path, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        if (k % 3 == 2) {
            const hsize_t size[3] = {1, 1, 1};
            const hid_t space = H5Screate_simple(3, size, NULL);
            H5Dclose(H5Dcreate2(h5, path, H5T_NATIVE_FLOAT, space, H5P_DEFAULT, H5P_DEFAULT,
                                H5P_DEFAULT));
            H5Sclose(space);
        }
        H5Fclose(h5);
        reseal(file);
        assert_int_equal(read_info(file), PLU_BAD_INPUT);
    }
}

static void test_a_locked_file(void **unused)
{
    (void)unused;
    plu_trajectory *t = create(false);
    ok(plu_trajectory_frame(t, NULL, &err));
    const pid_t child = fork();
    if (child == 0) {
        execl("/proc/self/exe", "test_results", "--info", file, (char *)NULL);
        _exit(99);
    }
    int how = 0;
    waitpid(child, &how, 0);
    assert_true(WIFEXITED(how) && WEXITSTATUS(how) == PLU_IO);
    ok(plu_trajectory_close(t, PLU_RUN_COMPLETE, &err));
}

int main(int count, char **words)
{
    if (count == 3 && !strcmp(words[1], "--info")) { /* as another program: test_a_locked_file */
        const plu_status status = read_info(words[2]);
        return status == PLU_IO && !strstr(err.text, "HDF5_USE_FILE_LOCKING") ? 98 : (int)status;
    }
    if (!mkdtemp(folder))
        return 1;
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_an_old_result_is_kept),
        TEST(test_no_frame_leaves_nothing),
        TEST(test_places),
        TEST(test_a_full_disk),
        TEST(test_kill),
        TEST(test_files_that_are_none),
        TEST(test_a_file_cut_short),
        TEST(test_a_file_with_parts_missing),
        TEST(test_a_locked_file),
    };
    omp_set_num_threads(1); /* children of a process that had teams cannot have any */
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rmdir(folder);
    return failed;
}
