/* Chunks packed in memory are what the filters of HDF5 make: read back, they are the numbers. */
#include "draw.h"
#include "io/h5/chunk.h"
#include "near.h"
#include <hdf5.h>
#include <math.h>
#include <omp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 40000 };
static plu_error err;
static double reals[MOST];

/* Writes the row by its packed chunks, reads it back, and returns the bytes that it takes. */
static size_t round_trip(hid_t file, const plu_chunk_row *row, hid_t type, const void *numbers)
{
    static int number;
    char name[16];
    snprintf(name, sizeof name, "row%d", number++);
    const hsize_t total = row->total, chunk = row->each;
    const hid_t how = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, &total, NULL);
    H5Pset_chunk(how, 1, &chunk);
    H5Pset_shuffle(how);
    H5Pset_deflate(how, (unsigned)row->level);
    H5Pset_fletcher32(how);
    if (row->fill)
        H5Pset_fill_value(how, type, row->fill);
    const hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, how, H5P_DEFAULT);
    plu_chunks *chunks = plu_chunks_new(&err);
    assert_non_null(chunks);
    assert_int_equal(plu_chunks_pack(chunks, row, numbers, &err), PLU_OK);
    size_t sum = 0;
    for (size_t k = 0; k * row->each < row->total; k++) {
        const hsize_t place = k * row->each;
        size_t bytes;
        const void *packed = plu_chunks_packed(chunks, k, &bytes);
        assert_true(H5Dwrite_chunk(set, H5P_DEFAULT, 0, &place, bytes, packed) >= 0);
        sum += bytes;
    }
    unsigned char *back = malloc(row->total * row->size);
    assert_true(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, back) >= 0);
    assert_memory_equal(back, numbers, row->total * row->size);
    free(back);
    plu_chunks_free(chunks);
    H5Dclose(set);
    H5Sclose(space);
    H5Pclose(how);
    return sum;
}

