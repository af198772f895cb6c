/* Random numbers and hashes: the same on every machine, for ever. */
#include "base/hash.h"
#include "base/rng.h"
#include "near.h"
#include <math.h>
#include <string.h>

/* Philox 4x32 with ten rounds: counter, key and the first two words of the answer, as Salmon et al.
 * give them with their Random123 (kat_vectors). */
static void philox(void **state)
{
    (void)state;
    static const struct {
        uint32_t counter[4], key[2], want[2];
    } known[] = {
        {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d}},
        {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
         {0xffffffff, 0xffffffff},
         {0x408f276d, 0x41c83b0e}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xa4093822, 0x299f31d0},
         {0xd16cfe09, 0x94fdcceb}},
    };
    for (int i = 0; i < 3; i++) {
        const uint32_t *c = known[i].counter, *k = known[i].key, *want = known[i].want;
        const plu_rng rng = {(uint64_t)k[1] << 32 | k[0], c[3]};
        const uint64_t bits = ((uint64_t)want[0] << 32 | want[1]) >> 11;
        assert_near(plu_rng_uniform(rng, (uint64_t)c[1] << 32 | c[0], c[2]), (double)bits * 0x1p-53,
                    0.0);
    }
}

/* Each bit of a text counts, and its length, also where all bytes are 0. */
static void hash(void **state)
{
    (void)state;
    unsigned char bytes[20] = {0};
    uint64_t seen[21 + 160];
    int count = 0;
    for (size_t size = 0; size <= sizeof bytes; size++)
        seen[count++] = plu_hash(PLU_HASH_START, bytes, size);
    for (int bit = 0; bit < 160; bit++) {
        bytes[bit / 8] = (unsigned char)(1 << bit % 8);
        seen[count++] = plu_hash(PLU_HASH_START, bytes, sizeof bytes);
        bytes[bit / 8] = 0;
    }
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++)
            assert_true(seen[i] != seen[j]);
}

/* Columns of rows that lie apart have the hash of their numbers in a row. */
static void hash_of_columns(void **state)
{
    (void)state;
    enum { ROWS = 37, WIDE = 8 };
    double rows[ROWS][WIDE], gathered[ROWS * WIDE];
    for (int i = 0; i < ROWS; i++)
        for (int k = 0; k < WIDE; k++)
            rows[i][k] = sin(1.0 + 8.0 * i + k);
    const plu_hash_column columns[] = {{rows, sizeof *rows, 3}, {&rows[0][3], sizeof *rows, 4}};
    const int from[] = {0, 3};
    for (size_t count = 0; count <= ROWS; count += ROWS) {
        uint64_t all[] = {PLU_HASH_START, 7};
        plu_hash_columns(all, columns, 2, count);
        for (int c = 0; c < 2; c++) {
            const size_t words = (size_t)columns[c].words;
            for (size_t i = 0; i < count; i++)
                memcpy(gathered + i * words, &rows[i][from[c]], words * sizeof(double));
            assert_true(all[c] ==
                        plu_hash(c ? 7 : PLU_HASH_START, gathered, count * words * sizeof(double)));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(philox), cmocka_unit_test(hash),
                                       cmocka_unit_test(hash_of_columns)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
