/* Frames that a thread of their own writes: the jobs of such a thread, the lock of HDF5, the same
 * files, and failures that come late. */
#include "io/h5/h5.h"
#include "io/trajectory/writer.h"
#include "known.h"
#include <omp.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

enum { FRAMES = 6, SHORT = 20000 }; /* us */

typedef struct tally {
    int count, threads;
} tally;

static void count_slowly(void *data)
{
    tally *t = data;
    const int before = t->count;
    t->threads = omp_get_max_threads();
    usleep(SHORT / 10);
    t->count = before + 1;
}

static void test_jobs_one_after_the_other(void **unused)
{
    (void)unused;
    enum { JOBS = 20 };
    tally t = {0, 0};
    plu_behind *behind = plu_behind_new();
    assert_non_null(behind);
    for (int k = 0; k < JOBS; k++)
        plu_behind_do(behind, count_slowly, &t);
    plu_behind_wait(behind);
    assert_int_equal(t.count, JOBS);
    assert_int_equal(t.threads, 1);
    plu_behind_do(behind, count_slowly, &t);
    plu_behind_free(behind); /* after the last job */
    assert_int_equal(t.count, JOBS + 1);
    plu_behind_wait(NULL);
    plu_behind_free(NULL);
}

static void enter(void *data)
{
    int *inside = data;
    const plu_h5_quiet before = plu_h5_quiet_begin(NULL);
    __atomic_store_n(inside, 1, __ATOMIC_RELEASE);
    plu_h5_quiet_end(before);
}

/* A second thread waits until the outermost pair of the first one has ended. */
static void test_one_thread_uses_hdf5(void **unused)
{
    (void)unused;
    int inside = 0;
    plu_behind *behind = plu_behind_new();
    const plu_h5_quiet outer = plu_h5_quiet_begin(NULL), inner = plu_h5_quiet_begin(NULL);
    plu_behind_do(behind, enter, &inside);
    plu_h5_quiet_end(inner);
    usleep(SHORT);
    assert_int_equal(__atomic_load_n(&inside, __ATOMIC_ACQUIRE), 0);
    plu_h5_quiet_end(outer);
    plu_behind_wait(behind);
    assert_int_equal(inside, 1);
    plu_behind_free(behind);
}

static unsigned char *content(const char *path, size_t *size)
{
    FILE *in = fopen(path, "rb");
    assert_non_null(in);
    fseek(in, 0, SEEK_END);
    *size = (size_t)ftell(in);
    rewind(in);
    unsigned char *bytes = malloc(*size);
    assert_int_equal(fread(bytes, 1, *size, in), *size);
    fclose(in);
    return bytes;
}

/* The world changes as soon as a frame is handed over. */
static void test_the_same_files(void **unused)
{
    (void)unused;
    size_t size[2], other[2];
    write_run(FRAMES, false);
    unsigned char *at_once[2] = {content(file, &size[0]), content(sidecar, &size[1])};
    plu_trajectory *t = create(true);
    plu_trajectory_behind(t);
    for (int k = 0; k < FRAMES; k++) {
        advance(k);
        ok(plu_trajectory_frame(t, k ? &info : NULL, &err));
        advance(FRAMES + k);
    }
    assert_int_equal(plu_trajectory_frames(t), FRAMES);
    ok(plu_trajectory_close(t, PLU_RUN_COMPLETE, &err));
    unsigned char *behind[2] = {content(file, &other[0]), content(sidecar, &other[1])};
    for (int k = 0; k < 2; k++) {
        assert_int_equal(size[k], other[k]);
        assert_memory_equal(at_once[k], behind[k], size[k]);
        free(at_once[k]);
        free(behind[k]);
    }
}

typedef enum ending { AT_NEXT_FRAME, AT_SYNC, AT_CLOSE } ending;

/* In a child that may not make the file longer once it has three frames: whether the failure of the
 * fourth is reported by what comes next, once, and with the reason. */
static bool child_reports(ending how)
{
    const pid_t child = fork();
    if (child == 0) {
        struct stat about;
        signal(SIGXFSZ, SIG_IGN);
        plu_trajectory *t = create(true);
        plu_trajectory_behind(t);
        for (int k = 0; k < 3; k++) {
            advance(k);
            ok(plu_trajectory_frame(t, &info, &err));
        }
        bool fine = plu_trajectory_frames(t) == 3 && stat(file, &about) == 0;
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){(rlim_t)about.st_size, (rlim_t)about.st_size});
        fine &= plu_trajectory_frame(t, &info, &err) == PLU_OK;
        if (how == AT_NEXT_FRAME)
            fine &= plu_trajectory_frame(t, &info, &err) == PLU_IO;
        if (how == AT_SYNC)
            fine &=
                plu_trajectory_sync(t, &err) == PLU_IO && plu_trajectory_sync(t, NULL) == PLU_OK;
        fine &= plu_trajectory_close(t, how == AT_CLOSE ? PLU_RUN_COMPLETE : PLU_RUN_FAILED,
                                     &err) == (how == AT_CLOSE ? PLU_IO : PLU_OK);
        fine &= strstr(err.text, "File too large") != NULL;
        _exit(fine ? 42 : 1);
    }
    int end = 0;
    waitpid(child, &end, 0);
    plu_trajectory_info found;
    ok(plu_trajectory_info_read(&found, file, &err));
    assert_int_equal(found.frames, 3);
    return WIFEXITED(end) && WEXITSTATUS(end) == 42;
}

static void test_a_failure_is_reported_later(void **unused)
{
    (void)unused;
    assert_true(child_reports(AT_NEXT_FRAME));
    assert_true(child_reports(AT_SYNC));
    assert_true(child_reports(AT_CLOSE));
}

int main(void)
{
    if (!mkdtemp(folder))
        return 1;
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_a_failure_is_reported_later), /* first: it forks */
        TEST(test_jobs_one_after_the_other),
        TEST(test_one_thread_uses_hdf5),
        TEST(test_the_same_files),
    };
    omp_set_num_threads(1); /* children of a process that had teams cannot have any */
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rmdir(folder);
    return failed;
}
