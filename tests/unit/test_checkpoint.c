/* Checkpoints: what is saved comes back, and nothing of a damaged file is used. The stepper is made
 * up: some arrays of each type. */
#include "base/hash.h"
#include "base/state.h"
#include "io/run/checkpoint.h"
#include "near.h"
#include "pluvia/scene.h"
#include "pluvia/tool/state.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ROWS = 40 };

struct plu_stepper {
    size_t rows;
    const char *name; /* of the first array */
    bool other_type;
    double reals[ROWS][3];
    int ints[ROWS];
    long counter;
    unsigned char bytes[ROWS];
};

static plu_error err;
static char folder[64], trajectory[96], newest[PLU_PATH], previous[PLU_PATH];
static plu_scene scene = {.text = (char *)"# made up\n", .resolved = (char *)"seed = 1;\n"};

double plu_world_time(const plu_world *world)
{
    (void)world;
    return 0.125;
}

long plu_world_steps(const plu_world *world)
{
    (void)world;
    return 125;
}

void plu_stepper_state(plu_stepper *s, plu_state *state)
{
    plu_state_real(state, s->name, s->rows, 3, (double *)s->reals);
    if (s->other_type)
        plu_state_long(state, "made/ints", 1, 1, &s->counter);
    else
        plu_state_int(state, "made/ints", s->rows, 1, s->ints);
    plu_state_long(state, "up/counter", 1, 1, &s->counter);
    plu_state_byte(state, "up/bytes", s->rows, 1, s->bytes);
    plu_state_byte(state, "up/none", 0, 1, s->bytes);
}

static plu_stepper numbers(int seed)
{
    plu_stepper s = {.rows = ROWS, .name = "made/reals", .counter = 1L << 40};
    for (int i = 0; i < ROWS; i++) {
        s.ints[i] = -seed * i;
        s.bytes[i] = (unsigned char)(seed + 7 * i);
        for (int k = 0; k < 3; k++)
            s.reals[i][k] = 1.0 / (seed + 3.0 * i + k);
    }
    return s;
}

static plu_run_record record_of(int seed)
{
    return (plu_run_record){.wall_seconds = seed, .still_since = 0.5 * seed, .at_rest = seed % 2};
}

static void save(int seed)
{
    plu_stepper s = numbers(seed);
    plu_run_record r = record_of(seed);
    assert_int_equal(plu_checkpoint_write(trajectory, &scene, NULL, &s, &r, &err), PLU_OK);
}

/* The file holds what save(seed) put there. */
static void check(const char *path, int seed)
{
    const plu_stepper wanted = numbers(seed);
    plu_stepper s = {.rows = ROWS, .name = "made/reals"};
    plu_run_record r = {0};
    const plu_run_record whole = record_of(seed);
    plu_checkpoint c;
    assert_int_equal(plu_checkpoint_open(&c, path, &err), PLU_OK);
    assert_int_equal(c.step, 125);
    assert_near(c.time, 0.125, 0.0);
    assert_string_equal(c.scene, scene.resolved);
    assert_string_equal(c.version, plu_version());
    assert_int_equal(plu_checkpoint_load(&c, &s, &r, &err), PLU_OK);
    plu_checkpoint_close(&c);
    assert_memory_equal(&s, &wanted, sizeof s);
    assert_memory_equal(&r, &whole, sizeof r);
}

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

static void test_round_trip(void **unused)
{
    (void)unused;
    save(3);
    check(newest, 3);
    assert_false(exists(previous));
    save(4);
    check(newest, 4);
    check(previous, 3);
    save(5);
    check(newest, 5);
    check(previous, 4);
}

static void test_adopt(void **unused)
{
    (void)unused;
    plu_stepper s = numbers(1);
    plu_run_record r = record_of(1);
    char copy[128];
    snprintf(copy, sizeof copy, "%s/kept", folder);
    save(1);
    assert_int_equal(link(newest, copy), 0);
    save(2);
    save(3);
    assert_int_equal(plu_checkpoint_adopt(trajectory, newest, &scene, NULL, &s, &r, &err), PLU_OK);
    check(newest, 3);
    check(previous, 2);
    assert_int_equal(plu_checkpoint_adopt(trajectory, previous, &scene, NULL, &s, &r, &err),
                     PLU_OK);
    check(newest, 2);
    assert_false(exists(previous));
    save(3);
    assert_int_equal(plu_checkpoint_adopt(trajectory, copy, &scene, NULL, &s, &r, &err), PLU_OK);
    check(newest, 1);
    check(copy, 1);
    assert_false(exists(previous));
}

static unsigned char *content(size_t *size)
{
    struct stat about;
    assert_int_equal(stat(newest, &about), 0);
    *size = (size_t)about.st_size;
    unsigned char *bytes = malloc(*size + 1);
    FILE *in = fopen(newest, "rb");
    assert_int_equal(fread(bytes, 1, *size, in), *size);
    fclose(in);
    return bytes;
}

static void put(const unsigned char *bytes, size_t size)
{
    FILE *out = fopen(newest, "wb");
    assert_int_equal(fwrite(bytes, 1, size, out), size);
    assert_int_equal(fclose(out), 0);
}