static hid_t file_in_memory(void)
{
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_core(access, 1 << 20, false);
    const hid_t file = H5Fcreate("chunk.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Pclose(access);
    return file;
}

static void test_hdf5_reads_them(void **unused)
{
    (void)unused;
    draw d = {35};
    const hid_t file = file_in_memory();
    for (int kind = 0; kind < 4; kind++) {
        for (int i = 0; i < MOST; i++) {
            const double noise = draw_uniform(&d, 0.0, 1.0);
            reals[i] = kind == 0   ? 0.0
                       : kind == 1 ? noise
                       : kind == 2 ? (double)(float)(1e-3 * noise - 0.5)
                                   : i / 100;
        }
        for (size_t total = 1; total <= MOST; total = 7 * total + 3)
            for (int level = 1; level <= 6; level += 5) {
                const plu_chunk_row row = {
                    .size = 8, .total = total, .each = total < 4096 ? total : 4096, .level = level};
                round_trip(file, &row, H5T_NATIVE_DOUBLE, reals);
            }
    }
    H5Fclose(file);
}

static void test_ends_that_are_filled_up(void **unused)
{
    (void)unused;
    static const int absent = -1;
    static int whole[MOST];
    static unsigned char bytes[MOST];
    for (int i = 0; i < MOST; i++) {
        whole[i] = i;
        bytes[i] = (unsigned char)(i % 7);
    }
    const hid_t file = file_in_memory();
    const plu_chunk_row ints = {
        .size = 4, .total = 9001, .each = 4096, .fill = &absent, .level = 1};
    round_trip(file, &ints, H5T_NATIVE_INT, whole);
    const plu_chunk_row odd = {.size = 1, .total = 4097, .each = 1365, .level = 1};
    round_trip(file, &odd, H5T_NATIVE_UCHAR, bytes);
    H5Fclose(file);
}

/* Noise is not blown up, what is constant vanishes, and the high bytes of noise shrink. */
static void test_sizes(void **unused)
{
    (void)unused;
    draw d = {71};
    const hid_t file = file_in_memory();
    const plu_chunk_row row = {.size = 8, .total = MOST, .each = 12288, .level = 1};
    memset(reals, 0, sizeof reals);
    assert_true(round_trip(file, &row, H5T_NATIVE_DOUBLE, reals) < sizeof reals / 100);
    for (int i = 0; i < MOST; i++)
        reals[i] = 1.0 + draw_uniform(&d, 0.0, 1.0);
    const size_t noise = round_trip(file, &row, H5T_NATIVE_DOUBLE, reals);
    const size_t filled = (MOST + 12287) / 12288 * 12288; /* numbers in whole chunks */
    assert_true(noise > 6 * MOST && noise < 7 * filled);
    plu_round_rows(reals, MOST, 1, 1e-4, NULL);
    assert_true(round_trip(file, &row, H5T_NATIVE_DOUBLE, reals) < noise / 3);
    H5Fclose(file);
}

static void test_threads_pack_the_same(void **unused)
{
    (void)unused;
    draw d = {72};
    plu_chunks *one = plu_chunks_new(&err), *four = plu_chunks_new(&err);
    for (int i = 0; i < MOST; i++)
        reals[i] = draw_uniform(&d, 0.0, 1.0) - 0.5;
    const plu_chunk_row row = {.size = 8, .total = MOST, .each = 3000, .level = 1};
    const int before = omp_get_max_threads();
    omp_set_num_threads(1);
    assert_int_equal(plu_chunks_pack(one, &row, reals, &err), PLU_OK);
    omp_set_num_threads(4);
    assert_int_equal(plu_chunks_pack(four, &row, reals, &err), PLU_OK);
    omp_set_num_threads(before);
    for (size_t k = 0; k < (MOST + 2999) / 3000; k++) {
        size_t bytes[2];
        const void *a = plu_chunks_packed(one, k, &bytes[0]);
        const void *b = plu_chunks_packed(four, k, &bytes[1]);
        assert_int_equal(bytes[0], bytes[1]);
        assert_memory_equal(a, b, bytes[0]);
    }
    plu_chunks_free(one);
    plu_chunks_free(four);
}

static void test_rounding(void **unused)
{
    (void)unused;
    static const double errors[] = {1e-9, 1e-3, 0.5, 1.0};
    draw d = {111};
    double position[100][4], rows[100][3], exact[100][3];
    for (size_t e = 0; e < sizeof errors / sizeof *errors; e++)
        for (int by_radius = 0; by_radius < 2; by_radius++) {
            double worst = 0.0;
            for (int i = 0; i < 100; i++) {
                position[i][3] = 0.01 * (1 + i % 3);
                for (int k = 0; k < 3; k++)
                    rows[i][k] = exact[i][k] = 100.0 * draw_uniform(&d, 0.0, 1.0) - 50.0;
            }
            plu_round_rows(&rows[0][0], 100, 3, errors[e],
                           by_radius ? (const double(*)[4])position : NULL);
            for (int i = 0; i < 100; i++) {
                const double most = by_radius ? errors[e] / position[i][3] : errors[e];
                for (int k = 0; k < 3; k++)
                    worst = fmax(worst, fabs(rows[i][k] - exact[i][k]) / most);
            }
            assert_true(worst <= 1.0 + 1e-9);
            assert_true(worst > 0.4); /* and no finer than asked for */
        }
}

static void check_filters(plu_shuffle_function *shuffle, plu_fletcher32_function *fletcher32,
                          size_t size, size_t count)
{
    static unsigned char planes[MOST * sizeof(double)], expected[MOST * sizeof(double)];
    const unsigned char *raw = (const unsigned char *)reals;
    shuffle(planes, raw, size, count);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < size; k++)
            expected[k * count + i] = raw[i * size + k];
    assert_memory_equal(planes, expected, size * count);
    uint64_t first = 0, second = 0; /* by the definition */
    for (size_t i = 0; i < size * count; i += 2) {
        first += (uint64_t)raw[i] << 8 | (i + 1 < size * count ? raw[i + 1] : 0);
        second += first;
        first = first > 0 ? (first - 1) % 65535 + 1 : 0;
        second = second > 0 ? (second - 1) % 65535 + 1 : 0;
    }
    assert_int_equal(fletcher32(raw, size * count), second << 16 | first);
}

/* Both filters byte by byte, for each instruction set. */
static void test_instruction_sets(void **unused)
{
    (void)unused;
    static const size_t counts[] = {1, 3, 63, 64, 65, 1000, 4099, MOST};
    draw d = {17};
    for (int i = 0; i < MOST; i++)
        reals[i] = draw_uniform(&d, -1.0, 1.0);
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        for (size_t size = 1; size <= sizeof(double); size++) {
            check_filters(plu_shuffle_plain, plu_fletcher32_plain, size, counts[c]);
#if defined(PLU_X86_64)
            if (plu_cpu_has_avx2())
                check_filters(plu_shuffle_avx2, plu_fletcher32_avx2, size, counts[c]);
            if (plu_cpu_has_avx512())
                check_filters(plu_shuffle_avx512, plu_fletcher32_avx512, size, counts[c]);
#endif
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hdf5_reads_them), cmocka_unit_test(test_ends_that_are_filled_up),
        cmocka_unit_test(test_sizes),           cmocka_unit_test(test_threads_pack_the_same),
        cmocka_unit_test(test_rounding),        cmocka_unit_test(test_instruction_sets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
