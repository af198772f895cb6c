#include "base/rng.h"
#include <string.h>

static void philox(uint32_t x[4], uint32_t k0, uint32_t k1)
{
    for (int round = 0; round < 10; round++) {
        const uint64_t a = (uint64_t)0xD2511F53u * x[0], b = (uint64_t)0xCD9E8D57u * x[2];
        const uint32_t y0 = (uint32_t)(b >> 32) ^ x[1] ^ k0, y2 = (uint32_t)(a >> 32) ^ x[3] ^ k1;
        x[0] = y0;
        x[1] = (uint32_t)b;
        x[2] = y2;
        x[3] = (uint32_t)a;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
}

double plu_rng_uniform(plu_rng rng, uint64_t item, uint32_t draw)
{
    uint32_t x[4] = {(uint32_t)item, (uint32_t)(item >> 32), draw, rng.stream};
    philox(x, (uint32_t)rng.seed, (uint32_t)(rng.seed >> 32));
    const uint64_t bits = ((uint64_t)x[0] << 32 | x[1]) >> 11;
    return (double)bits * 0x1p-53;
}

/* A draw that no item of a stream uses otherwise. */
enum { DRAW_PERMUTATION = 0x7fffffff, FEISTEL_ROUNDS = 6 };

static uint64_t feistel(plu_rng rng, uint64_t item, uint32_t bits)
{
    const uint64_t mask = ((uint64_t)1 << bits) - 1;
    uint64_t left = item >> bits, right = item & mask;
    for (uint32_t round = 0; round < FEISTEL_ROUNDS; round++) {
        uint32_t x[4] = {(uint32_t)right, round, DRAW_PERMUTATION, rng.stream};
        philox(x, (uint32_t)rng.seed, (uint32_t)(rng.seed >> 32));
        const uint64_t swapped = right;
        right = (left ^ x[0]) & mask;
        left = swapped;
    }
    return left << bits | right;
}

uint64_t plu_rng_permuted(plu_rng rng, uint64_t item, uint64_t count)
{
    uint32_t bits = 1; /* of each half */
    while (bits < 31 && (uint64_t)1 << 2 * bits < count)
        bits++;
    do
        item = feistel(rng, item, bits);
    while (item >= count);
    return item;
}