static void refused(const char *what)
{
    plu_checkpoint c;
    if (plu_checkpoint_open(&c, newest, &err) != PLU_BAD_INPUT || err.count != 1)
        fail_msg("%s: not refused", what);
    plu_checkpoint_close(&c);
}

/* Every bit of the seal and every 61st of the rest. */
static void test_flipped_bits(void **unused)
{
    (void)unused;
    size_t size, flips = 0;
    save(6);
    unsigned char *bytes = content(&size);
    const int file = open(newest, O_WRONLY);
    for (size_t bit = 0; bit < 8 * size; bit += bit < 8 * PLU_SEAL ? 1 : 61, flips++) {
        const off_t at = (off_t)bit / 8;
        const unsigned char flipped = (unsigned char)(bytes[at] ^ 1u << bit % 8);
        assert_int_equal(pwrite(file, &flipped, 1, at), 1);
        refused("a flipped bit");
        assert_int_equal(pwrite(file, bytes + at, 1, at), 1);
    }
    close(file);
    print_message("%zu flipped bits\n", flips);
    check(newest, 6);
    free(bytes);
}

static void test_cut_or_longer(void **unused)
{
    (void)unused;
    size_t size;
    save(6);
    unsigned char *bytes = content(&size);
    bytes[size] = 0;
    put(bytes, size + 1);
    refused("a longer file");
    put(bytes, size);
    for (size_t length = size - 1; length > 37; length -= 37) {
        assert_int_equal(truncate(newest, (off_t)length), 0);
        refused("a file cut short");
    }
    free(bytes);
}

/* A whole seal on something else. */
static void test_sealed_nonsense(void **unused)
{
    (void)unused;
    size_t size;
    save(6);
    unsigned char *bytes = content(&size);
    const size_t lengths[] = {PLU_SEAL, PLU_SEAL + 100, size / 2, size - 8};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        char seal[PLU_SEAL];
        const size_t rest = lengths[i] - PLU_SEAL;
        plu_seal_text(seal, (long long)lengths[i],
                      rest ? plu_hash(PLU_HASH_START, bytes + PLU_SEAL, rest) : PLU_HASH_START);
        memcpy(bytes, seal, sizeof seal);
        put(bytes, lengths[i]);
        refused("half a file under a whole seal");
    }
    free(bytes);
}

static void load_fails(plu_stepper s, const char *why)
{
    plu_checkpoint c;
    plu_run_record r;
    assert_int_equal(plu_checkpoint_open(&c, newest, &err), PLU_OK);
    assert_int_equal(plu_checkpoint_load(&c, &s, &r, &err), PLU_BAD_INPUT);
    if (!strstr(err.text, why) || !strstr(err.text, newest))
        fail_msg("\"%s\" does not say \"%s\"", err.text, why);
    plu_checkpoint_close(&c);
}

static void test_another_state(void **unused)
{
    (void)unused;
    save(6);
    plu_stepper s = numbers(6);
    s.rows = ROWS - 1;
    load_fails(s, "made/reals");
    s = numbers(6);
    s.name = "made/other";
    load_fails(s, "made/other");
    s = numbers(6);
    s.other_type = true;
    load_fails(s, "made/ints");
}

static void test_bad_places(void **unused)
{
    (void)unused;
    plu_stepper s = numbers(1);
    plu_run_record r = record_of(1);
    plu_checkpoint c;
    char path[128];
    snprintf(path, sizeof path, "%s/none/pile.h5md", folder);
    assert_int_equal(plu_checkpoint_write(path, &scene, NULL, &s, &r, &err), PLU_IO);
    assert_non_null(strstr(err.text, "No such file"));
    assert_int_equal(plu_checkpoint_write("pile.h5", &scene, NULL, &s, &r, &err), PLU_IO);
    assert_int_equal(plu_checkpoint_open(&c, newest, &err), PLU_IO);
    plu_checkpoint_close(&c);
    assert_int_equal(plu_checkpoint_open(&c, folder, &err), PLU_BAD_INPUT);
    plu_checkpoint_close(&c);
}

static int setup(void **unused)
{
    (void)unused;
    strcpy(folder, "/tmp/pluvia-checkpoint-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    snprintf(trajectory, sizeof trajectory, "%s/pile.h5md", folder);
    return (int)plu_checkpoint_names(trajectory, newest, previous, &err);
}

static int teardown(void **unused)
{
    char path[128];
    (void)unused;
    unlink(newest);
    unlink(previous);
    snprintf(path, sizeof path, "%s/kept", folder);
    unlink(path);
    return rmdir(folder); /* nothing else was left there */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_round_trip, setup, teardown),
        cmocka_unit_test_setup_teardown(test_adopt, setup, teardown),
        cmocka_unit_test_setup_teardown(test_flipped_bits, setup, teardown),
        cmocka_unit_test_setup_teardown(test_cut_or_longer, setup, teardown),
        cmocka_unit_test_setup_teardown(test_sealed_nonsense, setup, teardown),
        cmocka_unit_test_setup_teardown(test_another_state, setup, teardown),
        cmocka_unit_test_setup_teardown(test_bad_places, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
