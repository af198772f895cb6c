/* Random numbers and hashes: the same on every machine, for ever. */
#include "base/hash.h"
#include "base/rng.h"
#include "near.h"
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(philox), cmocka_unit_test(hash)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
